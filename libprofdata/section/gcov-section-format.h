/* Flags of GCC's counters in the heapprof section.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_SECTION_FORMAT_H
#define HEAPPROF_GCOV_SECTION_FORMAT_H

enum gcov_section_unit_flag
{
  GCOV_SECTION_BIG_ENDIAN = 1,
  GCOV_SECTION_HAS_SUMMARY = 2,
  GCOV_SECTION_UNIT_FLAGS = 3
};

enum gcov_section_function_flag
{
  GCOV_SECTION_HAS_IDENT = 1, /* differs from that of a public function NAME */
  GCOV_SECTION_FUNCTION_FLAGS = 1
};

#endif /* HEAPPROF_GCOV_SECTION_FORMAT_H */

/* Layout of files with machine-level profiles (.mip): doc/mip-format.md.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_FILE_H
#define HEAPPROF_MIP_FILE_H

#define MIP_FILE_MAGIC "\x89HPMI\r\n\x1a"
#define MIP_FILE_MAGIC_BYTES 8
#define MIP_FILE_VERSION 1
#define MIP_FILE_HEADER_BYTES 128
#define MIP_FILE_SECTION_BYTES 32

/* Sections, in file order.  */
enum mip_file_section
{
  MIP_SECTION_MODULES,
  MIP_SECTION_FUNCTIONS,
  MIP_SECTION_BLOCKS,
  MIP_SECTION_RULES,
  MIP_SECTION_TRACES,
  MIP_SECTION_TRACE_DATA,
  MIP_SECTION_STRINGS,
  MIP_SECTION_EDGES,
  MIP_SECTION_COPIES,
  MIP_SECTION_FLOWS,
  MIP_SECTION_COUNT
};

/* Sizes of their elements.  */
#define MIP_FILE_MODULE_BYTES 128
#define MIP_FILE_FUNCTION_BYTES 128
#define MIP_FILE_BLOCK_BYTES 24
#define MIP_FILE_TRACE_BYTES 16
#define MIP_FILE_EDGE_BYTES 32
#define MIP_FILE_COPY_BYTES 32
#define MIP_FILE_FLOW_BYTES 32

/* Number of sections in files from before edges were added.  */
#define MIP_FILE_LEAST_SECTIONS MIP_SECTION_EDGES

#endif /* HEAPPROF_MIP_FILE_H */

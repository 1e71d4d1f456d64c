/* Common parts of GCC's data files (.gcda) and notes files (.gcno).
   SPDX-License-Identifier: GPL-3.0-or-later

     header   u32 magic, u32 version, u32 stamp, from GCC 12 on u32 checksum
     record   u32 tag, u32 length, the data

   All numbers are in the byte order of the machine that wrote the file, which
   the magic shows; 64-bit numbers are two 32-bit numbers, the low one first.
   Lengths, of records and strings, are in words of 4 bytes up to GCC 11 and in
   bytes from GCC 12 on.  The length of a string includes its NUL; length 0
   means no string.  */

#ifndef HEAPPROF_GCOV_FORMAT_H
#define HEAPPROF_GCOV_FORMAT_H

#include "byte-reader.h"
#include "gcov-profile.h"
#include <stdbool.h>
#include <stdint.h>

#define GCOV_FORMAT_DATA_MAGIC 0x67636461  /* gcda */
#define GCOV_FORMAT_NOTES_MAGIC 0x67636e6f /* gcno */
#define GCOV_FORMAT_NAME_MAGIC 0x6763666e  /* gcfn: name of the next file */

#define GCOV_FORMAT_FIRST_MAJOR 11
#define GCOV_FORMAT_LAST_MAJOR 16

/* Tags of records.  Tags of counters are for kind 0; other kinds are added,
   shifted.  */
enum gcov_format_tag
{
  GCOV_FORMAT_END = 0,
  GCOV_FORMAT_FUNCTION = 0x01000000,
  GCOV_FORMAT_BLOCKS = 0x01410000,
  GCOV_FORMAT_ARCS = 0x01430000,
  GCOV_FORMAT_LINES = 0x01450000,
  GCOV_FORMAT_CONDITIONS = 0x01470000,
  GCOV_FORMAT_PATHS = 0x01490000,
  GCOV_FORMAT_COUNTERS = 0x01a10000
};
#define GCOV_FORMAT_SUMMARY 0xa1000000
#define GCOV_FORMAT_KIND_SHIFT 17

/* Return true if files of MAJOR have lengths in words and no checksum.  */
static inline bool
gcov_format_has_words (unsigned int major)
{
  return major < 12;
}

/* Return the major version of the compiler that writes VERSION, a letter, two
   digits and a status: `B22*' is 12.2, released.  0 if it is not valid.  */
unsigned int gcov_format_major (uint32_t version);

/* Return the last kind of counters that GCC MAJOR knows.  */
enum gcov_kind gcov_format_last_kind (unsigned int major);

/* Read the next 4 bytes as a magic number, and set the byte order of READER so
   that it is a known one.  Return 0 if READER fails or no byte order fits.  */
uint32_t gcov_format_read_magic (struct byte_reader *reader);

/* Read a version word.  Return its major version; READER fails if it is not
   supported.  */
unsigned int gcov_format_read_version (struct byte_reader *reader,
				       uint32_t *version);

/* Read a 64-bit number of WHAT.  */
int64_t gcov_format_read_counter (struct byte_reader *reader, const char *what);

/* Read a string of WHAT in a file of MAJOR: NUL-terminated, in the file, valid
   as long as the file is; NULL if there is no string or READER fails.  */
const char *gcov_format_read_string (struct byte_reader *reader,
				     unsigned int major, const char *what);

#endif /* HEAPPROF_GCOV_FORMAT_H */

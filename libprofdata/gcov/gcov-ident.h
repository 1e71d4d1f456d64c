/* GCC's idents and checksums of functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC identifies a function in its counters by a CRC-32 of 31 bits, never 0: of
   the assembler name for a public function; for a local one of the source file,
   the name, and the base name of the output object.  */

#ifndef HEAPPROF_GCOV_IDENT_H
#define HEAPPROF_GCOV_IDENT_H

#include <stdint.h>

/* Return CRC continued with the text of NAME including its NUL.  Random parts
   of compiler-generated names are replaced by zeros.  */
uint32_t gcov_checksum_name (uint32_t crc, const char *name);

/* Return CRC continued with the bytes of VALUE, most significant first.  */
uint32_t gcov_checksum_u32 (uint32_t crc, uint32_t value);

/* Return the ident of the public function NAME; of the local function NAME of
   FILE in the object with base name OBJECT.  */
uint32_t gcov_ident_public (const char *name);
uint32_t gcov_ident_local (const char *name, const char *file,
			   const char *object);

/* Return the checksum of name and line of the function NAME, declared in FILE
   at LINE.  */
uint32_t gcov_lineno_checksum (const char *name, const char *file,
			       uint32_t line);

#endif /* HEAPPROF_GCOV_IDENT_H */

/* gcc's idents and checksums of functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   gcc names a function in its counters by a CRC-32 of 31 bits, never 0: of the
   assembler name for a public function; for a local one of the source file, the
   name, and the base name of the object that was made.  */

#ifndef HEAPPROF_GCOV_IDENT_H
#define HEAPPROF_GCOV_IDENT_H

#include <stdint.h>

/* CRC continued by the text of NAME with its NUL.  Of the random part in names
   that the compiler made up, zeros are taken.  */
uint32_t gcov_checksum_name (uint32_t crc, const char *name);

/* CRC continued by the bytes of VALUE, the most significant first.  */
uint32_t gcov_checksum_u32 (uint32_t crc, uint32_t value);

/* The ident of the public function NAME; and of the local function NAME of
   FILE in the object with base name OBJECT.  */
uint32_t gcov_ident_public (const char *name);
uint32_t gcov_ident_local (const char *name, const char *file,
			   const char *object);

/* The checksum of name and line of the function NAME, declared in FILE at
   LINE.  */
uint32_t gcov_lineno_checksum (const char *name, const char *file,
			       uint32_t line);

#endif /* HEAPPROF_GCOV_IDENT_H */

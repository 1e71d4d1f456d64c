/* GCC's idents and checksums of functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-ident.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Not zlib's CRC: the most significant bit comes first, and nothing is
   inverted.  */
#define POLYNOMIAL 0x04c11db7

#define SEED_DIGITS 8

static uint32_t
add_byte (uint32_t crc, uint8_t byte)
{
  crc ^= (uint32_t) byte << 24;
  for (int bit = 0; bit < 8; bit++)
    crc = crc << 1 ^ (crc & UINT32_C (1) << 31 ? POLYNOMIAL : 0);
  return crc;
}

/* Return true if the next characters of TEXT are as many upper-case hexadecimal
   digits as a random seed has.  */
static bool
is_seed (const char *text)
{
  return strspn (text, "0123456789ABCDEF") >= SEED_DIGITS;
}

/* Return the start of random digits in TEXT, the part of a name after
   `_GLOBAL__': the second of two adjacent numbers.  NULL if there are none.  */
static const char *
find_random (const char *text)
{
  for (text = strchr (text, '_'); text; text = strchr (text + 1, '_'))
    {
      const char *second = text + 1 + SEED_DIGITS;
      if (is_seed (text + 1) && *second == '_' && is_seed (second + 1))
	return second + 1;
    }
  return NULL;
}

uint32_t
gcov_checksum_name (uint32_t crc, const char *name)
{
  const char *random = strstr (name, "_GLOBAL__");
  if (random)
    {
      random += strlen ("_GLOBAL__");
      random
	= find_random (strncmp (random, "N_", 2) == 0 ? random + 2 : random);
    }
  do
    {
      if (random && name == random + SEED_DIGITS)
	random = find_random (random - 1);
      crc = add_byte (crc, random && name >= random ? '0' : *name);
    }
  while (*name++);
  return crc;
}

uint32_t
gcov_checksum_u32 (uint32_t crc, uint32_t value)
{
  for (int shift = 24; shift >= 0; shift -= 8)
    crc = add_byte (crc, value >> shift);
  return crc;
}

static uint32_t
make_ident (uint32_t crc)
{
  crc &= 0x7fffffff;
  return crc ? crc : 1;
}

uint32_t
gcov_ident_public (const char *name)
{
  return make_ident (gcov_checksum_name (0, name));
}

uint32_t
gcov_ident_local (const char *name, const char *file, const char *object)
{
  uint32_t crc = gcov_checksum_name (0, file);
  crc = gcov_checksum_name (crc, name);
  return make_ident (gcov_checksum_name (crc, object));
}

uint32_t
gcov_lineno_checksum (const char *name, const char *file, uint32_t line)
{
  return gcov_checksum_name (gcov_checksum_name (line, file), name);
}

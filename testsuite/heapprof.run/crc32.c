/* The run-time library's CRC, where the machine has instructions for it, equals
   that by tables, and has the value that is known for nine digits.
   SPDX-License-Identifier: GPL-3.0-or-later

   The source is included: the library has no function for programs that returns
   a CRC.  Prints how it is computed.  */

#include "../../libheapprof/record/crc32.c"
#include <stdio.h>

enum
{
  BYTES = 700
};

int
main (void)
{
  static uint8_t data[BYTES];
  for (unsigned i = 0; i < BYTES; i++)
    data[i] = (uint8_t) (i * i * 31 >> 4);
  rt_crc32_start ();
  for (size_t n = 0; n < BYTES - 19; n++)
    {
      const uint8_t *const from = data + n % 19;
      const uint32_t before = (uint32_t) n * 2654435761u;
      if (rt_crc32 (before, from, n) != rt_crc32_by_tables (before, from, n))
	{
	  printf ("%zu bytes: another CRC than by tables\n", n);
	  return 1;
	}
    }
  if (rt_crc32 (0, "123456789", 9) != 0xcbf43926u)
    {
      puts ("another CRC than the known one");
      return 1;
    }
  puts (can_fold ? "by instructions" : "by tables");
  return 0;
}

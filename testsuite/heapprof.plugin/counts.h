/* Common parts of the hand-counted programs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
{
#endif
  /* See counters.c.  */
  void *new_block (size_t size);
  uint64_t take_count (const void *data, size_t size);
#ifdef __cplusplus
}
#endif

#define KEEP __attribute__ ((noipa))

#define BLOCK_BYTES 8192

static int n_wrong;

static void __attribute__ ((no_instrument_function, unused))
check_count (const char *what, const void *data, size_t size, uint64_t expected)
{
  uint64_t found = take_count (data, size);
  if (found == expected)
    return;
  printf ("%s: expected %lu, found %lu\n", what, (unsigned long)expected,
	  (unsigned long)found);
  n_wrong++;
}

/* Start again with two zeroed blocks, P and Q.  */
static void __attribute__ ((no_instrument_function, unused))
clear_blocks (void *p, void *q)
{
  memset (p, 0, BLOCK_BYTES);
  memset (q, 0, BLOCK_BYTES);
  take_count (p, BLOCK_BYTES);
  take_count (q, BLOCK_BYTES);
}

/* Of N accesses that are STEP bytes apart and begin OFFSET bytes after P, each
   granule has some that should, and all are N.  */
static void __attribute__ ((no_instrument_function, unused))
check_granules (const char *what, char *p, size_t offset, size_t step, size_t n)
{
  size_t i = 0, total = 0;
  for (size_t granule = 0; granule < BLOCK_BYTES / 64; granule++)
    {
      const size_t before = i;
      for (; i < n && (offset + i * step) / 64 == granule; i++)
	;
      const uint64_t found = take_count (p + granule * 64, 64);
      total += found;
      if ((found != 0) != (i != before))
	check_count (what, p, 0, granule + 1);
    }
  if (total != n)
    check_count (what, p, 0, n);
}

/* CALL makes COUNT_P accesses to the block p and COUNT_Q to the block q.  */
#define COUNTS(call, count_p, count_q)                                         \
  do                                                                           \
    {                                                                          \
      call;                                                                    \
      check_count (#call " at p", p, BLOCK_BYTES, count_p);                    \
      check_count (#call " at q", q, BLOCK_BYTES, count_q);                    \
      clear_blocks (p, q);                                                     \
    }                                                                          \
  while (0)

static int __attribute__ ((no_instrument_function, unused)) report (void)
{
  if (!n_wrong)
    puts ("ok");
  return n_wrong != 0;
}

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

/* Any number of calling contexts, with one block each.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: many-contexts CONTEXTS

   Ten functions call each other in all orders, as many levels deep as CONTEXTS
   has digits; the innermost one allocates a block and writes it once.  The
   last 1024 blocks are live.  */

#include "workload.h"

enum
{
  FUNCTIONS = 10,
  PLACES = 1024
};

typedef void visitor (unsigned long path, unsigned long unit);
static visitor *const visitors[FUNCTIONS];

static uint64_t *places[PLACES];
static uint64_t sum;

/* Call the function that the uppermost digit of PATH, whose value is UNIT,
   stands for; with none left, allocate.  Inlined, so that each function has its
   own call sites.  */

static inline __attribute__ ((always_inline)) void
visit (unsigned long path, unsigned long unit)
{
  if (unit > 0)
    visitors[path / unit % FUNCTIONS](path, unit / FUNCTIONS);
  else
    {
      uint64_t *const block = workload_block (malloc (16 + path % 64));
      *block = path;
      uint64_t **const place = &places[path % PLACES];
      if (*place != NULL)
	sum = workload_mix (sum, **place);
      free (*place);
      *place = block;
    }
  /* Not a tail call, which would remove the frame.  */
  __asm__ volatile("" : : : "memory");
}

#define VISITOR(NUMBER)                                                        \
  static __attribute__ ((noinline)) void visit_##NUMBER (unsigned long path,   \
							 unsigned long unit)   \
  {                                                                            \
    visit (path, unit);                                                        \
  }

WORKLOAD_TEN (VISITOR)

static visitor *const visitors[FUNCTIONS] = { WORKLOAD_TEN_NAMES (visit_) };

int
main (int argc, char **argv)
{
  const unsigned long count = workload_argument (argc, argv, 1, 100000);
  unsigned long unit = 1;
  while (count / FUNCTIONS >= unit)
    unit *= FUNCTIONS;
  /* All paths have the same number of digits.  */
  if (unit == count && unit > 1)
    unit /= FUNCTIONS;
  for (unsigned long path = 0; path < count; path++)
    visit (path, unit);
  for (unsigned i = 0; i < PLACES; i++)
    free (places[i]);
  workload_report (sum);
  return 0;
}

/* Functions that access two blocks through pointers computed from one another,
   chosen by branches, or moved from one block to the other.  Without
   optimization each makes the number of accesses stated in main, however they
   are counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include "counts.h"

struct item
{
  int kind, value;
  struct item *next;
  long row[300];
};

static jmp_buf environment;

KEEP int
leave (int way)
{
  if (way == 1)
    exit (0);
  if (way == 2)
    longjmp (environment, 1);
  return 0;
}

/* One object, at distances that are not constant.  */
KEEP long
t_index (struct item *p, int i, int j)
{
  p->kind++;
  p->row[i] = p->row[j];
  return p->row[299] + (&p->row[i])[j];
}

/* The pointers are of one object only in some calls.  */
KEEP int
t_either (const int *p, const int *q, int second)
{
  const int *r = second ? q : p;
  return p[0] + r[1] + r[200] + q[3];
}

/* A pointer that passes through a loop, and is used after it.  */
KEEP long
t_pass (const char *p, int stop)
{
  const char *at = p;
  while (*at != stop && at < p + 1000)
    at += at[1] ? 1 : 2;
  return p[500] + at[0] + at[1];
}

/* Two pointers that change places in each iteration.  */
KEEP long
t_swap (int *p, int *q, int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    {
      int *const r = p;
      sum += p[i] + p[700];
      p = q;
      q = r;
    }
  return sum + p[0];
}

/* Accesses that not every iteration makes, at addresses without a rule, and
   several exits.  */
KEEP int
t_table (int *table, const int *index, int n)
{
  for (int i = 0; i < n; i++)
    {
      if (index[i] < 0)
	return i;
      if (index[i] & 1)
	table[index[i]]++;
      if (table[index[i] + 500] == 9)
	break;
    }
  return -1;
}

/* The same with a call that may not return.  */
KEEP int
t_table_calls (int *table, const int *index, int n, int way)
{
  for (int i = 0; i < n; i++)
    {
      table[index[i]]++;
      if (i == 2)
	leave (way);
      table[index[i] + 500]++;
    }
  return table[0];
}

/* The base points before the block.  */
KEEP int
t_virtual_base (const int *base, unsigned first, unsigned n)
{
  int sum = 0;
  for (unsigned i = first; i < first + n; i++)
    if (base[i] != 7)
      sum += base[i + 500];
  return sum;
}

/* Match two texts, as compression does.  */
KEEP size_t
t_match (const char *a, const char *b, const char *end)
{
  const char *const start = a;
  while (a < end && *a == *b)
    a++, b++;
  if (a < end && a[0] == b[1])
    a++;
  return (size_t)(a - start);
}

/* Lists: each node is another block.  */
KEEP int
t_list (struct item *p, int kind)
{
  struct item *last = NULL;
  int n = 0;
  for (; p; last = p, p = p->next)
    {
      if (p->kind == kind && last)
	last->value++;
      if (p->row[n & 7])
	n++;
    }
  return last ? last->value + n : n;
}

/* A pointer into a block follows the block.  */
KEEP int
t_move (const struct item *q)
{
  struct item *p = malloc (sizeof *p);
  const int *inside = &p->value;
  p->value = 3;
  int sum = *inside;
  const char *const old = (const char *)p;
  free (p);
  inside = (const int *)((const char *)inside + ((const char *)q - old));
  return sum + *inside + inside[-1];
}

/* Memory operations of known and unknown size.  */
KEEP void
t_copy (char *p, const char *q, size_t n)
{
  memcpy (p, q, n);
  memcpy (p + 100, q + 300, 200);
  memset (p + n, 1, 64);
}

/* Inner loops that may have no iterations.  */
KEEP long
t_rows (const long *p, const int *lengths, int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < lengths[i]; j++)
	sum += p[i * 20 + j];
      if (sum < 0)
	break;
    }
  return sum;
}

static const int *ended;
static uint64_t expected_at_end;

static void __attribute__ ((no_instrument_function))
check_at_end (void)
{
  check_count ("at the end", ended, BLOCK_BYTES, expected_at_end);
  report ();
}

static int __attribute__ ((no_instrument_function))
end_by (int way, int *p, const int *q)
{
  ended = p;
  expected_at_end = 10;
  atexit (check_at_end);
  return t_table_calls (p, q, 5, way);
}

int __attribute__ ((no_instrument_function))
main (int argc, char **argv)
{
  int *p = new_block (BLOCK_BYTES), *q = new_block (BLOCK_BYTES);
  struct item *const a = (struct item *)p, *const b = (struct item *)q;
  const int way = argc > 1 ? atoi (argv[1]) : 0;

  clear_blocks (p, q);
  if (way == 1)
    return end_by (way, p, q);
  COUNTS (t_index (a, 3, 4), 6, 0);
  COUNTS (t_either (p, q, 0), 3, 1);
  COUNTS (t_either (p, q, 1), 1, 3);
  COUNTS ((p[2] = 1, t_pass ((char *)p, 1)), 12, 0);
  COUNTS (t_pass ((char *)p, 0), 4, 0);
  COUNTS (t_swap (p, q, 5), 6, 5);
  COUNTS (t_swap (p, p, 4), 9, 0);
  COUNTS (t_table (p, q, 4), 4, 12);
  COUNTS ((q[0] = 1, q[2] = 3, q[3] = -1, t_table (p, q, 9)), 7, 12);
  COUNTS ((q[1] = 2, p[502] = 9, t_table (p, q, 9)), 2, 6);
  COUNTS (t_table (p, q, 0), 0, 0);
  COUNTS (t_table_calls (p, q, 4, 0), 17, 8);
  COUNTS (if (!setjmp (environment)) t_table_calls (p, q, 4, 2), 10, 5);
  COUNTS (t_virtual_base (p - 1000, 1000, 6), 12, 0);
  COUNTS ((p[2] = 7, t_virtual_base (p - 1000, 1000, 6)), 11, 0);
  COUNTS (t_virtual_base (p - 1000, 1000, 0), 0, 0);
  COUNTS (t_match ((char *)p, (char *)q, (char *)p + 9), 9, 9);
  COUNTS ((p[1] = 1, t_match ((char *)p, (char *)q, (char *)p + 9)), 6, 6);
  COUNTS (t_match ((char *)p, (char *)q, (char *)p), 0, 0);
  COUNTS ((a->next = b, b->kind = 3, t_list (a, 3)), 5, 4);
  COUNTS ((a->next = b, a->row[0] = 1, t_list (a, 3)), 3, 4);
  COUNTS (t_list (NULL, 3), 0, 0);
  COUNTS (t_move (b), 0, 2);
  COUNTS (t_copy ((char *)p, (char *)q, 50), 40, 32);
  COUNTS (t_copy ((char *)p, (char *)q, 0), 33, 25);
  COUNTS (t_copy ((char *)p, (char *)q, 120), 48, 40);
  COUNTS (t_copy ((char *)p + 5, (char *)q + 63, 60), 41, 33);
  COUNTS ((q[0] = 5, q[2] = 7, t_rows ((long *)p, q, 4)), 12, 16);
  COUNTS (t_rows ((long *)p, q, 0), 0, 0);
  return report ();
}

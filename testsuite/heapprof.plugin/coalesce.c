/* Functions that return, jump or throw between accesses that share a counter.
   Without optimization each makes the number of accesses stated in main,
   however they are counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include "counts.h"

struct record
{
  int kind, value;
  struct record *next;
  long sum;
  long far[20];
};

static jmp_buf environment;
static int calls_left;

/* Return, or leave by WAY: exit or longjmp.  GCC cannot know which.  */
KEEP int
leave (int way)
{
  if (way == 1)
    exit (0);
  if (way == 2)
    longjmp (environment, 1);
  return 0;
}

KEEP int
t_call_between (struct record *p, int way)
{
  int result = p->kind;
  result += leave (way);
  return result + p->value;
}

KEEP int
t_call_in_arm (struct record *p, int way)
{
  int result = p->kind;
  if (way)
    leave (way);
  else
    result += p->value;
  return result + (int)p->sum;
}

KEEP int
t_early_return (struct record *p, int kind)
{
  if (p->kind != kind)
    return 0;
  if (p->value != kind)
    return 1;
  return p->sum;
}

KEEP int
t_list (struct record *p, int value)
{
  for (; p; p = p->next)
    if (p->kind == value)
      return p->value;
  return -1;
}

KEEP int
t_continue (struct record *p, int n, int mask)
{
  int result = 0;
  for (int i = 0; i < n; i++)
    {
      result += p->kind;
      if (i & mask)
	continue;
      p->value = i;
      if (p->sum == i)
	break;
    }
  return result;
}

KEEP int
t_switch (struct record *p, int n)
{
  int result = 0;
  for (int i = 0; i < n; i++)
    switch (p->kind + i)
      {
      case 0:
	result += p->value;
	break;
      case 1:
	p->value = 0;
	/* Fall through.  */
      case 2:
	p->sum = i;
	break;
      default:
	result += p->far[0];
      }
  return result;
}

/* A cycle with two entries.  */
KEEP int
t_irreducible (struct record *p, int n, int second)
{
  int result = 0;
  if (second)
    goto second_part;
first_part:
  result += p->kind;
second_part:
  result += p->value;
  if (--n > 0)
    goto first_part;
  return result + p->kind;
}

/* An endless loop unless STOP is set from outside.  */
KEEP int
t_spin (struct record *p, volatile int *stop)
{
  int result = p->kind;
  while (!*stop)
    if (--calls_left == 0)
      leave (1);
  return result + p->value;
}

__attribute__ ((noinline, noclone)) static int
pure_sum (const struct record *p)
{
  return p->kind + p->value;
}

/* The counter changes during a call that, as GCC knows, does not write memory.
   More optimizers process functions that have loops.  */
KEEP int
t_pure (struct record *p, int *q, int n)
{
  int result = 0;
  for (int i = 0; i < n; i++)
    q[i * i] += i;
  p->kind = 1;
  result = pure_sum (p);
  p->kind = 2;
  return result + pure_sum (p);
}

KEEP void
t_loop_pure (struct record *p, int *q, int n)
{
  for (int i = 0; i < n; i++)
    {
      q[i] = pure_sum (p);
      p->kind++;
    }
}

KEEP void
t_copy (struct record *p, const struct record *q)
{
  p->kind = q->kind;
  memcpy (&p->value, &q->value, 28);
}

/* At each exit of the loop there is a PHI of the pointer.  */
KEEP long
t_two_exits (struct record **list, int kind)
{
  struct record *p;
  long result = 0;
  for (;;)
    {
      p = *list++;
      if (p->sum)
	result++;
      if (p->kind == kind)
	{
	  result += p->far[6];
	  break;
	}
      if (p->value == kind)
	{
	  result -= p->far[7];
	  break;
	}
    }
  return result + p->far[8];
}

KEEP struct record *
t_loop_in_arm (struct record *p, const char *text, unsigned *place)
{
  struct record *first, *table = p->next;
  unsigned n, hash = 0;
  if (table)
    {
      while (*text)
	hash = hash * 31 + *text++;
      hash %= p->kind;
      first = table[hash].next;
      n = table[hash].kind;
    }
  else
    {
      first = (struct record *)p->sum;
      n = p->value;
    }
  if (place)
    *place = hash;
  return n ? first : 0;
}

KEEP long
t_arms (struct record *p, int a, int b)
{
  long result = p->kind;
  if (a)
    {
      if (b)
	result += p->value;
      else
	result ^= 3;
    }
  else if (b > 3)
    result -= p->sum;
  if (result > 5)
    return result;
  return result + p->far[0];
}

/* After the block is freed, accesses do not count.  */
KEEP int
t_free (struct record *q, int kind)
{
  struct record *p = malloc (sizeof *p);
  int result;
  p->kind = kind;
  p->next = q;
  result = p->next->kind;
  if (p->kind == kind)
    free (p);
  else
    result += p->value;
  return result;
}

static const struct record *ended;
static uint64_t expected_at_end;

static void __attribute__ ((no_instrument_function))
check_at_end (void)
{
  check_count ("at the end", ended, BLOCK_BYTES, expected_at_end);
  report ();
}

static int __attribute__ ((no_instrument_function))
end_by (int way, struct record *p)
{
  static volatile int stop;
  ended = p;
  expected_at_end = 1;
  atexit (check_at_end);
  calls_left = 3;
  if (way == 1)
    t_call_between (p, 1);
  else if (way == 2)
    t_call_in_arm (p, 1);
  else
    t_spin (p, &stop);
  return 1;
}

int __attribute__ ((no_instrument_function))
main (int argc, char **argv)
{
  struct record *p = new_block (BLOCK_BYTES), *q = new_block (BLOCK_BYTES);
  const int way = argc > 1 ? atoi (argv[1]) : 0;

  clear_blocks (p, q);
  if (way)
    return end_by (way, p);
  COUNTS (t_call_between (p, 0), 2, 0);
  COUNTS (if (!setjmp (environment)) t_call_between (p, 2), 1, 0);
  COUNTS (t_call_in_arm (p, 0), 3, 0);
  COUNTS (if (!setjmp (environment)) t_call_in_arm (p, 2), 1, 0);
  COUNTS (t_early_return (p, 1), 1, 0);
  COUNTS ((p->kind = 1, t_early_return (p, 1)), 2, 0);
  COUNTS ((p->kind = p->value = 1, t_early_return (p, 1)), 3, 0);
  COUNTS ((p->next = q, q->kind = 5, t_list (p, 5)), 2, 2);
  COUNTS ((p->next = q, t_list (p, 5)), 2, 2);
  COUNTS (t_list (NULL, 5), 0, 0);
  COUNTS ((p->sum = -1, t_continue (p, 8, 1)), 16, 0);
  COUNTS ((p->sum = 4, t_continue (p, 8, 1)), 11, 0);
  COUNTS (t_continue (p, 0, 1), 0, 0);
  COUNTS (t_switch (p, 5), 11, 0);
  COUNTS (t_irreducible (p, 3, 0), 7, 0);
  COUNTS (t_irreducible (p, 3, 1), 6, 0);
  COUNTS (t_pure (p, (int *)q, 3), 6, 6);
  COUNTS (t_loop_pure (p, (int *)q, 5), 20, 5);
  COUNTS (t_copy (p, q), 5, 5);
  COUNTS ((q->kind = 5, t_two_exits ((struct record *[]){ p, q }, 5)), 3, 4);
  COUNTS ((q->value = 5, t_two_exits ((struct record *[]){ p, q }, 5)), 3, 5);
  COUNTS (t_two_exits ((struct record *[]){ p, q }, 0), 4, 0);
  COUNTS ((p->kind = 1, p->next = q, t_loop_in_arm (p, "key", NULL)), 2, 2);
  COUNTS (t_loop_in_arm (p, "key", NULL), 3, 0);
  COUNTS (t_arms (p, 1, 1), 3, 0);
  COUNTS (t_arms (p, 1, 0), 2, 0);
  COUNTS (t_arms (p, 0, 5), 3, 0);
  COUNTS (t_arms (p, 0, 0), 2, 0);
  COUNTS ((p->kind = 9, t_arms (p, 0, 5)), 2, 0);
  COUNTS ((p->kind = 9, t_arms (p, 0, 0)), 1, 0);
  COUNTS (t_free (p, 1), 1, 0);
  return report ();
}

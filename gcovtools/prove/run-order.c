/* The order in which variants run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "run-order.h"

/* The generator splitmix64.  */
static uint64_t
next_random (uint64_t *state)
{
  uint64_t value = *state += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

double
run_order_random (uint64_t *state)
{
  return (double) (next_random (state) >> 11) * 0x1p-53;
}

static void
swap (size_t *a, size_t *b)
{
  size_t value = *a;
  *a = *b;
  *b = value;
}

void
run_order_next (size_t *order, size_t count, size_t round, uint64_t *state)
{
  if (round % 2 != 0)
    {
      for (size_t i = 0; i < count / 2; i++)
	swap (&order[i], &order[count - 1 - i]);
      return;
    }
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  for (size_t i = count; i > 1; i--)
    swap (&order[i - 1], &order[next_random (state) % i]);
}

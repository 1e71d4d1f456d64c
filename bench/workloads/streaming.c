/* A complete program of streaming loops over arrays of numbers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: streaming NUMBERS ROUNDS

   A round passes over three arrays of NUMBERS numbers: scale, add, three-point
   mean, and a sum.  Only integers are summed across an array, so that vector
   code computes the same result.  */

#include "workload.h"

static void __attribute__ ((noinline))
scale (double *restrict to, const double *restrict from, size_t count)
{
  for (size_t i = 0; i < count; i++)
    to[i] = from[i] * 0.5;
}

static void __attribute__ ((noinline))
add (double *restrict to, const double *restrict from, size_t count)
{
  for (size_t i = 0; i < count; i++)
    to[i] += from[i];
}

static void __attribute__ ((noinline))
mean (double *restrict to, const double *restrict from, size_t count)
{
  for (size_t i = 1; i + 1 < count; i++)
    to[i] = (from[i - 1] + from[i] * 2 + from[i + 1]) * 0.25;
}

/* A sum of integers: exact in any order.  */

static uint64_t __attribute__ ((noinline))
total (const double *from, size_t count)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (uint64_t) (int64_t) (from[i] * 1024);
  return sum;
}

static double *
make_array (size_t count, uint64_t seed)
{
  double *const array = workload_block (malloc (count * sizeof *array));
  for (size_t i = 0; i < count; i++)
    array[i] = (double) (workload_random (&seed) % 1000);
  return array;
}

int
main (int argc, char **argv)
{
  const size_t count = workload_argument (argc, argv, 1, 500000);
  const unsigned long rounds = workload_argument (argc, argv, 2, 1000);
  double *const a = make_array (count, 1);
  double *const b = make_array (count, 2);
  double *const c = make_array (count, 3);
  uint64_t sum = 0;
  for (unsigned long i = 0; i < rounds; i++)
    {
      scale (a, b, count);
      add (a, c, count);
      mean (b, a, count);
      sum = workload_mix (sum, total (b, count));
    }
  free (a);
  free (b);
  free (c);
  workload_report (sum);
  return 0;
}

/* OpenMP: parallel loops, reductions, tasks, critical and atomic parts, with
   blocks that one thread allocates and another releases.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static unsigned long
sum_tree (unsigned long *values, int low, int high)
{
  unsigned long left, right;

  if (high - low < 8)
    {
      unsigned long sum = 0;
      for (int i = low; i < high; i++)
	sum += values[i];
      return sum;
    }
  unsigned long *room = malloc (sizeof *room);
#pragma omp task shared(left)
  left = sum_tree (values, low, (low + high) / 2);
#pragma omp task shared(right)
  right = sum_tree (values, (low + high) / 2, high);
#pragma omp taskwait
  *room = left + right;
  left = *room;
  free (room);
  return left;
}

int
main (void)
{
  enum { COUNT = 1000 };
  unsigned long *values = calloc (COUNT, sizeof *values), sum = 0, total = 0;
  char *blocks[COUNT];

#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum) num_threads(4)
  for (int i = 0; i < COUNT; i++)
    {
      blocks[i] = malloc (i % 90 + 1);
      blocks[i][i % 90] = i;
      values[i] += i * 3ul;
      sum += values[i];
    }
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    total = sum_tree (values, 0, COUNT);
#pragma omp for schedule(static, 1)
    for (int i = 0; i < COUNT; i++)
      {
#pragma omp atomic
	values[i % 10] += (unsigned char) blocks[i][i % 90];
	free (blocks[i]);
      }
  }
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < COUNT; i++)
    sum += values[i];
  printf ("%lu %lu\n", sum, total);
  free (values);
  return 0;
}

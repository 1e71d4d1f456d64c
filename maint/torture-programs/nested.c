/* Nested functions, their addresses taken, non-local goto out of them, variable
   arrays, statement expressions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static int
apply (int (*function) (int, int *), int n, int *block)
{
  return n ? function (n, block) + apply (function, n - 1, block) : 0;
}

static int
outer (int size)
{
  __label__ out;
  int *block = malloc (size * sizeof *block);
  int local[size];
  int calls = 0;

  int
  inner (int n, int *memory)
  {
    int *own = calloc (n, sizeof *own);
    int result = ({ own[n - 1] = n; own[n - 1] + own[0]; });
    free (own);
    calls++;
    local[n % size] = memory[n % size] += n;
    if (calls > 40)
      goto out;
    return result + local[n % size];
  }

  for (int i = 0; i < size; i++)
    block[i] = local[i] = i;
  for (int i = 0; i < 10; i++)
    calls += apply (inner, size - 1, block) & 1;
out:
  for (int i = 0; i < size; i++)
    calls = calls * 7 + block[i] + local[i];
  free (block);
  return calls;
}

int
main (void)
{
  unsigned sum = 0;

  for (int size = 2; size < 30; size++)
    sum = sum * 31 + outer (size);
  printf ("%u\n", sum);
  return 0;
}

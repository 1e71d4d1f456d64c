/* A program whose calls go to a shared library and back; see profgen-library.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

int library_fold (int (*function) (int), int n);
int library_twice (int a);

static int
halve (int a)
{
  return a % 2 == 0 ? a / 2 : 3 * a + 1;
}

__attribute__ ((noinline)) static int
count (int a)
{
  int turns = 0;
  while (a > 1 && turns < 9)
    {
      a = halve (a);
      turns++;
    }
  return turns;
}

__attribute__ ((noinline)) static int
twice (int a)
{
  return library_twice (count (a));
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 12; i++)
    sum += library_fold (i % 3 == 0 ? twice : count, 9) + count (i);
  return sum == 0;
}

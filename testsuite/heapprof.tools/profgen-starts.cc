/* Variables that are initialized at the start of the program, and by each thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

int many[64];

__attribute__ ((noinline)) int
triple (int a)
{
  return a * 3;
}

__attribute__ ((noinline)) int
put (int i)
{
  many[i & 63] += i;
  return many[i & 63];
}

static int
sum ()
{
  int result = 0;
  for (int i = 0; i < 9; i++)
    result += put (triple (i));
  return result;
}

int first = sum ();
int second = sum () + 1;
static thread_local int third = triple (many[1]);

__attribute__ ((noinline)) int
both (int i)
{
  return third + put (i);
}

int
main ()
{
  int result = 0;
  for (int i = 0; i < 100; i++)
    result += both (i);
  return result == first + second;
}

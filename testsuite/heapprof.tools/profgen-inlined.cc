/* Constructors and destructors that are inlined, of a public class and of one in
   the anonymous namespace.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

static int __attribute__ ((noipa))
other (int n)
{
  return 3 * n;
}

namespace
{
struct Base
{
  int a, b;

  Base (int n)
  {
    a = n;
    if (n & 1)
      a += other (n);
    else
      a -= 3;
    b = a * 7;
  }

  ~Base ()
  {
    if (a & 2)
      other (b);
  }
};
}

struct Text
{
  int length;
  char bytes[32];

  Text (const char *text, int n)
  {
    length = 0;
    for (; text[length] && length < 31; length++)
      bytes[length] = text[length] + n;
  }

  ~Text ()
  {
    if (length > 3)
      other (length);
  }
};

struct Derived : Base
{
  int c;

  Derived (int n) : Base (n + 1) { c = n % 3 == 0 ? other (a) : 1; }
};

static int __attribute__ ((noinline))
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      Base base (i);
      Derived derived (i);
      Text text (i & 1 ? "ab" : "hello", i);
      sum += base.a + base.b + derived.c + text.bytes[1];
    }
  return sum;
}

int
main ()
{
  printf ("%d\n", work (50));
}

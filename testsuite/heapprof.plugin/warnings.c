/* Correct programs about which the compiler must not warn because of counters: a
   test of a size, before the program's own tests of it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

void fail (int) __attribute__ ((noreturn, cold));
int get (char *);

/* The sizes other than 1, 2, 4 and 8 are errors.  */

void
read_values (const char *p, short n, unsigned long *values, int count)
{
  for (int i = 0; i < count; i++)
    {
      unsigned long value = 0;
      memcpy (&value, p, n);
      p += n;
      switch (n)
	{
	case 1:
	case 2:
	case 4:
	case 8:
	  values[i] = value;
	  break;
	default:
	  fail (n);
	}
    }
}

/* A size that is compared again, and used as an index.  */

void
read_text (const char *p, unsigned n, int count)
{
  char text[16];
  for (int i = 0; i < count; i++)
    {
      memcpy (text, p, n);
      p += n;
      text[n] = '\0';
      if (n < 2 || n > 15 || get (text) < 0)
	fail (i);
    }
}

int
compare (const char *p, unsigned n, int count)
{
  static const char zeros[4];
  int sum = 0;
  for (int i = 0; i < count; i++)
    {
      sum += memcmp (p, zeros, n);
      if (n > 4)
	fail (i);
      p += n;
    }
  return sum;
}

void
fill (char *p, unsigned n, int count)
{
  for (int i = 0; i < count; i++)
    {
      char line[32];
      memset (line, i, n);
      memcpy (p, line, n);
      if (n != 16 && n != 32)
	fail (i);
      p += n;
    }
}

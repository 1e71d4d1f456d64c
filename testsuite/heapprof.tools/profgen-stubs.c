/* Tail calls through stubs of two kinds: of a library's function that is only
   called, and of one whose address is taken, too.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long convert (const char *, char **, int);

__attribute__ ((noinline)) long
number (const char *text)
{
  return strtol (text, NULL, 10);
}

__attribute__ ((noinline)) char *
place (const char *text, int c)
{
  return strrchr (text, c);
}

__attribute__ ((noinline)) long
both (int i, convert *also)
{
  char text[8];
  snprintf (text, sizeof text, "%d", i);
  return number (text) + (place (text, '1') != NULL) + also (text, NULL, 16)
	 + number (text);
}

int
main (int argc, char **argv)
{
  convert *volatile taken = strtol;
  long sum = 0;
  for (int i = 0; i < atoi (argv[1]); i++)
    sum += both (i, taken);
  return sum == argc;
}

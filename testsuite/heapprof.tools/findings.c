/* Blocks whose numbers are arguments: for findings about what grew.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

static char *volatile kept;

#line 10 "grow,th: 100%.c"
__attribute__ ((noinline)) void
node (void)
{
  kept = malloc (100);
}

#line 20 "src/table.c"
__attribute__ ((noinline)) void
table (int entries)
{
  kept = malloc (16 * entries);
}

__attribute__ ((noinline)) void
left (void)
{
  table (2);
  kept = 0;
}

#line 40 "main.c"
int
main (int count, char **words)
{
  for (int i = atoi (words[1]); i > 0; i--)
    node ();
  for (int i = atoi (words[2]); i > 0; i--)
    left ();
  for (int i = atoi (words[3]); i > 0; i--)
    table (2);
  return 0;
}

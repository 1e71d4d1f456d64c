/* The part of mixed.adb that is in C.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct pair
{
  long first, second;
};

double *mixed_make (long n);
void mixed_change (struct pair *both);

double *
mixed_make (long n)
{
  return malloc (n * sizeof (double)); /* site: values double */
}

void
mixed_change (struct pair *both)
{
  both->first += both->second;
}

/* A second object for gcov-work.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-work.h"

int
minus (int x)
{
  int by = x % 4 == 0 ? 2 : 5;
  return divide (x - 1, by);
}

/* A second unit with the templates of gcov-law-main.cc.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-law.h"

long
law_twice (long n)
{
  accumulator<long> sum;
  accumulator<int> rounds;
  for (long i = n; i > 0; i /= 2)
    {
      sum.add (2 * i);
      rounds.add (1);
    }
  return sum.value + rounds.value;
}

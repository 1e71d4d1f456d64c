/* Common parts of both units of the program of profile-use.exp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define NOINLINE __attribute__ ((noinline))

/* The first unit's copy is linked; it counts 1000 + 10 calls.  */
inline NOINLINE int
shared (int x)
{
  return x % 5 == 1 ? x + 3 : x / 2;
}

int other (int n);

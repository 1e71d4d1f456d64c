/* A loop whose counts are written by hand in samples.exp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

extern int rare (int);
extern int often (int);

int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (i % 7 == 0)
	sum += rare (i);
      else
	sum ^= often (i);
    }
  return sum;
}

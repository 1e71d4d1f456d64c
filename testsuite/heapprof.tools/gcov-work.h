/* SPDX-License-Identifier: GPL-3.0-or-later  */

int plus (int x);
int minus (int x);
int never (int x);

static inline int
divide (int x, int by)
{
  return by != 0 ? x / by : 0;
}

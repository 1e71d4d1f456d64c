/* A function call whose machine code has a predictable profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

int twice (int x)
{
  return 2 * x;
}

int main (int argc, char **argv)
{
  (void) argv;
  return twice (argc) == 2 ? 0 : 1;
}

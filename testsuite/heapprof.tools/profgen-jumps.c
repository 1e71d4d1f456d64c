/* Calls and jumps of all kinds, whose counts are known by hand.
   SPDX-License-Identifier: GPL-3.0-or-later

   With FAR, functions are in a section that is to be placed so far away that the
   linker puts veneers between calls and what is there.  On AArch64, there is
   data that looks like an instruction.  */

#ifdef FAR
#define PLACE __attribute__ ((section (".far"), noinline))
#else
#define PLACE __attribute__ ((noinline))
#endif

PLACE int
third (int x)
{
  if (x % 3 == 0)
    return x;
  return 2 * x;
}

PLACE int
other (int x)
{
  return x + 1;
}

__attribute__ ((noinline)) int
choose (int x)
{
  switch (x % 8)
    {
    case 0:
      return x + 3;
    case 1:
      return 7 * x;
    case 2:
      return x / 9;
    case 3:
      return x ^ 5;
    case 4:
      return x - 9;
    case 5:
      return 8;
    default:
      return 1;
    }
}

__attribute__ ((noinline)) int
skip (int x)
{
#ifdef __aarch64__
  __asm__ ("b 1f\n"
	   "data_in_code: .word 0xd65f03c0\n"
	   "1:");
#endif
  return x;
}

int
main (void)
{
  int (*volatile call) (int) = other;
  int sum = 0;
  for (int i = 0; i < 100; i++)
    {
      sum += third (i);
      sum += call (i);
      if (i % 10 == 0)
	sum += choose (i);
    }
  return skip (sum) == 3;
}

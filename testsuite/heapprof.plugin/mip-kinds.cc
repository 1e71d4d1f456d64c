/* Functions of all kinds, with machine-level probes.  Prints its slots.
   Ten functions can have probes, nine run, and there are 37 calls: five each of
   twice, tail, variadic, jumper, large_frame, thrower and chosen, one of loop,
   one of main.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "heapprof/mip.h"

#define OWN __attribute__ ((noinline, noclone))

static volatile int sink;

/* A template, and therefore in a comdat group.  */
template <typename T> OWN T twice (T a) { return a * 2; }

/* A loop back to the first block.  */
OWN int
loop (int n)
{
  do
    sink = n;
  while (--n > 0);
  return n;
}

/* Tail call, shrink-wrapped.  */
OWN int
tail (int n)
{
  if (n > 3)
    return loop (n);
  return n;
}

OWN int
variadic (int n, ...)
{
  va_list list;
  va_start (list, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += va_arg (list, double);
  va_end (list);
  return (int) sum;
}

/* Throws, and has a part with cold code.  */
OWN void
thrower (int n)
{
  if (n == 2)
    throw n;
}

static jmp_buf back;

OWN int
jumper (int n)
{
  if (setjmp (back) == 0 && n > 0)
    longjmp (back, 1);
  return n;
}

/* A large frame that is realigned.  */
OWN int
large_frame (int n)
{
  alignas (64) volatile char bytes[9000];
  bytes[n] = 1;
  return bytes[n];
}

__attribute__ ((naked, noinline)) int
naked (void)
{
  __asm__ ("movl $7, %eax\n\tret");
}

OWN int never (int n) { return sink = n + 1; }

static int chosen (void) { return 5; }
extern "C" void *resolve (void);
extern "C" void *resolve (void) { return (void *) chosen; }
int indirect (void) __attribute__ ((ifunc ("resolve")));

int
main (int argc, char **)
{
  int sum = 0;
  for (int i = 0; i < 5; i++)
    {
      sum += twice (i) + tail (i) + variadic (2, 1.5, 2.5) + jumper (i)
	     + large_frame (i) + indirect () + naked ();
      try
	{
	  thrower (i);
	}
      catch (int n)
	{
	  sum += n;
	}
    }
  if (argc > 9)
    never (sum);
  /* 20 + 6 + 20 + 10 + 5 + 25 + 35 + 2, in the order of the calls.  */
  std::printf ("sum %d\n", sum);
  std::size_t n;
  unsigned char *bytes = (unsigned char *) heapprof_mip_slots (1, &n);
  unsigned covered = 0;
  for (std::size_t i = 0; i < n; i++)
    covered += (bytes[i] & 127) != 0;
  std::printf ("coverage %u of %zu\n", covered, n);
  std::uint32_t *words = (std::uint32_t *) heapprof_mip_slots (2, &n);
  unsigned calls = 0;
  for (std::size_t i = 0; i < n / 4; i += 2)
    calls -= words[i];
  std::printf ("counts %u in %zu\n", calls, n / 8);
  words = (std::uint32_t *) heapprof_mip_slots (3, &n);
  unsigned last = 0, ordered = 0;
  for (std::size_t i = 0; i < n / 4; i++)
    if (words[i] != 0)
      {
	ordered++;
	if ((words[i] & 0xffffff) > last)
	  last = words[i] & 0xffffff;
      }
  std::printf ("orders %u to %u of %zu\n", ordered, last, n / 4);
}

/* Computed goto, setjmp and longjmp out of frames that allocate, switch into
   loops, inline assembly with memory and with goto.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;
static unsigned released;

static unsigned
interpret (const unsigned char *code, unsigned *stack)
{
  static void *const table[] = { &&push, &&add, &&twice, &&jump, &&end };
  unsigned *top = stack;
  unsigned turns = 0;

#define NEXT goto *table[*code++]
  NEXT;
push:
  *top++ = *code++;
  NEXT;
add:
  top--;
  top[-1] += top[0];
  NEXT;
twice:
  top[-1] *= 2;
  NEXT;
jump:
  if (++turns < 50)
    code -= *code;
  else
    code++;
  NEXT;
end:
  return top[-1] + turns;
}

__attribute__ ((noinline)) static void
deep (int n, unsigned **kept)
{
  unsigned *block = malloc (sizeof *block);

  *block = n;
  kept[n] = block;
  if (n == 0)
    longjmp (env, 7);
  deep (n - 1, kept);
  released += *block;
}

static unsigned
jump_out (void)
{
  enum { DEPTH = 12 };
  unsigned *volatile *kept = calloc (DEPTH + 1, sizeof *kept);
  volatile unsigned sum = 0;

  int status = setjmp (env);
  if (status == 0)
    deep (DEPTH, (unsigned **) kept);
  for (int i = 0; i <= DEPTH; i++)
    {
      sum = sum * 3 + *kept[i];
      free (kept[i]);
    }
  free ((void *) kept);
  return sum + status;
}

static void
copy (char *to, const char *from, int n)
{
  switch (n % 4)
    {
      do
	{
	  *to++ = *from++;
	  __attribute__ ((fallthrough));
	case 3:
	  *to++ = *from++;
	  __attribute__ ((fallthrough));
	case 2:
	  *to++ = *from++;
	  __attribute__ ((fallthrough));
	case 1:
	  *to++ = *from++;
	  __attribute__ ((fallthrough));
	case 0:
	  n -= 4;
	}
      while (n >= 0);
    }
}

static unsigned
assembly (unsigned *block)
{
#ifdef __x86_64__
  unsigned old = block[0];

  __asm__ ("addl %1, %0" : "+m"(block[0]) : "r"(block[1]) : "cc");
  __asm__ volatile ("" : "+r"(block) : : "memory");
  __asm__ goto ("testl %0, %0\n\tjz %l1" : : "r"(block[0]) : "cc" : zero);
  return block[0] + old;
zero:
  return 1;
#else
  return block[0] += block[1];
#endif
}

int
main (void)
{
  static const unsigned char code[]
    = { 0, 3, 0, 4, 1, 2, 0, 9, 1, 3, 5, 4, 4 };
  unsigned *stack = malloc (256 * sizeof *stack), sum;
  char *from = malloc (40), *to = calloc (40, 1);

  sum = interpret (code, stack);
  for (int i = 0; i < 40; i++)
    from[i] = i * 3;
  copy (to, from, 38);
  for (int i = 0; i < 40; i++)
    sum = sum * 31 + to[i];
  stack[0] = 5;
  stack[1] = 6;
  sum = sum * 31 + assembly (stack);
  stack[0] = stack[1] = 0;
  sum = sum * 31 + assembly (stack);
  sum = sum * 31 + jump_out ();
  printf ("%u %u\n", sum, released);
  free (stack);
  free (from);
  free (to);
  return 0;
}

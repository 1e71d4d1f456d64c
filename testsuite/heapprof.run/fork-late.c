/* A child that begins to allocate long after the fork, when its parent has
   added contexts and used some that were inner nodes before.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static void *volatile block;

static NOINLINE void *
inner (size_t size)
{
  block = malloc (size);
  return block;
}

/* Jumps to malloc if JUMPS, so that the context ends at the caller.  */

static NOINLINE __attribute__ ((optimize ("O2"))) void *
either (size_t size, int jumps)
{
  if (jumps)
    return malloc (size);
  block = inner (size);
  return NULL;
}

static NOINLINE void
outer (size_t size, int jumps)
{
  block = either (size, jumps);
}

static NOINLINE void
deep (int depth)
{
  if (depth > 0)
    deep (depth - 1);
  else
    block = malloc (24);
  __asm__ volatile ("");
}

static NOINLINE void
other (void)
{
  block = malloc (40);
  __asm__ volatile ("");
}

/* Each character of STEPS is an allocation; all have the same callers.  */

static NOINLINE void
do_steps (const char *steps, int depths)
{
  for (; *steps != '\0'; steps++)
    switch (*steps)
      {
      case 'd':
	for (int i = 0; i < depths; i++)
	  deep (i);
	break;
      case 'o':
	other ();
	break;
      default:
	outer (16, *steps == 'j');
      }
}

int
main (int argc, char **argv)
{
  const int depths = argc > 1 ? atoi (argv[1]) : 0;
  int ends[2];
  if (pipe (ends) != 0)
    return 2;
  pid_t child = -1;
  const char *steps = "iii";
  for (int round = 0; round < 2; round++)
    {
      char none;
      do_steps (steps, depths);
      if (round == 1)
	break;
      child = fork ();
      steps = child == 0 ? "ooooodjjjjjjj" : "djjo";
      if (child == 0)
	{
	  close (ends[1]);
	  (void) !read (ends[0], &none, 1);
	}
    }
  close (ends[1]);
  if (child > 0)
    waitpid (child, NULL, 0);
  return child < 0;
}

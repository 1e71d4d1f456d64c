/* A program to be profiled without being recompiled.  It allocates nothing but
   what the test expects, so it does not use stdio.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static void *volatile block;

static void
say (const char *text)
{
  (void) !write (1, text, strlen (text));
}

static NOINLINE void
keep (int blocks, size_t size)
{
  for (int i = 0; i < blocks; i++)
    block = malloc (size);
}

static NOINLINE void
release (int blocks, size_t size)
{
  for (int i = 0; i < blocks; i++)
    {
      block = malloc (size);
      free (block);
    }
}

static NOINLINE void
in_child (void)
{
  block = malloc (70);
  free (block);
}

static NOINLINE void
deep (int depth)
{
  if (depth > 0)
    deep (depth - 1);
  else
    block = malloc (10);
  __asm__ volatile ("");
}

static void
interrupted (int number)
{
  (void) number;
  say ("interrupted\n");
  _exit (9);
}

/* Start a child that allocates, in a new program if AGAIN.  */

static int
use_child (const char *program, int again)
{
  pid_t child = fork ();
  if (child == 0 && again)
    execl (program, program, "grandchild", (char *) NULL);
  if (child == 0)
    {
      in_child ();
      _exit (0);
    }
  waitpid (child, NULL, 0);
  return 0;
}

int
main (int count, char **arguments)
{
  const char *mode = count > 1 ? arguments[1] : "";
  const char *value = count > 2 ? arguments[2] : "0";
  char byte;
  if (strcmp (mode, "blocks") == 0)
    {
      keep (3, 1000);
      release (2, 500);
      while (read (0, &byte, 1) == 1)
	(void) !write (1, &byte, 1);
      (void) !write (2, "said\n", 5);
      return atoi (value);
    }
  if (strcmp (mode, "hold") == 0 || strcmp (mode, "catch") == 0)
    {
      if (*mode == 'c')
	signal (SIGINT, interrupted);
      keep (100, 1000000);
      release (5, 40);
      say ("100000000 bytes are live\n");
      if (*value != '0')
	raise (atoi (value));
      for (;;)
	pause ();
    }
  if (strcmp (mode, "child") == 0)
    {
      keep (1, 100);
      return use_child (arguments[0], *value != '0');
    }
  if (strcmp (mode, "grandchild") == 0)
    in_child ();
  else if (strcmp (mode, "deep") == 0)
    deep (atoi (value));
  else if (strcmp (mode, "daemon") == 0)
    {
      int ready[2];
      char byte = 0;
      if (pipe (ready) != 0)
	return 1;
      if (fork () > 0)
	{
	  keep (1, 100);
	  /* Until the child has allocated.  */
	  return read (ready[0], &byte, 1) != 1;
	}
      in_child ();
      if (write (ready[1], &byte, 1) != 1)
	return 1;
      close (1);
      close (2);
      sleep (atoi (value));
    }
  return 0;
}

/* Closes files that are not its own, while others have their numbers, and forks;
   its own files stay what they are, and the next one gets the lowest number.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  FIRST = 3,
  END = 260,
  ROUNDS = 20
};

static void *volatile block;

/* Allocate some blocks, all samples.  */
static void
allocate (void)
{
  for (int i = 0; i < 5; i++)
    {
      free (block);
      block = calloc (8, 8);
      memset (block, i, 64);
    }
}

static void
expect (int holds)
{
  if (!holds)
    abort ();
}

int
main (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      char text[4];
      int ends[2], status;
      allocate ();
      for (int fd = FIRST; fd < END; fd++)
	close (fd);
      expect (pipe (ends) == 0 && ends[0] == FIRST);
      for (int fd = FIRST + 2; fd < END; fd++)
	expect (dup2 (ends[0], fd) == fd);
      allocate ();
      const pid_t child = fork ();
      if (child == 0)
	{
	  allocate ();
	  _exit (write (ends[1], "abc", 4) != 4);
	}
      allocate ();
      expect (waitpid (child, &status, 0) == child && status == 0);
      expect (read (END - 1, text, 4) == 4 && strcmp (text, "abc") == 0);
      for (int fd = FIRST; fd < END; fd++)
	expect (close (fd) == 0);
      close (0);
      allocate ();
      expect (open ("/dev/null", O_RDONLY) == 0);
    }
  return 0;
}

/* A program that fills memory, then uses part of it, then touches all again.
   SPDX-License-Identifier: GPL-3.0-or-later

   prove-pages PAGES [USED [CHILD]]: the USED ones of the PAGES are used until
   0.2 s of CPU time have passed.  With CHILD, all this is done by a child: one
   that is waited for ("waited"), or left behind ("left").
   prove-pages PAGES USED FILE BEGIN [END]: most of the time has passed when it
   prints BEGIN to standard output ("1") or error ("2") and uses a part; then it
   prints END, and uses all.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long page_bytes;

/* Ask for huge pages if HUGE_PAGES is set, as a program may do: they must not
   count as touched as a whole.  Otherwise each page has a fault.  A kernel
   without huge pages refuses both.  */
static void
advise (void *memory, size_t bytes)
{
  madvise (memory, bytes,
	   getenv ("HUGE_PAGES") != NULL ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

static void
touch (volatile char *memory, long pages)
{
  for (long i = 0; i < pages; i++)
    memory[i * page_bytes] = 1;
}

static int
use (long pages, long used)
{
  char *memory = mmap (NULL, pages * page_bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  advise (memory, pages * page_bytes);
  touch (memory, pages);
  while (used > 0 && clock () < CLOCKS_PER_SEC / 5)
    touch (memory, used);
  touch (memory, pages);
  return 0;
}

/* Print TEXT to FILE, at most a byte at a time, and give others time to notice
   it.  */
static void
print (int file, const char *text)
{
  const struct timespec pause = { .tv_nsec = 100000000 };
  for (; *text != '\0'; text++)
    if (write (file, text, 1) != 1)
      exit (1);
  nanosleep (&pause, NULL);
}

static int
use_in_phase (long pages, long used, int file, const char *begin,
	      const char *end)
{
  char *memory = mmap (NULL, pages * page_bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  advise (memory, pages * page_bytes);
  while (clock () < CLOCKS_PER_SEC / 5)
    touch (memory, pages);
  print (file, "bebegi"); /* not all of it */
  print (file, begin);
  touch (memory, used);
  if (end == NULL)
    while (clock () < CLOCKS_PER_SEC / 2)
      touch (memory, used);
  else
    print (file, end);
  touch (memory, pages);
  return 0;
}

int
main (int argc, char **argv)
{
  const long pages = atol (argv[1]);
  const long used = argc > 2 ? atol (argv[2]) : 0;
  page_bytes = sysconf (_SC_PAGESIZE);
  if (argc > 4)
    return use_in_phase (pages, used, atoi (argv[3]), argv[4], argv[5]);
  if (argc < 4)
    return use (pages, used);
  const pid_t child = fork ();
  if (child == 0)
    return use (pages, used);
  int status = 0;
  if (strcmp (argv[3], "waited") == 0)
    waitpid (child, &status, 0);
  return status;
}

/* A program in which system calls of the run-time library fail.
   SPDX-License-Identifier: GPL-3.0-or-later

   The library makes its calls by two internal functions, which are weak, so that
   those here take their place.  The environment variable FAIL is four numbers: of the
   calls NUMBER (-1: all kinds), COUNT from the FIRSTth on fail with ERROR.  The
   number of calls is written to the file "calls", 64 bits, which must exist.

   Prints the numbers of blocks allocated in all, before a snapshot, and in a child;
   and a sum of their contents.  If memory is missing, it tries once more, and exits
   with 3 if that fails, too.  */

#include "heapprof/heapprof.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

/* Runs before there are counters.  */
#define EARLY __attribute__ ((no_instrument_function))

struct plan
{
  long number, error, first, count;
};

static long *calls;

static EARLY long
call_kernel (long number, const long *arguments)
{
  register long fourth __asm__ ("r10") = arguments[3];
  register long fifth __asm__ ("r8") = arguments[4];
  register long sixth __asm__ ("r9") = arguments[5];
  long result;
  __asm__ volatile ("syscall"
		    : "=a" (result)
		    : "a" (number), "D" (arguments[0]), "S" (arguments[1]),
		      "d" (arguments[2]), "r" (fourth), "r" (fifth), "r" (sixth)
		    : "rcx", "r11", "memory");
  return result;
}

static EARLY void
read_plan (struct plan *plan)
{
  const char *const text = getenv ("FAIL");
  char *end = (char *) text;
  if (text == NULL)
    return;
  plan->number = strtol (end, &end, 10);
  plan->error = strtol (end, &end, 10);
  plan->first = strtol (end, &end, 10);
  plan->count = strtol (end, &end, 10);
}

static EARLY void
map_calls (void)
{
  const int fd = open ("calls", O_RDWR);
  calls = mmap (NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		0);
  if (calls == MAP_FAILED)
    _exit (2);
  close (fd);
}

/* Calls that cannot fail, or without which nothing could be said.  */

static EARLY bool
may_fail (long number, long first)
{
  return !(number == SYS_fstat && first == STDERR_FILENO)
	 && number != SYS_exit_group && number != SYS_getpid
	 && number != SYS_getppid && number != SYS_gettid
	 && number != SYS_write;
}

long __hpr_system_call_4 (long number, long a, long b, long c, long d);
long __hpr_system_call_6 (long number, long a, long b, long c, long d, long e,
			  long f);

EARLY long
__hpr_system_call_6 (long number, long a, long b, long c, long d, long e,
		     long f)
{
  static struct plan plan;
  const long arguments[6] = { a, b, c, d, e, f };
  if (calls == NULL)
    {
      map_calls ();
      read_plan (&plan);
    }
  long result = 0;
  if (may_fail (number, a) && (plan.number == -1 || plan.number == number))
    {
      const long n = __atomic_fetch_add (calls, 1, __ATOMIC_RELAXED);
      if (n >= plan.first && n - plan.first < plan.count)
	result = -plan.error;
    }
  return result == 0 ? call_kernel (number, arguments) : result;
}

EARLY long
__hpr_system_call_4 (long number, long a, long b, long c, long d)
{
  return __hpr_system_call_6 (number, a, b, c, d, 0, 0);
}

static unsigned blocks, sum;

static NOINLINE void *
must_have (void *block, size_t bytes)
{
  if (block == NULL)
    block = malloc (bytes);
  if (block == NULL)
    {
      puts ("no memory");
      exit (3);
    }
  blocks++;
  return block;
}

/* A context for each WAY; every eighth keeps its blocks.  */

static NOINLINE void
descend (unsigned levels, unsigned way)
{
  const size_t bytes = 16 + levels * 40;
  volatile unsigned char *const block = must_have (malloc (bytes), bytes);
  for (size_t i = 0; i < bytes; i++)
    block[i] = (unsigned char) way;
  sum += block[15] + block[bytes - 1];
  if (levels > 0)
    {
      if (way & 1)
	descend (levels - 1, way / 2);
      else
	descend (levels - 1, way / 2);
    }
  if (way % 8 != 0)
    free ((void *) block);
}

static NOINLINE void *
work (void *ways)
{
  for (unsigned way = 0; way < (uintptr_t) ways; way++)
    descend (8, way);
  return NULL;
}

static NOINLINE void
large (void)
{
  for (size_t bytes = 100000; bytes < 40000000; bytes *= 5)
    {
      char *block = calloc (bytes, 1);
      if (block == NULL)
	block = calloc (bytes, 1);
      block = must_have (block, bytes);
      block[bytes - 1] = 3;
      char *grown = realloc (block, bytes * 2);
      if (grown == NULL)
	grown = realloc (block, bytes * 2);
      if (grown == NULL)
	exit (3);
      blocks++;
      sum += (unsigned) (grown[bytes - 1] + grown[bytes / 2]);
      free (grown);
    }
}

int
main (void)
{
  static char buffer[BUFSIZ];
  pthread_t thread;
  setvbuf (stdout, buffer, _IOFBF, sizeof buffer);
  work ((void *) 300);
  if (pthread_create (&thread, NULL, work, (void *) 40) != 0
      || pthread_join (thread, NULL) != 0)
    return 2;
  const unsigned at_dump = blocks;
  heapprof_dump ();
  large ();
  const unsigned before_fork = blocks;
  int status;
  const pid_t child = fork ();
  work ((void *) 20);
  if (child == 0)
    return sum % 100;
  if (waitpid (child, &status, 0) != child || !WIFEXITED (status))
    return 2;
  printf ("%u %u %u %u %d\n", blocks, at_dump, blocks - before_fork, sum,
	  WEXITSTATUS (status));
  return 0;
}

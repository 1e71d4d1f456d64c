/* Threads that allocate and release blocks until the program is killed, and note
   each finished release in a file.
   SPDX-License-Identifier: GPL-3.0-or-later

   releases FILE: thread N counts its releases in the Nth 64-bit word of FILE, which
   has room for THREADS words.  The kernel keeps data written to the shared mapping,
   however the program ends.

   Contexts keep coming, so that the raw profile grows: one for each way through
   the bits of a number, below a function of the thread's own.  */

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS 8

static _Atomic uint64_t *released;

static __attribute__ ((noinline, noclone)) void *
allocate (unsigned n, unsigned bits)
{
  void *data;
  if (bits == 0)
    return malloc (n % 1000 + 1);
  if (n >> bits & 1)
    data = allocate (n, bits - 1);
  else
    data = allocate (n, bits - 1);
  *(void *volatile *) &data;
  return data;
}

/* Blocks are kept for a while, so that some are alive when the end comes.  */
#define WORK(N)								      \
  static __attribute__ ((noinline, noclone)) void *			      \
  work_##N (void *unused)						      \
  {									      \
    enum { KEPT = 16 };							      \
    volatile char *kept[KEPT] = { NULL };				      \
    for (uint64_t i = 0;; i++)						      \
      {									      \
	volatile char **const place = &kept[i % KEPT];			      \
	if (*place != NULL)						      \
	  {								      \
	    free ((void *) *place);					      \
	    atomic_fetch_add (&released[N], 1);				      \
	  }								      \
	*place = allocate ((unsigned) i * 40503, 10);			      \
	if (*place == NULL)						      \
	  return unused;						      \
	**place = 1;							      \
      }									      \
  }

WORK (0)
WORK (1)
WORK (2)
WORK (3)
WORK (4)
WORK (5)
WORK (6)
WORK (7)

int
main (int count, char **arguments)
{
  void *(*const work[THREADS]) (void *)
    = { work_0, work_1, work_2, work_3, work_4, work_5, work_6, work_7 };
  const int fd = count == 2 ? open (arguments[1], O_RDWR) : -1;
  released = mmap (NULL, THREADS * sizeof *released, PROT_READ | PROT_WRITE,
		   MAP_SHARED, fd, 0);
  if (fd < 0 || released == MAP_FAILED)
    return 2;
  puts ("begin");
  fflush (stdout);
  for (unsigned i = 0; i < THREADS; i++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, work[i], NULL) != 0)
	return 2;
    }
  for (;;)
    pause ();
}

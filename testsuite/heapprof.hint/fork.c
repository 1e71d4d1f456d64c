/* fork while other threads allocate; fork handlers allocate as well.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "hint.h"
#include <pthread.h>
#include <sys/wait.h>

enum { THREADS = 4, FORKS = 20, BLOCKS = 400 };

static int stop;

static void
allocate_and_release (unsigned number)
{
  void *blocks[BLOCKS];
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      blocks[i] = heapprof_malloc_hinted (i * 37 % 5000,
					  (i % 2 == 0 ? 1 : 254) + i % 3 * 256);
      hint_fill (blocks[i], i * 37 % 5000, number);
    }
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      CHECK (hint_is_filled (blocks[i], i * 37 % 5000, number));
      free (blocks[i]);
    }
}

static void *
work (void *data)
{
  while (!__atomic_load_n (&stop, __ATOMIC_RELAXED))
    allocate_and_release ((unsigned) (uintptr_t) data);
  return NULL;
}

static void
handler (void)
{
  allocate_and_release (77);
}

int
main (int argc, char **argv)
{
  /* Registered before the library's own handlers, and after them.  */
  pthread_atfork (handler, handler, handler);
  hint_expect_backend (argc, argv);
  pthread_atfork (handler, handler, handler);
  char *const kept = heapprof_strdup_hinted ("from the parent", 1);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, (void *) i);
  for (unsigned i = 0; i < FORKS; i++)
    {
      const pid_t child = fork ();
      if (child == 0)
	{
	  alarm (60);
	  CHECK (strcmp (kept, "from the parent") == 0);
	  free (kept);
	  allocate_and_release (i);
	  _exit (hint_finish ());
	}
      int status = -1;
      waitpid (child, &status, 0);
      CHECK (status == 0);
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  free (kept);
  return hint_finish ();
}

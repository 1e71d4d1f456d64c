/* Threads, modules, children, signals and stacks that start and end at the same
   time: storms HOW.  Prints the expected results, NAME COUNT, for functions that
   allocate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof/heapprof.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

extern char **environ;

static void
must (int condition)
{
  if (!condition)
    abort ();
}

static pthread_t
start (void *(*function) (void *), void *data)
{
  pthread_t thread;
  must (pthread_create (&thread, NULL, function, data) == 0);
  return thread;
}

/* Threads: 64 at a time.  Each leaves its last block to any other thread, and
   allocates again after the library has released its data of the thread.  */

#define THREADS 64
#define GENERATIONS 30

static void *slots[16];
static pthread_key_t key;

static NOINLINE void
in_destructor (void *block)
{
  free (block);
  free (malloc (10));
}

static NOINLINE void *
in_thread (void *number)
{
  pthread_setspecific (key, malloc (20));
  for (size_t i = 0; i < 9; i++)
    {
      volatile char *const block = malloc (30 + i);
      *block = 1;
      free (__atomic_exchange_n (&slots[((size_t) number + i) % 16],
				 (void *) block, __ATOMIC_ACQ_REL));
    }
  return NULL;
}

static void
storm_of_threads (void)
{
  pthread_t threads[THREADS];
  must (pthread_key_create (&key, in_destructor) == 0);
  for (unsigned round = 0; round < GENERATIONS; round++)
    {
      for (size_t i = 0; i < THREADS; i++)
	threads[i] = start (in_thread, (void *) i);
      for (size_t i = 0; i < THREADS; i++)
	pthread_join (threads[i], NULL);
    }
  for (unsigned i = 0; i < 16; i++)
    free (slots[i]);
  printf ("in_thread %d\nin_destructor %d\n", 10 * THREADS * GENERATIONS,
	  THREADS * GENERATIONS);
}

/* Modules: two threads load and unload two modules at the same addresses, while
   two other threads allocate.  */

#define LOADS 150

static volatile int stop;

static NOINLINE void *
in_worker (void *count)
{
  while (!stop)
    {
      for (unsigned i = 0; i < 10; i++)
	free (malloc (40));
      *(unsigned long *) count += 10;
    }
  return NULL;
}

static void *
load (void *name)
{
  for (unsigned i = 0; i < LOADS; i++)
    {
      void *const module = dlopen (name, RTLD_NOW);
      must (module != NULL);
      void (*work) (void);
      *(void **) &work = dlsym (module, "module_work");
      work ();
      dlclose (module);
    }
  return NULL;
}

static void
storm_of_modules (void)
{
  static unsigned long counts[2];
  static char a[] = "./module-a.so", b[] = "./module-b.so";
  const pthread_t workers[] = { start (in_worker, &counts[0]),
				start (in_worker, &counts[1]) };
  const pthread_t loaders[] = { start (load, a), start (load, b) };
  for (unsigned i = 0; i < 2; i++)
    pthread_join (loaders[i], NULL);
  stop = 1;
  for (unsigned i = 0; i < 2; i++)
    pthread_join (workers[i], NULL);
  printf ("in_worker %lu\n", counts[0] + counts[1]);
}

/* Children of all kinds, while one thread takes snapshots and others
   allocate.  */

#define CHILDREN 6

static void *
dump (void *made)
{
  while (!stop)
    {
      must (heapprof_dump () == 0);
      ++*(unsigned *) made;
      usleep (5000);
    }
  return NULL;
}

static NOINLINE void
in_child (void)
{
  alarm (60);
  for (unsigned i = 0; i < 4; i++)
    free (malloc (50));
}

static NOINLINE void
in_other_program (void)
{
  for (unsigned i = 0; i < 3; i++)
    free (malloc (60));
}

static NOINLINE void
in_vfork_child (void)
{
  free (malloc (70));
}

static void
wait_for (pid_t child)
{
  int status;
  must (child > 0 && waitpid (child, &status, 0) == child && status == 0);
}

static void
storm_of_children (char **arguments)
{
  static unsigned long counts[2];
  static unsigned dumps;
  char *const other[] = { arguments[0], "other", NULL };
  const pthread_t threads[] = { start (in_worker, &counts[0]),
				start (in_worker, &counts[1]),
				start (dump, &dumps) };
  for (unsigned i = 0; i < CHILDREN; i++)
    {
      pid_t child = fork ();
      if (child == 0)
	{
	  in_child ();
	  _exit (heapprof_dump ());
	}
      wait_for (child);
      must (posix_spawn (&child, arguments[0], NULL, NULL, other, environ)
	    == 0);
      wait_for (child);
      child = vfork ();
      if (child == 0)
	{
	  in_vfork_child ();
	  execv (arguments[0], other);
	  _exit (1);
	}
      wait_for (child);
    }
  stop = 1;
  for (unsigned i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  must (dumps > 0);
  printf ("in_worker %lu\nin_vfork_child %d\n", counts[0] + counts[1],
	  CHILDREN);
}

/* Signals: handlers interrupt four threads that allocate, and allocate, release
   and fork themselves.  Other signals trigger snapshots.  */

#define SIGNALS 4000

static unsigned handled;

static NOINLINE void
in_handler (int number)
{
  const int saved = errno;
  const unsigned turn = __atomic_fetch_add (&handled, 1, __ATOMIC_RELAXED);
  void *const block = malloc (90 + turn % 900);
  free (__atomic_exchange_n (&slots[turn % 16], block, __ATOMIC_ACQ_REL));
  if (number == SIGUSR2 && turn % 64 == 0)
    {
      int status;
      const pid_t child = fork ();
      if (child == 0)
	{
	  in_child ();
	  _exit (0);
	}
      while (waitpid (child, &status, 0) < 0)
	must (errno == EINTR);
      must (status == 0);
    }
  errno = saved;
}

static void
storm_of_signals (void)
{
  static unsigned long counts[4];
  struct sigaction action = { .sa_handler = in_handler,
			      .sa_flags = SA_RESTART };
  pthread_t workers[4];
  sigaction (SIGUSR2, &action, NULL);
  for (unsigned i = 0; i < 4; i++)
    workers[i] = start (in_worker, &counts[i]);
  for (unsigned i = 0; i < SIGNALS; i++)
    {
      pthread_kill (workers[i % 4], SIGUSR2);
      if (i % 400 == 0)
	kill (getpid (), SIGUSR1);
      if (i % 10 == 0)
	usleep (50);
    }
  stop = 1;
  for (unsigned i = 0; i < 4; i++)
    pthread_join (workers[i], NULL);
  for (unsigned i = 0; i < 16; i++)
    free (slots[i]);
  printf ("in_worker %lu\nin_handler %u\n",
	  counts[0] + counts[1] + counts[2] + counts[3], handled);
}

/* Stacks: coroutines move from thread to thread, on stacks that are unmapped
   and mapped again.  */

#define COROUTINES 32
#define STEPS 24
#define STACK_BYTES (64 * 1024)

struct coroutine
{
  ucontext_t own, *back;
  char *stack;
  unsigned steps;
};

static struct coroutine coroutines[COROUTINES];
static unsigned turn;
static pthread_mutex_t mutexes[COROUTINES];
static unsigned finished;

static NOINLINE void
in_coroutine (unsigned depth)
{
  free (malloc (80));
  if (depth > 0)
    in_coroutine (depth - 1);
}

static void
run_coroutine (int number)
{
  struct coroutine *const self = &coroutines[number];
  while (self->steps < STEPS)
    {
      in_coroutine (self->steps % 4);
      self->steps++;
      swapcontext (&self->own, self->back);
    }
}

static void
begin_coroutine (unsigned number)
{
  struct coroutine *const self = &coroutines[number];
  self->stack = mmap (NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  getcontext (&self->own);
  self->own.uc_stack.ss_sp = self->stack;
  self->own.uc_stack.ss_size = STACK_BYTES;
  self->own.uc_link = NULL;
  makecontext (&self->own, (void (*) (void)) run_coroutine, 1, (int) number);
}

static void *
run_all (void *unused)
{
  ucontext_t here;
  while (__atomic_load_n (&finished, __ATOMIC_ACQUIRE) < COROUTINES)
    {
      const unsigned number
	= __atomic_fetch_add (&turn, 1, __ATOMIC_RELAXED) % COROUTINES;
      struct coroutine *const self = &coroutines[number];
      pthread_mutex_lock (&mutexes[number]);
      if (self->steps == 0)
	begin_coroutine (number);
      if (self->steps < STEPS)
	{
	  self->back = &here;
	  swapcontext (&here, &self->own);
	  if (self->steps == STEPS)
	    {
	      munmap (self->stack, STACK_BYTES);
	      __atomic_fetch_add (&finished, 1, __ATOMIC_RELEASE);
	    }
	}
      pthread_mutex_unlock (&mutexes[number]);
    }
  return unused;
}

static void
storm_of_stacks (void)
{
  pthread_t threads[4];
  for (unsigned i = 0; i < COROUTINES; i++)
    pthread_mutex_init (&mutexes[i], NULL);
  for (unsigned i = 0; i < 4; i++)
    threads[i] = start (run_all, NULL);
  for (unsigned i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  /* Depths 0 to 3 make 1 + 2 + 3 + 4 blocks.  */
  printf ("in_coroutine %d\n", COROUTINES * STEPS / 4 * 10);
}

int
main (int count, char **arguments)
{
  const char *const how = count > 1 ? arguments[1] : "";
  if (strcmp (how, "threads") == 0)
    storm_of_threads ();
  else if (strcmp (how, "modules") == 0)
    storm_of_modules ();
  else if (strcmp (how, "children") == 0)
    storm_of_children (arguments);
  else if (strcmp (how, "signals") == 0)
    storm_of_signals ();
  else if (strcmp (how, "stacks") == 0)
    storm_of_stacks ();
  else
    in_other_program ();
  return 0;
}

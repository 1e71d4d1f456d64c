/* Threads of all kinds; each allocates a different number of bytes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <future>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <thread>
#include <ucontext.h>

__attribute__ ((noinline)) static void
take (size_t bytes)
{
  void *block = malloc (bytes);
  __asm__ volatile ("" : : "r" (block) : "memory");
  free (block);
}

/* Allocations of the first thread outside main.  */
struct around
{
  around () { take (1); }
  ~around () { take (2); }
};
static around around_main;

static void
at_the_end ()
{
  take (4);
}

extern "C" void *
plain (void *)
{
  take (1000);
  return NULL;
}

struct functor
{
  void operator() () const { take (200); }
};

static void
with_argument (int number)
{
  for (int i = 0; i < number; i++)
    take (30);
}

struct object
{
  void run (int bytes) { take ((size_t) bytes); }
};

struct later
{
  int operator() () const { return take (5000), 1; }
};

/* A team of two threads, one of which is its caller.  */
static void
team ()
{
#pragma omp parallel num_threads(2)
  take (60000);
}

static ucontext_t before;

static void
coroutine ()
{
  take (700000);
}

static void
run_coroutine ()
{
  static char stack[65536];
  static ucontext_t context;
  getcontext (&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = sizeof stack;
  context.uc_link = &before;
  makecontext (&context, coroutine, 0);
  swapcontext (&before, &context);
}

/* A context that is truncated if fewer than 50 frames are kept.  */
__attribute__ ((noinline)) static void
deep (int depth)
{
  if (depth == 0)
    take (8);
  else
    deep (depth - 1);
  __asm__ volatile ("");
}

static void
on_signal (int)
{
  take (16);
}

int
main ()
{
  atexit (at_the_end);
  pthread_t thread;
  pthread_create (&thread, NULL, plain, NULL);
  pthread_join (thread, NULL);
  object anything;
  std::thread threads[] = { std::thread (functor ()),
			    std::thread (with_argument, 4),
			    std::thread (&object::run, &anything, 400),
			    std::thread ([] { take (7); }) };
  for (std::thread &each : threads)
    each.join ();
  std::async (std::launch::async, later ()).get ();
  team ();
  run_coroutine ();
  deep (50);
  signal (SIGUSR1, on_signal);
  raise (SIGUSR1);
}

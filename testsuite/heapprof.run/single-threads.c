/* Threads that know what they allocate and what is left of it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: single-threads HOW [COUNT]  */

#define _GNU_SOURCE
#include <heapprof/heapprof.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 2000

static void *volatile blocks[MOST];
static void *volatile others[MOST];
static pthread_barrier_t barrier;
static pthread_key_t key;
static long count;

static void
take_name (const char *name)
{
  pthread_setname_np (pthread_self (), name);
}

static void
wait_for_others (void)
{
  pthread_barrier_wait (&barrier);
}

static void
allocate (void *volatile *where, int number, int size)
{
  for (int i = 0; i < number; i++)
    where[i] = malloc (size);
}

static void
release (void *volatile *where, int number)
{
  for (int i = 0; i < number; i++)
    {
      free (where[i]);
      where[i] = NULL;
    }
}

/* ---- Two threads at a time.  */

static void *
maker (void *data)
{
  take_name ("maker");
  allocate (blocks, 10, 1000);
  wait_for_others ();
  wait_for_others ();
  allocate (blocks + 10, 2, 1000);
  release (blocks + 11, 1);
  return data;
}

static void *
user (void *data)
{
  take_name ("user");
  wait_for_others ();
  allocate (others, 5, 100);
  release (blocks, 6);
  wait_for_others ();
  release (others, 2);
  return data;
}

static void
handover (void)
{
  pthread_t threads[2];
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_create (&threads[0], NULL, maker, NULL);
  pthread_create (&threads[1], NULL, user, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  /* Both have ended.  */
  release (blocks + 6, 2);
}

/* ---- Many threads, numbered from 0; each allocates one byte more than its
   number.  */

static void *
one_of_many (void *data)
{
  const long number = (long) data;
  char name[16];
  snprintf (name, sizeof name, "t%ld", number);
  take_name (name);
  blocks[number] = malloc (number + 1);
  return data;
}

static void *
one_at_a_time (void *data)
{
  one_of_many (data);
  wait_for_others ();
  return data;
}

static void
release_even (void)
{
  for (long i = 0; i < count; i += 2)
    release (blocks + i, 1);
}

static void
many (void)
{
  static pthread_t threads[MOST];
  pthread_attr_t attributes;
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, 128 << 10);
  pthread_barrier_init (&barrier, NULL, count + 1);
  for (long i = 0; i < count; i++)
    pthread_create (&threads[i], &attributes, one_at_a_time, (void *) i);
  wait_for_others ();
  for (long i = 0; i < count; i++)
    pthread_join (threads[i], NULL);
  release_even ();
}

static void
sequence (void)
{
  for (long i = 0; i < count; i++)
    {
      pthread_t thread;
      pthread_create (&thread, NULL, one_of_many, (void *) i);
      pthread_join (thread, NULL);
    }
  release_even ();
}

/* ---- The same ID twice.  */

static pid_t id;

static void *
first (void *data)
{
  take_name ("first");
  id = gettid ();
  allocate (blocks, 3, 100);
  return data;
}

static void *
second (void *data)
{
  take_name ("second");
  if (gettid () != id)
    puts ("other ID");
  release (blocks, 1);
  allocate (others, 7, 10);
  return data;
}

static void
same_id (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, first, NULL);
  pthread_join (thread, NULL);
  FILE *last = fopen ("/proc/sys/kernel/ns_last_pid", "w");
  if (last != NULL)
    {
      fprintf (last, "%d", id - 1);
      fclose (last);
    }
  pthread_create (&thread, NULL, second, NULL);
  pthread_join (thread, NULL);
}

/* ---- After the library was told that the thread ends.  */

static void
destructor (void *data)
{
  (void) data;
  allocate (blocks + 2, 3, 50);
  release (blocks, 1);
}

static void *
has_destructor (void *data)
{
  take_name ("destructed");
  pthread_setspecific (key, &key);
  allocate (blocks, 2, 10);
  return data;
}

static void
destructors (void)
{
  pthread_t thread;
  pthread_key_create (&key, destructor);
  pthread_create (&thread, NULL, has_destructor, NULL);
  pthread_join (thread, NULL);
  release (blocks + 2, 1);
}

/* ---- Killed, forked, reset, dumped.  */

static void *
stays (void *data)
{
  take_name ("stays");
  allocate (blocks, 100, 10000);
  release (blocks, 40);
  wait_for_others ();
  wait_for_others ();
  return data;
}

static void *
resets (void *data)
{
  take_name ("resets");
  allocate (blocks, 4, 1000);
  wait_for_others ();
  wait_for_others ();
  release (blocks, 2);
  allocate (others, 5, 20);
  return data;
}

static pthread_t
start (void *(*run) (void *))
{
  pthread_t thread;
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_create (&thread, NULL, run, NULL);
  wait_for_others ();
  return thread;
}

static void
finish (pthread_t thread)
{
  wait_for_others ();
  pthread_join (thread, NULL);
}

static void
killed (void)
{
  start (stays);
  raise (SIGKILL);
}

static void
forked (void)
{
  const pthread_t thread = start (stays);
  const pid_t child = fork ();
  if (child == 0)
    {
      take_name ("child");
      release (blocks + 50, 1);
      allocate (others, 7, 7);
      release (others, 2);
      exit (0);
    }
  waitpid (child, NULL, 0);
  finish (thread);
}

static void
reset (void)
{
  const pthread_t thread = start (resets);
  heapprof_reset ();
  finish (thread);
}

static void
dumped (void)
{
  const pthread_t thread = start (stays);
  heapprof_dump ();
  finish (thread);
}

static void *
has_odd_name (void *data)
{
  take_name ("a\n\033[1mb");
  blocks[0] = malloc (1);
  return data;
}

static void
odd_name (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, has_odd_name, NULL);
  pthread_join (thread, NULL);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } ways[] = { { "handover", handover }, { "many", many },
	       { "sequence", sequence }, { "same-id", same_id },
	       { "destructors", destructors }, { "killed", killed },
	       { "forked", forked }, { "reset", reset },
	       { "dumped", dumped }, { "odd-name", odd_name } };
  count = argc > 2 ? atol (argv[2]) : 0;
  if (count <= MOST)
    for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++)
      if (strcmp (argv[1], ways[i].name) == 0)
	ways[i].run ();
  return 0;
}

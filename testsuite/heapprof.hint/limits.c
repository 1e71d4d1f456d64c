/* Exhausted memory or address space, and misuse of blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   limits BACKEND CASE  */

#include "hint.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void
limit_addresses (size_t bytes)
{
  const struct rlimit limit = { bytes, bytes };
  CHECK (setrlimit (RLIMIT_AS, &limit) == 0);
}

/* Allocate until memory runs out, release all blocks, and allocate again.  */

static void
exhaust (size_t size, size_t most)
{
  size_t first_count = 0;
  for (unsigned round = 0; round < 3; round++)
    {
      void **head = NULL;
      size_t count = 0;
      for (void **data; (data = heapprof_malloc_hinted (size, 1)) != NULL;)
	{
	  *data = head;
	  head = data;
	  if (++count * size > most)
	    break;
	}
      CHECK (count * size <= most && errno == ENOMEM);
      while (head != NULL)
	{
	  void **const next = *head;
	  free (head);
	  head = next;
	}
      if (round == 0)
	first_count = count;
      CHECK (count > 0 && count >= first_count / 2);
    }
}

static void *
key_data (void *key)
{
  pthread_setspecific (*(pthread_key_t *) key,
		       heapprof_malloc_hinted (100, 1));
  return NULL;
}

static char *at_start;

__attribute__ ((constructor (101))) static void
begin (void)
{
  at_start = heapprof_strdup_hinted ("early", 1);
}

__attribute__ ((destructor (101))) static void
end (void)
{
  if (strcmp (at_start, "early") != 0)
    _exit (3);
  free (at_start);
  free (heapprof_malloc_hinted (50, 254));
}

/* Allocate before main, after exit, and when a thread ends.  */

static void
check_times (void)
{
  static pthread_key_t keys[20];
  for (unsigned round = 0; round < 20; round++)
    {
      pthread_t thread;
      pthread_key_create (&keys[round], free);
      pthread_create (&thread, NULL, key_data, &keys[round]);
      pthread_join (thread, NULL);
    }
}

/* With all memory locked, threads whose caches have few blocks need little of
   it.  Exit with status 77 if memory cannot be locked.  */

static void *
cache_blocks (void *data)
{
  for (unsigned i = 0; i < 100; i++)
    free (heapprof_malloc_hinted (i * 20, i % 2 == 0 ? 1 : 254));
  return data;
}

static unsigned long
resident_kb (void)
{
  unsigned long kb = 0;
  char line[200];
  FILE *const file = fopen ("/proc/self/status", "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    sscanf (line, "VmRSS: %lu", &kb);
  return kb;
}

static void
check_locked (void)
{
  enum { THREADS = 50, STACK_BYTES = 128 << 10, MOST_KB = 64 << 10 };
  pthread_attr_t attributes;
  pthread_t threads[THREADS];
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, STACK_BYTES);
  if (mlockall (MCL_FUTURE) != 0)
    _exit (77);
  for (unsigned i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], &attributes, cache_blocks, NULL) != 0)
      _exit (77);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  const unsigned long kb = resident_kb ();
  CHECK (kb > 0 && kb < MOST_KB);
}

int
main (int argc, char **argv)
{
  const char *const name = argc > 2 ? argv[2] : "";
  char *volatile data = heapprof_malloc_hinted (100, 1);
  if (strcmp (name, "twice") == 0)
    for (unsigned i = 0; i < 1000; i++)
      free (data);
  else if (strcmp (name, "inside") == 0)
    free (data + 16);
  else if (strcmp (name, "large-inside") == 0)
    free ((char *) heapprof_malloc_hinted (1000000, 1) + 65536);
  else if (strcmp (name, "exhaust") == 0)
    {
      /* The pools have already reserved their addresses.  */
      limit_addresses ((size_t) 600 << 30);
      exhaust ((size_t) 20 << 30, (size_t) 600 << 30);
    }
  else if (strcmp (name, "exhaust-small") == 0)
    exhaust (1000, (size_t) 1 << 30);
  else if (strcmp (name, "times") == 0)
    check_times ();
  else if (strcmp (name, "locked") == 0)
    check_locked ();
  hint_expect_backend (argc, argv);
  free (data);
  return hint_finish ();
}

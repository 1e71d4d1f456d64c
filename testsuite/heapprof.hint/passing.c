/* Threads that release what others allocate, for a long time: memory remains
   bounded, since slots go back to the runs that all threads take theirs from.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: passing BACKEND [BATCHES]

   In each of four arrangements, BATCHES of blocks are passed on, of which at
   most BATCHES_MOST are on the way.  The most memory that the process has in
   the second half must be about that in the first.  */

#include "hint.h"
#include "queue.h"
#include <pthread.h>

enum { THREADS = 8, BATCH = 500, BATCHES_MOST = 4 * THREADS, SIZES = 997 };

struct batch
{
  struct queue_link link;
  char *blocks[BATCH];
  size_t sizes[BATCH];
  unsigned number;
};

static struct batch batches[BATCHES_MOST];
static struct queue empty, full[THREADS];
static unsigned long total, taken;
static int is_verbose;
static long first_pages, second_pages; /* in each half, at most */

static void
look_at_memory (unsigned long number)
{
  if (number % 64 != 0)
    return;
  const long pages = hint_own_pages ();
  long *const most = number < total / 2 ? &first_pages : &second_pages;
  long seen = __atomic_load_n (most, __ATOMIC_RELAXED);
  while (pages > seen
	 && !__atomic_compare_exchange_n (most, &seen, pages, 0,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* Return false if all batches were filled.  The sizes change with time, so that
   memory of one size must serve others.  */

static int
fill_next (struct queue *queue)
{
  static const int hints[] = { 1, 254, 254 + 256, 254 + 200 * 256 };
  const unsigned long number
    = __atomic_fetch_add (&taken, 1, __ATOMIC_RELAXED);
  if (number >= total)
    return 0;
  struct batch *const batch = queue_pop (&empty);
  unsigned state = (unsigned) number * 2654435761u + 1;
  for (unsigned i = 0; i < BATCH; i++)
    {
      state = state * 1664525u + 1013904223u;
      const size_t size
	= 1 + (state >> 12) % (number / 50 % 2 == 0 ? SIZES : 64);
      batch->sizes[i] = size;
      batch->blocks[i]
	= heapprof_malloc_hinted (size, hints[(state >> 8) % 4]);
      batch->blocks[i][0] = (char) number;
      batch->blocks[i][size - 1] = (char) number;
    }
  batch->number = (unsigned) number;
  look_at_memory (number);
  queue_push (queue, batch);
  return 1;
}

static void
release (struct batch *batch)
{
  for (unsigned i = 0; i < BATCH; i++)
    {
      CHECK (batch->blocks[i][batch->sizes[i] - 1] == (char) batch->number);
      free (batch->blocks[i]);
    }
  queue_push (&empty, batch);
}

static void *
release_all (void *data)
{
  struct batch *batch;
  while ((batch = queue_pop (data))->sizes[0] != 0)
    release (batch);
  return NULL;
}

static void *
fill_all (void *data)
{
  while (fill_next (data))
    ;
  return NULL;
}

/* Fill a batch for the next thread, then release one of the thread before.  */

static void *
fill_and_release (void *data)
{
  struct queue *const own = data;
  struct queue *const next = own + 1 < full + THREADS ? own + 1 : full;
  while (fill_next (next))
    {
      struct batch *const batch = queue_pop (own);
      if (batch->sizes[0] == 0)
	break;
      release (batch);
    }
  return NULL;
}

static void
prepare (void)
{
  taken = 0;
  first_pages = second_pages = 0;
  queue_start (&empty);
  for (unsigned i = 0; i < BATCHES_MOST; i++)
    queue_push (&empty, &batches[i]);
  for (unsigned i = 0; i < THREADS; i++)
    queue_start (&full[i]);
}

static void
check_memory (const char *name)
{
  const int is_bounded
    = first_pages > 0 && second_pages <= first_pages + first_pages / 4 + 512;
  CHECK (is_bounded);
  if (!is_bounded || is_verbose)
    printf ("%s: %ld pages, then %ld\n", name, first_pages, second_pages);
}

static void
pass_on (const char *name, unsigned filling, unsigned releasing)
{
  static struct batch ends[THREADS];
  pthread_t fills[THREADS], releases[THREADS];
  prepare ();
  for (unsigned i = 0; i < releasing; i++)
    pthread_create (&releases[i], NULL, release_all, &full[0]);
  for (unsigned i = 0; i < filling; i++)
    pthread_create (&fills[i], NULL, fill_all, &full[0]);
  for (unsigned i = 0; i < filling; i++)
    pthread_join (fills[i], NULL);
  for (unsigned i = 0; i < releasing; i++)
    queue_push (&full[0], &ends[i]);
  for (unsigned i = 0; i < releasing; i++)
    pthread_join (releases[i], NULL);
  check_memory (name);
}

static void
pass_round (void)
{
  static struct batch ends[THREADS];
  pthread_t threads[THREADS];
  prepare ();
  for (unsigned i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, fill_and_release, &full[i]);
  /* A thread may wait for one that has ended.  */
  for (unsigned i = 0; i < THREADS; i++)
    {
      while (__atomic_load_n (&taken, __ATOMIC_RELAXED) < total)
	usleep (1000);
      queue_push (&full[i], &ends[i]);
    }
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (unsigned i = 0; i < THREADS; i++)
    while (full[i].first != NULL)
      {
	struct batch *const batch = queue_pop (&full[i]);
	if (batch->sizes[0] != 0)
	  release (batch);
      }
  check_memory ("ring");
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  total = argc > 2 ? strtoul (argv[2], NULL, 10) : 20000;
  is_verbose = argc > 2;
  pass_on ("one to one", 1, 1);
  pass_on ("many to one", THREADS - 1, 1);
  pass_on ("one to many", 1, THREADS - 1);
  pass_round ();
  return hint_finish ();
}

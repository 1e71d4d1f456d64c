/* Blocks that one thread allocates and another releases.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: ping-pong BLOCKS PAIRS

   Each of PAIRS producers sends BLOCKS blocks to its consumer, in batches, so
   that the time of the queue does not matter.  */

#include "workload.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum
{
  BATCH_BLOCKS = 128,
  QUEUE_BATCHES = 16
};

struct message
{
  size_t bytes;
  unsigned char text[];
};

struct batch
{
  size_t count;
  struct message *messages[BATCH_BLOCKS];
};

/* One pair; the mutex protects BATCHES, FIRST and COUNT.  */
struct pair
{
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct batch batches[QUEUE_BATCHES];
  size_t first;
  size_t count;
  unsigned long blocks;
  uint64_t seed;
  uint64_t sum;
  pthread_t producer;
  pthread_t consumer;
};

static struct message *
new_message (uint64_t number)
{
  const size_t bytes = 16 + number % 200;
  struct message *const message
    = workload_block (malloc (sizeof *message + bytes));
  message->bytes = bytes;
  memset (message->text, (int) (number >> 32 & 0xff), bytes);
  return message;
}

static void
send (struct pair *pair, const struct batch *batch)
{
  pthread_mutex_lock (&pair->mutex);
  while (pair->count == QUEUE_BATCHES)
    pthread_cond_wait (&pair->changed, &pair->mutex);
  pair->batches[(pair->first + pair->count) % QUEUE_BATCHES] = *batch;
  pair->count++;
  pthread_cond_signal (&pair->changed);
  pthread_mutex_unlock (&pair->mutex);
}

static void
receive (struct pair *pair, struct batch *batch)
{
  pthread_mutex_lock (&pair->mutex);
  while (pair->count == 0)
    pthread_cond_wait (&pair->changed, &pair->mutex);
  *batch = pair->batches[pair->first];
  pair->first = (pair->first + 1) % QUEUE_BATCHES;
  pair->count--;
  pthread_cond_signal (&pair->changed);
  pthread_mutex_unlock (&pair->mutex);
}

static void *
produce (void *data)
{
  struct pair *const pair = data;
  unsigned long left = pair->blocks;
  do
    {
      struct batch batch = { .count = 0 };
      while (batch.count < BATCH_BLOCKS && left > 0)
	{
	  batch.messages[batch.count++]
	    = new_message (workload_random (&pair->seed));
	  left--;
	}
      send (pair, &batch);
    }
  while (left > 0);
  return NULL;
}

static void *
consume (void *data)
{
  struct pair *const pair = data;
  unsigned long left = pair->blocks;
  while (left > 0)
    {
      struct batch batch;
      receive (pair, &batch);
      for (size_t i = 0; i < batch.count; i++)
	{
	  struct message *const message = batch.messages[i];
	  pair->sum = workload_mix (pair->sum, message->bytes);
	  pair->sum
	    = workload_mix (pair->sum, message->text[message->bytes - 1]);
	  free (message);
	}
      left -= batch.count;
    }
  return NULL;
}

static void
start (struct pair *pair, unsigned long blocks, uint64_t seed)
{
  *pair = (struct pair){ .blocks = blocks, .seed = seed };
  pthread_mutex_init (&pair->mutex, NULL);
  pthread_cond_init (&pair->changed, NULL);
  if (pthread_create (&pair->producer, NULL, produce, pair) != 0
      || pthread_create (&pair->consumer, NULL, consume, pair) != 0)
    {
      fputs ("cannot start a thread\n", stderr);
      exit (1);
    }
}

int
main (int argc, char **argv)
{
  const unsigned long blocks = workload_argument (argc, argv, 1, 5000000);
  const unsigned long pairs = workload_argument (argc, argv, 2, 2);
  struct pair *const all = workload_block (malloc (pairs * sizeof *all));
  uint64_t sum = 0;
  for (unsigned long i = 0; i < pairs; i++)
    start (&all[i], blocks, i);
  for (unsigned long i = 0; i < pairs; i++)
    {
      pthread_join (all[i].producer, NULL);
      pthread_join (all[i].consumer, NULL);
      sum = workload_mix (sum, all[i].sum);
    }
  free (all);
  workload_report (sum);
  return 0;
}

/* Queues through which threads pass things on.
   SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef HEAPPROF_QUEUE_H
#define HEAPPROF_QUEUE_H

#include <pthread.h>
#include <stddef.h>

/* The first member of a thing.  */
struct queue_link
{
  struct queue_link *next;
};

struct queue
{
  pthread_mutex_t mutex;
  pthread_cond_t filled;
  struct queue_link *first;
  struct queue_link **end;
};

static inline void
queue_start (struct queue *queue)
{
  pthread_mutex_init (&queue->mutex, NULL);
  pthread_cond_init (&queue->filled, NULL);
  queue->first = NULL;
  queue->end = &queue->first;
}

static inline void
queue_push (struct queue *queue, void *thing)
{
  struct queue_link *const link = (struct queue_link *) thing;
  link->next = NULL;
  pthread_mutex_lock (&queue->mutex);
  *queue->end = link;
  queue->end = &link->next;
  pthread_cond_signal (&queue->filled);
  pthread_mutex_unlock (&queue->mutex);
}

/* Return the first thing in QUEUE; wait for one if there is none.  */
static inline void *
queue_pop (struct queue *queue)
{
  pthread_mutex_lock (&queue->mutex);
  while (queue->first == NULL)
    pthread_cond_wait (&queue->filled, &queue->mutex);
  struct queue_link *const link = queue->first;
  queue->first = link->next;
  if (queue->first == NULL)
    queue->end = &queue->first;
  pthread_mutex_unlock (&queue->mutex);
  return link;
}

static inline void
queue_end (struct queue *queue)
{
  pthread_mutex_destroy (&queue->mutex);
  pthread_cond_destroy (&queue->filled);
}

#endif /* HEAPPROF_QUEUE_H */

/* The queue of profiles that are to be sent: files of a folder, so that a new
   process continues where the last one ended.
   SPDX-License-Identifier: GPL-3.0-or-later

   The folder also has the last profile of each run that was put into the queue,
   from which the next one is told apart.  */

#ifndef HEAPPROF_PUSH_QUEUE_H
#define HEAPPROF_PUSH_QUEUE_H

#include "profile-error.h"
#include "raw-identity.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct push_queue
{
  char folder[PATH_MAX / 2];
  bool is_own; /* removed in the end */
  int lock;    /* held by one process */
  uint64_t most_bytes;
  uint64_t dropped; /* profiles, as there was no room for them */
};

/* What is sent, and the part of the URL after `?', which may be empty.  */
struct push_item
{
  char path[PATH_MAX];
  char *query; /* malloced, with the data */
  const void *data;
  size_t size;
};

/* Open the queue in FOLDER, which is made if it does not exist, or a temporary
   one if that is NULL.  It has at most MOST_BYTES, but always room for one
   profile.  Return false and set *ERR on failure.  Release *QUEUE in any
   case.  */
bool push_queue_open (struct push_queue *queue, const char *folder,
		      uint64_t most_bytes, struct profile_error *err);
void push_queue_release (struct push_queue *queue);

/* Add what is sent for the profile of IDENTITY, which ended at UNIX_NS; what
   was added for the same profile before is replaced.  The oldest ones that have
   no room any more are dropped.  Return false and set *ERR on failure.  */
bool push_queue_add (struct push_queue *queue,
		     const struct raw_identity *identity, uint64_t unix_ns,
		     const char *query, const void *data, size_t size,
		     struct profile_error *err);

/* Return how many profiles are waiting.  */
size_t push_queue_count (const struct push_queue *queue);

/* Read the oldest one.  Return false if there is none, or set *ERR, whose path
   is otherwise NULL.  */
bool push_queue_first (const struct push_queue *queue, struct push_item *item,
		       struct profile_error *err);

/* Remove ITEM from its queue, or only from memory.  */
void push_item_remove (struct push_item *item);
void push_item_release (struct push_item *item);

/* Set PATH to the last profile of the run of IDENTITY, and *FORMER to what it
   is.  Return false if there is none.  */
bool push_queue_former (const struct push_queue *queue,
			const struct raw_identity *identity,
			char path[PATH_MAX], struct raw_identity *former);

/* Make a copy of PATH, which may be removed at any time, and set COPY to it.
   push_queue_keep makes that the last profile of the run.  Return false and set
   *ERR on failure.  */
bool push_queue_copy (const struct push_queue *queue,
		      const struct raw_identity *identity, const char *path,
		      char copy[PATH_MAX], struct profile_error *err);
bool push_queue_keep (const struct push_queue *queue,
		      const struct raw_identity *identity,
		      struct profile_error *err);

/* Forget runs that are over, except the COUNT ones of FOUND, whose files still
   exist.  */
void push_queue_forget (const struct push_queue *queue,
			const struct raw_identity *found, size_t count);

#endif /* HEAPPROF_PUSH_QUEUE_H */

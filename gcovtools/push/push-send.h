/* Sending a profile over HTTP, with libcurl.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PUSH_SEND_H
#define HEAPPROF_PUSH_SEND_H

#include "push-settings.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum push_result
{
  PUSH_SENT,
  PUSH_AGAIN, /* it is worth sending the same again later */
  PUSH_REFUSED
};

struct push_answer
{
  enum push_result result;
  double wait_s;     /* how long the server asks to wait; 0: it does not */
  uint64_t rejected; /* parts of the profile, although it was sent */
  char text[512];    /* the reason; empty: none */
};

struct push_sender;

/* Return a sender with SETTINGS, which must outlive it, and which gives up when
   *STOPS is set.  If there is no libcurl, or memory is exhausted, print an
   error and return NULL.  */
struct push_sender *push_sender_new (const struct push_settings *settings,
				     const volatile sig_atomic_t *stops);
void push_sender_free (struct push_sender *sender);

/* Send the SIZE bytes at DATA, to the URL with QUERY, which may be empty.  */
void push_send (struct push_sender *sender, const char *query, const void *data,
		size_t size, struct push_answer *answer);

#endif /* HEAPPROF_PUSH_SEND_H */

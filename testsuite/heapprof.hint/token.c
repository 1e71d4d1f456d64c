/* The context token: malloc and calloc follow it, also when the C library calls
   them; allocations with a hint of their own do not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "hint.h"
#include <malloc.h>
#include <pthread.h>

extern __thread int __heapprof_hint_token;

/* Blocks of one size in one pool are close to each other.  */
static int
is_near (const void *a, const void *b)
{
  const uintptr_t x = (uintptr_t) a, y = (uintptr_t) b;
  return (x > y ? x - y : y - x) < 1u << 20;
}

static char *hot;
static char *cold;

static void *
run (void *unused)
{
  (void) unused;
  char *const plain = malloc (40);
  CHECK (!is_near (plain, hot));
  __heapprof_hint_token = 1 ^ HEAPPROF_HINT_AMBIGUOUS;
  char *const block = malloc (40);
  CHECK (is_near (block, cold));
  free (block);
  free (plain);
  return NULL;
}

static void
check_functions (void)
{
  char *const block = malloc (40);
  char *const zeroed = calloc (5, 8);
  char *const copy = strdup ("a string of the C library, 40 bytes long");
  CHECK (is_near (block, hot));
  CHECK (is_near (zeroed, hot));
  for (int i = 0; i < 40; i++)
    CHECK (zeroed[i] == 0);
  CHECK (is_near (copy, hot));
  CHECK (malloc_usable_size (block) >= 40);
  char *const moved = realloc (block, 30);
  CHECK (is_near (moved, hot));
  free (moved);
  free (zeroed);
  free (copy);
  errno = 0;
  CHECK (calloc (SIZE_MAX / 2, 4) == NULL && errno == ENOMEM);
  CHECK (malloc (SIZE_MAX / 2) == NULL);
}

/* Their hints count, not the token.  */
static void
check_hinted (void)
{
  char *const plain = heapprof_malloc_hinted (40, 128);
  char *const zeroed = heapprof_calloc_hinted (5, 8, 128);
  char *const copy = heapprof_strdup_hinted ("of 40 bytes", 128);
  char *const other = heapprof_malloc_hinted (40, 1);
  CHECK (!is_near (plain, hot));
  CHECK (!is_near (zeroed, hot));
  CHECK (!is_near (copy, hot));
  CHECK (is_near (other, cold));
  CHECK (__heapprof_hint_token == (254 ^ HEAPPROF_HINT_AMBIGUOUS));
  free (plain);
  free (zeroed);
  free (copy);
  free (other);
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  hint_expect_backend (argc, argv);
  hot = heapprof_malloc_hinted (40, 254);
  cold = heapprof_malloc_hinted (40, 1);
  CHECK (!is_near (hot, cold));
  char *const plain = malloc (40);
  CHECK (!is_near (plain, hot) && !is_near (plain, cold));
  __heapprof_hint_token = 254 ^ HEAPPROF_HINT_AMBIGUOUS;
  check_functions ();
  check_hinted ();
  pthread_create (&thread, NULL, run, NULL);
  pthread_join (thread, NULL);
  __heapprof_hint_token = 128 ^ HEAPPROF_HINT_AMBIGUOUS;
  char *const other = malloc (40);
  CHECK (!is_near (other, hot));
  free (other);
  free (plain);
  free (hot);
  free (cold);
  return hint_finish ();
}

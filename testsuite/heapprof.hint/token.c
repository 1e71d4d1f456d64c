/* The context token: malloc, calloc and realloc follow it, also when the C
   library calls them; allocations with a hint of their own do not.
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

/* Blocks that are in no pool, or must move, move to the token's; large blocks
   stay in their pool.  PLAIN is in none, and is released.  */
static void
check_resizing (char *plain)
{
  hint_fill (plain, 40, 1);
  char *moved = realloc (plain, 60);
  CHECK (is_near (moved, hot) && hint_is_filled (moved, 40, 1));
  moved = realloc (moved, 600);
  CHECK (is_near (moved, hot) && hint_is_filled (moved, 40, 1));
  char *const new = realloc (NULL, 40);
  CHECK (is_near (new, hot));
  char *const array = reallocarray (NULL, 5, 8);
  CHECK (is_near (array, hot));
  char *other = heapprof_malloc_hinted (40, 1);
  hint_fill (other, 40, 2);
  other = realloc (other, 30);
  CHECK (is_near (other, cold) && hint_is_filled (other, 30, 2));
  other = realloc (other, 400);
  CHECK (is_near (other, hot) && hint_is_filled (other, 30, 2));
  char *growing = realloc (NULL, 5000);
  hint_fill (growing, 5000, 5);
  for (size_t size = 8192; size < 1000000; size += size / 3)
    growing = realloc (growing, size);
  CHECK (!is_near (growing, hot) && hint_is_filled (growing, 5000, 5));
  CHECK (malloc_usable_size (growing) > 700000);
  char *large_cold = heapprof_malloc_hinted (200000, 1);
  hint_fill (large_cold, 200000, 4);
  large_cold = realloc (large_cold, 400000);
  CHECK (hint_is_filled (large_cold, 200000, 4));
  errno = 0;
  CHECK (realloc (NULL, SIZE_MAX / 2) == NULL && errno == ENOMEM);
  char *const large = heapprof_malloc_hinted (40, 128);
  hint_fill (large, 40, 3);
  errno = 0;
  CHECK (realloc (large, SIZE_MAX / 2) == NULL && errno == ENOMEM);
  CHECK (!is_near (large, hot) && hint_is_filled (large, 40, 3));
  CHECK (realloc (large, 0) == NULL);
  free (moved);
  free (new);
  free (array);
  free (other);
  free (large_cold);
  free (growing);
}

/* The C library's getline enlarges its block.  */
static void
check_line (void)
{
  static char text[1000];
  memset (text, 'x', sizeof text);
  FILE *const file = fmemopen (text, sizeof text, "r");
  char *line = heapprof_malloc_hinted (10, 128);
  size_t bytes = 10;
  CHECK (file != NULL && !is_near (line, hot));
  CHECK (getline (&line, &bytes, file) == (ssize_t) sizeof text);
  CHECK (is_near (line, hot) && line[999] == 'x');
  free (line);
  fclose (file);
}

/* Their hints count, not the token.  */
static void
check_hinted (void)
{
  char *const plain = heapprof_malloc_hinted (40, 128);
  char *const zeroed = heapprof_calloc_hinted (5, 8, 128);
  char *const copy = heapprof_strdup_hinted ("of 40 bytes", 128);
  char *const other = heapprof_malloc_hinted (40, 1);
  char *const moved
    = heapprof_realloc_hinted (heapprof_malloc_hinted (40, 128), 80, 128);
  CHECK (!is_near (moved, hot));
  CHECK (!is_near (plain, hot));
  CHECK (!is_near (zeroed, hot));
  CHECK (!is_near (copy, hot));
  CHECK (is_near (other, cold));
  CHECK (__heapprof_hint_token == (254 ^ HEAPPROF_HINT_AMBIGUOUS));
  free (plain);
  free (zeroed);
  free (copy);
  free (other);
  free (moved);
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
  char *const resized = malloc (40);
  CHECK (!is_near (plain, hot) && !is_near (plain, cold));
  __heapprof_hint_token = 254 ^ HEAPPROF_HINT_AMBIGUOUS;
  check_functions ();
  check_hinted ();
  check_resizing (resized);
  check_line ();
  pthread_create (&thread, NULL, run, NULL);
  pthread_join (thread, NULL);
  char *const other_hot = heapprof_malloc_hinted (40, 254);
  __heapprof_hint_token = 128 ^ HEAPPROF_HINT_AMBIGUOUS;
  char *const other = malloc (40);
  CHECK (!is_near (other, hot));
  char *const grown = realloc (other, 4000);
  CHECK (!is_near (grown, hot));
  hot = realloc (hot, 20);
  CHECK (is_near (hot, other_hot));
  hot = realloc (hot, 80);
  CHECK (!is_near (hot, other_hot));
  free (other_hot);
  free (grown);
  free (plain);
  free (hot);
  free (cold);
  return hint_finish ();
}

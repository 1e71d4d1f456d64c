/* The program's malloc and calloc, without this library's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "plain-malloc.h"
#include "definition.h"

#ifdef PIC

static void *first_malloc (size_t size);
static void *first_calloc (size_t count, size_t size);

void *(*hint_plain_malloc) (size_t size) = first_malloc;
void *(*hint_plain_calloc) (size_t count, size_t size) = first_calloc;

static void *
first_malloc (size_t size)
{
  void *(*const found) (size_t)
    = (void *(*) (size_t)) hint_find_definition (HINT_MALLOC).address;
  __atomic_store_n (&hint_plain_malloc, found, __ATOMIC_RELAXED);
  return found (size);
}

static void *
first_calloc (size_t count, size_t size)
{
  void *(*const found) (size_t, size_t)
    = (void *(*) (size_t, size_t)) hint_find_definition (HINT_CALLOC).address;
  __atomic_store_n (&hint_plain_calloc, found, __ATOMIC_RELAXED);
  return found (count, size);
}

#endif

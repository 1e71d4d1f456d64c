/* Count allocations, and make an allocation fail.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "count-memory.h"
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>

static size_t live_bytes;
static size_t begin_bytes;
static size_t peak_bytes;
static bool is_counting;
static size_t allocations;
static size_t failing_allocation = SIZE_MAX;

void *__real_malloc (size_t n);
void *__real_calloc (size_t n, size_t bytes);
void *__real_realloc (void *block, size_t n);
void __real_free (void *block);
void *__wrap_malloc (size_t n);
void *__wrap_calloc (size_t n, size_t bytes);
void *__wrap_realloc (void *block, size_t n);
void __wrap_free (void *block);

static bool
must_fail (void)
{
  return allocations++ == failing_allocation;
}

static void *
count (void *block)
{
  live_bytes += malloc_usable_size (block);
  if (is_counting && live_bytes > peak_bytes)
    peak_bytes = live_bytes;
  return block;
}

void *
__wrap_malloc (size_t n)
{
  return must_fail () ? NULL : count (__real_malloc (n));
}

void *
__wrap_calloc (size_t n, size_t bytes)
{
  return must_fail () ? NULL : count (__real_calloc (n, bytes));
}

void *
__wrap_realloc (void *block, size_t n)
{
  if (must_fail ())
    return NULL;
  size_t before = malloc_usable_size (block);
  void *moved = __real_realloc (block, n);
  if (moved)
    live_bytes -= before;
  return moved ? count (moved) : NULL;
}

void
__wrap_free (void *block)
{
  live_bytes -= malloc_usable_size (block);
  __real_free (block);
}

size_t
count_memory_live (void)
{
  return live_bytes;
}

void
count_memory_begin (void)
{
  begin_bytes = peak_bytes = live_bytes;
  is_counting = true;
}

void
count_memory_stop (void)
{
  is_counting = false;
}

size_t
count_memory_peak (void)
{
  return peak_bytes - begin_bytes;
}

void
count_memory_fail (size_t n)
{
  allocations = 0;
  failing_allocation = n;
}

size_t
count_memory_allocations (void)
{
  return allocations;
}

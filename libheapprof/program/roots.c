/* The memory from which the program can reach its blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "roots.h"
#include "memory-map.h"
#include "own-maps.h"
#include "ranges.h"
#include "reach.h"
#include "registers.h"
#include "span.h"
#include "sys-process.h"
#include "sys.h"
#include <errno.h>
#include <stddef.h>

/* Of mappings of at least this size, only pages that exist are read.  */
#define SPARSE_BYTES ((size_t) 1 << 20)

/* A control block of the C library is this close to the end of its mapping.  */
#define CONTROL_BYTES 16384u
#define CONTROL_ALIGNMENT 64u

#define OWN_MAX 65536u
#define MAPPINGS_MAX 65536u

static struct
{
  const struct rt_stopped *threads;
  unsigned thread_count;
  struct rt_range *own; /* sorted, once all are known */
  uint32_t own_count;
  struct sys_mapping *mappings;
  uint32_t mapping_count;
  bool is_whole; /* there was space for all */
  int page_table;
} roots;

static void
add_own (uintptr_t start, uintptr_t end, void *data)
{
  (void) data;
  if (roots.own_count < OWN_MAX)
    roots.own[roots.own_count++]
      = (struct rt_range){ .start = start, .end = end };
  else
    roots.is_whole = false;
}

static void
add_mapping (const struct sys_mapping *mapping, void *data)
{
  (void) data;
  if (roots.mapping_count < MAPPINGS_MAX)
    roots.mappings[roots.mapping_count++] = *mapping;
  else
    roots.is_whole = false;
}

/* Words from START up to END are roots.  Pages that do not exist are
   skipped.  */

static void
visit_range (uintptr_t start, uintptr_t end)
{
  if (end - start < SPARSE_BYTES || roots.page_table < 0)
    {
      rt_reach_words (start, end);
      return;
    }
  const uintptr_t page = SYS_PAGE_BYTES;
  struct sys_run run = { start & -page, 0 };
  while (run.start < end)
    {
      run = sys_find_pages (roots.page_table, run.start, end);
      if (run.start >= end)
	return;
      rt_reach_words (run.start < start ? start : run.start,
		      run.end < end ? run.end : end);
      run.start = run.end;
    }
}

/* Return the index of the first own range that ends after ADDRESS.  */

static uint32_t
own_after (uintptr_t address)
{
  return rt_ranges_find (roots.own, roots.own_count, address);
}

static bool
is_own (uintptr_t address)
{
  const uint32_t i = own_after (address);
  return i < roots.own_count && roots.own[i].start <= address;
}

/* Words from START up to END, without what is the library's own, are
   roots.  */

static void
visit_foreign (uintptr_t start, uintptr_t end)
{
  for (uint32_t i = own_after (start);
       i < roots.own_count && roots.own[i].start < end; i++)
    {
      if (start < roots.own[i].start)
	visit_range (start, roots.own[i].start);
      if (start < roots.own[i].end)
	start = roots.own[i].end;
    }
  if (start < end)
    visit_range (start, end);
}

/* Return the lowest address in use of the stacks in MAPPING; 0 if there is
   none.  */

static uintptr_t
stack_in (const struct sys_mapping *mapping)
{
  uintptr_t lowest = 0;
  for (unsigned i = 0; i < roots.thread_count; i++)
    {
      const struct rt_stopped *const thread = &roots.threads[i];
      if (thread->stack < mapping->start || thread->stack >= mapping->end)
	continue;
      const uintptr_t start = thread->stack - mapping->start > thread->red_zone
				? thread->stack - thread->red_zone
				: mapping->start;
      if (lowest == 0 || start < lowest)
	lowest = start;
    }
  return lowest;
}

#ifdef MACHINE_CONTROL_SELF

static bool
is_alive (uintptr_t control)
{
  unsigned i = 0;
  while (i < roots.thread_count && roots.threads[i].pointer != control)
    i++;
  return i < roots.thread_count;
}

/* Return the control block of a thread that has ended, if MAPPING is its stack,
   which the C library keeps for another thread; otherwise NULL.  A control
   block points to itself twice and is close to the end of the mapping.  */

static const uintptr_t *
left_behind (const struct sys_mapping *mapping)
{
  if (mapping->has_file || mapping->end - mapping->start < CONTROL_BYTES)
    return NULL;
  for (uintptr_t at = mapping->end - CONTROL_ALIGNMENT;
       at >= mapping->end - CONTROL_BYTES; at -= CONTROL_ALIGNMENT)
    {
      const uintptr_t *const control = (const uintptr_t *) at;
      if (control[MACHINE_CONTROL_SELF] == at
	  && control[MACHINE_CONTROL_SELF_TOO] == at)
	return is_alive (at) ? NULL : control;
    }
  return NULL;
}

#else

static const uintptr_t *
left_behind (const struct sys_mapping *mapping)
{
  (void) mapping;
  return NULL;
}

#endif

static void
visit_mapping (const struct sys_mapping *mapping)
{
  if (!mapping->is_writable || !mapping->is_readable || mapping->is_shared)
    return;
  const uintptr_t stack = stack_in (mapping);
  const uintptr_t *const control
    = stack != 0 || is_own (mapping->end - 1) ? NULL : left_behind (mapping);
  if (stack != 0)
    visit_foreign (stack, mapping->end);
  else if (control != NULL)
    /* The table of its thread-local variables is kept with it.  */
    rt_reach_word (control[1]);
  else
    visit_foreign (mapping->start, mapping->end);
}

/* The program may have made memory of blocks inaccessible.  */

static void
exclude_unreadable (void)
{
  for (uint32_t i = 0; i < roots.mapping_count && roots.is_whole; i++)
    {
      const struct sys_mapping *const mapping = &roots.mappings[i];
      if (!mapping->is_readable && is_own (mapping->start))
	roots.is_whole = rt_reach_exclude (mapping->start, mapping->end);
    }
}

static bool
prepare (const struct rt_stopped *threads, unsigned count)
{
  roots.threads = threads;
  roots.thread_count = count;
  roots.own_count = roots.mapping_count = 0;
  roots.is_whole = true;
  roots.own = sys_map (OWN_MAX * sizeof *roots.own);
  roots.mappings = sys_map (MAPPINGS_MAX * sizeof *roots.mappings);
  if (roots.own == NULL || roots.mappings == NULL)
    return false;
  own_map_visit (add_own, NULL);
  rt_span_visit_large (add_own, NULL);
  rt_ranges_sort (roots.own, roots.own_count);
  return sys_visit_mappings (add_mapping, NULL) == 0 && roots.is_whole;
}

bool
rt_roots_visit (const struct rt_stopped *threads, unsigned count)
{
  if (!prepare (threads, count))
    return false;
  exclude_unreadable ();
  roots.page_table = sys_open_page_table ();
  for (unsigned i = 0; i < count; i++)
    {
      rt_reach_word (threads[i].stack);
      for (unsigned j = 0; j < threads[i].register_count; j++)
	rt_reach_word (threads[i].registers[j]);
    }
  for (uint32_t i = 0; i < roots.mapping_count; i++)
    visit_mapping (&roots.mappings[i]);
  if (roots.page_table >= 0)
    sys_close (roots.page_table);
  return roots.is_whole;
}

int
rt_roots_read_thread (pid_t thread, struct rt_stopped *stopped)
{
  machine_registers registers;
  const int error = sys_trace_registers (thread, SYS_GENERAL_REGISTERS,
					 &registers, sizeof registers);
  if (error != 0)
    return error;
  stopped->stack = machine_stack_pointer (&registers);
  stopped->red_zone = MACHINE_RED_ZONE_BYTES;
  stopped->register_count = machine_pointers (&registers, stopped->registers);
#ifdef MACHINE_THREAD_POINTER_SET
  return sys_trace_registers (thread, MACHINE_THREAD_POINTER_SET,
			      &stopped->pointer, sizeof stopped->pointer);
#else
  stopped->pointer = machine_thread_pointer (&registers);
  return 0;
#endif
}

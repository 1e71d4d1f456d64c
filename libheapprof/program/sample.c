/* Allocation with samples.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "sample.h"
#include "arena.h"
#include "bytes.h"
#include "frame.h"
#include "gate.h"
#include "next.h"
#include "observe.h"
#include "route.h"
#include "sampling.h"
#include "span.h"
#include "thread.h"
#include "watch.h"
#include <errno.h>

RT_SAMPLE_CODE ("rt_sample_malloc", MACHINE_JUMP_BY ("rt_next_malloc"),
		"rt_sample_due");

RT_SAMPLE_FUNCTION ("rt_sample_free",
		    MACHINE_SAMPLE_BLOCK ("rt_next_free", "rt_sample_release"));
RT_SAMPLE_FUNCTION ("rt_sample_calloc",
		    MACHINE_SAMPLE_PRODUCT ("rt_next_calloc",
					    "rt_sample_calloc_due"));
RT_SAMPLE_FUNCTION ("rt_sample_realloc",
		    MACHINE_SAMPLE_RESIZE ("rt_next_realloc",
					   "rt_sample_realloc_due",
					   "rt_sample_realloc_own"));
RT_SAMPLE_FUNCTION ("rt_sample_malloc_usable_size",
		    MACHINE_SAMPLE_BLOCK ("rt_next_usable_size",
					  "rt_sample_usable_size"));

/* True if DATA is a sample.  */

static bool
is_sample (const void *data)
{
  return (uintptr_t) data >= rt_span_lowest && rt_arena_find (data) != NULL;
}

/* The calling thread allocates its first block.  If it is the first one of the
   process, the profile begins, so that it says that there was no sample even if
   the process is killed before one.  */

static __attribute__ ((noinline)) void
begin_thread (void)
{
  if (rt_gate_is_open ())
    return;
  rt_enter ();
  rt_gate_open (true);
  rt_leave ();
}

/* SIZE was just subtracted from what was left, which was less: return true if
   the block is a sample.  What the library itself allocates, through the C
   library, and what handlers that interrupt it do, never is.  */

static bool
is_due_counted (size_t size)
{
  const bool is_due = rt_sample_is_due (size);
  if (rt_is_inside ())
    return false;
  if (!is_due)
    begin_thread ();
  return is_due;
}

static inline bool
is_due (size_t size)
{
  return !rt_sample_is_before (size) && is_due_counted (size);
}

/* Return a sample; if there is no memory for it, any block.  */

static void *
allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  void *const data = rt_allocate (size, alignment, zero, frame);
  if (data != NULL && rt_watch_is_on)
    rt_watch_add (data);
  return data != NULL ? data : rt_next_allocate (size, alignment, zero, frame);
}

/* Release DATA, a sample.  */

static void
release (void *data)
{
  if (rt_watch_is_on)
    rt_watch_remove (data);
  rt_release (data);
}

void *
rt_sample_counted (size_t size, const void *frame)
{
  return is_due_counted (size)
	   ? allocate (size, RT_LEAST_ALIGNMENT, false, frame)
	   : rt_next_malloc (size);
}

void *
rt_sample_due (size_t size)
{
  return rt_sample_counted (size, MACHINE_FRAME);
}

void *
rt_sample_calloc_due (size_t count, size_t size)
{
  return is_due_counted (count * size)
	   ? allocate (count * size, RT_LEAST_ALIGNMENT, true, MACHINE_FRAME)
	   : rt_next_calloc (count, size);
}

void *
rt_sample_allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  return is_due (size) ? allocate (size, alignment, zero, frame)
		       : rt_next_allocate (size, alignment, zero, frame);
}

void
rt_sample_release (void *data)
{
  if (is_sample (data))
    release (data);
  else
    rt_next_free (data);
}

/* Copy block FROM, of which BYTES bytes are known to exist, to a new block TO
   of SIZE bytes, and release it.  NULL, and nothing changes, if TO is.  */

static void *
move (void *to, size_t size, void *from, size_t bytes)
{
  if (to == NULL)
    return NULL;
  own_memcpy (to, from, bytes < size ? bytes : size);
  rt_sample_release (from);
  return to;
}

/* Make DATA, which is no sample, one of SIZE bytes if there is memory for it.
 */

static void *
become_sample (void *data, size_t size, const void *frame)
{
  void *const sample = rt_allocate (size, RT_LEAST_ALIGNMENT, false, frame);
  void *const moved = sample == NULL
			? rt_next_realloc (data, size)
			: move (sample, size, data, rt_next_usable_size (data));
  if (sample != NULL && rt_watch_is_on)
    rt_watch_add (sample);
  return moved;
}

/* Resize DATA, a sample.  What the library copies does not count.  */

static void *
resize_sample (void *data, size_t size, const void *frame, bool is_new_sample)
{
  if (rt_watch_is_on)
    rt_watch_remove (data);
  if (!is_new_sample)
    return move (rt_next_malloc (size), size, data, rt_requested_bytes (data));
  void *const resized = rt_resize (data, size, frame);
  if (resized != NULL && rt_watch_is_on)
    rt_watch_add (resized);
  return resized;
}

/* The new block may be a sample, whether the old one is one or not.  */

void *
rt_sample_resize (void *data, size_t size, const void *frame)
{
  const bool is_new_sample = is_due (size);
  if (is_sample (data))
    return resize_sample (data, size, frame, is_new_sample);
  return is_new_sample ? become_sample (data, size, frame)
		       : rt_next_realloc (data, size);
}

void *
rt_sample_realloc_own (void *data, size_t size)
{
  if (size == 0)
    {
      /* As in the C library.  */
      rt_sample_release (data);
      return NULL;
    }
  void *const resized = rt_sample_resize (data, size, MACHINE_FRAME);
  if (resized == NULL)
    errno = ENOMEM;
  return resized;
}

/* SIZE is not 0, as that cannot be more than what was left.  */

void *
rt_sample_realloc_due (void *data, size_t size)
{
  if (data == NULL)
    return rt_sample_counted (size, MACHINE_FRAME);
  return is_due_counted (size) ? become_sample (data, size, MACHINE_FRAME)
			       : rt_next_realloc (data, size);
}

size_t
rt_sample_usable_size (void *data)
{
  return is_sample (data) ? rt_requested_bytes (data)
			  : rt_next_usable_size (data);
}

/* Allocation with samples.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "sample.h"
#include "arena.h"
#include "bytes.h"
#include "frame.h"
#include "next.h"
#include "observe.h"
#include "route.h"
#include "sampling.h"
#include "span.h"
#include "thread.h"

RT_SAMPLE_CODE ("rt_sample_malloc", MACHINE_JUMP_BY ("rt_next_malloc"),
		"rt_sample_due");

__asm__(".text\n"
	".globl rt_sample_free\n"
	".hidden rt_sample_free\n"
	".type rt_sample_free, %function\n"
	"rt_sample_free:\n"
	"	.cfi_startproc\n" MACHINE_SAMPLE_FREE "	.cfi_endproc\n"
	".size rt_sample_free, . - rt_sample_free\n");

/* True if DATA is a sample.  */

static bool
is_sample (const void *data)
{
  return (uintptr_t) data >= rt_span_lowest && rt_arena_find (data) != NULL;
}

/* What the library itself allocates, through the C library, and what handlers
   that interrupt it do, is never a sample.  */

static inline bool
is_due (size_t size)
{
  return rt_sample_next (size) && !rt_is_inside ();
}

/* Return a sample; if there is no memory for it, any block.  */

static void *
allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  void *const data = rt_allocate (size, alignment, zero, frame);
  return data != NULL ? data : rt_next_allocate (size, alignment, zero, frame);
}

/* Like is_due, if SIZE was just subtracted from what was left, which was
   less.  */

static bool
is_due_counted (size_t size)
{
  return rt_sample_is_due (size) && !rt_is_inside ();
}

void *
rt_sample_counted (size_t size, const void *frame)
{
  return is_due_counted (size)
	   ? allocate (size, RT_LEAST_ALIGNMENT, false, frame)
	   : rt_next_malloc (size);
}

void *
rt_sample_counted_zero (size_t size, const void *frame)
{
  return is_due_counted (size)
	   ? allocate (size, RT_LEAST_ALIGNMENT, true, frame)
	   : rt_next_calloc (1, size);
}

void *
rt_sample_due (size_t size)
{
  return rt_sample_counted (size, MACHINE_FRAME);
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
    rt_release (data);
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
  return sample == NULL ? rt_next_realloc (data, size)
			: move (sample, size, data, rt_next_usable_size (data));
}

/* The new block may be a sample, whether the old one is one or not.  */

void *
rt_sample_resize (void *data, size_t size, const void *frame)
{
  const bool is_new_sample = is_due (size);
  if (is_sample (data))
    return is_new_sample ? rt_resize (data, size, frame)
			 : move (rt_next_malloc (size), size, data,
				 rt_requested_bytes (data));
  return is_new_sample ? become_sample (data, size, frame)
		       : rt_next_realloc (data, size);
}

void *
rt_sample_resize_counted (void *data, size_t size, const void *frame)
{
  if (data == NULL)
    return rt_sample_counted (size, frame);
  return is_due_counted (size) ? become_sample (data, size, frame)
			       : rt_next_realloc (data, size);
}

size_t
rt_sample_usable_size (void *data)
{
  return is_sample (data) ? rt_requested_bytes (data)
			  : rt_next_usable_size (data);
}

/* Observing an attached program's blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A record is added after the allocator has returned the block, and removed
   before the allocator gets it back: in between no other block can be at its
   address.  */

#include "observe-blocks.h"
#include "block-table.h"
#include "gate.h"
#include "new-modules.h"
#include "observe.h"
#include "raw-file.h"

/* Count a problem, if there is a file.  */

static void
count (size_t offset)
{
  if (rt_gate_is_open ())
    rt_raw_count ((uint64_t *) ((char *) rt_raw_header + offset));
}

#define COUNT(name) count (offsetof (struct heapprof_raw_header, name))

/* The life of BLOCK, which is in no table any more, has ended.  */

static void
end_life (struct rt_thread *thread, struct rt_block *block)
{
  rt_profile_release (thread, block);
  rt_noted_drop (block);
}

static void
add_block (struct rt_thread *thread, const void *data, size_t size,
	   const void *frame)
{
  struct rt_block *const block = rt_noted_make (data, size);
  if (block == NULL)
    {
      COUNT (unprofiled_allocations);
      return;
    }
  rt_profile_allocation (thread, block, frame);
  const uint64_t now_ns = rt_block_alloc_ns (block);
  struct rt_block *const missed = rt_noted_add (block);
  if (missed != NULL)
    {
      /* Not of a call that the end of an earlier profile has overtaken.  */
      if (missed->mib != 0)
	COUNT (missed_frees);
      end_life (thread, missed);
    }
  rt_attach_look_for_modules (now_ns);
}

void
rt_attach_see_allocation (void *data, size_t size, const void *frame)
{
  struct rt_thread *const thread = rt_enter ();
  if (thread != NULL)
    add_block (thread, data, size, frame);
  else
    COUNT (unprofiled_allocations);
  rt_leave ();
}

void
rt_attach_see_release (const void *data)
{
  struct rt_thread *const thread = rt_enter ();
  if (thread != NULL)
    {
      struct rt_block *const block = rt_noted_take (data);
      if (block != NULL)
	end_life (thread, block);
      else
	COUNT (foreign_frees);
    }
  rt_leave ();
}

struct rt_block *
rt_attach_before_resize (const void *data)
{
  struct rt_block *block = NULL;
  if (rt_enter () != NULL)
    block = rt_noted_take (data);
  rt_leave ();
  return block;
}

void
rt_attach_see_resize (struct rt_block *block, void *result, size_t size,
		      const void *frame)
{
  struct rt_thread *const thread = rt_enter ();
  if (thread != NULL)
    {
      if (block != NULL)
	end_life (thread, block);
      else
	COUNT (foreign_frees);
      if (result != NULL)
	add_block (thread, result, size, frame);
    }
  rt_leave ();
}

void
rt_attach_keep (struct rt_block *block)
{
  if (rt_enter () != NULL)
    {
      struct rt_block *const missed = rt_noted_add (block);
      if (missed != NULL)
	rt_noted_drop (missed);
    }
  rt_leave ();
}

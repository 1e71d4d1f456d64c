/* A thread's record of the stacks that it walked.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_WALKER_H
#define HEAPPROF_WALKER_H

#include "frame.h"
#include "options.h"
#include "walk-memo.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One frame of a calling context: the state of its function at the call that
   returns to PC.  */
struct rt_frame
{
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;
  /* Where the caller's frame pointer is saved; 0: it is FP.  */
  uintptr_t fp_slot;
#if !MACHINE_HAS_FIXED_RA
  uintptr_t pc_slot; /* where PC is saved; 0 in the innermost frame */
#endif
  uint32_t node; /* in the context tree */
};

/* Return where the PC of FRAME, which is not the innermost one, is saved.  */
static inline uintptr_t
rt_frame_pc_slot (const struct rt_frame *frame)
{
#if MACHINE_HAS_FIXED_RA
  return frame->sp - sizeof (uintptr_t);
#else
  return frame->pc_slot;
#endif
}

/* Note that the PC of FRAME is saved at SLOT.  */
static inline void
rt_frame_set_pc_slot (struct rt_frame *frame, uintptr_t slot)
{
#if MACHINE_HAS_FIXED_RA
  (void) frame;
  (void) slot;
#else
  frame->pc_slot = slot;
#endif
}

/* The last context found, outermost frame first.  The next one usually shares
   its start, which can be verified without walking: the same words must be in
   the same places of the stack.  */
struct rt_walk
{
  uint32_t generation; /* of the context table */
  uint32_t base; /* frames before this one have no node: the context is cut at
		    max_depth */
  uint32_t depth;
  uint32_t known; /* frames before this one have their nodes */
  bool is_own;	  /* on the thread's own stack */
  bool is_cut;	  /* not walked to the outermost frame */
  uint8_t end;	  /* enum rt_walk_end */
  struct rt_frame frames[RT_MAX_DEPTH];
};

/* With folded recursion: the nodes from below the root to the end of the last
   walk, and their addresses.  */
struct rt_chain
{
  uint32_t depth;
  uint32_t nodes[RT_MAX_DEPTH];
  uintptr_t pcs[RT_MAX_DEPTH];
};

/* A frame of interpreted code that a walk met.  Its address in contexts follows
   from the other members.  */
struct rt_seen_frame
{
  uintptr_t frame;
  uintptr_t code;
  uintptr_t instruction;
  uint64_t state;    /* changes when code objects are released */
  uintptr_t address; /* 0: it is not shown */
};

#define RT_SEEN_FRAMES_SHIFT 9

/* What a thread that runs Python code has in addition (python.h).  */
struct rt_python_walk
{
  struct rt_walk mixed; /* the last walk with frames of interpreted code:
			   addresses and nodes */
  uintptr_t frames[RT_MAX_DEPTH]; /* of one call of the evaluation loop */
  struct rt_seen_frame seen[1u << RT_SEEN_FRAMES_SHIFT]; /* by their places */
};

struct rt_walker
{
  /* [STACK_LOW, STACK_HIGH) is known to be the thread's own stack; pages from
     OTHER_LOW up to OTHER_HIGH are known not to be (unwind.c).  */
  uintptr_t stack_low;
  uintptr_t stack_high;
  uintptr_t other_low;
  uintptr_t other_high;

  struct rt_walk walk;		 /* the last one */
  struct rt_python_walk *python; /* NULL until the thread runs Python code */
  struct rt_memo memo;
  struct rt_frame fresh[RT_MAX_DEPTH + 1]; /* being walked, innermost first */
  struct rt_chain chain;
};

/* Reset WALKER for another thread, with another stack.  */
static inline void
rt_walker_forget (struct rt_walker *walker)
{
  walker->walk.base = walker->walk.known = walker->walk.depth = 0;
  walker->walk.is_own = walker->walk.is_cut = false;
  if (walker->python != NULL)
    {
      struct rt_walk *const mixed = &walker->python->mixed;
      mixed->base = mixed->known = mixed->depth = 0;
    }
  walker->memo.generation = 0;
  walker->stack_low = walker->stack_high = 0;
  walker->other_low = walker->other_high = 0;
}

#endif /* HEAPPROF_WALKER_H */

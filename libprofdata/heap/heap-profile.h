/* The heap profile in memory: symbolized calling contexts with their MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts form one tree.  The root has no frame; a node is a frame below its
   caller's node, so that contexts with equal callers share them, and a context
   is named by its innermost node.  Strings and frames are interned: equal ones
   have equal ids.  All ids count from 0, and 0 is the empty string, the unknown
   frame and the root.  Every format is read into this and written from it.  */

#ifndef HEAPPROF_HEAP_PROFILE_H
#define HEAPPROF_HEAP_PROFILE_H

#include "context-node.h"
#include "heap-details.h"
#include "memory-info.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* One line of a symbolized context.  */
  struct heap_frame
  {
    uint64_t function_guid; /* as LLVM hashes the name; never 0 in a frame
			       that has a function */
    uint32_t function_name; /* string id: linkage name; 0 if only the GUID
			       is known */
    uint32_t file;	    /* string id, 0 if unknown */
    uint32_t module;	    /* string id of the binary, 0 if unknown */
    uint32_t line;	    /* of the call; 0 if unknown */
    uint32_t column;	    /* of the call, as in the debug information */
    uint32_t start_line;    /* where the function is declared; 0 unknown */
    uint32_t line_offset;   /* (line - start_line) mod 65536 */
    uint32_t discriminator;
    /* Of a call of which the function was not known, or there was no debug
       information to say where in it.  */
    uint32_t build_id; /* string id: of the binary, in hexadecimal */
    uint32_t path;     /* string id: where a binary without a build ID
			  was; both are 0 if ADDRESS is not kept */
    uint64_t address;  /* of the call, in the binary's file */
    bool is_inline;    /* the function was inlined into the next
			  outer frame */
    bool drop_column;  /* columns of this producer mean something else
			  to clang: LLVM's part gets 0 */
  };

  /* Is it known where in a binary FRAME is, to look it up later?  */
  static inline bool heap_frame_has_address (const struct heap_frame *frame)
  {
    return frame->build_id != 0 || frame->path != 0;
  }

  /* What the process said about the run, added up over runs by merging.  */
  struct heap_totals
  {
    uint64_t runs; /* raw profiles folded in */
    /* Of these, those that were not complete when the profile was made: killed
       before exit, still running, and either, where that was not known.  */
    uint64_t incomplete_runs;
    uint64_t running_runs;
    uint64_t unknown_runs;
    uint64_t dropped_contexts;
    uint64_t truncated_contexts;
    uint64_t unprofiled_allocations;
    uint64_t foreign_frees;
    uint64_t ended_walks;
    uint64_t folded_contexts;
    uint64_t pruned_contexts;
    uint64_t duration_ns; /* sum of the runs' lengths */
    /* Of any run the most; 0: not known.  */
    uint64_t peak_bytes;   /* of blocks live at one time, nearly */
    uint64_t memory_bytes; /* that these were in, with headers and gaps */
    uint64_t table_bytes;  /* of the profile, in the program's memory */
    uint64_t running_pid;  /* of the only one that runs, or 0; no file has
			      it */
  };

  /* Fold SOURCE into TOTALS: numbers of runs, counts and lengths are added and
     saturate, of peaks the greatest is kept.  Associative and commutative.  */
  void heap_totals_add (struct heap_totals *totals,
			const struct heap_totals *source);

  struct heap_profile;

  /* Make an empty profile.  NULL if memory cannot be had.  Release it with
     heap_profile_free, which takes NULL too.  */
  struct heap_profile *heap_profile_new (void);
  void heap_profile_free (struct heap_profile *profile);

  /* Intern N bytes at TEXT.  Return the id, or UINT32_MAX if memory or ids are
     exhausted.  */
  uint32_t heap_profile_add_string (struct heap_profile *profile,
				    const char *text, size_t n);

  /* Text of the string ID, NUL-terminated, valid until the profile is freed;
     its length without the NUL; and how many strings there are.  */
  const char *heap_profile_string (const struct heap_profile *profile,
				   uint32_t id);
  size_t heap_profile_string_bytes (const struct heap_profile *profile,
				    uint32_t id);
  uint32_t heap_profile_string_count (const struct heap_profile *profile);

  /* Intern *FRAME.  Return its id or UINT32_MAX.  */
  uint32_t heap_profile_add_frame (struct heap_profile *profile,
				   const struct heap_frame *frame);
  const struct heap_frame *
  heap_profile_frame (const struct heap_profile *profile, uint32_t id);
  uint32_t heap_profile_frame_count (const struct heap_profile *profile);

  /* Find or make the node for FRAME called from the node CALLER (0: the root).
     Return its id, greater than CALLER, or UINT32_MAX.  */
  uint32_t heap_profile_add_context (struct heap_profile *profile,
				     uint32_t caller, uint32_t frame);

  /* For who knows that there is no such node: make it without looking for it.
     heap_profile_add_context may not be asked for it before
     heap_profile_drop_index.  */
  uint32_t heap_profile_append_context (struct heap_profile *profile,
					uint32_t caller, uint32_t frame);

  /* Forget by what contexts are found, to save memory.  It is made again when
     one is added.  */
  void heap_profile_drop_index (struct heap_profile *profile);

  uint32_t heap_profile_context_count (const struct heap_profile *profile);
  uint32_t heap_profile_context_caller (const struct heap_profile *profile,
					uint32_t context);
  uint32_t heap_profile_context_frame (const struct heap_profile *profile,
				       uint32_t context);

  /* Make room for COUNT contexts more.  Not needed, but saves time.  False if
     memory cannot be had.  */
  bool heap_profile_reserve_contexts (struct heap_profile *profile,
				      uint64_t count);

  /* All contexts by id, valid until one is added: for loops over many.  */
  const struct context_node *
  heap_profile_nodes (const struct heap_profile *profile);

  /* Fold INFO into the MIB of CONTEXT.  False if memory cannot be had.  */
  bool heap_profile_add_info (struct heap_profile *profile, uint32_t context,
			      const struct memory_info *info);

  /* The MIB of CONTEXT, NULL if nothing was allocated there.  */
  const struct memory_info *
  heap_profile_info (const struct heap_profile *profile, uint32_t context);

  /* The histograms, call sites and static data of the profile, to read and to
     change.  */
  struct heap_details *heap_profile_details (struct heap_profile *profile);
  const struct heap_details *
  heap_profile_read_details (const struct heap_profile *profile);

  /* The totals of the profile, to read and to change.  */
  struct heap_totals *heap_profile_totals (struct heap_profile *profile);
  const struct heap_totals *
  heap_profile_read_totals (const struct heap_profile *profile);

  /* Fold SOURCE, which is not PROFILE, into PROFILE, equal contexts being
     added. If memory cannot be had, return false with PROFILE half changed.  */
  bool heap_profile_merge (struct heap_profile *profile,
			   const struct heap_profile *source);

  /* Make PROFILE what WEIGHT times its runs would give, as memory_info_scale
     does.  */
  void heap_profile_scale (struct heap_profile *profile, uint64_t weight);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_PROFILE_H */

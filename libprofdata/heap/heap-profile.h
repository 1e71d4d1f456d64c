/* The heap profile in memory: symbolized calling contexts with their MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts form one tree.  The root has no frame.  Every other node is a frame
   below its caller's node, so that contexts with equal callers share them; a
   context is identified by its innermost node.  Strings and frames are
   interned: equal ones have equal ids.  All ids count from 0, which is the
   empty string, the unknown frame, or the root.  Every format is read into this
   structure and written from it.  */

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

  /* One frame of a symbolized context.  */
  struct heap_frame
  {
    uint64_t function_guid; /* LLVM's hash of the name; never 0 in a frame that
			       has a function */
    uint32_t function_name; /* string id: linkage name; 0 if only the GUID is
			       known */
    uint32_t file;	    /* string id, 0 if unknown */
    uint32_t module;	    /* string id of the binary, 0 if unknown */
    uint32_t line;	    /* of the call; 0 if unknown */
    uint32_t column;	    /* of the call, as in the debug information */
    uint32_t start_line;    /* line of the function's declaration; 0 if
			       unknown */
    uint32_t line_offset;   /* (line - start_line) mod 65536 */
    uint32_t discriminator;
    /* Only for a call whose function is unknown, or without debug information
       for the place in it.  */
    uint32_t build_id; /* string id: of the binary, in hexadecimal */
    uint32_t path;     /* string id: path of a binary without a build ID; both
			  are 0 if ADDRESS is not kept */
    uint64_t address;  /* of the call, in the binary's file */
    bool is_inline;    /* the function was inlined into the next outer frame */
    bool drop_column;  /* clang counts columns differently from this producer:
			  LLVM's part gets 0 */
  };

  /* The module of frames of Python code, which is no binary.  */
#define HEAP_PYTHON_MODULE "<python>"

  /* Return true if the address of FRAME in a binary is known, so that it can be
     symbolized later.  */
  static inline bool heap_frame_has_address (const struct heap_frame *frame)
  {
    return frame->build_id != 0 || frame->path != 0;
  }

  /* Totals of the run as reported by the process; merging adds them up over
     runs.  */
  struct heap_totals
  {
    uint64_t runs; /* raw profiles merged */
    /* Of these, the runs that were not complete when the profile was made:
       killed before exit, still running, and unknown which of the two.  */
    uint64_t incomplete_runs;
    uint64_t running_runs;
    uint64_t unknown_runs;
    uint64_t attached_runs; /* of all, those that began after their programs */
    uint64_t sampled_runs;  /* of all, those whose blocks are samples */
    uint64_t totals_only_runs; /* of all, those without utilizations, which are
				  then unknown for the sum of all runs */
    uint64_t watched_runs;     /* of all, those whose accesses were estimated by
				  watching words */
    uint64_t overall_runs;     /* of the sampled ones, those whose accesses to
				  all memory are known: their sum */
    uint64_t overall_accesses;
    uint64_t dropped_contexts;
    uint64_t truncated_contexts;
    uint64_t unprofiled_allocations;
    uint64_t foreign_frees; /* in attached runs: of blocks from before */
    uint64_t missed_frees;  /* of blocks whose address was used again */
    uint64_t ended_walks;
    uint64_t folded_contexts;
    uint64_t pruned_contexts;
    uint64_t duration_ns;   /* sum over the runs */
    uint64_t timed_runs;    /* whose contexts know what was live at the peak */
    uint64_t peak_sum;	    /* bytes at the peaks of these runs, added up: the
			       sum over the contexts */
    uint64_t counted_runs;  /* whose lifetimes are known in bytes */
    uint64_t counted_bytes; /* that these runs allocated */
    uint64_t searched_runs; /* in which lost blocks were looked for */
    uint64_t refused_runs;  /* in which that was not possible */
    /* Lost blocks that suppressions have removed; not stored in files.  */
    uint64_t suppressed_count;
    uint64_t suppressed_bytes;
    /* Greatest of any run; 0: unknown.  */
    uint64_t peak_bytes;   /* of blocks live at one time, approximately */
    uint64_t memory_bytes; /* that contained these, with headers and gaps */
    uint64_t table_bytes;  /* of the profile, in the program's memory */
    uint64_t sample_bytes; /* on average from one sample to the next */
    uint64_t running_pid;  /* of the only running process, or 0; not stored in
			      files */
  };

  /* Add SOURCE to TOTALS: numbers of runs, counts and durations are added and
     saturate; of peaks the greatest is kept.  Associative and commutative.  */
  void heap_totals_add (struct heap_totals *totals,
			const struct heap_totals *source);

  struct heap_profile;

  /* Create an empty profile; NULL if memory is exhausted.  Free it with
     heap_profile_free, which accepts NULL.  */
  struct heap_profile *heap_profile_new (void);
  void heap_profile_free (struct heap_profile *profile);

  /* Intern N bytes at TEXT.  Return the id, or UINT32_MAX if memory or ids are
     exhausted.  */
  uint32_t heap_profile_add_string (struct heap_profile *profile,
				    const char *text, size_t n);

  /* Return the text of string ID, NUL-terminated and valid until the profile is
     freed; its length without the NUL; the number of strings.  */
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

  /* Find or add the node for FRAME called from the node CALLER (0: the root).
     Return its id, greater than CALLER, or UINT32_MAX.  */
  uint32_t heap_profile_add_context (struct heap_profile *profile,
				     uint32_t caller, uint32_t frame);

  /* Add a node that the caller knows to be new, without a lookup.
     heap_profile_add_context must not be called for it before
     heap_profile_drop_index.  */
  uint32_t heap_profile_append_context (struct heap_profile *profile,
					uint32_t caller, uint32_t frame);

  /* Drop the index of contexts to save memory.  It is rebuilt when a context is
     added.  */
  void heap_profile_drop_index (struct heap_profile *profile);

  uint32_t heap_profile_context_count (const struct heap_profile *profile);
  uint32_t heap_profile_context_caller (const struct heap_profile *profile,
					uint32_t context);
  uint32_t heap_profile_context_frame (const struct heap_profile *profile,
				       uint32_t context);

  /* Make room for COUNT more contexts.  Optional, but saves time.  Return false
     if memory is exhausted.  */
  bool heap_profile_reserve_contexts (struct heap_profile *profile,
				      uint64_t count);

  /* All contexts by id, valid until one is added; for loops over many
     contexts.  */
  const struct context_node *
  heap_profile_nodes (const struct heap_profile *profile);

  /* Merge INFO into the MIB of CONTEXT.  Return false if memory is
     exhausted.  */
  bool heap_profile_add_info (struct heap_profile *profile, uint32_t context,
			      const struct memory_info *info);

  /* Return the MIB of CONTEXT, NULL if nothing was allocated there.  */
  const struct memory_info *
  heap_profile_info (const struct heap_profile *profile, uint32_t context);

  /* Replace the MIB of CONTEXT, which has one, by *INFO; remove it if INFO is
     NULL.  */
  void heap_profile_set_info (struct heap_profile *profile, uint32_t context,
			      const struct memory_info *info);

  /* Return the histograms, call sites and static data of the profile, for
     reading and writing.  */
  struct heap_details *heap_profile_details (struct heap_profile *profile);
  const struct heap_details *
  heap_profile_read_details (const struct heap_profile *profile);

  /* Return the totals of the profile, for reading and writing.  */
  struct heap_totals *heap_profile_totals (struct heap_profile *profile);
  const struct heap_totals *
  heap_profile_read_totals (const struct heap_profile *profile);

  /* Merge SOURCE, which must not be PROFILE, into PROFILE; equal contexts are
     added.  If memory is exhausted, return false; PROFILE is then
     incomplete.  */
  bool heap_profile_merge (struct heap_profile *profile,
			   const struct heap_profile *source);

  /* Change PROFILE as if its runs had happened WEIGHT times, as
     memory_info_scale does.  */
  void heap_profile_scale (struct heap_profile *profile, uint64_t weight);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_PROFILE_H */

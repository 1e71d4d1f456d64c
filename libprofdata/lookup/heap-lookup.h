/* Looking up heap records of single functions in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A compiler needs the few functions of its unit from a file that may have a
   hundred thousand.  Opening maps the file and reads two headers; looking up a
   function reads one bucket of LLVM's records and the stacks that its record
   refers to.  Everything else, including the checksum, is not verified.
   Supports file versions 8 to 13 with MemProf versions 0 to 4.  The file must
   not be modified in place while it is open; our own writers replace files.

   A record has the allocations whose innermost frames, up to the first that is
   not inlined, include the function, and the call sites in the function that
   lead to any allocation.  Entries with equal stacks are merged even if the
   file repeats them: MIBs are added, callees united.  The file's MIBs have less
   information than the model's: times are in milliseconds, and fields that are
   not in its schema are 0.  */

#ifndef HEAPPROF_HEAP_LOOKUP_H
#define HEAPPROF_HEAP_LOOKUP_H

#include "indexed-lookup.h"
#include "memory-info.h"
#include "placement.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct heap_lookup;

  struct heap_lookup_frame
  {
    uint64_t function;	  /* GUID */
    uint32_t line_offset; /* modulo 65536 */
    uint32_t column;	  /* 0: unknown */
    bool is_inline;	  /* into the next frame */
  };

  /* Frames, innermost first; at least one.  */
  struct heap_lookup_stack
  {
    const struct heap_lookup_frame *frames;
    size_t count;
  };

  struct heap_lookup_allocation
  {
    struct heap_lookup_stack stack; /* the complete calling context */
    struct memory_info info;
  };

  struct heap_lookup_call_site
  {
    struct heap_lookup_stack stack; /* the call's inlined frames and the frame
				       of the function that has the code */
    const uint64_t *callees;	    /* GUIDs of indirectly called functions,
				       ascending; only in MemProf version 4 */
    size_t callee_count;
  };

  /* Both lists are sorted by stack.  */
  struct heap_lookup_record
  {
    const struct heap_lookup_allocation *allocations;
    size_t allocation_count;
    const struct heap_lookup_call_site *call_sites;
    size_t call_site_count;
  };

  /* Open the indexed profile PATH.  The string PATH must outlive the result.
     NULL and *ERR on failure or if the file has no heap profile.  Close with
     heap_lookup_close, which accepts NULL.  */
  struct heap_lookup *heap_lookup_open (const char *path,
					struct profile_error *err);
  void heap_lookup_close (struct heap_lookup *lookup);

  /* Return the fields of the file's MIBs: bit T is set for LLVM's tag T of enum
     memory_info_tag.  */
  uint32_t heap_lookup_schema (const struct heap_lookup *lookup);

  /* Return the mean duration of the profiled runs; 0 if unknown.  */
  uint64_t heap_lookup_mean_run_ns (const struct heap_lookup *lookup);

  /* Find the record of the function GUID.  *FOUND is in memory of the lookup
     and valid until the next call.  Return INDEXED_FOUND, INDEXED_NO_NAME, or
     INDEXED_FAILED with *ERR set; other functions can still be looked up after
     that.  */
  enum indexed_result heap_lookup_find (struct heap_lookup *lookup,
					uint64_t guid,
					struct heap_lookup_record *found,
					struct profile_error *err);

  /* Return true if the file has the placement classes of its contexts.  */
  bool heap_lookup_has_classes (const struct heap_lookup *lookup);

  /* Return the class of the allocation with STACK; PLACEMENT_UNKNOWN if the
     file has none.  Store in *BY_TOKEN whether the token of a call decides
     where its blocks go.  */
  enum placement_class heap_lookup_class (const struct heap_lookup *lookup,
					  const struct heap_lookup_stack *stack,
					  bool *by_token);

  /* Return the context token of the call FRAME, inlined or not:
     PLACEMENT_HOT, PLACEMENT_COLD, or PLACEMENT_TEMPORARY for other blocks;
     PLACEMENT_UNKNOWN if it needs none.  */
  enum placement_class
  heap_lookup_token (const struct heap_lookup *lookup,
		     const struct heap_lookup_frame *frame);

  /* The group of blocks that live as long as a phase of the program.  */
#define HEAP_LOOKUP_GROUP_PHASE 255

  /* Return the group of the hot blocks that the call FRAME allocates, from 1
     on; 0 if they have none.  */
  unsigned int heap_lookup_group (const struct heap_lookup *lookup,
				  const struct heap_lookup_frame *frame);

  /* The place of a function that may have a call.  */
  struct heap_lookup_place
  {
    uint64_t function;	  /* GUID */
    uint32_t line_offset; /* of the call */
    uint32_t start_line;  /* of the function */
    const char *path;	  /* of its source file, absolute */
  };

  enum heap_lookup_where
  {
    HEAP_LOOKUP_UNKNOWN, /* the profile has no such information */
    HEAP_LOOKUP_HERE,
    HEAP_LOOKUP_ELSEWHERE, /* another file has a function of that name, such as
			      main of several programs */
    HEAP_LOOKUP_NOWHERE	   /* it was in a module without line numbers */
  };

  /* Find out where the profile has the call of PLACE.  Files whose paths end
     alike are considered the same.  In a file without the block of places,
     which older versions of heapprof write, the first call reads all frames. */
  enum heap_lookup_where
  heap_lookup_find_place (struct heap_lookup *lookup,
			  const struct heap_lookup_place *place);

  /* ---- What a function calls.  Files without the block of places have
     none of this.  */

  /* Return true if the profile has a place in the function GUID.  */
  bool heap_lookup_has_function (const struct heap_lookup *lookup,
				 uint64_t guid);

  struct heap_lookup_call
  {
    uint32_t line_offset; /* modulo 65536 */
    uint32_t column;	  /* as in records */
    uint64_t callee;	  /* GUID; 0: unknown, or an allocation */
  };

  /* Find the calls that the profile has in the function of PLACE, whose line
     offset does not matter, in the file that fits best; if none fits, in the
     only one that has the function, if its name is the same, and its folder may
     be the same with another name: the place's folder has half or more of the
     profile's other files there.  *CALLS is in
     memory of the lookup and valid until the next call.  Return their number;
     0 also if memory is exhausted.  */
  size_t heap_lookup_find_calls (struct heap_lookup *lookup,
				 const struct heap_lookup_place *place,
				 const struct heap_lookup_call **calls);

  /* Find the functions that the profile has in the file whose path ends most
     like PATH; a file with the same name in another folder only if there is
     one, and the folder may be the same, as for heap_lookup_find_calls.  *GUIDS
     is in memory of the lookup and valid until the next call. Return their
     number; 0 also if memory is exhausted.  */
  size_t heap_lookup_find_functions (struct heap_lookup *lookup,
				     const char *path, const uint64_t **guids);

  /* Return the GUID that a heap profile uses for the function whose linkage
     name is the N bytes at NAME: compiler suffixes of clones are removed.  */
  uint64_t heap_lookup_guid (const char *name, size_t n);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_LOOKUP_H */

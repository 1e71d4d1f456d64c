/* Raw profiles of LLVM's MemProf run-time library, versions 3 to 5.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file has one or more dumps, each with its segments, its MIBs by stack id,
   and its stacks by id.  All of it is checked once; walking it cannot fail.  */

#ifndef HEAPPROF_MEMPROF_RAW_H
#define HEAPPROF_MEMPROF_RAW_H

#include "memory-info.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define MEMPROF_RAW_BUILD_ID_BYTES 32

  /* A range of code in memory.  */
  struct memprof_raw_segment
  {
    uint64_t start;
    uint64_t end;	   /* after the last byte */
    uint64_t load_bias;	   /* of its module; 0 for a fixed executable */
    size_t build_id_bytes; /* 0 if the module has none */
    const uint8_t *build_id;
  };

  struct memprof_raw;

  /* Return true if the file starts with the magic of such a profile.  */
  bool memprof_raw_has_magic (const void *data, size_t n);

  /* Check the SIZE bytes at DATA.  DATA and PATH, which names them in errors,
     must outlive the profile.  NULL and *ERR if the file is invalid.  */
  struct memprof_raw *memprof_raw_parse (const char *path, const void *data,
					 size_t size,
					 struct profile_error *err);
  void memprof_raw_close (struct memprof_raw *raw);

  size_t memprof_raw_dump_count (const struct memprof_raw *raw);
  uint64_t memprof_raw_version (const struct memprof_raw *raw, size_t dump);
  size_t memprof_raw_segment_count (const struct memprof_raw *raw, size_t dump);
  struct memprof_raw_segment
  memprof_raw_segment_at (const struct memprof_raw *raw, size_t dump,
			  size_t segment);

  /* One MIB and its stack.  */
  struct memprof_raw_allocation
  {
    const uint8_t *mib;
    const uint8_t *histogram;
    uint32_t histogram_count;
    const uint8_t *stack;
    uint64_t depth; /* frames of the stack */
  };

  /* A walk over the allocations of a dump.  */
  struct memprof_raw_walk
  {
    const struct memprof_raw *raw;
    size_t dump;
    uint64_t left;
    size_t mib;		  /* offset of the next */
    size_t stack;	  /* of its stack, if they are in the same order */
    size_t forgotten_mib; /* memory up to this offset has been released */
    size_t forgotten_stack;
  };

  void memprof_raw_begin (const struct memprof_raw *raw, size_t dump,
			  struct memprof_raw_walk *walk);

  /* Fill *ALLOCATION; return false at the end.  Includes stacks of depth 0.  */
  bool memprof_raw_next (struct memprof_raw_walk *walk,
			 struct memprof_raw_allocation *allocation);

  /* Release the memory that WALK has passed since the last call, so that the
     profile and the result do not both need to be in memory completely.  Only
     for files that were read into memory of their own.  */
  void memprof_raw_forget (struct memprof_raw_walk *walk);

  /* Return address number FRAME of the stack, innermost first.  It is inside
     the call instruction: nothing must be subtracted.  */
  uint64_t memprof_raw_address (const struct memprof_raw_allocation *allocation,
				uint64_t frame);

  /* Return the MIB, without its histogram.  */
  struct memory_info
  memprof_raw_info (const struct memprof_raw_walk *walk,
		    const struct memprof_raw_allocation *allocation);

  /* Return the accesses to 8-byte word INDEX of the blocks.  */
  uint64_t
  memprof_raw_histogram (const struct memprof_raw_walk *walk,
			 const struct memprof_raw_allocation *allocation,
			 uint32_t index);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MEMPROF_RAW_H */

/* Raw profiles: the file that libheapprof writes (doc/raw-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   The complete file is read and checked once: header, extents, every index in
   every record.  Results of the functions below are in host byte order and
   valid until raw_profile_close; they cannot fail.  */

#ifndef HEAPPROF_RAW_PROFILE_H
#define HEAPPROF_RAW_PROFILE_H

#include "heapprof/raw-format.h"
#include "memory-info.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct raw_profile;

  /* Return true if the file starts with the magic of a raw profile.  */
  bool raw_profile_has_magic (const void *data, size_t n);

  /* Open the raw profile PATH and check all of it.  Return NULL and set *ERR on
     failure.  PATH must outlive the profile.  */
  struct raw_profile *raw_profile_open (const char *path,
					struct profile_error *err);

  /* The same for SIZE bytes at DATA, which are copied.  PATH names them in
     errors.  */
  struct raw_profile *raw_profile_parse (const char *path, const void *data,
					 size_t size,
					 struct profile_error *err);
  void raw_profile_close (struct raw_profile *profile);

  const struct heapprof_raw_header *
  raw_profile_header (const struct raw_profile *profile);
  const char *raw_profile_program_name (const struct raw_profile *profile);

  /* Number of MIBs that were being updated when the process was killed or the
     file was read; each may be missing an observation, or have it only in some
     fields.  */
  uint32_t raw_profile_in_flight_count (const struct raw_profile *profile);

  uint32_t raw_profile_context_count (const struct raw_profile *profile);
  const struct heapprof_raw_context *
  raw_profile_context (const struct raw_profile *profile, uint32_t index);

  uint32_t raw_profile_segment_count (const struct raw_profile *profile);
  const struct heapprof_raw_segment *
  raw_profile_segment (const struct raw_profile *profile, uint32_t index);
  const char *raw_profile_segment_path (const struct raw_profile *profile,
					uint32_t index);

  /* Return the index of the segment that contains the return address of
     CONTEXT, -1 if none.  The address looked up is one less, since the call
     instruction is before the return address.  */
  int64_t raw_profile_find_segment (const struct raw_profile *profile,
				    uint32_t context);

  /* A line of a function of interpreted code; names may be empty.  */
  struct raw_interpreted
  {
    const char *function;
    const char *file;
    uint32_t line;	 /* 0: unknown */
    uint32_t first_line; /* of the function, 0: unknown */
  };

  /* If CONTEXT is such a frame, set *FRAME and return true.  */
  bool raw_profile_interpreted (const struct raw_profile *profile,
				uint32_t context,
				struct raw_interpreted *frame);

  /* Set *INFO to the MIB of CONTEXT, freed and live blocks combined.  In a
     running file, blocks that were not freed count as unfinished.  Return false
     if nothing was allocated there.  */
  bool raw_profile_context_info (const struct raw_profile *profile,
				 uint32_t context, struct memory_info *info);

  /* Return true if MIBs have what was live at the peak, and how many blocks
     were temporary: older files do not.  */
  bool raw_profile_has_moments (const struct raw_profile *profile);

  /* Return the bytes that the run allocated; 0 if lifetimes in bytes are not
     known: older files do not have them.  */
  uint64_t raw_profile_allocated_bytes (const struct raw_profile *profile);

  /* Return true if the heap is greater now than at any time before: the file is
     that of a process that is running or was killed.  */
  bool raw_profile_is_peak_now (const struct raw_profile *profile);

  /* Return the bytes at the peak: the sum of those of the contexts.  */
  uint64_t raw_profile_peak_bytes (const struct raw_profile *profile);

  /* Heap size over time: intervals of 2^SHIFT ns from the start on, the last of
     which ends at END_NS.  */
  struct raw_timeline
  {
    unsigned int shift;
    uint64_t end_ns;
    uint32_t count;
    const struct heapprof_raw_sample *samples;
  };

  /* Set *TIMELINE; return false if there is none.  */
  bool raw_profile_timeline (const struct raw_profile *profile,
			     struct raw_timeline *timeline);

  /* Blocks of a context at a mark; those of the same context must be added up,
     modulo 2^32 and 2^64.  */
  struct raw_marked
  {
    uint32_t context;
    uint32_t count;
    uint64_t bytes;
  };

  struct raw_mark
  {
    char label[HEAPPROF_RAW_LABEL_BYTES];
    uint64_t time_ns;
    uint64_t first; /* of its records */
    uint64_t count;
  };

  /* The marks, in order of time, and their records.  */
  uint64_t raw_profile_mark_count (const struct raw_profile *profile);
  const struct raw_mark *raw_profile_mark (const struct raw_profile *profile,
					   uint64_t number);
  const struct raw_marked *
  raw_profile_marked (const struct raw_profile *profile, uint64_t number);

  /* Parts of access histograms, by number; the parts of one context must be
     added up.  Word numbers are less than
     HEAPPROF_RAW_HISTOGRAM_WORDS.  */
  uint64_t raw_profile_histogram_count (const struct raw_profile *profile);
  const struct heapprof_raw_histogram *
  raw_profile_histogram (const struct raw_profile *profile, uint64_t number);

  /* Affinities of pairs of contexts, by number; those of one pair must be added
     up.  Unused ones have no first context.  */
  uint64_t raw_profile_affinity_count (const struct raw_profile *profile);
  const struct heapprof_raw_affinity *
  raw_profile_affinity (const struct raw_profile *profile, uint64_t number);

  /* Return true if lost blocks were looked for: those to which the program had
     no pointer left.  */
  bool raw_profile_has_leaks (const struct raw_profile *profile);

  /* The contexts that had some, by number.  */
  uint64_t raw_profile_leak_count (const struct raw_profile *profile);
  const struct heapprof_raw_leak *
  raw_profile_leak (const struct raw_profile *profile, uint64_t number);

  /* The blocks that a thread allocated, whoever released them.  */
  struct raw_thread
  {
    char name[HEAPPROF_RAW_THREAD_NAME_BYTES + 1]; /* any bytes */
    uint32_t tid;				   /* 0 in a sum of threads */
    uint32_t threads;	  /* how many threads this is the sum of */
    uint64_t start_ns;	  /* after the start of profiling */
    uint64_t end_ns;	  /* 0: it was running */
    uint64_t alloc_count; /* all blocks */
    uint64_t alloc_bytes;
    uint64_t live_count; /* at the end */
    uint64_t live_bytes;
    uint64_t peak_count; /* at the peak of the process */
    uint64_t peak_bytes;
    uint64_t most_bytes; /* live at one time; of a sum, the greatest */
  };

  /* Threads that allocated something, by number.  */
  uint64_t raw_profile_thread_count (const struct raw_profile *profile);
  const struct raw_thread *
  raw_profile_thread (const struct raw_profile *profile, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_RAW_PROFILE_H */

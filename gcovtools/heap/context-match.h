/* Matching of the calling contexts of two heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts match if their functions (by GUID) and the line offsets of the calls
   are equal, so neither addresses nor code moved within a file matter.  Frames
   without a function match if the address in the binary and its build ID are
   equal; those of the C library, which differs between machines but not in
   meaning, match if the library does.  Contexts of one profile that match each
   other are added up.  */

#ifndef HEAPPROF_CONTEXT_MATCH_H
#define HEAPPROF_CONTEXT_MATCH_H

#include "heap-known.h"
#include "heap-spread.h"
#include "heap-profile.h"
#include "profile-filter.h"
#include <libiberty/objalloc.h>
#include <stdbool.h>
#include <stdint.h>

/* A context with allocations in either profile.  */
struct matched_context
{
  const struct memory_info *infos[2]; /* NULL: none in this profile */
  uint32_t sources[2]; /* a matching context there, if INFOS is not NULL */
};

struct context_match
{
  struct heap_profile *profiles[2]; /* as given; NULL: empty */
  struct matched_context *contexts; /* malloced */
  size_t count;
  struct objalloc *arena; /* holds sums */
};

/* Match the contexts of PROFILES, which must outlive *MATCH.  Return false if
   memory is exhausted.  Release *MATCH in any case.  */
bool context_match_make (struct context_match *match,
			 struct heap_profile *const profiles[2]);
void context_match_release (struct context_match *match);

/* Return which contexts of MATCH, by index, FILTER includes in either profile.
   The result is malloced; NULL if memory is exhausted.  */
bool *context_match_choose (const struct context_match *match,
			    const struct profile_filter *filter);

/* Quantities that are compared.  They include blocks of killed runs, of which
   only the allocation is known.  */
enum context_measure
{
  CONTEXT_ALLOCATIONS,
  CONTEXT_BYTES,
  CONTEXT_ACCESSES,
  CONTEXT_LIFETIME, /* nanoseconds, summed over all blocks */
  CONTEXT_LIVE_BLOCKS,
  CONTEXT_LIVE_BYTES,
  CONTEXT_PEAK,	     /* bytes live at the peak of the heap */
  CONTEXT_TEMPORARY, /* blocks freed before the next allocation */
  CONTEXT_LOST_BLOCKS,
  CONTEXT_LOST_BYTES,
  CONTEXT_MEASURES
};

/* Return true if a profile described by KNOWN has MEASURE.  */
bool context_measure_is_known (const struct heap_known *known,
			       enum context_measure measure);

/* Return true if INFO, of a profile described by KNOWN, has MEASURE: of blocks
   that were live when their process was killed, only the allocation is known.
   NULL is a context that did not occur, and has everything.  */
bool context_measure_has (const struct heap_known *known,
			  const struct memory_info *info,
			  enum context_measure measure);

/* Return MEASURE of INFO, 0 if INFO is NULL.  Sums saturate.  */
uint64_t context_measure (const struct memory_info *info,
			  enum context_measure measure);

/* Return the name of MEASURE in options and JSON.  */
const char *context_measure_name (enum context_measure measure);

/* Set *MEASURE to the measure called NAME.  Return false if there is none.  */
bool context_measure_from_name (const char *name,
				enum context_measure *measure);

/* Return true if samples make MEASURE an estimate whose spread is known, in the
   profile that KNOWN is about.  */
bool context_measure_is_estimated (const struct heap_known *known,
				   enum context_measure measure);

/* Return the spread of MEASURE of INFO; none unless it is estimated.  */
struct heap_spread context_measure_spread (const struct heap_known *known,
					   const struct memory_info *info,
					   enum context_measure measure);

/* The same for a sum over all contexts of a profile, if there is no sample
   among them.  */
struct heap_spread
context_measure_spread_of_nothing (const struct heap_known *known,
				   enum context_measure measure);

#endif /* HEAPPROF_CONTEXT_MATCH_H */

/* The calling contexts of two heap profiles, matched.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are the same if their functions, by GUID, and the line offsets of
   the calls are: so they do not depend on addresses, nor on lines that moved
   with their function.  Frames without a function are matched by the address in
   their binary, as the build ID has it; those of the C library, which differs
   between machines and is the same to programs, by the library.
   Contexts of one profile that differ in nothing else are added up.  */

#ifndef HEAPPROF_CONTEXT_MATCH_H
#define HEAPPROF_CONTEXT_MATCH_H

#include "heap-known.h"
#include "heap-profile.h"
#include "profile-filter.h"
#include <libiberty/objalloc.h>
#include <stdbool.h>
#include <stdint.h>

/* A context in which either profile has allocations.  */
struct matched_context
{
  const struct memory_info *infos[2]; /* NULL: none in this profile */
  uint32_t sources[2]; /* such a context there, if INFOS is not NULL */
};

struct context_match
{
  struct heap_profile *profiles[2]; /* as given; may be NULL: empty */
  struct matched_context *contexts; /* malloced */
  size_t count;
  struct objalloc *arena; /* of sums */
};

/* Match the contexts of PROFILES, which must outlive *MATCH.  False if memory
   is exhausted.  Release *MATCH in any case.  */
bool context_match_make (struct context_match *match,
			 struct heap_profile *const profiles[2]);
void context_match_release (struct context_match *match);

/* Which contexts of MATCH, by number, FILTER takes in either profile: malloced;
   NULL if memory is exhausted.  */
bool *context_match_choose (const struct context_match *match,
			    const struct profile_filter *filter);

/* What is compared of contexts; of killed runs, whose blocks were never
   released, the allocations too.  */
enum context_measure
{
  CONTEXT_ALLOCATIONS,
  CONTEXT_BYTES,
  CONTEXT_ACCESSES,
  CONTEXT_LIFETIME, /* nanoseconds, of all blocks */
  CONTEXT_LIVE_BLOCKS,
  CONTEXT_LIVE_BYTES,
  CONTEXT_MEASURES
};

/* Does a profile of which KNOWN tells have MEASURE?  */
bool context_measure_is_known (const struct heap_known *known,
			       enum context_measure measure);

/* MEASURE of INFO, 0 if that is NULL; sums saturate.  */
uint64_t context_measure (const struct memory_info *info,
			  enum context_measure measure);

/* The name of MEASURE, as options and JSON have it.  */
const char *context_measure_name (enum context_measure measure);

/* Set *MEASURE to the one called NAME.  False if there is none.  */
bool context_measure_from_name (const char *name,
				enum context_measure *measure);

#endif /* HEAPPROF_CONTEXT_MATCH_H */

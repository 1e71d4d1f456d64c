/* Matching of the places of two sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   A place is a location in a function or in one of its inlinees, or a target of
   a call or virtual table load there.  Names match if their texts are equal; a
   name known only by its GUID matches every name with that GUID.  */

#ifndef HEAPPROF_SAMPLE_MATCH_H
#define HEAPPROF_SAMPLE_MATCH_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

enum sample_measure
{
  SAMPLE_BODIES,
  SAMPLE_CALL_TARGETS,
  SAMPLE_VTABLES,
  SAMPLE_HEADS, /* function entries */
  SAMPLE_MEASURES
};

/* "body_samples" etc.; the title has no underscores.  */
const char *sample_measure_name (int measure);
const char *sample_measure_title (int measure);

struct sample_match
{
  const struct sample_profile *profiles[2];
  uint32_t *names[2]; /* maps names of a profile to numbers in the other;
			 SAMPLE_NO_NAME: not there */
  struct sample_frame *callers; /* room for those of any function */
};

/* Match PROFILES, which must outlive *MATCH.  Return false and set *ERR,
   without a path, if they count different things, such as lines and probes, or
   memory is exhausted; release *MATCH in any case.  */
bool sample_match_make (struct sample_match *match,
			const struct sample_profile *const profiles[2],
			struct profile_error *err);
void sample_match_release (struct sample_match *match);

/* Return the function in the other profile that matches the top-level FUNCTION
   of profile SIDE; NULL if there is none.  */
const struct sample_function *
sample_match_find (const struct sample_match *match, int side,
		   const struct sample_function *function);

/* Called for a place with VALUES of MEASURE, by side.  */
typedef void sample_place_visitor (void *data, enum sample_measure measure,
				   const uint64_t values[2]);

/* Visit all places of FUNCTIONS, which match each other; either may be NULL.  A
   place that only one of them has counts 0 in the other.  */
void sample_match_visit (const struct sample_match *match,
			 const struct sample_function *const functions[2],
			 sample_place_visitor *visit, void *data);

/* Return the name of FUNCTION of PROFILE, preceded by its callers if it has
   any, and demangled if DEMANGLE.  Malloced; NULL if memory is exhausted.  */
char *sample_function_title (const struct sample_profile *profile,
			     const struct sample_function *function,
			     bool demangle);

#endif /* HEAPPROF_SAMPLE_MATCH_H */

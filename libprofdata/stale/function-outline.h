/* What a sample profile knows of the source of its functions: which locations
   have code, and which functions are called where.
   SPDX-License-Identifier: GPL-3.0-or-later

   The outline of a function is that of its own copy and of all its inlined
   copies together.  */

#ifndef HEAPPROF_FUNCTION_OUTLINE_H
#define HEAPPROF_FUNCTION_OUTLINE_H

#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call of NAME, which may be inlined.  */
struct outline_call
{
  struct sample_location location;
  uint32_t name;
  bool is_inlined; /* in some copy of the caller */
};

struct function_outline
{
  uint32_t name;
  uint64_t count;		  /* sum of its body samples */
  bool has_only_calls;		  /* no other locations */
  uint32_t unknown;		  /* name of functions that are not known */
  bool has_own_copy;		  /* not all of its copies are inlined */
  struct sample_location *places; /* with code, loads of virtual tables or
				     inlined calls, in order, each once */
  size_t place_count;
  struct outline_call *calls; /* by location, then by name; each once */
  size_t call_count;
};

/* All zeros is empty.  */
struct function_outlines
{
  struct function_outline *outlines;
  size_t count;
  size_t capacity;
  uint32_t *by_name; /* number of the outline plus 1, by name; 0: none */
  uint32_t name_count;
  /* Set by the caller before the outlines are made: whether the profile has no
     other locations, and the name of functions that it does not know,
     SAMPLE_NO_NAME if it has none such.  */
  bool has_only_calls;
  uint32_t unknown;
};

/* Return the line of LOCATION relative to the declaration: it may be before
   it.  */
static inline int
outline_line (struct sample_location location)
{
  return (int16_t) location.line;
}

/* Return LOCATION moved by LINES.  */
static inline struct sample_location
outline_shifted (struct sample_location location, int lines)
{
  location.line = (uint32_t) (outline_line (location) + lines) & 0xffff;
  return location;
}

/* Compare locations by these lines, then by discriminator.  */
int outline_compare (struct sample_location a, struct sample_location b);

/* Make the outlines of PROFILE's functions, with NAMES, by number in PROFILE,
   in place of its own, which are below NAME_COUNT; NULL: its own.  Return false
   if memory is exhausted; release OUTLINES in any case.  */
bool function_outlines_make (struct function_outlines *outlines,
			     const struct sample_profile *profile,
			     const uint32_t *names, uint32_t name_count);
void function_outlines_release (struct function_outlines *outlines);

/* Return the outline of the function NAME, NULL if there is none.  */
struct function_outline *
function_outlines_find (const struct function_outlines *outlines,
			uint32_t name);

/* Return true if OUTLINE has code at LOCATION; at any location of its line.  */
bool function_outline_has (const struct function_outline *outline,
			   struct sample_location location);
bool function_outline_has_line (const struct function_outline *outline,
				int line);

/* Return true if OUTLINE has a call at LOCATION.  */
bool function_outline_has_call (const struct function_outline *outline,
				struct sample_location location);

/* How well a location fits: it has code, and a call if it had one; it has
   code, or only its line has.  */
#define OUTLINE_EXACT_SCORE 4
#define OUTLINE_LINE_SCORE 3

/* Return one of these scores for LOCATION of BEFORE, moved by SHIFT lines, in
   AFTER; 0: no code, or no call if BEFORE has only calls.  */
unsigned int function_outline_score (const struct function_outline *before,
				     struct sample_location location, int shift,
				     const struct function_outline *after);

#endif /* HEAPPROF_FUNCTION_OUTLINE_H */

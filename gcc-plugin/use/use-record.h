/* Using a heap profile: what it has of a function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_RECORD_H
#define HEAPPROF_USE_RECORD_H

#include "heap-lookup.h"

/* A place in a function where the profile has a call.  */
struct profiled_call
{
  uint64_t function; /* GUID: of the variant, of a constructor */
  unsigned line_offset;
  unsigned column;
  uint64_t id;
  tree mibs; /* of what is allocated right here */
  tree callees;
  bool matched;
};

/* What the profile has of a function.  */
struct profiled_function
{
  auto_vec<profiled_call> calls;
  bool has_columns;
  unsigned start_line; /* of the function, as the profile counts */
};

/* Store the calls that the profile LOOKUP has for the function DECL, including
   a constructor's variants, in *FUNCTION.  True if there is a record.  */
bool use_record_read (heap_lookup *lookup, tree decl,
		      profiled_function *function);

/* A record was damaged, and a warning said so.  */
bool use_record_any_damaged_p (void);

/* Warn, at PLACE, that the profile is not used WHERE, because of ERR.  */
void use_record_warn (location_t place, const char *where,
		      const profile_error *err);

/* How many lines behind its beginning the profile would have in FUNCTION what
   is at LOCATION.  */
unsigned use_record_line_offset (const profiled_function &function,
				 location_t location);

/* Where the profile LOOKUP has CALL of FUNCTION, which is DECL.  */
heap_lookup_where use_record_where (heap_lookup *lookup, tree decl,
				    const profiled_function &function,
				    const profiled_call &call);

#endif /* HEAPPROF_USE_RECORD_H */

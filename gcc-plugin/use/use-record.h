/* Use of a heap profile: reading its record for a function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_RECORD_H
#define HEAPPROF_USE_RECORD_H

#include "heap-lookup.h"

/* A place in a function where the profile has a call.  */
struct profiled_call
{
  uint64_t function; /* GUID; for a constructor, that of the variant */
  unsigned line_offset;
  unsigned column;
  uint64_t id;
  placement_class token;
  unsigned group; /* of hot blocks allocated by this call; 0: none */
  tree mibs;	  /* of the blocks allocated by this call itself */
  tree callees;
  bool is_fitted; /* the place is that in the source, which has changed */
  bool matched;
  bool taken;	/* a call in the source has got the MIBs */
  gcall *other; /* the call that may be this one, although it is no
		   allocation */
};

/* The record of the profile for a function.  */
struct profiled_function
{
  auto_vec<profiled_call> calls;
  auto_vec<profiled_call> lost; /* calls that the changed source lacks */
  bool is_renamed; /* the calls are in another function in the profile */
  bool has_columns;
  unsigned start_line; /* of the function, as used by the profile */
};

/* Store in *FUNCTION the calls that the profile LOOKUP has for the function
   DECL, including a constructor's variants.  Return true if there is a
   record.  */
bool use_record_read (heap_lookup *lookup, tree decl,
		      profiled_function *function);

/* The same for the function GUID alone, which DECL is, unless that is NULL.  */
bool use_record_read_guid (heap_lookup *lookup, uint64_t guid, tree decl,
			   profiled_function *function);

/* True if a record was damaged.  There was a warning about it.  */
bool use_record_any_damaged_p (void);

/* Warn at PLACE that the profile is not used, because of ERR.  WHERE is empty
   or " for FUNCTION".  */
void use_record_warn (location_t place, const char *where,
		      const profile_error *err);

/* Return the line offset in FUNCTION that the profile would have for
   LOCATION.  */
unsigned use_record_line_offset (const profiled_function &function,
				 location_t location);

/* Return the absolute path of the source file NAME, malloced.  */
char *use_record_path (const char *name);

/* Return where the expression of CALL begins.  */
location_t use_record_call_start (const gcall *call);

/* Return where the profile LOOKUP has CALL of FUNCTION, which is DECL.  */
heap_lookup_where use_record_where (heap_lookup *lookup, tree decl,
				    const profiled_function &function,
				    const profiled_call &call);

#endif /* HEAPPROF_USE_RECORD_H */

/* Where a function of the unit has code and calls, as sample profiles see it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SOURCE_OUTLINE_H
#define HEAPPROF_SOURCE_OUTLINE_H

#include "sample-profile.h"

/* Code in the source of a function.  */
struct source_place
{
  sample_location location;
  gcall *call; /* NULL: no call */
  /* The function that a virtual call names in its class, of which it may call
     an overrider; NULL: none, or a destructor.  */
  tree method;
};

/* A function of the unit, before anything is inlined into it.  */
struct source_outline
{
  auto_vec<source_place> places;
  hash_set<int_hash<int, -1, -2>> lines;
  hash_set<int_hash<int, -1, -2>> indirect; /* of calls that may call any
					       function */
  hash_set<int_hash<int, -1, -2>> loads; /* where virtual tables may be loaded
					    for calls */
  hash_set<int_hash<uint64_t, 0, 1>> callees; /* what others may call */
  hash_set<int_hash<uint64_t, 0, 1>> calls;   /* the same with their lines */
};

/* Add the function DECL, or this variant of a constructor, to OUTLINE.  */
void source_outline_add (source_outline *outline, tree decl);

/* Return the keys of NAME in PROFILE, a function that may be called virtually:
   the plain name, if the name is mangled, else the GUID.  Store those of METHOD
   in *KEYS.  */
uint64_t source_outline_key (const sample_profile *profile, uint32_t name);
void source_outline_method_keys (tree method, uint64_t keys[2]);

/* True if the function of OUTLINE may call NAME, which has GUID in PROFILE: on
   LINE; on any line, not counting calls that may call any function.  */
bool source_outline_calls_p (source_outline *outline, uint32_t line,
			     const sample_profile *profile, uint32_t name,
			     uint64_t guid);
bool source_outline_calls_any_p (source_outline *outline,
				 const sample_profile *profile, uint32_t name,
				 uint64_t guid);

#endif /* HEAPPROF_SOURCE_OUTLINE_H */

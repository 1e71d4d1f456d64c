/* Sample profile data for the places of a unit.
   SPDX-License-Identifier: GPL-3.0-or-later

   A place is a line, counted from the start of its function, and a
   discriminator.  A function that was inlined has separate counts in each copy:
   a call that has been inlined here too gets those of the same copy, if the
   profile has it; any other call gets the sums of all copies.  If the profile
   does not have the discriminator, which depends on the version of the
   compiler, the counts of the whole line are used.  */

#ifndef HEAPPROF_SAMPLE_PLACES_H
#define HEAPPROF_SAMPLE_PLACES_H

#include "sample-profile.h"

/* A virtual table that a call loaded from, or a function that it called.  */
struct sample_table
{
  uint64_t guid;
  const char *name; /* NULL if the profile has only the GUID */
  uint64_t count;
};

/* The GUIDs under which a profile may have a function.  GCC's debug information
   has no linkage names of local functions, so profiles have their plain names.
   Several functions may have one.  */
struct sample_guids
{
  uint64_t linkage;
  uint64_t plain; /* 0: the profile has its linkage name */
};

/* Read the sample profile PATH, in any format.  After an error, which has been
   reported, return false; no profile is open then.  */
bool sample_places_open (const char *path);
void sample_places_close (void);

/* Return the open profile.  Use FITTED in its place; return it.  */
const sample_profile *sample_places_profile (void);
sample_profile *sample_places_replace (sample_profile *fitted);

/* Return the GUIDs of DECL; that of NAME in FROM, without the suffixes of
   clones, of the base variant of constructors and destructors.  */
sample_guids sample_places_guids (tree decl);
uint64_t sample_places_name_guid (const sample_profile *from, uint32_t name);

/* Return the copies of DECL in the profile that have data for virtual
   calls.  */
vec<const sample_function *> sample_places_copies (tree decl);

/* True if the profile has the virtual table GUID at any place.  */
bool sample_places_have_table (uint64_t guid);

/* Store in *TABLES, by descending count, the profile's tables for CALL, which
   is now in the function DECL, at LOCATION instead of CALL's own location.  */
void sample_places_tables (gcall *call, tree decl, location_t location,
			   vec<sample_table> *tables);

/* The same for the functions that were called there, by all calls.  */
void sample_places_targets (gcall *call, tree decl, location_t location,
			    vec<sample_table> *targets);

#endif /* HEAPPROF_SAMPLE_PLACES_H */

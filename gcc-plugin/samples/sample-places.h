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

/* A virtual table that a call loaded from, or a function that it called.  */
struct sample_table
{
  uint64_t guid;
  const char *name; /* NULL if the profile has only the GUID */
  uint64_t count;
};

/* Read the sample profile PATH, in any format.  After an error, which has been
   reported, return false; no profile is open then.  */
bool sample_places_open (const char *path);
void sample_places_close (void);

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

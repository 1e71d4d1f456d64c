/* What a sample profile says of the places of a unit.
   SPDX-License-Identifier: GPL-3.0-or-later

   A place is a line, counted from where its function begins, and a
   discriminator.  A function that was inlined has counts of its own in each
   copy: a call that has been inlined here too gets those of the very copy, if
   the profile has that; all else gets the sums of all copies.  Where the
   profile does not have the discriminator, which depends on the version of the
   compiler, the whole line counts.  */

#ifndef HEAPPROF_SAMPLE_PLACES_H
#define HEAPPROF_SAMPLE_PLACES_H

/* A virtual table that a call loaded from.  */
struct sample_table
{
  uint64_t guid;
  const char *name; /* NULL if the profile has the GUID alone */
  uint64_t count;
};

/* Read the profile PATH, of any form of samples.  After an error, which was
   reported, there is none.  */
bool sample_places_open (const char *path);
void sample_places_close (void);

/* Does the profile have the virtual table GUID at any place?  */
bool sample_places_have_table (uint64_t guid);

/* Have at *TABLES, by falling count, what the profile has at LOCATION of CALL,
   which is now in the function DECL.  LOCATION stands for that of CALL.  */
void sample_places_tables (gcall *call, tree decl, location_t location,
			   vec<sample_table> *tables);

#endif /* HEAPPROF_SAMPLE_PLACES_H */

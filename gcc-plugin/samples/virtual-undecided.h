/* Virtual calls that are left to the link.
   SPDX-License-Identifier: GPL-3.0-or-later

   With LTO, a unit promotes what it can, and writes the rest of the profile's
   data for its calls to the object; the link reads them for the calls in its
   call graph.  */

#ifndef HEAPPROF_VIRTUAL_UNDECIDED_H
#define HEAPPROF_VIRTUAL_UNDECIDED_H

#include "sample-places.h"
#include "virtual-remarks.h"

/* A function that gets a direct call, as the number of its symbol, and how many
   of the calls that were left to the link call it.  */
struct chosen_function
{
  int symbol;
  uint64_t count;
};

struct undecided_call
{
  virtual_place place;
  location_t location; /* only while the unit is compiled */
  uint64_t total;      /* of all tables in the profile; 0 if not known yet */
  uint64_t left;       /* to the link */
  unsigned n_tests;    /* comparisons made when the unit was compiled */
  /* The tables without a comparison, and the functions that the call called
     according to the profile.  */
  vec<promoted_table> tables;
  vec<sample_table> targets;
  vec<chosen_function> chosen; /* at the link */
  bool is_found; /* when the unit was compiled: the call still exists */
};

/* Return a new undecided call at PLACE, whose texts are copied; all of them. */
undecided_call *undecided_new (const virtual_place &place);
const vec<undecided_call *> &undecided_all (void);

/* Add a table or target without a name, or with one, which is copied.  */
void undecided_add_table (undecided_call *undecided, uint64_t guid,
			  const char *name, uint64_t count, const char *reason);
void undecided_add_target (undecided_call *undecided, uint64_t guid,
			   const char *name, uint64_t count);

/* Connect CALL and its future copies with UNDECIDED; return what CALL is
   connected with, or NULL.  */
void undecided_connect (cgraph_edge *call, undecided_call *undecided);
undecided_call *undecided_of (cgraph_edge *call);

/* Write the undecided calls to the object; read those of all objects.  */
void undecided_write (void);
void undecided_read (void);

/* Release all memory.  */
void undecided_finish (void);

#endif /* HEAPPROF_VIRTUAL_UNDECIDED_H */

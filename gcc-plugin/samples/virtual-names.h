/* Targets of virtual calls by the names of functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sample profile also has the functions that a call called.  They are used
   for tables that are not known, and if the profile has no tables for the
   call.  */

#ifndef HEAPPROF_VIRTUAL_NAMES_H
#define HEAPPROF_VIRTUAL_NAMES_H

#include "sample-places.h"
#include "virtual-tests.h"

/* Return the GUID under which profiles know the symbol FUNCTION: that of its
   base variant for constructors and destructors; 0 if it has no name yet.  */
uint64_t virtual_names_guid (tree function);

/* Find the virtual functions of the unit or link; release the memory for
   that.  */
void virtual_names_collect (void);
void virtual_names_release (void);

/* FOUND is what is known about the tables at a call of the function TOKEN of
   CLASS_TYPE.  Add the functions in TARGETS that the call may call: they become
   targets of tables in FOUND that have none, or entries without a table.  */
void virtual_names_add (tree class_type, HOST_WIDE_INT token,
			const vec<sample_table> &targets,
			vec<promoted_table> *found);

#endif /* HEAPPROF_VIRTUAL_NAMES_H */

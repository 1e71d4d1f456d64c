/* Linkage names of functions that are missing in the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SITE_NAMES_H
#define HEAPPROF_SITE_NAMES_H

/* Collect the names of the unit's own functions.  Call it before the IPA
   passes, while the front end can still spell names.  */
void site_names_collect (void);

/* Write the collected names to the assembler file FILE, for use in this object
   or, with FOR_LTO, in the program made by link-time optimization.  */
void site_names_output (FILE *file, bool for_lto);

#endif /* HEAPPROF_SITE_NAMES_H */

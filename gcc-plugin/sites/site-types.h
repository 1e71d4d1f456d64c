/* Data types of allocation sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SITE_TYPES_H
#define HEAPPROF_SITE_TYPES_H

/* Register the examination of functions when the front end finishes them.  */
void site_types_register (const char *plugin_name);

/* Make entries for the collected sites in functions that are defined.  Call it
   before the IPA passes, while the front end can still spell names.  */
void site_types_collect (void);

/* Write the entries to the assembler file FILE, for use in this object or, with
   FOR_LTO, in the program made by link-time optimization.  */
void site_types_output (FILE *file, bool for_lto);

#endif /* HEAPPROF_SITE_TYPES_H */

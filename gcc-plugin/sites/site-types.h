/* Types of what allocation sites allocate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SITE_TYPES_H
#define HEAPPROF_SITE_TYPES_H

/* Have the functions of the unit looked at as the front end finishes them.  */
void site_types_register (const char *plugin_name);

/* Make entries of what was seen, of functions that are defined.  Call before
   the IPA passes, while the front end still knows how it spells names.  */
void site_types_collect (void);

/* Write the entries to FILE, assembler text, for use in this object; or, with
   FOR_LTO, for the program that link-time optimization makes.  */
void site_types_output (FILE *file, bool for_lto);

#endif /* HEAPPROF_SITE_TYPES_H */

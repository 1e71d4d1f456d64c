/* Linkage names of functions that the debug information does not give.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SITE_NAMES_H
#define HEAPPROF_SITE_NAMES_H

/* Remember the names of the unit's own functions.  Call before the IPA
   passes, while the front end still knows how it spells them.  */
void site_names_collect (void);

/* Write what was remembered to FILE, assembler text, for use in this object;
   or, with FOR_LTO, for the program that link-time optimization makes.  */
void site_names_output (FILE *file, bool for_lto);

#endif /* HEAPPROF_SITE_NAMES_H */

/* Sections of text next to the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DEBUG_TEXTS_H
#define HEAPPROF_DEBUG_TEXTS_H

/* True if TEXT can be a field of an entry: it contains no separator.  */
bool field_p (const char *text);

/* Write ENTRIES, if there are any, to the assembler file FILE as the section
   NAME.  The linker removes duplicate entries.  With FOR_LTO, only the program
   made by link-time optimization gets the section.  */
void debug_texts_output (FILE *file, const vec<char *> &entries,
			 const char *name, bool for_lto);

#endif /* HEAPPROF_DEBUG_TEXTS_H */

/* Sections of texts beside the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DEBUG_TEXTS_H
#define HEAPPROF_DEBUG_TEXTS_H

/* True if TEXT can be a field of an entry: no separator in it.  */
bool field_p (const char *text);

/* Write ENTRIES, if there are any, to FILE, assembler text, as section NAME, of
   which the linker keeps one of equal entries.  With FOR_LTO, only the program
   that link-time optimization makes gets it.  */
void debug_texts_output (FILE *file, const vec<char *> &entries,
			 const char *name, bool for_lto);

#endif /* HEAPPROF_DEBUG_TEXTS_H */

/* Names and layouts of types as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TYPE_LAYOUT_H
#define HEAPPROF_TYPE_LAYOUT_H

/* True if TYPE has a constant size, and is not void.  */
bool type_has_layout_p (tree type);

/* Return the entry for TYPE in the section of data types, without its number:
   doc/site-types.md.  TYPE has a layout and starts START bytes after the start
   of its blocks.  Return NULL if a name in it cannot be a field.  The caller
   frees the result.  */
char *type_layout_text (tree type, unsigned HOST_WIDE_INT start);

#endif /* HEAPPROF_TYPE_LAYOUT_H */

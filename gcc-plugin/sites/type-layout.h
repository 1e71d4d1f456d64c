/* What a type is called and how it is laid out, as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TYPE_LAYOUT_H
#define HEAPPROF_TYPE_LAYOUT_H

/* True if TYPE is of a size that the compiler knows, and not void.  */
bool type_has_layout_p (tree type);

/* The entry of TYPE, which has a layout and begins START bytes behind the begin
   of blocks, in the section with the types of allocation sites, without its
   number: doc/site-types.md.  NULL if a name in it cannot stand there.  To be
   freed.  */
char *type_layout_text (tree type, unsigned HOST_WIDE_INT start);

#endif /* HEAPPROF_TYPE_LAYOUT_H */

/* Frames of calling contexts as the compiler knows them: their ids.
   SPDX-License-Identifier: GPL-3.0-or-later

   A frame is a place in a function: its GUID, the offset of a line from the
   function's own, and a column.  What is compared is the frame's id, a hash of
   these.  Compilers do not agree about the column of a call, and may give
   none; so where a call was found in a profile, its function remembers the
   frame that it was found as.  */

#ifndef HEAPPROF_USE_FRAME_H
#define HEAPPROF_USE_FRAME_H

/* The id of the frame at LINE_OFFSET, modulo 65536, and COLUMN of the function
   GUID.  Any 64-bit hash would do: ids never leave the compiler.  */
uint64_t use_frame_id (uint64_t guid, unsigned line_offset, unsigned column);

/* The GUID under which profiles know the function DECL, or what DECL was
   copied from.  */
uint64_t use_function_guid (tree decl);

/* The linkage name of the function DECL in the source, or of what DECL was
   copied from.  Of constructors and destructors that is the variant for bases,
   which profiles have for all.  */
const char *use_linkage_name (tree decl);

/* The line of LOCATION from where DECL begins, modulo 65536.  */
unsigned use_line_offset (tree decl, location_t location);

/* Have the function DECL, a variant of a constructor, remember its linkage
   name.  */
void use_name_remember (tree decl);

/* Have the function DECL remember that its call at LOCATION is the frame
   ID.  */
void use_frame_remember (tree decl, location_t location, uint64_t id);

/* Have at *ID the frame of the call at LOCATION in the function DECL.  True if
   DECL remembers it, false if it was computed.  */
bool use_frame_find (tree decl, location_t location, uint64_t *id);

#endif /* HEAPPROF_USE_FRAME_H */

/* Ids of the frames of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   A frame is a place in a function: the GUID of the function, a line offset and
   a column.  Frames are compared by their id, a hash of these.  Compilers
   disagree about the column of a call, and may give none; so when a call is
   found in a profile, its function remembers the frame it was found as.  */

#ifndef HEAPPROF_USE_FRAME_H
#define HEAPPROF_USE_FRAME_H

#include "placement.h"

/* Return the id of the frame at LINE_OFFSET, modulo 65536, and COLUMN of the
   function GUID.  Any 64-bit hash would do: ids never leave the compiler.  */
uint64_t use_frame_id (uint64_t guid, unsigned line_offset, unsigned column);

/* Return the GUID under which profiles know the function DECL, or the function
   that DECL was copied from.  */
uint64_t use_function_guid (tree decl);

/* Return the linkage name of the function DECL in the source, or of the
   function that DECL was copied from.  For constructors and destructors, return
   that of the base variant, which profiles use for all variants.  */
const char *use_linkage_name (tree decl);

/* Return the line offset of LOCATION from the start of DECL, modulo 65536.  */
unsigned use_line_offset (tree decl, location_t location);

/* Make the function DECL, a variant of a constructor, remember its linkage
   name.  */
void use_name_remember (tree decl);

/* Make the function DECL remember that its call at LOCATION is the frame ID,
   has the context token TOKEN, as from heap_lookup_token, and hot blocks of
   GROUP, as from heap_lookup_group.  */
void use_frame_remember (tree decl, location_t location, uint64_t id,
			 placement_class token, unsigned group);

/* Note that the place of the frame ID was found by the calls around it, in
   source that has changed since the profile was made; true if that was noted.
   Only in the compilation of the unit.  */
void use_frame_note_fitted (uint64_t id);
bool use_frame_fitted_p (uint64_t id);

/* Make DECL remember that contexts have no frame for its call at LOCATION.  */
void use_frame_remember_none (tree decl, location_t location);

/* True if they have none for any call of the unit; for that call.  */
bool use_frame_any_none_p (void);
bool use_frame_none_p (tree decl, location_t location);

/* Return the token that DECL remembers for its call at LOCATION;
   PLACEMENT_UNKNOWN if none.  */
placement_class use_frame_token (tree decl, location_t location);

/* Return the group of hot blocks that it remembers; 0 if none.  */
unsigned use_frame_group (tree decl, location_t location);

/* Store the frame id of the call at LOCATION in the function DECL in *ID.
   Return true if DECL remembers it, false if it was computed.  */
bool use_frame_find (tree decl, location_t location, uint64_t *id);

#endif /* HEAPPROF_USE_FRAME_H */

/* Filling MIBs of a heap profile in place.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_PROFILE_FILL_H
#define HEAPPROF_HEAP_PROFILE_FILL_H

#include "heap-profile.h"
#include "record-table.h"

/* Return a zeroed MIB for CONTEXT, which must have none, for the caller to
   fill.  It does not move when others are added.  NULL if memory is
   exhausted.  */
struct memory_info *heap_profile_new_info (struct heap_profile *profile,
					   uint32_t context);

/* Return true if PROFILE has any MIBs.  */
bool heap_profile_has_infos (const struct heap_profile *profile);

/* Where PROFILE, which had no MIBs, has that of CONTEXT: its number in the
   table that heap_profile_adopt_infos is to make PROFILE's, plus 1; 0: none.
   NULL if memory cannot be had.  */
uint32_t *heap_profile_info_number (struct heap_profile *profile,
				    uint32_t context);

/* Let the MIBs of INFOS, struct memory_info, be those of PROFILE, which has no
   others; *INFOS is empty afterwards.  */
void heap_profile_adopt_infos (struct heap_profile *profile,
			       struct record_table *infos);

/* What a frame of a profile becomes in another one.  */
struct heap_frame_list
{
  const uint32_t *frames; /* ids there, innermost first */
  size_t count;		  /* 0: it stays what it is */
  uint64_t type;	  /* of what is allocated here; 0 if unknown */
  bool is_returned;	  /* what is allocated here the caller knows */
};

/* As heap_profile_merge, but each frame of SOURCE becomes that of LISTS, by id.
   MIBs without a type get that which the frames say.  */
bool heap_profile_merge_renamed (struct heap_profile *profile,
				 const struct heap_profile *source,
				 const struct heap_frame_list *lists);

#endif /* HEAPPROF_HEAP_PROFILE_FILL_H */

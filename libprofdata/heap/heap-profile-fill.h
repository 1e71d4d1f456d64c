/* Filling MIBs of a heap profile in place.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_PROFILE_FILL_H
#define HEAPPROF_HEAP_PROFILE_FILL_H

#include "heap-profile.h"
#include "info-table.h"

/* Return a zeroed MIB for CONTEXT, which must have none, for the caller to
   fill.  It does not move when others are added.  NULL if memory is
   exhausted.  */
struct memory_info *heap_profile_new_info (struct heap_profile *profile,
					   uint32_t context);

/* Return true if PROFILE has any MIBs.  */
bool heap_profile_has_infos (const struct heap_profile *profile);

/* Return where the MIB of CONTEXT is; nowhere if nothing was allocated there.
   Profiles that have adopted short MIBs must be read by this function, as
   heap_profile_info, heap_profile_set_info and heap_profile_scale cannot deal
   with them.  */
struct info_place heap_profile_info_place (const struct heap_profile *profile,
					   uint32_t context);

/* The MIBs of a profile by context, for loops over many contexts.  */
struct heap_profile_infos
{
  const struct info_table *table;
  const uint32_t *numbers; /* by context; 0: none */
  uint32_t count;	   /* of NUMBERS; other contexts have no MIBs */
};

/* Return those of PROFILE, valid until it is changed.  */
struct heap_profile_infos
heap_profile_infos (const struct heap_profile *profile);

/* Return the number of the MIB of CONTEXT in their table; 0: none.  */
static inline uint32_t
heap_infos_number (const struct heap_profile_infos *infos, uint32_t context)
{
  return context < infos->count ? infos->numbers[context] : 0;
}

/* The same as heap_profile_info_place.  */
static inline struct info_place
heap_infos_place (const struct heap_profile_infos *infos, uint32_t context)
{
  const uint32_t number = heap_infos_number (infos, context);
  return number != 0 ? info_table_place (infos->table, number)
		     : (struct info_place){ 0 };
}

/* Return the place where PROFILE stores the number of CONTEXT's MIB in the
   table that heap_profile_adopt_infos will be called with; 0: none.  PROFILE
   must not have MIBs of its own.  NULL if memory is exhausted.  */
uint32_t *heap_profile_info_number (struct heap_profile *profile,
				    uint32_t context);

/* Make INFOS the MIBs of PROFILE, which must have no others; *INFOS is empty
   afterwards.  */
void heap_profile_adopt_infos (struct heap_profile *profile,
			       struct info_table *infos);

/* The frames in another profile that replace a frame.  */
struct heap_frame_list
{
  const uint32_t *frames; /* ids there, innermost first */
  size_t count;		  /* 0: it is not replaced */
  uint64_t type;	  /* type of what is allocated here; 0 if unknown */
  bool is_returned;	  /* the caller determines the type of what is allocated
			     here */
};

/* heap_profile_merge with each frame of SOURCE replaced by those of LISTS,
   indexed by id.  MIBs without a type get the type in LISTS.  */
bool heap_profile_merge_renamed (struct heap_profile *profile,
				 const struct heap_profile *source,
				 const struct heap_frame_list *lists);

#endif /* HEAPPROF_HEAP_PROFILE_FILL_H */

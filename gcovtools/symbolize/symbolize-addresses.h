/* What addresses are called: shared by the readers of raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SYMBOLIZE_ADDRESSES_H
#define HEAPPROF_SYMBOLIZE_ADDRESSES_H

#include "address-names.h"
#include "symbolize-profile.h"
#include <libiberty/hashtab.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frames of one address: COUNT ids in FRAME_IDS from FIRST, innermost
   first.  */
struct frame_list
{
  uint32_t module;
  uint64_t address; /* in the module's file */
  size_t first;
  size_t count;
  uint64_t type;    /* number of the type that is allocated here; 0
		       if unknown */
  bool is_returned; /* what is allocated here the caller's address
		       knows */
  bool is_split;    /* the outermost frame is in what the compiler
		       has split off a function */
};

struct profile_symbolizer
{
  struct heap_profile *profile;
  struct address_names *names;
  htab_t lists; /* of struct frame_list */
  uint32_t *frame_ids;
  size_t frame_id_count;
  size_t frame_id_capacity;
};

/* The frame list of LOCATION, whose frames are NAMED's.  NULL if memory is
   exhausted.  */
const struct frame_list *
symbolize_frame_list (struct profile_symbolizer *symbolizer,
		      const struct location *location,
		      const struct named_address *named);

/* Look the COUNT LOCATIONS up, in ascending order, into which they are put, and
   set LISTS [number] to the frames of each.  False if memory is exhausted.  */
bool symbolize_locations (struct profile_symbolizer *symbolizer,
			  struct location *locations, uint32_t count,
			  const struct frame_list **lists);

/* The model's node for the frames of LIST below the node CALLER; UINT32_MAX if
   memory is exhausted.  A call by which a function goes on in what the compiler
   has split off it is no call of the source, and left out.  */
uint32_t symbolize_add_frames (struct profile_symbolizer *symbolizer,
			       uint32_t caller, const struct frame_list *list);

/* The node for allocations at NODE: those of which no frame is known are under
   one with the unknown frame.  UINT32_MAX if memory is exhausted.  */
uint32_t symbolize_named_node (struct profile_symbolizer *symbolizer,
			       uint32_t node);

#endif /* HEAPPROF_SYMBOLIZE_ADDRESSES_H */

/* Frame lists of addresses, shared by the readers of raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SYMBOLIZE_ADDRESSES_H
#define HEAPPROF_SYMBOLIZE_ADDRESSES_H

#include "address-names.h"
#include "symbolize-profile.h"
#include <libiberty/hashtab.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frames of an address: COUNT entries of FRAME_IDS from FIRST, innermost
   first.  */
struct frame_list
{
  uint32_t module;
  uint64_t address; /* in the module's file */
  size_t first;
  size_t count;
  uint64_t type;    /* number of the type allocated here; 0 if unknown */
  bool is_returned; /* the caller's address determines the type */
  bool is_split; /* the outermost frame is in a part that the compiler split off
		    a function */
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

/* Return the frame list of LOCATION, made from the frames of NAMED.  Return
   NULL if memory is exhausted.  */
const struct frame_list *
symbolize_frame_list (struct profile_symbolizer *symbolizer,
		      const struct location *location,
		      const struct named_address *named);

/* Return the list of the interpreted FRAME.  NULL if memory is exhausted.  */
const struct frame_list *
symbolize_interpreted_frame (struct profile_symbolizer *symbolizer,
			     const struct raw_interpreted *frame);

/* Sort the COUNT LOCATIONS in ascending order, look them up, and set LISTS
   [number] to the frames of each.  Return false if memory is exhausted.  */
bool symbolize_locations (struct profile_symbolizer *symbolizer,
			  struct location *locations, uint32_t count,
			  const struct frame_list **lists);

/* Return the model's node for the frames of LIST below node CALLER; UINT32_MAX
   if memory is exhausted.  A call from a function into a part that the compiler
   split off it is omitted, since it is not in the source.  */
uint32_t symbolize_add_frames (struct profile_symbolizer *symbolizer,
			       uint32_t caller, const struct frame_list *list);

/* Return the node for allocations at NODE; contexts without any known frame get
   a node with the unknown frame.  UINT32_MAX if memory is exhausted.  */
uint32_t symbolize_named_node (struct profile_symbolizer *symbolizer,
			       uint32_t node);

#endif /* HEAPPROF_SYMBOLIZE_ADDRESSES_H */

/* Where sampled addresses are in object files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLED_PLACES_H
#define HEAPPROF_SAMPLED_PLACES_H

#include "image-list.h"
#include "perf-processes.h"
#include <stdbool.h>
#include <stdint.h>

/* The images of a recording and the processes that they were mapped into.  */
struct sampled_places
{
  struct image_list *images;
  struct perf_processes *processes;
  bool is_preferred; /* no mappings recorded: addresses are those of the only
			image */
};

/* A location in an image.  */
struct sampled_place
{
  uint32_t image;
  uint64_t address;
};

/* Set *PLACE to the location of ADDRESS at MOMENT.  Return false if it is in no
   image.  */
bool sampled_places_find (const struct sampled_places *places, uint32_t moment,
			  uint64_t address, struct sampled_place *place);

/* The same for data.  Recordings of code contain no data mappings, but all
   segments of an object are loaded with the same bias.  */
bool sampled_places_find_data (const struct sampled_places *places,
			       uint32_t moment, uint64_t address,
			       struct sampled_place *place);

/* The same for code.  Also return false if no instruction starts there.  */
bool sampled_places_find_code (const struct sampled_places *places,
			       uint32_t moment, uint64_t address,
			       struct sampled_place *place);

#endif /* HEAPPROF_SAMPLED_PLACES_H */

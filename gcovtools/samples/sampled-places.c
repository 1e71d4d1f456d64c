/* Where sampled addresses are in object files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sampled-places.h"

/* Set *BIAS to the load bias of AREA at MOMENT.  For code it is certain; data
   has the same bias as code of its image.  */
static bool
find_bias (const struct sampled_places *places, uint32_t moment,
	   const struct perf_area *area, uint64_t *bias)
{
  const struct object_layout *layout
    = &places->images->images[area->image].layout;
  const struct perf_area *other;
  bool is_code = area->protection & PERF_EXECUTE;
  for (uint32_t i = 0;
       !is_code
       && (other = perf_processes_area (places->processes, moment, i)) != NULL;
       i++)
    if (other->image == area->image && (other->protection & PERF_EXECUTE)
	&& object_layout_bias (layout, other->file_offset, true, other->start,
			       bias)
	&& object_layout_has_bias (layout, area->file_offset, area->start,
				   *bias))
      return true;
  return object_layout_bias (layout, area->file_offset, is_code, area->start,
			     bias);
}

/* Set *PLACE to the location of ADDRESS in AREA at MOMENT.  */
static bool
locate_in (const struct sampled_places *places, uint32_t moment,
	   const struct perf_area *area, uint64_t address,
	   struct sampled_place *place)
{
  uint64_t bias;
  if (!find_bias (places, moment, area, &bias))
    return false;
  place->image = area->image;
  place->address = address - bias;
  return true;
}

bool
sampled_places_find (const struct sampled_places *places, uint32_t moment,
		     uint64_t address, struct sampled_place *place)
{
  *place = (struct sampled_place){ 0, address };
  if (places->is_preferred)
    return true;
  const struct perf_area *area
    = perf_processes_find (places->processes, moment, address);
  return area != NULL && locate_in (places, moment, area, address, place);
}

bool
sampled_places_find_data (const struct sampled_places *places, uint32_t moment,
			  uint64_t address, struct sampled_place *place)
{
  const struct perf_area *area;
  if (sampled_places_find (places, moment, address, place))
    return true;
  for (uint32_t i = 0;
       (area = perf_processes_area (places->processes, moment, i)) != NULL; i++)
    if (locate_in (places, moment, area, address, place)
	&& object_layout_holds (&places->images->images[area->image].layout,
				place->address))
      return true;
  return false;
}

bool
sampled_places_find_code (const struct sampled_places *places, uint32_t moment,
			  uint64_t address, struct sampled_place *place)
{
  struct code_instruction instruction;
  return sampled_places_find (places, moment, address, place)
	 && code_map_find (places->images->images[place->image].code,
			   place->address, &instruction);
}

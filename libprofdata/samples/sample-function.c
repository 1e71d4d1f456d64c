/* Contents of a function in a sample profile: bodies, call sites, virtual
   tables.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each is a sorted array in the profile's arena, which is copied to twice the
   room when it is full.  Readers mostly append.  */

#include "sample-memory.h"
#include "sample-profile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Insert a zeroed record at INDEX in the array *RECORDS of *COUNT records of
   SIZE bytes, which has room for *CAPACITY, and return it.  NULL if memory is
   exhausted.  */
static void *
insert_record (struct sample_profile *profile, void **records, uint32_t *count,
	       uint32_t *capacity, size_t size, uint32_t index)
{
  if (*count == *capacity)
    {
      if (*capacity > UINT32_MAX / 2)
	return NULL;
      uint32_t more = *capacity == 0 ? 2 : *capacity * 2;
      void *copy = sample_profile_allocate (profile, more, size);
      if (!copy)
	return NULL;
      if (*count > 0)
	memcpy (copy, *records, *count * size);
      *records = copy;
      *capacity = more;
    }
  char *place = (char *) *records + index * size;
  memmove (place + size, place, (*count - index) * size);
  ++*count;
  return memset (place, 0, size);
}

/* Return the index of the first of the COUNT RECORDS of SIZE bytes at or after
   LOCATION.  Records start with their location.  */
static uint32_t
find_place (const void *records, uint32_t count, size_t size,
	    struct sample_location location)
{
  uint32_t low = 0;
  uint32_t high = count;
  /* Makes appending fast.  */
  uint32_t middle = count > 0 ? count - 1 : 0;
  while (low < high)
    {
      struct sample_location here;
      memcpy (&here, (const char *) records + middle * size, sizeof here);
      if (sample_location_compare (here, location) < 0)
	low = middle + 1;
      else
	high = middle;
      middle = low + (high - low) / 2;
    }
  return low;
}

static uint32_t
find_body_place (const struct sample_function *function,
		 struct sample_location location)
{
  return find_place (function->bodies, function->body_count,
		     sizeof *function->bodies, location);
}

static uint32_t
find_vtables_place (const struct sample_function *function,
		    struct sample_location location)
{
  return find_place (function->vtables, function->vtables_count,
		     sizeof *function->vtables, location);
}

/* The same for a call site with LOCATION and NAME.  */
static uint32_t
find_site_place (const struct sample_function *function,
		 struct sample_location location, uint32_t name)
{
  uint32_t low = find_place (function->call_sites, function->call_site_count,
			     sizeof *function->call_sites, location);
  uint32_t high = function->call_site_count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      const struct sample_call_site *site = &function->call_sites[middle];
      if (sample_location_compare (site->location, location) == 0
	  && site->inlinee->name < name)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

const struct sample_body *
sample_function_find_body (const struct sample_function *function,
			   struct sample_location location)
{
  uint32_t place = find_body_place (function, location);
  if (place == function->body_count
      || sample_location_compare (function->bodies[place].location, location)
	   != 0)
    return NULL;
  return &function->bodies[place];
}

const struct sample_vtables *
sample_function_find_vtables (const struct sample_function *function,
			      struct sample_location location)
{
  uint32_t place = find_vtables_place (function, location);
  if (place == function->vtables_count
      || sample_location_compare (function->vtables[place].location, location)
	   != 0)
    return NULL;
  return &function->vtables[place];
}

/* Return the function NAME inlined at LOCATION, if it is at PLACE.  */
static struct sample_function *
inlinee_at (const struct sample_function *function, uint32_t place,
	    struct sample_location location, uint32_t name)
{
  if (place == function->call_site_count)
    return NULL;
  const struct sample_call_site *site = &function->call_sites[place];
  return (sample_location_compare (site->location, location) == 0
	      && site->inlinee->name == name
	    ? site->inlinee
	    : NULL);
}

struct sample_function *
sample_function_find_inlinee (const struct sample_function *function,
			      struct sample_location location, uint32_t name)
{
  return inlinee_at (function, find_site_place (function, location, name),
		     location, name);
}

/* Add COUNT to NAME in COUNTS.  */
static bool
add_count (struct sample_profile *profile, struct sample_counts *counts,
	   uint32_t name, uint64_t count)
{
  uint32_t low = 0;
  uint32_t high = counts->count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (counts->counts[middle].name < name)
	low = middle + 1;
      else
	high = middle;
    }
  struct sample_count *record
    = low < counts->count ? &counts->counts[low] : NULL;
  if (!record || record->name != name)
    {
      void *records = counts->counts;
      record = insert_record (profile, &records, &counts->count,
			      &counts->capacity, sizeof *record, low);
      counts->counts = records;
      if (!record)
	return false;
      record->name = name;
    }
  sample_count_add (&record->count, count);
  return true;
}

struct sample_body *
sample_function_need_body (struct sample_profile *profile,
			   struct sample_function *function,
			   struct sample_location location)
{
  uint32_t place = find_body_place (function, location);
  if (place < function->body_count
      && sample_location_compare (function->bodies[place].location, location)
	   == 0)
    return &function->bodies[place];
  void *records = function->bodies;
  struct sample_body *body
    = insert_record (profile, &records, &function->body_count,
		     &function->body_capacity, sizeof *body, place);
  function->bodies = records;
  if (body)
    body->location = location;
  return body;
}

bool
sample_function_add_body (struct sample_profile *profile,
			  struct sample_function *function,
			  struct sample_location location, uint64_t count)
{
  struct sample_body *body
    = sample_function_need_body (profile, function, location);
  if (body)
    sample_count_add (&body->count, count);
  return body != NULL;
}

bool
sample_function_add_target (struct sample_profile *profile,
			    struct sample_function *function,
			    struct sample_location location, uint32_t name,
			    uint64_t count)
{
  struct sample_body *body
    = sample_function_need_body (profile, function, location);
  return body && add_count (profile, &body->targets, name, count);
}

bool
sample_function_add_vtable (struct sample_profile *profile,
			    struct sample_function *function,
			    struct sample_location location, uint32_t name,
			    uint64_t count)
{
  uint32_t place = find_vtables_place (function, location);
  if (place == function->vtables_count
      || sample_location_compare (function->vtables[place].location, location)
	   != 0)
    {
      void *records = function->vtables;
      struct sample_vtables *made
	= insert_record (profile, &records, &function->vtables_count,
			 &function->vtables_capacity, sizeof *made, place);
      function->vtables = records;
      if (!made)
	return false;
      made->location = location;
    }
  return add_count (profile, &function->vtables[place].tables, name, count);
}

/* Insert a call site with INLINEE at PLACE.  Return false if memory is
   exhausted.  */
static bool
insert_site (struct sample_profile *profile, struct sample_function *function,
	     uint32_t place, struct sample_location location,
	     struct sample_function *inlinee)
{
  void *records = function->call_sites;
  struct sample_call_site *site
    = insert_record (profile, &records, &function->call_site_count,
		     &function->call_site_capacity, sizeof *site, place);
  function->call_sites = records;
  if (site)
    *site = (struct sample_call_site){ location, inlinee };
  return site != NULL;
}

bool
sample_function_adopt_inlinee (struct sample_profile *profile,
			       struct sample_function *function,
			       struct sample_location location,
			       struct sample_function *inlinee)
{
  uint32_t place = find_site_place (function, location, inlinee->name);
  return insert_site (profile, function, place, location, inlinee);
}

uint64_t
sample_function_remove_call (struct sample_function *function,
			     struct sample_location location, uint32_t name)
{
  uint32_t place = find_body_place (function, location);
  uint64_t count = 0;
  if (sample_function_find_body (function, location) == NULL)
    return 0;
  struct sample_body *body = &function->bodies[place];
  struct sample_counts *targets = &body->targets;
  for (uint32_t i = 0; i < targets->count; i++)
    if (targets->counts[i].name == name)
      {
	count = targets->counts[i].count;
	memmove (&targets->counts[i], &targets->counts[i + 1],
		 (targets->count - i - 1) * sizeof *targets->counts);
	targets->count--;
	break;
      }
  if (count > body->count)
    count = body->count;
  body->count -= count;
  if (body->count == 0)
    {
      memmove (body, body + 1,
	       (function->body_count - place - 1) * sizeof *body);
      function->body_count--;
    }
  return count;
}

struct sample_function *
sample_function_need_inlinee (struct sample_profile *profile,
			      struct sample_function *function,
			      struct sample_location location, uint32_t name)
{
  uint32_t place = find_site_place (function, location, name);
  struct sample_function *inlinee
    = inlinee_at (function, place, location, name);
  if (inlinee || function->depth >= SAMPLE_DEEPEST)
    return inlinee;
  inlinee = sample_profile_allocate (profile, 1, sizeof *inlinee);
  if (!inlinee)
    return NULL;
  inlinee->name = name;
  inlinee->depth = function->depth + 1;
  return insert_site (profile, function, place, location, inlinee) ? inlinee
								   : NULL;
}

bool
sample_function_set_checksum (const struct sample_profile *profile,
			      struct sample_function *function,
			      uint64_t checksum, struct profile_error *err)
{
  if (function->has_checksum && function->checksum != checksum)
    {
      const char *name = sample_profile_name (profile, function->name);
      return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
				"%.80s%swas sampled with checksums %" PRIu64
				" and %" PRIu64
				": different versions of the code",
				name ? name : "", name ? " " : "",
				function->checksum, checksum);
    }
  function->has_checksum = true;
  function->checksum = checksum;
  return true;
}

uint64_t
sample_function_sum (struct sample_function *function)
{
  uint64_t total = 0;
  for (uint32_t i = 0; i < function->body_count; i++)
    sample_count_add (&total, function->bodies[i].count);
  for (uint32_t i = 0; i < function->call_site_count; i++)
    sample_count_add (&total,
		      sample_function_sum (function->call_sites[i].inlinee));
  function->total = total;
  return total;
}

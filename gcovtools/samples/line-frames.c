/* The frames of code by lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "line-frames.h"
#include "line-locations.h"
#include <libiberty/hashtab.h>
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1021

struct line_frames
{
  const struct sampled_functions *functions;
  struct objalloc *memory;
  htab_t places;
  htab_t scopes;
  uint32_t scope_count;
};

static uint64_t
mix (uint64_t hash, uint64_t value)
{
  return (hash ^ value) * UINT64_C (0x9e3779b97f4a7c15);
}

static hashval_t
hash_place (const void *element)
{
  const struct line_place *place = element;
  return (hashval_t) (mix (0, place->address) >> 32);
}

static int
are_same_places (const void *a, const void *b)
{
  const struct line_place *x = a;
  const struct line_place *y = b;
  return x->address == y->address;
}

static hashval_t
hash_scope (const void *element)
{
  const struct line_scope *scope = element;
  uint64_t hash = scope->outer != NULL ? scope->outer->number + 1 : 0;
  hash = mix (hash, (uint64_t) scope->packed.line << 32
		      | scope->packed.discriminator);
  return (hashval_t) (mix (hash, scope->name) >> 32);
}

static bool
are_same_calls (const struct line_scope *a, const struct line_scope *b)
{
  return a->outer == b->outer
	 && sample_location_compare (a->packed, b->packed) == 0;
}

static int
are_same_scopes (const void *a, const void *b)
{
  const struct line_scope *x = a;
  const struct line_scope *y = b;
  return x->name == y->name && are_same_calls (x, y);
}

struct line_frames *
line_frames_open (const struct sampled_functions *functions)
{
  struct line_frames *frames = calloc (1, sizeof *frames);
  if (frames == NULL)
    return NULL;
  frames->functions = functions;
  frames->memory = objalloc_create ();
  frames->places = htab_create_alloc (FIRST_SLOTS, hash_place, are_same_places,
				      NULL, calloc, free);
  frames->scopes = htab_create_alloc (FIRST_SLOTS, hash_scope, are_same_scopes,
				      NULL, calloc, free);
  if (frames->memory != NULL && frames->places != NULL
      && frames->scopes != NULL)
    return frames;
  line_frames_close (frames);
  return NULL;
}

void
line_frames_close (struct line_frames *frames)
{
  if (frames == NULL)
    return;
  if (frames->places != NULL)
    htab_delete (frames->places);
  if (frames->scopes != NULL)
    htab_delete (frames->scopes);
  if (frames->memory != NULL)
    objalloc_free (frames->memory);
  free (frames);
}

/* Return the element of TABLE that equals the one of BYTES bytes at WANTED, or
   a new copy of it: *IS_NEW.  NULL if memory is exhausted.  */
static void *
intern (struct line_frames *frames, htab_t table, const void *wanted,
	size_t bytes, bool *is_new)
{
  void **slot = htab_find_slot (table, wanted, INSERT);
  *is_new = slot != NULL && *slot == HTAB_EMPTY_ENTRY;
  if (slot == NULL || !*is_new)
    return slot != NULL ? *slot : NULL;
  void *made = objalloc_alloc (frames->memory, bytes);
  if (made == NULL)
    return NULL;
  memcpy (made, wanted, bytes);
  *slot = made;
  return made;
}

/* Return the scope of the function of FRAME, which is inlined into OUTER at the
   place of CALL; both are NULL if it is not.  NULL if memory is exhausted.  */
static const struct line_scope *
find_scope (struct line_frames *frames, const struct line_scope *outer,
	    const struct symbolizer_frame *call,
	    const struct symbolizer_frame *frame)
{
  const struct sampled_functions *functions = frames->functions;
  struct line_scope wanted = { .outer = outer };
  bool is_new;
  wanted.name
    = sampled_functions_add_name (functions, frame->function,
				  frame->function_bytes, frame->described_name,
				  frame->declared_in);
  if (wanted.name == SAMPLE_NO_NAME)
    return NULL;
  if (call != NULL)
    {
      wanted.packed = line_location_packed (call);
      wanted.site = line_location (functions->image, call);
    }
  struct line_scope *scope
    = intern (frames, frames->scopes, &wanted, sizeof wanted, &is_new);
  if (scope != NULL && is_new)
    scope->number = frames->scope_count++;
  return scope;
}

/* Fill PLACE, whose address is set.  Return false if memory is exhausted.  */
static bool
fill_place (struct line_frames *frames, struct line_place *place)
{
  const struct symbolizer_frame *found;
  const struct image *image = frames->functions->image;
  const struct line_scope *scope = NULL;
  size_t count = symbolizer_lookup (image->symbolizer, place->address, &found);
  size_t known = count;
  if (count == 0)
    return false;
  /* What is in an unknown function has no frame.  */
  while (known > 0 && found[known - 1].described_name != NULL)
    known--;
  if (known == count || found[0].file == NULL)
    return true;
  for (size_t i = count; i-- > known;)
    {
      scope = find_scope (frames, scope, i + 1 < count ? &found[i + 1] : NULL,
			  &found[i]);
      if (scope == NULL)
	return false;
    }
  place->scope = scope;
  place->packed = line_location_packed (&found[known]);
  place->location = line_location (image, &found[known]);
  place->factor = line_location_factor (image, &found[known]);
  return true;
}

const struct line_place *
line_frames_find (struct line_frames *frames, uint64_t address)
{
  const struct line_place wanted = { .address = address };
  bool is_new;
  struct line_place *place
    = intern (frames, frames->places, &wanted, sizeof wanted, &is_new);
  return place == NULL || (is_new && !fill_place (frames, place)) ? NULL
								  : place;
}

bool
line_places_share_calls (const struct line_place *a, const struct line_place *b)
{
  return a->scope != NULL && b->scope != NULL
	 && are_same_calls (a->scope, b->scope);
}

bool
line_scope_add (const struct line_scope *scope, struct frame_list *list)
{
  uint32_t first = list->count;
  struct sample_frame frame;
  for (; scope->outer != NULL; scope = scope->outer)
    {
      frame = (struct sample_frame){ scope->outer->name, scope->site };
      if (!frame_list_append (list, &frame, 1))
	return false;
    }
  /* They were added from the innermost one outward.  */
  for (uint32_t last = list->count; first + 1 < last; first++)
    {
      frame = list->frames[first];
      list->frames[first] = list->frames[--last];
      list->frames[last] = frame;
    }
  return true;
}

/* What was allocated through wrappers that were looked through.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wrapper-uses.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

bool
wrapper_uses_start (struct wrapper_uses *uses,
		    const struct allocation_wrappers *wrappers)
{
  uint32_t strings = heap_profile_string_count (wrappers->profile);
  *uses = (struct wrapper_uses){ 0 };
  if (wrappers->kinds == NULL)
    return true;
  /* By string, until the list is made.  */
  uses->list = calloc ((size_t) strings + 1, sizeof *uses->list);
  return uses->list != NULL;
}

static uint32_t
name_of (const struct heap_profile *profile, uint32_t node)
{
  return heap_profile_frame (profile,
			     heap_profile_context_frame (profile, node))
    ->function_name;
}

/* Return true if the function NAME is in CONTEXT inside NODE.  */
static bool
is_inside (const struct heap_profile *profile, uint32_t context, uint32_t node,
	   uint32_t name)
{
  for (; context != node;
       context = heap_profile_context_caller (profile, context))
    if (name_of (profile, context) == name)
      return true;
  return false;
}

void
wrapper_uses_add (struct wrapper_uses *uses,
		  const struct allocation_wrappers *wrappers, uint32_t context,
		  uint32_t node, const struct memory_info *info)
{
  const struct heap_profile *profile = wrappers->profile;
  for (uint32_t c = context; c != node;
       c = heap_profile_context_caller (profile, c))
    {
      uint32_t name = name_of (profile, c);
      enum wrapper_kind kind
	= allocation_wrappers_kind (wrappers,
				    heap_profile_context_frame (profile, c));
      /* Other functions that Python code calls are no wrappers.  */
      if (kind <= WRAPPER_LIBRARY || is_inside (profile, context, c, name))
	continue;
      struct wrapper_use *use = &uses->list[name];
      use->kind = kind;
      use->blocks = saturating_add (use->blocks, info->alloc_count);
      use->blocks = saturating_add (use->blocks, info->unfinished_count);
      use->bytes = saturating_add (use->bytes, info->size_bytes.total);
      use->bytes = saturating_add (use->bytes, info->unfinished_bytes);
    }
}

/* Most bytes first.  */
static int
compare_uses (const void *a, const void *b)
{
  const struct wrapper_use *x = a;
  const struct wrapper_use *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  if (x->blocks != y->blocks)
    return x->blocks > y->blocks ? -1 : 1;
  return strcmp (x->name, y->name);
}

void
wrapper_uses_end (struct wrapper_uses *uses,
		  const struct allocation_wrappers *wrappers)
{
  if (uses->list == NULL)
    return;
  uint32_t strings = heap_profile_string_count (wrappers->profile);
  for (uint32_t i = 1; i < strings; i++)
    if (uses->list[i].kind != WRAPPER_NONE)
      {
	uses->list[i].name = heap_profile_string (wrappers->profile, i);
	uses->list[uses->count++] = uses->list[i];
      }
  if (uses->count > 1)
    qsort (uses->list, uses->count, sizeof *uses->list, compare_uses);
}

/* Add USE to USES, which have room.  */
static void
add_use (struct wrapper_uses *uses, const struct wrapper_use *use)
{
  struct wrapper_use *known = uses->list;
  struct wrapper_use *end = known + uses->count;
  while (known < end && strcmp (known->name, use->name) != 0)
    known++;
  if (known == end)
    {
      *known = *use;
      uses->count++;
      return;
    }
  known->blocks = saturating_add (known->blocks, use->blocks);
  known->bytes = saturating_add (known->bytes, use->bytes);
}

bool
wrapper_uses_merge (struct wrapper_uses *uses, const struct wrapper_uses *from)
{
  struct wrapper_use *list
    = realloc (uses->list, (uses->count + from->count + 1) * sizeof *list);
  if (list == NULL)
    return false;
  uses->list = list;
  for (size_t i = 0; i < from->count; i++)
    add_use (uses, &from->list[i]);
  qsort (list, uses->count, sizeof *list, compare_uses);
  return true;
}

void
wrapper_uses_release (struct wrapper_uses *uses)
{
  free (uses->list);
  *uses = (struct wrapper_uses){ 0 };
}

/* Calling contexts as lists of call addresses.
   SPDX-License-Identifier: GPL-3.0-or-later

   A recursion may be thousands of calls deep.  Removing what is repeated takes
   time, so the path as it was found is kept, too, with the number of what
   remained of it.  Paths are a tree, as most have many calls in common.  */

#include "call-contexts.h"
#include "growing-array.h"
#include <stdlib.h>
#include <string.h>

/* Return true if any of the COUNT elements is the first of a sequence of LENGTH
   that repeats the one before it.  */
static inline __attribute__ ((always_inline)) bool
has_repeat (const unsigned char *all, size_t count, size_t bytes, size_t length)
{
  size_t equal = 0; /* elements in a row */
  for (size_t i = length; i < count && equal < length; i++)
    equal = memcmp (all + (i - length) * bytes, all + i * bytes, bytes) == 0
	      ? equal + 1
	      : 0;
  return equal == length;
}

/* Remove each sequence of LENGTH elements that repeats the one before it.
   Return how many elements are left.  */
static size_t
remove_of_length (unsigned char *all, size_t count, size_t bytes, size_t length)
{
  size_t kept = length;
  size_t at = length;
  while (at < count)
    {
      /* What was read already may be overwritten, but the sequence before AT is
	 needed only until the next one was compared with it.  */
      if (at + length <= count
	  && memcmp (all + (at - length) * bytes, all + at * bytes,
		     length * bytes)
	       == 0)
	{
	  at += length;
	  continue;
	}
      memmove (all + kept * bytes, all + at * bytes, bytes);
      kept++;
      at++;
    }
  return kept;
}

/* repeats_remove of elements of BYTES bytes, a constant.  Few sequences are
   repeated.  */
static inline __attribute__ ((always_inline)) size_t
remove_all (unsigned char *all, size_t count, size_t bytes)
{
  for (size_t length = 1; length <= count / 2; length++)
    if (has_repeat (all, count, bytes, length))
      count = remove_of_length (all, count, bytes, length);
  return count;
}

size_t
repeats_remove (void *elements, size_t count, size_t bytes)
{
  return bytes == 8    ? remove_all (elements, count, 8)
	 : bytes == 12 ? remove_all (elements, count, 12)
		       : remove_all (elements, count, bytes);
}

void
call_contexts_release (struct call_contexts *contexts)
{
  free (contexts->contexts);
  free (contexts->addresses);
  free (contexts->slots.slots);
  free (contexts->paths);
  free (contexts->path_slots.slots);
  free (contexts->calls);
  *contexts = (struct call_contexts){ 0 };
}

/* ---- Hash tables.  */

static uint64_t
mix (uint64_t hash, uint64_t value)
{
  return (hash ^ value) * UINT64_C (0x9e3779b97f4a7c15);
}

static uint32_t
hash_addresses (const uint64_t *addresses, size_t count)
{
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++)
    hash = mix (hash, addresses[i]);
  return (uint32_t) (hash >> 32);
}

static uint32_t
hash_path (uint32_t outer, uint64_t address)
{
  return (uint32_t) (mix (mix (outer, address), outer) >> 32);
}

/* Put NUMBER into the first free slot for HASH.  */
static void
fill_slot (struct call_slots *slots, uint32_t hash, uint32_t number)
{
  uint32_t mask = slots->slot_count - 1;
  uint32_t at = hash & mask;
  while (slots->slots[at] != 0)
    at = (at + 1) & mask;
  slots->slots[at] = number + 1;
}

/* Double the number of slots, all of which are free then, and make room in
 *ELEMENTS, of BYTES bytes each, for half as many.  */
static bool
grow (struct call_slots *slots, void **elements, size_t bytes)
{
  uint32_t count = slots->slot_count > 0 ? 2 * slots->slot_count : 64;
  uint32_t *made = count > 0 ? calloc (count, sizeof *made) : NULL;
  void *grown = made != NULL ? realloc (*elements, count / 2 * bytes) : NULL;
  if (grown == NULL)
    {
      free (made);
      return false;
    }
  *elements = grown;
  free (slots->slots);
  slots->slots = made;
  slots->slot_count = count;
  return true;
}

/* ---- Contexts.  */

/* Make room for one more context.  */
static bool
reserve_context (struct call_contexts *contexts)
{
  void *elements = contexts->contexts;
  if (contexts->count < contexts->slots.slot_count / 2)
    return true;
  bool is_done = grow (&contexts->slots, &elements, sizeof *contexts->contexts);
  contexts->contexts = elements;
  for (uint32_t i = 0; i < contexts->count && is_done; i++)
    fill_slot (&contexts->slots, contexts->contexts[i].hash, i);
  return is_done;
}

/* Return the number of the context with exactly these ADDRESSES.  */
static uint32_t
intern (struct call_contexts *contexts, const uint64_t *addresses, size_t count)
{
  uint32_t hash = hash_addresses (addresses, count);
  if (!reserve_context (contexts))
    return CALL_CONTEXT_NONE;
  const struct call_slots *slots = &contexts->slots;
  uint32_t mask = slots->slot_count - 1;
  for (uint32_t at = hash & mask; slots->slots[at] != 0; at = (at + 1) & mask)
    {
      const struct call_context *found
	= &contexts->contexts[slots->slots[at] - 1];
      if (found->hash == hash && found->count == count
	  && (count == 0
	      || memcmp (&contexts->addresses[found->first], addresses,
			 count * sizeof *addresses)
		   == 0))
	return slots->slots[at] - 1;
    }
  if (!growing_array_reserve (&contexts->addresses, contexts->address_count,
			      &contexts->address_capacity, count + 1,
			      sizeof *addresses))
    return CALL_CONTEXT_NONE;
  if (count > 0)
    memcpy (&contexts->addresses[contexts->address_count], addresses,
	    count * sizeof *addresses);
  contexts->contexts[contexts->count] = (struct call_context){
    .first = contexts->address_count, .count = (uint32_t) count, .hash = hash
  };
  contexts->address_count += count;
  fill_slot (&contexts->slots, hash, contexts->count);
  return contexts->count++;
}

/* ---- Paths.  */

/* Make room for one more path, and the one without calls.  */
static bool
reserve_path (struct call_contexts *contexts)
{
  void *elements = contexts->paths;
  if (contexts->path_count < contexts->path_slots.slot_count / 2)
    return true;
  bool is_done
    = grow (&contexts->path_slots, &elements, sizeof *contexts->paths);
  contexts->paths = elements;
  if (is_done && contexts->path_count == 0)
    contexts->paths[contexts->path_count++]
      = (struct call_path){ .context = CALL_CONTEXT_NONE };
  for (uint32_t i = 1; i < contexts->path_count && is_done; i++)
    fill_slot (&contexts->path_slots,
	       hash_path (contexts->paths[i].outer, contexts->paths[i].address),
	       i);
  return is_done;
}

uint32_t
call_contexts_path (struct call_contexts *contexts, uint32_t outer,
		    uint64_t address)
{
  uint32_t hash = hash_path (outer, address);
  if (!reserve_path (contexts))
    return CALL_CONTEXT_NONE;
  const struct call_slots *slots = &contexts->path_slots;
  uint32_t mask = slots->slot_count - 1;
  for (uint32_t at = hash & mask; slots->slots[at] != 0; at = (at + 1) & mask)
    {
      const struct call_path *found = &contexts->paths[slots->slots[at] - 1];
      if (found->address == address && found->outer == outer)
	return slots->slots[at] - 1;
    }
  contexts->paths[contexts->path_count]
    = (struct call_path){ .address = address,
			  .outer = outer,
			  .depth = contexts->paths[outer].depth + 1,
			  .context = CALL_CONTEXT_NONE };
  fill_slot (&contexts->path_slots, hash, contexts->path_count);
  return contexts->path_count++;
}

/* Return the number of the context of PATH, which is looked for the first
   time.  */
static uint32_t
make_context (struct call_contexts *contexts, uint32_t path)
{
  size_t count = contexts->paths[path].depth;
  if (!growing_array_reserve (&contexts->calls, 0, &contexts->call_capacity,
			      count + 1, sizeof *contexts->calls))
    return CALL_CONTEXT_NONE;
  uint64_t *calls = contexts->calls;
  for (size_t i = count; i-- > 0; path = contexts->paths[path].outer)
    calls[i] = contexts->paths[path].address;
  count = repeats_remove (calls, count, sizeof *calls);
  bool is_long = contexts->has_limit && count > contexts->limit;
  size_t first = is_long ? count - contexts->limit : 0;
  return intern (contexts, calls + first, count - first);
}

uint32_t
call_contexts_find (struct call_contexts *contexts, uint32_t path)
{
  if (!reserve_path (contexts))
    return CALL_CONTEXT_NONE;
  if (contexts->are_paths)
    return path;
  if (contexts->paths[path].context == CALL_CONTEXT_NONE)
    contexts->paths[path].context = make_context (contexts, path);
  return contexts->paths[path].context;
}

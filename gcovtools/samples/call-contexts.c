/* Calling contexts as lists of call addresses.
   SPDX-License-Identifier: GPL-3.0-or-later

   A recursion may be thousands of calls deep.  Removing what is repeated takes
   time, so the list as it was found is kept, too, with the number of what
   remained of it.  */

#include "call-contexts.h"
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
  free (contexts->slots);
  *contexts = (struct call_contexts){ 0 };
}

static uint32_t
hash_addresses (const uint64_t *addresses, size_t count)
{
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ addresses[i]) * UINT64_C (0x9e3779b97f4a7c15);
  return (uint32_t) (hash >> 32);
}

static bool
grow_slots (struct call_contexts *contexts)
{
  uint32_t count = contexts->slot_count > 0 ? 2 * contexts->slot_count : 64;
  uint32_t *slots = calloc (count, sizeof *slots);
  void *grown
    = realloc (contexts->contexts, count / 2 * sizeof *contexts->contexts);
  if (grown != NULL)
    contexts->contexts = grown;
  if (slots == NULL || grown == NULL)
    {
      free (slots);
      return false;
    }
  for (uint32_t i = 0; i < contexts->count; i++)
    {
      uint32_t at = contexts->contexts[i].hash & (count - 1);
      while (slots[at] != 0)
	at = (at + 1) & (count - 1);
      slots[at] = i + 1;
    }
  free (contexts->slots);
  contexts->slots = slots;
  contexts->slot_count = count;
  return true;
}

/* Return the number of the context with exactly these ADDRESSES.  Set *IS_NEW
   to whether it was added.  */
static uint32_t
intern (struct call_contexts *contexts, const uint64_t *addresses, size_t count,
	bool *is_new)
{
  uint32_t hash = hash_addresses (addresses, count);
  *is_new = false;
  if (contexts->count >= contexts->slot_count / 2 && !grow_slots (contexts))
    return CALL_CONTEXT_NONE;
  uint32_t at = hash & (contexts->slot_count - 1);
  for (; contexts->slots[at] != 0; at = (at + 1) & (contexts->slot_count - 1))
    {
      const struct call_context *found
	= &contexts->contexts[contexts->slots[at] - 1];
      if (found->hash == hash && found->count == count
	  && memcmp (&contexts->addresses[found->first], addresses,
		     count * sizeof *addresses)
	       == 0)
	return contexts->slots[at] - 1;
    }
  if (contexts->address_count + count > contexts->address_capacity)
    {
      size_t capacity = 2 * (contexts->address_count + count);
      void *grown = realloc (contexts->addresses, capacity * sizeof *addresses);
      if (grown == NULL)
	return CALL_CONTEXT_NONE;
      contexts->addresses = grown;
      contexts->address_capacity = capacity;
    }
  if (count > 0)
    memcpy (&contexts->addresses[contexts->address_count], addresses,
	    count * sizeof *addresses);
  contexts->contexts[contexts->count]
    = (struct call_context){ .first = contexts->address_count,
			     .count = (uint32_t) count,
			     .shortest = contexts->count,
			     .hash = hash };
  contexts->address_count += count;
  contexts->slots[at] = ++contexts->count;
  *is_new = true;
  return contexts->count - 1;
}

uint32_t
call_contexts_add (struct call_contexts *contexts, const uint64_t *addresses,
		   size_t count)
{
  bool is_new;
  uint32_t number = intern (contexts, addresses, count, &is_new);
  if (number == CALL_CONTEXT_NONE)
    return number;
  bool is_long = contexts->has_limit && count > contexts->limit;
  if (!is_new || (count < 2 && !is_long))
    return contexts->contexts[number].shortest;
  uint64_t *copy = malloc (count * sizeof *copy);
  if (copy == NULL)
    return CALL_CONTEXT_NONE;
  memcpy (copy, addresses, count * sizeof *copy);
  count = repeats_remove (copy, count, sizeof *copy);
  is_long = contexts->has_limit && count > contexts->limit;
  size_t first = is_long ? count - contexts->limit : 0;
  uint32_t shortest = intern (contexts, copy + first, count - first, &is_new);
  free (copy);
  if (shortest != CALL_CONTEXT_NONE)
    contexts->contexts[number].shortest = shortest;
  return shortest;
}

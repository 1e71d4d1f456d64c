/* The counter profile in memory, except names and records.
   SPDX-License-Identifier: GPL-3.0-or-later

   Names and records are in tables whose entries never move.  A hash table
   indexes names by GUID, which serves as the hash; each name has a list of
   records, usually one.  Data of variable size is in an arena: counters, as
   many as the shape has, and the values of a site, which are copied to twice
   the room when they outgrow it.  */

#include "counter-tables.h"
#include <stdlib.h>
#include <string.h>

static hashval_t
hash_binary_id (const void *record)
{
  const struct binary_id *id = record;
  return iterative_hash (id->bytes, id->n, id->n);
}

static int
equal_binary_id (const void *record1, const void *record2)
{
  const struct binary_id *id1 = record1;
  const struct binary_id *id2 = record2;
  return (id1->n == id2->n
	  && (id1->n == 0 || memcmp (id1->bytes, id2->bytes, id1->n) == 0));
}

struct counter_profile *
counter_profile_new (void)
{
  struct counter_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    return NULL;
  record_table_init (&profile->functions, sizeof (struct counter_function));
  record_table_init (&profile->binary_ids, sizeof (struct binary_id));
  record_table_init (&profile->traces, sizeof (struct counter_trace));
  profile->arena = objalloc_create ();
  profile->binary_id_index
    = htab_try_create (10, hash_binary_id, equal_binary_id, NULL);
  if (counter_names_init (profile) && profile->arena
      && profile->binary_id_index)
    return profile;
  counter_profile_free (profile);
  return NULL;
}

void
counter_profile_free (struct counter_profile *profile)
{
  if (!profile)
    return;
  if (profile->binary_id_index)
    htab_delete (profile->binary_id_index);
  if (profile->name_index)
    htab_delete (profile->name_index);
  if (profile->function_index)
    htab_delete (profile->function_index);
  if (profile->arena)
    objalloc_free (profile->arena);
  record_table_free (&profile->traces);
  record_table_free (&profile->binary_ids);
  record_table_free (&profile->functions);
  record_table_free (&profile->names);
  free (profile->scratch);
  free (profile);
}

/* ---- Flags.  */

unsigned int
counter_profile_flags (const struct counter_profile *profile)
{
  return profile->flags;
}

/* Return why counters with FLAGS1 and FLAGS2 cannot be combined; NULL if they
   can.  */
static const char *
find_incompatibility (unsigned int flags1, unsigned int flags2)
{
  unsigned int difference = flags1 ^ flags2;
  if (difference & COUNTER_IR)
    return "front-end and IR counters cannot be combined";
  if (difference & COUNTER_SINGLE_BYTE)
    return "counts and single-byte coverage cannot be "
	   "combined";
  if (difference & COUNTER_ENTRY_ONLY)
    return "function-entry-only counters and full counters "
	   "cannot be combined";
  return NULL;
}

bool
counter_profile_add_flags (struct counter_profile *profile, unsigned int flags,
			   bool has_functions, struct profile_error *err)
{
  if (has_functions && profile->has_kind)
    {
      const char *cause = find_incompatibility (profile->flags, flags);
      if (cause)
	return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET, "%s",
				  cause);
    }
  profile->has_kind |= has_functions;
  profile->flags |= flags;
  return true;
}

/* ---- Build IDs and traces.  */

bool
counter_profile_add_binary_id (struct counter_profile *profile, const void *id,
			       size_t n)
{
  const struct binary_id key = { id, n };
  hashval_t hash = hash_binary_id (&key);
  if (htab_find_with_hash (profile->binary_id_index, &key, hash))
    return true;
  uint8_t *copy = objalloc_alloc (profile->arena, n);
  void **slot = copy ? htab_find_slot_with_hash (profile->binary_id_index, &key,
						 hash, INSERT)
		     : NULL;
  if (!slot)
    return false;
  struct binary_id *record = record_table_add (&profile->binary_ids);
  *slot = record;
  if (!record)
    return false;
  if (n > 0)
    memcpy (copy, id, n);
  *record = (struct binary_id){ copy, n };
  return true;
}

uint32_t
counter_profile_binary_id_count (const struct counter_profile *profile)
{
  return profile->binary_ids.count;
}

const uint8_t *
counter_profile_binary_id (const struct counter_profile *profile,
			   uint32_t index, size_t *n)
{
  const struct binary_id *id = record_table_get (&profile->binary_ids, index);
  *n = id->n;
  return id->bytes;
}

bool
counter_profile_add_trace (struct counter_profile *profile, uint64_t weight,
			   const void *guids, size_t count)
{
  uint64_t *copy = objalloc_alloc (profile->arena, count * sizeof *copy);
  struct counter_trace *trace
    = copy ? record_table_add (&profile->traces) : NULL;
  if (!trace)
    return false;
  if (count > 0)
    memcpy (copy, guids, count * sizeof *copy);
  *trace = (struct counter_trace){ weight, copy, count };
  return true;
}

void
counter_profile_add_stream (struct counter_profile *profile, uint64_t traces)
{
  profile->stream = saturating_add (profile->stream, traces);
}

uint64_t
counter_profile_stream (const struct counter_profile *profile)
{
  return profile->stream;
}

uint32_t
counter_profile_trace_count (const struct counter_profile *profile)
{
  return profile->traces.count;
}

const struct counter_trace *
counter_profile_trace (const struct counter_profile *profile, uint32_t index)
{
  return record_table_get (&profile->traces, index);
}

static int
compare_traces (const void *element1, const void *element2, void *data)
{
  const struct counter_profile *profile = data;
  const struct counter_trace *trace1
    = counter_profile_trace (profile, *(const uint32_t *) element1);
  const struct counter_trace *trace2
    = counter_profile_trace (profile, *(const uint32_t *) element2);
  int order = compare_numbers (trace1->count, trace2->count);
  for (size_t i = 0; i < trace1->count && order == 0; i++)
    order = compare_numbers (trace1->guids[i], trace2->guids[i]);
  return order != 0 ? order : compare_numbers (trace1->weight, trace2->weight);
}

uint32_t *
counter_profile_trace_order (const struct counter_profile *profile)
{
  return record_order (profile->traces.count, compare_traces, profile);
}

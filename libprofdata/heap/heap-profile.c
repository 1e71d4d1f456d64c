/* The heap profile in memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   Three interning tables: strings, frames, and nodes of the context tree.  The
   records of the first two are numbered and never move; a hash table of
   pointers to them finds equal ones.  */

#include "heap-profile.h"
#include "heap-profile-fill.h"
#include "context-table.h"
#include "heap-detail-tables.h"
#include "info-table.h"
#include "large-memory.h"
#include "profile-check.h"
#include "record-table.h"
#include "saturating.h"
#include <libiberty/hashtab.h>
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

struct string
{
  const char *text; /* NUL-terminated; owned by the profile's objalloc, or by
		       the caller during a lookup */
  size_t n;
  uint32_t id;
};

struct frame
{
  struct heap_frame frame;
  uint32_t id;
};

struct heap_profile
{
  struct objalloc *text;
  struct record_table strings;
  struct record_table frames;
  struct context_table contexts;
  struct info_table infos;
  uint32_t *info_numbers;     /* by context: number of its MIB; 0: none */
  uint32_t info_number_count; /* contexts that have an entry in it */
  htab_t string_index;
  htab_t frame_index;
  struct heap_details details;
  struct heap_totals totals;
};

static hashval_t
hash_string (const void *record)
{
  const struct string *string = record;
  return iterative_hash (string->text, string->n, string->n);
}

static int
equal_string (const void *record1, const void *record2)
{
  const struct string *string1 = record1;
  const struct string *string2 = record2;
  return (string1->n == string2->n
	  && (string1->n == 0
	      || memcmp (string1->text, string2->text, string1->n) == 0));
}

static hashval_t
hash_frame (const void *record)
{
  const struct heap_frame *frame = &((const struct frame *) record)->frame;
  const uint32_t words[] = { frame->function_guid,
			     frame->function_guid >> 32,
			     frame->function_name,
			     frame->file,
			     frame->module,
			     frame->line,
			     frame->column,
			     frame->start_line,
			     frame->line_offset,
			     frame->discriminator,
			     frame->build_id,
			     frame->path,
			     frame->address,
			     frame->address >> 32,
			     frame->is_inline * 2u + frame->drop_column };
  return iterative_hash (words, sizeof words, 0);
}

static int
equal_frame (const void *record1, const void *record2)
{
  const struct heap_frame *frame1 = &((const struct frame *) record1)->frame;
  const struct heap_frame *frame2 = &((const struct frame *) record2)->frame;
  return (frame1->function_guid == frame2->function_guid
	  && frame1->function_name == frame2->function_name
	  && frame1->file == frame2->file && frame1->module == frame2->module
	  && frame1->line == frame2->line && frame1->column == frame2->column
	  && frame1->start_line == frame2->start_line
	  && frame1->line_offset == frame2->line_offset
	  && frame1->discriminator == frame2->discriminator
	  && frame1->build_id == frame2->build_id
	  && frame1->path == frame2->path && frame1->address == frame2->address
	  && frame1->is_inline == frame2->is_inline
	  && frame1->drop_column == frame2->drop_column);
}

struct heap_profile *
heap_profile_new (void)
{
  struct heap_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    return NULL;
  record_table_init (&profile->strings, sizeof (struct string));
  record_table_init (&profile->frames, sizeof (struct frame));
  info_table_init (&profile->infos);
  profile->text = objalloc_create ();
  profile->string_index
    = htab_try_create (100, hash_string, equal_string, NULL);
  profile->frame_index = htab_try_create (100, hash_frame, equal_frame, NULL);
  heap_details_init (&profile->details);
  const struct heap_frame unknown = { 0 };
  if (!context_table_init (&profile->contexts) || !profile->text
      || !profile->string_index || !profile->frame_index
      || heap_profile_add_string (profile, "", 0) != 0
      || heap_profile_add_frame (profile, &unknown) != 0)
    {
      heap_profile_free (profile);
      return NULL;
    }
  return profile;
}

static void
free_index (htab_t index)
{
  if (index)
    htab_delete (index);
}

void
heap_profile_free (struct heap_profile *profile)
{
  if (!profile)
    return;
  heap_details_free (&profile->details);
  free_index (profile->frame_index);
  free_index (profile->string_index);
  free (profile->info_numbers);
  info_table_free (&profile->infos);
  context_table_free (&profile->contexts);
  record_table_free (&profile->frames);
  record_table_free (&profile->strings);
  if (profile->text)
    objalloc_free (profile->text);
  free (profile);
}

/* Return the record equal to KEY in INDEX.  If there is none, append a zeroed
   one to TABLE, enter it into INDEX, and set *IS_NEW: the caller must fill it.
   NULL if memory or ids are exhausted.  */
static void *
find_or_add (htab_t index, struct record_table *table, const void *key,
	     hashval_t hash, bool *is_new)
{
  *is_new = false;
  void **slot = htab_find_slot_with_hash (index, key, hash, INSERT);
  if (!slot || *slot)
    return slot ? *slot : NULL;
  *slot = record_table_add (table);
  *is_new = *slot != NULL;
  return *slot;
}

/* Return a copy of the N bytes of TEXT with a terminating NUL, owned by
   PROFILE.  */
static const char *
copy_text (struct heap_profile *profile, const char *text, size_t n)
{
  char *copy = objalloc_alloc (profile->text, n + 1);
  if (!copy)
    return NULL;
  if (n > 0)
    memcpy (copy, text, n);
  copy[n] = '\0';
  return copy;
}

uint32_t
heap_profile_add_string (struct heap_profile *profile, const char *text,
			 size_t n)
{
  const struct string key = { .text = text, .n = n };
  hashval_t hash = hash_string (&key);
  const struct string *known
    = htab_find_with_hash (profile->string_index, &key, hash);
  if (known)
    return known->id;
  const char *copy = copy_text (profile, text, n);
  if (!copy)
    return UINT32_MAX;
  bool is_new;
  struct string *string = find_or_add (profile->string_index, &profile->strings,
				       &key, hash, &is_new);
  if (!string)
    return UINT32_MAX;
  *string = (struct string){ copy, n, profile->strings.count - 1 };
  return string->id;
}

const char *
heap_profile_string (const struct heap_profile *profile, uint32_t id)
{
  const struct string *string = record_table_get (&profile->strings, id);
  return string->text;
}

size_t
heap_profile_string_bytes (const struct heap_profile *profile, uint32_t id)
{
  const struct string *string = record_table_get (&profile->strings, id);
  return string->n;
}

uint32_t
heap_profile_string_count (const struct heap_profile *profile)
{
  return profile->strings.count;
}

uint32_t
heap_profile_add_frame (struct heap_profile *profile,
			const struct heap_frame *frame)
{
  const struct frame key = { .frame = *frame };
  bool is_new;
  struct frame *record = find_or_add (profile->frame_index, &profile->frames,
				      &key, hash_frame (&key), &is_new);
  if (!record)
    return UINT32_MAX;
  if (is_new)
    *record = (struct frame){ *frame, profile->frames.count - 1 };
  return record->id;
}

const struct heap_frame *
heap_profile_frame (const struct heap_profile *profile, uint32_t id)
{
  const struct frame *record = record_table_get (&profile->frames, id);
  return &record->frame;
}

uint32_t
heap_profile_frame_count (const struct heap_profile *profile)
{
  return profile->frames.count;
}

uint32_t
heap_profile_add_context (struct heap_profile *profile, uint32_t caller,
			  uint32_t frame)
{
  return context_table_add (&profile->contexts, caller, frame);
}

uint32_t
heap_profile_append_context (struct heap_profile *profile, uint32_t caller,
			     uint32_t frame)
{
  return context_table_append (&profile->contexts, caller, frame);
}

void
heap_profile_drop_index (struct heap_profile *profile)
{
  context_table_drop_slots (&profile->contexts);
}

uint32_t
heap_profile_context_count (const struct heap_profile *profile)
{
  return profile->contexts.count;
}

bool
heap_profile_reserve_contexts (struct heap_profile *profile, uint64_t count)
{
  return context_table_reserve (&profile->contexts,
				profile->contexts.count + count);
}

const struct context_node *
heap_profile_nodes (const struct heap_profile *profile)
{
  return profile->contexts.nodes;
}

uint32_t
heap_profile_context_caller (const struct heap_profile *profile,
			     uint32_t context)
{
  return profile->contexts.nodes[context].caller;
}

uint32_t
heap_profile_context_frame (const struct heap_profile *profile,
			    uint32_t context)
{
  return profile->contexts.nodes[context].frame;
}

/* Make room for the MIB numbers of all contexts; when growing, of as many
   contexts as there is room for.  */
static bool
need_info_numbers (struct heap_profile *profile, uint32_t context)
{
  if (context < profile->info_number_count)
    return true;
  uint32_t old = profile->info_number_count;
  uint32_t count
    = old == 0 ? profile->contexts.count : profile->contexts.capacity;
  uint32_t *numbers = large_memory_array (count, sizeof *numbers);
  if (!numbers)
    return false;
  if (old > 0)
    memcpy (numbers, profile->info_numbers, old * sizeof *numbers);
  free (profile->info_numbers);
  profile->info_numbers = numbers;
  profile->info_number_count = count;
  return true;
}

bool
heap_profile_has_infos (const struct heap_profile *profile)
{
  return info_table_has_any (&profile->infos);
}

uint32_t *
heap_profile_info_number (struct heap_profile *profile, uint32_t context)
{
  return need_info_numbers (profile, context) ? &profile->info_numbers[context]
					      : NULL;
}

void
heap_profile_adopt_infos (struct heap_profile *profile,
			  struct info_table *infos)
{
  info_table_free (&profile->infos);
  profile->infos = *infos;
  info_table_init (infos);
}

struct memory_info *
heap_profile_new_info (struct heap_profile *profile, uint32_t context)
{
  if (!need_info_numbers (profile, context))
    return NULL;
  return info_table_new (&profile->infos, &profile->info_numbers[context]);
}

bool
heap_profile_add_info (struct heap_profile *profile, uint32_t context,
		       const struct memory_info *info)
{
  struct info_place place = heap_profile_info_place (profile, context);
  if (info_place_is_brief (place))
    {
      struct memory_info sum;
      brief_info_read (info_place_brief (place), &sum);
      memory_info_add (&sum, info);
      return info_table_set (&profile->infos, &profile->info_numbers[context],
			     &sum);
    }
  struct memory_info *own = info_place_long (place);
  if (!own)
    own = heap_profile_new_info (profile, context);
  if (!own)
    return false;
  memory_info_add (own, info);
  return true;
}

struct info_place
heap_profile_info_place (const struct heap_profile *profile, uint32_t context)
{
  const struct heap_profile_infos infos = heap_profile_infos (profile);
  return heap_infos_place (&infos, context);
}

struct heap_profile_infos
heap_profile_infos (const struct heap_profile *profile)
{
  return (struct heap_profile_infos){ &profile->infos, profile->info_numbers,
				      profile->info_number_count };
}

const struct memory_info *
heap_profile_info (const struct heap_profile *profile, uint32_t context)
{
  struct info_place place = heap_profile_info_place (profile, context);
  PROFILE_CHECK (!info_place_is_brief (place));
  return info_place_long (place);
}

void
heap_profile_set_info (struct heap_profile *profile, uint32_t context,
		       const struct memory_info *info)
{
  uint32_t *number = &profile->info_numbers[context];
  PROFILE_CHECK (profile->infos.briefs.count == 0);
  if (info)
    info_table_set (&profile->infos, number, info);
  else
    *number = 0;
}

struct heap_details *
heap_profile_details (struct heap_profile *profile)
{
  return &profile->details;
}

const struct heap_details *
heap_profile_read_details (const struct heap_profile *profile)
{
  return &profile->details;
}

struct heap_totals *
heap_profile_totals (struct heap_profile *profile)
{
  return &profile->totals;
}

const struct heap_totals *
heap_profile_read_totals (const struct heap_profile *profile)
{
  return &profile->totals;
}

void
heap_profile_scale (struct heap_profile *profile, uint64_t weight)
{
  PROFILE_CHECK (profile->infos.briefs.count == 0);
  for (uint32_t i = 0; i < profile->infos.longs.count; i++)
    memory_info_scale (record_table_get (&profile->infos.longs, i), weight);
  heap_details_scale (&profile->details, weight);
  struct heap_totals *totals = &profile->totals;
  uint64_t *const sums[] = { &totals->runs,
			     &totals->incomplete_runs,
			     &totals->running_runs,
			     &totals->unknown_runs,
			     &totals->attached_runs,
			     &totals->sampled_runs,
			     &totals->totals_only_runs,
			     &totals->watched_runs,
			     &totals->overall_runs,
			     &totals->overall_accesses,
			     &totals->dropped_contexts,
			     &totals->truncated_contexts,
			     &totals->unprofiled_allocations,
			     &totals->foreign_frees,
			     &totals->missed_frees,
			     &totals->ended_walks,
			     &totals->folded_contexts,
			     &totals->pruned_contexts,
			     &totals->duration_ns,
			     &totals->timed_runs,
			     &totals->peak_sum,
			     &totals->counted_runs,
			     &totals->counted_bytes,
			     &totals->searched_runs,
			     &totals->refused_runs };
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    *sums[i] = saturating_multiply (*sums[i], weight);
}

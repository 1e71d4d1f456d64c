/* Heap size over time, and the blocks that were live at named moments.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-moments.h"
#include "heap-detail-tables.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

/* ---- Timelines.  */

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int
compare_samples (const struct heap_timeline *a, const struct heap_timeline *b)
{
  int order = compare_numbers (a->count, b->count);
  for (uint32_t i = 0; order == 0 && i < a->count; i++)
    {
      const struct heap_sample *one = &a->samples[i];
      const struct heap_sample *other = &b->samples[i];
      order = compare_numbers (one->end, other->end);
      order = order ? order : compare_numbers (one->max, other->max);
      order = order ? order : compare_numbers (one->mean, other->mean);
    }
  return order;
}

static int
compare_marks (const struct heap_timeline *a, const struct heap_timeline *b)
{
  int order = compare_numbers (a->mark_count, b->mark_count);
  for (uint32_t i = 0; order == 0 && i < a->mark_count; i++)
    {
      const struct heap_timeline_mark *one = &a->marks[i];
      const struct heap_timeline_mark *other = &b->marks[i];
      order = compare_numbers (one->time_ns, other->time_ns);
      order = order ? order : compare_numbers (one->bytes, other->bytes);
      order = order ? order : strcmp (one->label, other->label);
    }
  return order;
}

/* Compare all of A and B, so that the result of merging does not depend on the
   order: positive if A comes first.  */
static int
compare_timelines (const struct heap_timeline *a, const struct heap_timeline *b)
{
  int order = compare_numbers (a->peak_bytes, b->peak_bytes);
  order = order ? order : compare_numbers (a->end_ns, b->end_ns);
  order = order ? order : compare_numbers (a->peak_ns, b->peak_ns);
  order = order ? order : compare_numbers (a->shift, b->shift);
  order = order ? order : compare_samples (a, b);
  return order ? order : compare_marks (a, b);
}

static bool
copy_timeline (struct heap_timeline *copy, const struct heap_timeline *timeline)
{
  *copy = *timeline;
  copy->samples = calloc ((size_t) copy->count + 1, sizeof *copy->samples);
  copy->marks = calloc ((size_t) copy->mark_count + 1, sizeof *copy->marks);
  if (!copy->samples || !copy->marks)
    {
      heap_timeline_free (copy);
      return false;
    }
  if (copy->count > 0)
    memcpy (copy->samples, timeline->samples,
	    copy->count * sizeof *copy->samples);
  if (copy->mark_count > 0)
    memcpy (copy->marks, timeline->marks,
	    copy->mark_count * sizeof *copy->marks);
  return true;
}

bool
heap_details_add_timeline (struct heap_details *details,
			   const struct heap_timeline *timeline)
{
  struct heap_timelines *all = &details->timelines;
  uint32_t place = all->count;
  while (place > 0 && compare_timelines (timeline, &all->of[place - 1]) > 0)
    place--;
  if (place == HEAP_TIMELINES_MAX)
    return true;
  struct heap_timeline copy;
  if (!copy_timeline (&copy, timeline))
    return false;
  if (all->count == HEAP_TIMELINES_MAX)
    heap_timeline_free (&all->of[--all->count]);
  memmove (&all->of[place + 1], &all->of[place],
	   (all->count - place) * sizeof all->of[0]);
  all->of[place] = copy;
  all->count++;
  return true;
}

uint32_t
heap_details_timeline_count (const struct heap_details *details)
{
  return details->timelines.count;
}

const struct heap_timeline *
heap_details_timeline_at (const struct heap_details *details, uint32_t number)
{
  return &details->timelines.of[number];
}

/* ---- Marks.  */

static hashval_t
hash_mark (const void *record)
{
  return htab_hash_string (((const struct heap_mark *) record)->label);
}

static int
equal_mark (const void *record1, const void *record2)
{
  return strcmp (((const struct heap_mark *) record1)->label,
		 ((const struct heap_mark *) record2)->label)
	 == 0;
}

static void
set_label (struct heap_mark *mark, const char *label)
{
  memset (mark->label, 0, sizeof mark->label);
  memcpy (mark->label, label, strnlen (label, sizeof mark->label - 1));
}

uint32_t
heap_details_add_mark (struct heap_details *details, const char *label,
		       uint64_t count, uint64_t first_ns)
{
  struct numbered_mark key
    = { .mark = { .first_ns = first_ns }, .number = details->marks.count };
  bool is_new;
  set_label (&key.mark, label);
  struct numbered_mark *mark
    = heap_details_find_or_add (&details->mark_index, hash_mark, equal_mark,
				&details->marks, &key, &is_new);
  if (!mark)
    return UINT32_MAX;
  if (first_ns < mark->mark.first_ns)
    mark->mark.first_ns = first_ns;
  mark->mark.count = saturating_add (mark->mark.count, count);
  return mark->number;
}

static hashval_t
hash_marked (const void *record)
{
  const struct heap_marked *marked = record;
  return marked->context * 2654435761u + marked->mark * 40503u;
}

static int
equal_marked (const void *record1, const void *record2)
{
  const struct heap_marked *marked1 = record1;
  const struct heap_marked *marked2 = record2;
  return marked1->mark == marked2->mark && marked1->context == marked2->context;
}

bool
heap_details_add_marked (struct heap_details *details,
			 const struct heap_marked *marked)
{
  const struct heap_marked key
    = { .mark = marked->mark, .context = marked->context };
  bool is_new;
  struct heap_marked *known
    = heap_details_find_or_add (&details->marked_index, hash_marked,
				equal_marked, &details->marked, &key, &is_new);
  if (!known)
    return false;
  struct numbered_mark *mark = record_table_get (&details->marks, marked->mark);
  known->blocks = saturating_add (known->blocks, marked->blocks);
  known->bytes = saturating_add (known->bytes, marked->bytes);
  mark->mark.blocks = saturating_add (mark->mark.blocks, marked->blocks);
  mark->mark.bytes = saturating_add (mark->mark.bytes, marked->bytes);
  return true;
}

uint32_t
heap_details_mark_count (const struct heap_details *details)
{
  return details->marks.count;
}

const struct heap_mark *
heap_details_mark_at (const struct heap_details *details, uint32_t number)
{
  const struct numbered_mark *mark = record_table_get (&details->marks, number);
  return &mark->mark;
}

uint32_t
heap_details_find_mark (const struct heap_details *details, const char *label)
{
  for (uint32_t i = 0; i < details->marks.count; i++)
    if (strcmp (heap_details_mark_at (details, i)->label, label) == 0)
      return i;
  return UINT32_MAX;
}

uint32_t
heap_details_marked_count (const struct heap_details *details)
{
  return details->marked.count;
}

const struct heap_marked *
heap_details_marked_at (const struct heap_details *details, uint32_t number)
{
  return record_table_get (&details->marked, number);
}

/* ---- All of them.  */

bool
heap_moments_merge (struct heap_details *details,
		    const struct heap_details *source, const uint32_t *contexts)
{
  bool done = true;
  uint32_t *numbers
    = calloc ((size_t) source->marks.count + 1, sizeof *numbers);
  if (!numbers)
    return false;
  for (uint32_t i = 0; done && i < source->timelines.count; i++)
    done = heap_details_add_timeline (details, &source->timelines.of[i]);
  for (uint32_t i = 0; done && i < source->marks.count; i++)
    {
      const struct heap_mark *mark = heap_details_mark_at (source, i);
      numbers[i] = heap_details_add_mark (details, mark->label, mark->count,
					  mark->first_ns);
      done = numbers[i] != UINT32_MAX;
    }
  for (uint32_t i = 0; done && i < source->marked.count; i++)
    {
      struct heap_marked marked = *heap_details_marked_at (source, i);
      marked.mark = numbers[marked.mark];
      marked.context = contexts[marked.context];
      done = heap_details_add_marked (details, &marked);
    }
  free (numbers);
  return done;
}

void
heap_moments_scale (struct heap_details *details, uint64_t weight)
{
  for (uint32_t i = 0; i < details->marks.count; i++)
    {
      struct numbered_mark *mark = record_table_get (&details->marks, i);
      mark->mark.count = saturating_multiply (mark->mark.count, weight);
      mark->mark.blocks = saturating_multiply (mark->mark.blocks, weight);
      mark->mark.bytes = saturating_multiply (mark->mark.bytes, weight);
    }
  for (uint32_t i = 0; i < details->marked.count; i++)
    {
      struct heap_marked *marked = record_table_get (&details->marked, i);
      marked->blocks = saturating_multiply (marked->blocks, weight);
      marked->bytes = saturating_multiply (marked->bytes, weight);
    }
}

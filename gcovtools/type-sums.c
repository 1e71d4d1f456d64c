/* What a heap profile says of each data type.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "type-sums.h"
#include <stdlib.h>
#include <string.h>

/* Types of more words have no counts of members.  */
#define MAX_WORDS (1u << 20)

void
type_sums_release (struct type_sums *sums)
{
  for (size_t i = 0; i < sums->count; i++)
    free (sums->sums[i].words);
  free (sums->sums);
  *sums = (struct type_sums){ 0 };
}

static uint64_t
words_of (uint64_t bytes)
{
  return bytes / TYPE_WORD_BYTES + (bytes % TYPE_WORD_BYTES != 0);
}

/* The word of an object of TYPE that the WORDth of a block is; UINT64_MAX if
   that is none or cannot be said.  */
static uint64_t
word_of_object (const struct heap_type *type, uint64_t word)
{
  uint64_t start = type->start / TYPE_WORD_BYTES;
  uint64_t count = words_of (type->size);
  if (type->start % TYPE_WORD_BYTES != 0 || word < start)
    return UINT64_MAX;
  word -= start;
  /* In the last word of the first object the next one may begin.  */
  if (type->size % TYPE_WORD_BYTES == 0)
    return word % count;
  return word < count ? word : UINT64_MAX;
}

static bool
add_histogram (struct type_sum *sum, const struct heap_histogram *histogram)
{
  const struct heap_type *type = sum->type;
  sum->histogram_count++;
  if (type == NULL)
    return true;
  if (sum->words == NULL && words_of (type->size) <= MAX_WORDS)
    {
      sum->word_count = words_of (type->size);
      sum->words = calloc (sum->word_count, sizeof *sum->words);
      if (sum->words == NULL)
	return false;
    }
  for (uint32_t i = 0; i < histogram->count; i++)
    {
      uint64_t word = sum->words != NULL ? word_of_object (type, i)
					 : UINT64_MAX;
      if (word == UINT64_MAX)
	sum->elsewhere += histogram->counts[i];
      else
	{
	  sum->words[word] += histogram->counts[i];
	  sum->placed += histogram->counts[i];
	}
    }
  return true;
}

/* A context and its type.  */
struct typed_entry
{
  uint64_t number;
  const struct report_entry *entry;
};

static int
compare_entries (const void *a, const void *b)
{
  const struct typed_entry *x = a;
  const struct typed_entry *y = b;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

static int
compare_sums (const void *a, const void *b, void *data)
{
  const struct type_sum *x = a;
  const struct type_sum *y = b;
  const enum report_sort *sort = data;
  double key1 = report_sort_key (&x->info, *sort);
  double key2 = report_sort_key (&y->info, *sort);
  if (key1 != key2)
    return key1 > key2 ? -1 : 1;
  uint64_t number1 = x->type != NULL ? x->type->number : 0;
  uint64_t number2 = y->type != NULL ? y->type->number : 0;
  return (number1 > number2) - (number1 < number2);
}

/* Add up the COUNT ENTRIES, which are sorted, into SUMS, which has room.  */
static bool
add_entries (struct type_sums *sums, const struct heap_report *report,
	     const struct typed_entry *entries, size_t count)
{
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  for (size_t i = 0; i < count; i++)
    {
      const struct report_entry *entry = entries[i].entry;
      if (i == 0 || entries[i].number != entries[i - 1].number)
	{
	  struct type_sum *sum = &sums->sums[sums->count++];
	  sum->type = heap_details_type (details, entries[i].number);
	  sum->info = entry->info;
	}
      else
	memory_info_add (&sums->sums[sums->count - 1].info, &entry->info);
      struct type_sum *sum = &sums->sums[sums->count - 1];
      const struct heap_histogram *histogram
	= heap_details_histogram (details, entry->context);
      sum->context_count++;
      if (histogram != NULL && !add_histogram (sum, histogram))
	return false;
    }
  return true;
}

bool
type_sums_make (struct type_sums *sums, const struct heap_report *report)
{
  size_t count = report->context_count;
  enum report_sort sort = report->options.sort;
  struct typed_entry *entries = calloc (count + 1, sizeof *entries);
  *sums = (struct type_sums){ .sums = calloc (count + 1, sizeof *sums->sums) };
  bool is_done = entries != NULL && sums->sums != NULL;
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  for (size_t i = 0; is_done && i < count; i++)
    {
      uint64_t number = report->contexts[i].info.data_type_id;
      /* A number that nothing is known of is as none.  */
      bool is_known = heap_details_type (details, number) != NULL;
      entries[i] = (struct typed_entry){ is_known ? number : 0,
					 &report->contexts[i] };
    }
  if (is_done)
    {
      qsort (entries, count, sizeof *entries, compare_entries);
      is_done = add_entries (sums, report, entries, count);
      qsort_r (sums->sums, sums->count, sizeof *sums->sums, compare_sums,
	       &sort);
    }
  free (entries);
  return is_done;
}

/* ---- Members.  */

/* Has the member MEMBER a part of the word WORD?  */
static bool
has_part_of (const struct heap_member *member, uint64_t word)
{
  uint64_t begin = word * TYPE_WORD_BYTES;
  return member->offset < begin + TYPE_WORD_BYTES
	 && (uint64_t) member->offset + member->size > begin;
}

struct member_accesses
type_sum_member (const struct type_sum *sum, uint32_t number)
{
  const struct heap_member *members = sum->type->members;
  const struct heap_member *member = &members[number];
  struct member_accesses accesses = { 0 };
  uint64_t end = words_of ((uint64_t) member->offset + member->size);
  for (uint64_t word = member->offset / TYPE_WORD_BYTES;
       word < end && word < sum->word_count; word++)
    {
      bool is_shared = false;
      for (uint32_t i = 0; i < sum->type->member_count && !is_shared; i++)
	is_shared = i != number && has_part_of (&members[i], word);
      if (is_shared)
	accesses.shared += sum->words[word];
      else
	accesses.own += sum->words[word];
    }
  return accesses;
}

uint64_t
heap_type_hole_bytes (const struct heap_type *type)
{
  uint64_t end = 0;
  uint64_t holes = 0;
  if (type->member_count == 0 || type->kind == HEAP_TYPE_UNION)
    return 0;
  /* Members are in the order of their places, but for those of a base.  */
  for (uint32_t i = 0; i < type->member_count; i++)
    {
      const struct heap_member *member = &type->members[i];
      if (member->offset > end)
	holes += member->offset - end;
      if ((uint64_t) member->offset + member->size > end)
	end = (uint64_t) member->offset + member->size;
    }
  return holes + (type->size - end);
}

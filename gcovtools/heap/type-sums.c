/* Sums and member accesses of each data type in a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "type-sums.h"
#include <stdlib.h>
#include <string.h>

/* Accesses are not counted by member for larger types.  */
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

bool
heap_member_is_open (const struct heap_member *member)
{
  return member->size == 0;
}

bool
heap_type_is_open (const struct heap_type *type)
{
  for (uint32_t i = 0; i < type->member_count; i++)
    if (heap_member_is_open (&type->members[i]))
      return true;
  return false;
}

/* Return true if TYPE ends with an array of one element, the way open-ended
   arrays were declared before C99.  */
static bool
ends_with_one_element (const struct heap_profile *profile,
		       const struct heap_type *type)
{
  if (type->kind != HEAP_TYPE_CLASS || type->member_count == 0)
    return false;
  const struct heap_member *last = &type->members[type->member_count - 1];
  const char *name = heap_profile_string (profile, last->type_name);
  size_t bytes = strlen (name);
  return last->size == last->alignment && bytes >= 2
	 && strcmp (name + bytes - 2, "[]") == 0;
}

/* Return true if blocks of BYTES hold only complete objects of TYPE.  */
static bool
is_whole (const struct heap_type *type, uint64_t bytes)
{
  return bytes >= type->start && (bytes - type->start) % type->size == 0;
}

/* Return true if all blocks of INFO may be arrays of TYPE, judging by the
   minimum, maximum and sum of their sizes.  */
static bool
may_be_arrays (const struct heap_profile *profile, const struct heap_type *type,
	       const struct memory_info *info)
{
  return !ends_with_one_element (profile, type)
	 && (info->alloc_count == 0
	     || (is_whole (type, info->size_bytes.min)
		 && is_whole (type, info->size_bytes.max)
		 && (info->size_bytes.total - info->alloc_count * type->start)
			% type->size
		      == 0));
}

/* Map word WORD of a block to a word of an object of SUM's type.  Return
   UINT64_MAX if it is outside of objects or cannot be mapped.  */
static uint64_t
word_of_object (const struct type_sum *sum, bool may_be_array, uint64_t word)
{
  const struct heap_type *type = sum->type;
  uint64_t start = type->start / TYPE_WORD_BYTES;
  uint64_t count = words_of (type->size);
  if (type->start % TYPE_WORD_BYTES != 0 || word < start)
    return UINT64_MAX;
  word -= start;
  if (word < count)
    return word;
  /* One word stands for everything beyond the class.  */
  if (sum->word_count > count)
    return count;
  /* The next object may start within the last word of the first.  */
  return may_be_array && type->size % TYPE_WORD_BYTES == 0 ? word % count
							   : UINT64_MAX;
}

/* Allocate the words of an object of SUM's type, unless they are too many.  */
static bool
make_words (struct type_sum *sum)
{
  uint64_t count = words_of (sum->type->size);
  if (sum->words != NULL || count > MAX_WORDS)
    return true;
  sum->word_count = count + heap_type_is_open (sum->type);
  sum->words = calloc (sum->word_count, sizeof *sum->words);
  return sum->words != NULL;
}

/* Add HISTOGRAM, of the blocks of ENTRY, to SUM.  */
static bool
add_histogram (struct type_sum *sum, const struct heap_report *report,
	       const struct report_entry *entry,
	       const struct heap_histogram *histogram)
{
  sum->histogram_count++;
  if (sum->type == NULL)
    return true;
  if (!make_words (sum))
    return false;
  bool may_be_array = may_be_arrays (report->profile, sum->type, &entry->info);
  for (uint32_t i = 0; i < histogram->count; i++)
    {
      uint64_t word = sum->words != NULL ? word_of_object (sum, may_be_array, i)
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

/* A context and the number of its type.  */
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

/* Add up the COUNT ENTRIES, sorted by type, in SUMS, which has room for
   them.  */
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
      if (histogram != NULL && !add_histogram (sum, report, entry, histogram))
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
      /* Treat a number without description as no type.  */
      bool is_known = heap_details_type (details, number) != NULL;
      entries[i]
	= (struct typed_entry){ is_known ? number : 0, &report->contexts[i] };
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

/* Return the end of MEMBER.  */
static uint64_t
end_of (const struct heap_member *member)
{
  return heap_member_is_open (member)
	   ? UINT64_MAX
	   : (uint64_t) member->offset + member->size;
}

/* Return true if MEMBER overlaps word WORD.  */
static bool
has_part_of (const struct heap_member *member, uint64_t word)
{
  uint64_t begin = word * TYPE_WORD_BYTES;
  return member->offset < begin + TYPE_WORD_BYTES && end_of (member) > begin;
}

struct member_accesses
type_sum_member (const struct type_sum *sum, uint32_t number)
{
  const struct heap_member *members = sum->type->members;
  const struct heap_member *member = &members[number];
  struct member_accesses accesses = { 0 };
  uint64_t end = words_of (end_of (member));
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
heap_type_end_of_member (const struct heap_type *type, uint32_t number)
{
  uint64_t end = end_of (&type->members[number]);
  return end < type->size ? end : type->size;
}

uint64_t
heap_type_hole_bytes (const struct heap_type *type)
{
  uint64_t end = 0;
  uint64_t holes = 0;
  if (type->member_count == 0 || type->kind == HEAP_TYPE_UNION)
    return 0;
  /* Members are sorted by offset, except those of a base.  */
  for (uint32_t i = 0; i < type->member_count; i++)
    {
      const struct heap_member *member = &type->members[i];
      uint64_t member_end = heap_type_end_of_member (type, i);
      if (member->offset > end)
	holes += member->offset - end;
      if (member_end > end)
	end = member_end;
    }
  return holes + (type->size - end);
}

/* Search for an order of class members that touches fewer cache lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "member-order.h"
#include <stdlib.h>
#include <string.h>

/* A group of members that stay together.  */
struct unit
{
  uint32_t first; /* index of the first, sorted by offset */
  uint32_t count;
  uint64_t offset;
  uint64_t size;
  uint32_t alignment; /* of the first member */
  uint64_t accesses;
  bool stays;
  bool is_last; /* a member extends beyond the class */
};

/* State of the search.  */
struct work
{
  const struct type_sum *sum;
  uint32_t *numbers;	 /* member numbers, sorted by offset */
  uint64_t *new_offsets; /* by member number */
  struct unit *units;
  uint32_t unit_count;
  uint64_t *lines;     /* accesses to each cache line */
  uint64_t line_count; /* room in LINES */
};

void
member_order_release (struct member_order *order)
{
  free (order->members);
  *order = (struct member_order){ 0 };
}

static int
compare_places (const void *a, const void *b, void *data)
{
  uint32_t number1 = *(const uint32_t *) a;
  uint32_t number2 = *(const uint32_t *) b;
  const struct heap_member *members = data;
  uint32_t offset1 = members[number1].offset;
  uint32_t offset2 = members[number2].offset;
  if (offset1 != offset2)
    return offset1 < offset2 ? -1 : 1;
  return (number1 > number2) - (number1 < number2);
}

static uint64_t
round_up (uint64_t number, uint64_t unit)
{
  return (number + unit - 1) / unit * unit;
}

/* Group the members into units.  */
static void
make_units (struct work *work)
{
  const struct heap_type *type = work->sum->type;
  uint64_t end = 0; /* end of the last unit, rounded up to a word */
  for (uint32_t i = 0; i < type->member_count; i++)
    {
      const struct heap_member *member = &type->members[work->numbers[i]];
      uint64_t member_end = (uint64_t) member->offset + member->size;
      if (work->unit_count == 0 || member->offset >= end)
	work->units[work->unit_count++] = (struct unit){
	  .first = i, .offset = member->offset, .alignment = member->alignment
	};
      struct unit *unit = &work->units[work->unit_count - 1];
      unit->count++;
      if (unit->offset + unit->size < member_end)
	unit->size = member_end - unit->offset;
      unit->stays |= member->kind == HEAP_MEMBER_MADE;
      unit->is_last |= heap_member_is_open (member);
      end = round_up (unit->offset + unit->size, TYPE_WORD_BYTES);
    }
  for (uint32_t i = 0; i < work->unit_count; i++)
    {
      struct unit *unit = &work->units[i];
      uint64_t word = unit->offset / TYPE_WORD_BYTES;
      for (; word * TYPE_WORD_BYTES < unit->offset + unit->size; word++)
	unit->accesses += work->sum->words[word];
    }
}

/* Members that must stay come first, then by accesses per byte, then by
   alignment; open-ended members come last.  */
static int
compare_units (const void *a, const void *b)
{
  const struct unit *x = a;
  const struct unit *y = b;
  if (x->stays != y->stays)
    return x->stays ? -1 : 1;
  if (x->is_last != y->is_last)
    return x->is_last ? 1 : -1;
  if (!x->stays && !x->is_last)
    {
      double density1 = (double) x->accesses / (double) x->size;
      double density2 = (double) y->accesses / (double) y->size;
      if (density1 != density2)
	return density1 > density2 ? -1 : 1;
      if (x->alignment != y->alignment)
	return x->alignment > y->alignment ? -1 : 1;
    }
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Lay out the members, unit by unit, as the compiler does.  Return the end of
   the last one.  */
static uint64_t
place_members (struct work *work)
{
  const struct heap_member *members = work->sum->type->members;
  uint64_t end = 0;
  for (uint32_t i = 0; i < work->unit_count; i++)
    for (uint32_t j = 0; j < work->units[i].count; j++)
      {
	uint32_t number = work->numbers[work->units[i].first + j];
	const struct heap_member *member = &members[number];
	uint64_t place = work->units[i].stays
			   ? member->offset
			   : round_up (end, member->alignment);
	work->new_offsets[number] = place;
	if (end < place + member->size)
	  end = place + member->size;
      }
  return end;
}

static int
compare_descending (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a;
  uint64_t y = *(const uint64_t *) b;
  return (x < y) - (x > y);
}

/* Return the smallest number of the COUNT LINES that together have
   CACHE_LINES_PERCENT of all accesses.  Sorts LINES, accesses to each line.  */
static uint32_t
count_lines (uint64_t *lines, uint64_t count)
{
  double total = 0;
  double reached = 0;
  uint32_t needed = 0;
  qsort (lines, count, sizeof *lines, compare_descending);
  for (uint64_t i = 0; i < count; i++)
    total += (double) lines[i];
  while (reached * 100 < total * CACHE_LINES_PERCENT)
    reached += (double) lines[needed++];
  return needed;
}

/* Return the new offset of word WORD of UNIT: that of the first member that
   overlaps it.  */
static uint64_t
new_place (const struct work *work, const struct unit *unit, uint64_t word)
{
  const struct heap_member *members = work->sum->type->members;
  uint64_t begin = word * TYPE_WORD_BYTES;
  uint32_t i = unit->first;
  uint32_t last = unit->first + unit->count - 1;
  const struct heap_member *member = &members[work->numbers[i]];
  while (i < last && (uint64_t) member->offset + member->size <= begin)
    member = &members[work->numbers[++i]];
  return work->new_offsets[work->numbers[i]]
	 + (begin > member->offset ? begin - member->offset : 0);
}

/* Return how many cache lines are touched with the current offsets or, if
   IS_NEW, with the new ones.  */
static uint32_t
lines_of (const struct work *work, bool is_new)
{
  memset (work->lines, 0, work->line_count * sizeof *work->lines);
  for (uint32_t i = 0; i < work->unit_count; i++)
    {
      const struct unit *unit = &work->units[i];
      uint64_t word = unit->offset / TYPE_WORD_BYTES;
      for (; word * TYPE_WORD_BYTES < unit->offset + unit->size; word++)
	{
	  uint64_t place
	    = is_new ? new_place (work, unit, word) : word * TYPE_WORD_BYTES;
	  work->lines[place / CACHE_LINE_BYTES] += work->sum->words[word];
	}
    }
  return count_lines (work->lines, work->line_count);
}

/* Find the order.  */
static void
find (struct work *work, struct member_order *order)
{
  const struct heap_type *type = work->sum->type;
  for (uint32_t i = 0; i < type->member_count; i++)
    work->numbers[i] = i;
  qsort_r (work->numbers, type->member_count, sizeof *work->numbers,
	   compare_places, type->members);
  make_units (work);
  order->lines_before = lines_of (work, false);
  qsort (work->units, work->unit_count, sizeof *work->units, compare_units);
  uint64_t end = place_members (work);
  bool is_open = heap_type_is_open (type);
  if (!is_open)
    order->size = round_up (end, type->alignment > 0 ? type->alignment : 1);
  for (uint32_t i = 0; i < work->unit_count; i++)
    for (uint32_t j = 0; j < work->units[i].count; j++)
      order->members[order->count++] = work->numbers[work->units[i].first + j];
  order->lines_after = order->lines_before;
  if (end / CACHE_LINE_BYTES >= work->line_count)
    return;
  order->lines_after = lines_of (work, true);
  order->is_better = order->lines_after < order->lines_before
		     || (order->lines_after == order->lines_before && !is_open
			 && order->size < type->size);
}

bool
member_order_find (struct member_order *order, const struct type_sum *sum)
{
  const struct heap_type *type = sum->type;
  size_t room = (size_t) type->member_count + 1;
  /* Few orders need more than a few extra words of padding.  */
  uint64_t line_count
    = (type->size + room * 2 * TYPE_WORD_BYTES) / CACHE_LINE_BYTES + 2;
  struct work work = { .sum = sum,
		       .numbers = calloc (room, sizeof *work.numbers),
		       .new_offsets = calloc (room, sizeof *work.new_offsets),
		       .units = calloc (room, sizeof *work.units),
		       .lines = calloc (line_count, sizeof *work.lines),
		       .line_count = line_count };
  *order
    = (struct member_order){ .members = calloc (room, sizeof *order->members) };
  bool is_done = work.numbers != NULL && work.new_offsets != NULL
		 && work.units != NULL && work.lines != NULL
		 && order->members != NULL;
  if (is_done)
    find (&work, order);
  free (work.lines);
  free (work.units);
  free (work.new_offsets);
  free (work.numbers);
  return is_done;
}

/* Frames of interpreted code: lines of functions, each stored once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Two hash tables, in this process only, lead to the records and to the strings
   of the file.  A fork copies them, and the child's file gets the same
   records.  */

#include "interpreted.h"
#include "bytes.h"
#include "room.h"
#include "sys.h"
#include "text.h"

#define FIRST_SLOTS 1024u

/* An open hash table of numbers of records, or of offsets of strings.  0 is
   free: neither the record without names nor the empty string is entered.  */
struct table
{
  uint32_t *slots; /* NULL: none yet */
  uint32_t mask;
  uint32_t used;
};

static struct table frames, strings;

static uint32_t
hash_text (const char *text)
{
  uint32_t hash = 2166136261u;
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * 16777619u;
  return hash ^ hash >> 15;
}

static const char *
string_at (uint64_t offset)
{
  return rt_tables[RT_STRINGS].records + offset;
}

static uint32_t
hash_record (const struct heapprof_raw_interpreted *record)
{
  const uint64_t mixed = (record->function * UINT64_C (0x9e3779b97f4a7c15)
			  ^ record->file * UINT64_C (0xff51afd7ed558ccd))
			 + record->line * UINT64_C (0xc2b2ae3d27d4eb4f)
			 + record->first_line;
  return (uint32_t) (mixed * UINT64_C (0x9e3779b97f4a7c15) >> 32);
}

static uint32_t
hash_of (const struct table *table, uint32_t value)
{
  return table == &strings ? hash_text (string_at (value))
			   : hash_record (rt_interpreted_at (value));
}

static void
insert (struct table *table, uint32_t value)
{
  uint32_t at = hash_of (table, value);
  while (table->slots[at & table->mask] != 0)
    at++;
  table->slots[at & table->mask] = value;
  table->used++;
}

/* Make room for one more entry; return false if memory is exhausted.  */

static bool
prepare (struct table *table)
{
  if (table->slots != NULL && table->used < table->mask / 2)
    return true;
  const struct table old = *table;
  const uint32_t slots = old.slots == NULL ? FIRST_SLOTS : 2 * (old.mask + 1);
  uint32_t *const fresh = sys_map (slots * sizeof *fresh);
  if (fresh == NULL)
    return false;
  *table = (struct table){ .slots = fresh, .mask = slots - 1 };
  if (old.slots == NULL)
    return true;
  for (uint32_t i = 0; i <= old.mask; i++)
    if (old.slots[i] != 0)
      insert (table, old.slots[i]);
  sys_unmap (old.slots, (old.mask + 1) * sizeof *old.slots);
  return true;
}

/* Set *OFFSET to that of TEXT, adding it if it is new; return false if there is
   no space.  */

static bool
find_string (const char *text, uint64_t *offset)
{
  *offset = 0;
  if (*text == '\0')
    return true;
  if (!prepare (&strings))
    return false;
  for (uint32_t at = hash_text (text);; at++)
    {
      const uint32_t known = strings.slots[at & strings.mask];
      if (known == 0)
	break;
      if (text_is (string_at (known), text))
	{
	  *offset = known;
	  return true;
	}
    }
  *offset = rt_raw_add_string (text);
  if (*offset != 0)
    insert (&strings, (uint32_t) *offset);
  return *offset != 0;
}

static bool
are_equal (const struct heapprof_raw_interpreted *a,
	   const struct heapprof_raw_interpreted *b)
{
  return a->function == b->function && a->file == b->file && a->line == b->line
	 && a->first_line == b->first_line;
}

static bool
add_record (const struct heapprof_raw_interpreted *record)
{
  struct heapprof_raw_interpreted *const next = rt_raw_next (RT_INTERPRETED);
  if (next == NULL)
    return false;
  *next = *record;
  rt_raw_commit (RT_INTERPRETED, 1);
  return true;
}

/* Return the number of RECORD; 0 if it is new, and there is no space.  */

static uint32_t
find_record (const struct heapprof_raw_interpreted *record)
{
  if (!prepare (&frames))
    return 0;
  for (uint32_t at = hash_record (record);; at++)
    {
      const uint32_t known = frames.slots[at & frames.mask];
      if (known == 0)
	break;
      if (are_equal (rt_interpreted_at (known), record))
	return known;
    }
  const uint32_t number = rt_record_count (RT_INTERPRETED);
  if (number >= HEAPPROF_RAW_INTERPRETED_MAX || !add_record (record))
    return 0;
  insert (&frames, number);
  return number;
}

uint32_t
rt_interpreted_find (const struct rt_interpreted *frame)
{
  static const struct heapprof_raw_interpreted unnamed;
  struct heapprof_raw_interpreted record
    = { .line = frame->line, .first_line = frame->first_line };
  uint32_t number = 0;
  rt_lock (&rt_raw_lock);
  if (rt_record_count (RT_INTERPRETED) == 0 && !add_record (&unnamed))
    number = UINT32_MAX;
  else if (rt_room_for_names (own_strlen (frame->file)
			      + own_strlen (frame->function) + 2)
	   && find_string (frame->file, &record.file)
	   && find_string (frame->function, &record.function))
    number = find_record (&record);
  rt_unlock (&rt_raw_lock);
  return number;
}

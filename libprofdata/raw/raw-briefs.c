/* Raw profiles: brief MIBs as MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each brief MIB becomes a MIB, numbered after those of the file, or is left
   out if it has grown into one of those.  All references are changed
   accordingly.  */

#include "raw-tables.h"
#include "heapprof/raw-brief.h"
#include <stdlib.h>
#include <string.h>

/* No MIB has this number.  */
#define NO_MIB UINT32_MAX

/* Set *BRIEF and *ORIGIN to what OLD stands for.  */
static void
renew (const struct heapprof_raw_brief_6 *old, struct heapprof_raw_brief *brief,
       struct heapprof_raw_origin *origin)
{
  const unsigned total_bits = HEAPPROF_RAW_BRIEF_TOTAL_BITS_6;
  const uint64_t total_ns = old->lifetime & ((UINT64_C (1) << total_bits) - 1);
  const uint64_t others = old->lifetime >> total_bits;
  const uint64_t first_ns = old->first_alloc & HEAPPROF_RAW_TIME_MASK;
  const uint64_t last_ns = old->last_dealloc & HEAPPROF_RAW_TIME_MASK;
  *origin = (struct heapprof_raw_origin){
    .context = old->context,
    .first_bytes = (uint16_t) (old->last_dealloc >> HEAPPROF_RAW_TIME_BITS),
    .first_alloc = first_ns,
    .first_dealloc = first_ns + old->first_lifetime_ns
  };
  *brief = (struct heapprof_raw_brief){
    .state = old->state,
    .alloc_count = old->alloc_count,
    .count = old->count,
    .number = old->number,
    .lifetime_access_density = old->lifetime_access_density,
    .lifetime = total_ns | (others >> 16) << HEAPPROF_RAW_BRIEF_MORE_USED,
    .min_lifetime = heapprof_raw_brief_word (old->min_lifetime_ns,
					     others & 0xff, others >> 8 & 0xff),
    .max_lifetime
    = heapprof_raw_brief_word (old->max_lifetime_ns, old->migrated_cpu,
			       old->lifetime_overlaps),
    .last_lifetime = heapprof_raw_brief_word (old->last_lifetime_ns,
					      old->alloc_cpu, old->dealloc_cpu),
    .last_dealloc = last_ns
		    | old->first_alloc >> HEAPPROF_RAW_TIME_BITS
					    << HEAPPROF_RAW_TIME_BITS,
    .lifetime_bytes = old->lifetime_bytes
  };
  if (heapprof_raw_brief_is_grown (brief))
    brief->full = old->full;
  else
    {
      brief->size = old->size;
      brief->accesses = old->accesses;
    }
}

bool
raw_briefs_renew (struct raw_tables *tables,
		  const struct heapprof_raw_brief_6 *briefs,
		  struct byte_reader *reader)
{
  uint64_t count = tables->brief_count;
  tables->briefs = calloc (count + 1, sizeof *tables->briefs);
  tables->origins = calloc (count + 1, sizeof *tables->origins);
  if (!tables->briefs || !tables->origins)
    return byte_reader_fail_memory (reader);
  for (uint64_t i = 0; i < count; i++)
    renew (&briefs[i], &tables->briefs[i], &tables->origins[i]);
  return true;
}

/* Make room for the brief MIBs after the others.  MIBs without a moment get one
   that says nothing.  */
static bool
make_room (struct raw_tables *tables, struct byte_reader *reader)
{
  uint64_t count = tables->mib_count + tables->brief_count;
  if (count > HEAPPROF_RAW_BRIEF)
    return byte_reader_fail (reader, 0, "too many MIBs");
  struct heapprof_raw_mib *mibs
    = realloc (tables->mibs, (count + 1) * sizeof *mibs);
  if (!mibs)
    return byte_reader_fail_memory (reader);
  tables->mibs = mibs;
  memset (mibs + tables->mib_count, 0,
	  (tables->brief_count + 1) * sizeof *mibs);
  struct heapprof_raw_moment *moments
    = realloc (tables->moments, (count + 1) * sizeof *moments);
  if (!moments)
    return byte_reader_fail_memory (reader);
  tables->moments = moments;
  for (uint64_t i = tables->moment_count; i <= count; i++)
    moments[i] = (struct heapprof_raw_moment){
      .number = (uint32_t) tables->header.peak_number - 1,
      .temporary = (uint64_t) UINT16_MAX << HEAPPROF_RAW_TEMPORARY_BITS
    };
  return true;
}

/* Return the number that MIB NUMBER of the file has in *TABLES, NO_MIB if there
   is none.  */
static uint32_t
number_of (const struct raw_tables *tables, uint32_t number)
{
  uint32_t index = number & ~HEAPPROF_RAW_BRIEF;
  if (number == index)
    return index < tables->own_mib_count
	       || index >= tables->own_mib_count + tables->brief_count
	     ? index
	     : NO_MIB;
  if (index >= tables->brief_count)
    return NO_MIB;
  const struct heapprof_raw_brief *brief = &tables->briefs[index];
  if (!heapprof_raw_brief_is_grown (brief))
    return tables->own_mib_count + index;
  return brief->full < tables->own_mib_count ? brief->full : NO_MIB;
}

/* MIB INDEX still has the number of the brief one that grows into it.  */
static bool
is_growing (const struct raw_tables *tables, uint32_t index)
{
  return (tables->mibs[index].wide & HEAPPROF_RAW_BRIEF) != 0;
}

/* The same, and the brief one leads to it: it counts.  */
static bool
has_grown (const struct raw_tables *tables, uint32_t index)
{
  return number_of (tables, tables->mibs[index].wide) == index;
}

/* Settle the MIBs that were growing.  Those that count get their wide
   records.  */
static void
settle_growth (struct raw_tables *tables)
{
  for (uint64_t i = 1; i < tables->wide_count; i++)
    {
      uint32_t index = tables->wide[i].mib;
      if (index < tables->own_mib_count && is_growing (tables, index)
	  && has_grown (tables, index))
	tables->mibs[index].wide = i;
    }
  for (uint64_t i = 0; i < tables->own_mib_count; i++)
    {
      struct heapprof_raw_mib *mib = &tables->mibs[i];
      if (!is_growing (tables, i))
	continue;
      if (has_grown (tables, i))
	mib->wide = HEAPPROF_RAW_NO_INDEX;
      else
	memset (mib, 0, sizeof *mib);
    }
}

/* Make room for a wide record of each brief MIB that needs one.  */
static bool
make_wide_room (struct raw_tables *tables, struct byte_reader *reader)
{
  uint64_t count = 0;
  for (uint64_t i = 0; i < tables->brief_count; i++)
    count += heapprof_raw_brief_is_long (&tables->briefs[i]);
  if (count == 0)
    return true;
  /* Number 0 is unused.  */
  count += tables->wide_count > 0 ? tables->wide_count : 1;
  if (count > HEAPPROF_RAW_BRIEF)
    return byte_reader_fail (reader, 0, "too many wide records");
  struct heapprof_raw_wide *wide = realloc (tables->wide, count * sizeof *wide);
  if (!wide)
    return byte_reader_fail_memory (reader);
  tables->wide = wide;
  if (tables->wide_count == 0)
    memset (&wide[tables->wide_count++], 0, sizeof *wide);
  return true;
}

/* Expand brief MIB INDEX.  One that has grown is left out, and is still of its
   context.  */
static void
expand (struct raw_tables *tables, uint32_t index)
{
  const struct heapprof_raw_brief *brief = &tables->briefs[index];
  const struct heapprof_raw_origin *origin = &tables->origins[index];
  uint64_t number = tables->own_mib_count + index;
  struct heapprof_raw_mib *mib = &tables->mibs[number];
  if (heapprof_raw_brief_is_grown (brief))
    {
      mib->context = origin->context;
      return;
    }
  heapprof_raw_brief_expand (brief, origin, mib, &tables->moments[number]);
  if (!heapprof_raw_brief_is_long (brief))
    return;
  mib->wide = tables->wide_count++;
  tables->wide[mib->wide] = (struct heapprof_raw_wide){
    .mib = number, .observations = heapprof_raw_brief_observations (brief, mib)
  };
}

bool
raw_briefs_convert (struct raw_tables *tables, struct byte_reader *reader)
{
  tables->own_mib_count = tables->mib_count;
  if (tables->header.version < HEAPPROF_RAW_VERSION_BRIEFS)
    return true;
  if (!make_room (tables, reader) || !make_wide_room (tables, reader))
    return false;
  settle_growth (tables);
  for (uint64_t i = 0; i < tables->brief_count; i++)
    expand (tables, i);
  for (uint64_t i = 0; i < tables->context_count; i++)
    tables->contexts[i].mib = number_of (tables, tables->contexts[i].mib);
  for (uint64_t i = 0; i < tables->live_count; i++)
    tables->live[i].mib = number_of (tables, tables->live[i].mib);
  for (uint64_t i = 0; i < tables->mapped_marked_count; i++)
    tables->mapped_marked[i].mib
      = number_of (tables, tables->mapped_marked[i].mib);
  tables->mib_count += tables->brief_count;
  tables->moment_count = tables->mib_count;
  return true;
}

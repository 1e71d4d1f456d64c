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

/* A MIB that still has the number of the brief one that grows into it counts if
   that leads to it.  */
static void
settle_growth (struct raw_tables *tables, uint32_t index)
{
  struct heapprof_raw_mib *mib = &tables->mibs[index];
  if ((mib->wide & HEAPPROF_RAW_BRIEF) == 0)
    return;
  if (number_of (tables, mib->wide) == index)
    mib->wide = HEAPPROF_RAW_NO_INDEX;
  else
    memset (mib, 0, sizeof *mib);
}

/* Expand brief MIB INDEX.  One that has grown is left out, and is still of its
   context.  */
static void
expand (struct raw_tables *tables, uint32_t index)
{
  const struct heapprof_raw_brief *brief = &tables->briefs[index];
  uint64_t number = tables->own_mib_count + index;
  if (heapprof_raw_brief_is_grown (brief))
    tables->mibs[number].context = brief->context;
  else
    heapprof_raw_brief_expand (brief, &tables->mibs[number],
			       &tables->moments[number]);
}

bool
raw_briefs_convert (struct raw_tables *tables, struct byte_reader *reader)
{
  tables->own_mib_count = tables->mib_count;
  if (tables->header.version < HEAPPROF_RAW_VERSION)
    return true;
  if (!make_room (tables, reader))
    return false;
  for (uint64_t i = 0; i < tables->own_mib_count; i++)
    settle_growth (tables, i);
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

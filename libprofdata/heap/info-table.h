/* MIBs in two forms: as they are, or short.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_INFO_TABLE_H
#define HEAPPROF_INFO_TABLE_H

#include "brief-info.h"
#include "record-table.h"

/* Where a MIB is stored; it does not move.  All zeros: nowhere.  */
struct info_place
{
  uintptr_t address; /* plus 1 if it is short */
};

static inline struct info_place
info_place_of (const struct memory_info *info)
{
  return (struct info_place){ (uintptr_t) info };
}

static inline bool
info_place_is_known (struct info_place place)
{
  return place.address != 0;
}

static inline bool
info_place_is_brief (struct info_place place)
{
  return (place.address & 1) != 0;
}

static inline const struct brief_info *
info_place_brief (struct info_place place)
{
  return (const struct brief_info *) (place.address - 1);
}

/* Return the MIB at PLACE, which is not short; NULL if that is nowhere.  */
static inline struct memory_info *
info_place_long (struct info_place place)
{
  return (struct memory_info *) place.address;
}

/* Return the MIB at PLACE, NULL if that is nowhere.  If it is short, it is
   converted to *ROOM.  */
static inline const struct memory_info *
info_place_read (struct info_place place, struct memory_info *room)
{
  if (!info_place_is_brief (place))
    return info_place_long (place);
  brief_info_read (info_place_brief (place), room);
  return room;
}

/* The same, but of a short one only what brief_info_read_short says.  */
static inline const struct memory_info *
info_place_read_short (struct info_place place, struct memory_info *room)
{
  if (!info_place_is_brief (place))
    return info_place_long (place);
  brief_info_read_short (info_place_brief (place), room);
  return room;
}

/* Prefetch what info_place_read_short reads.  It must be inlined: GCC omits
   calls of a function that only prefetches.  */
static inline __attribute__ ((always_inline)) void
info_place_prefetch_short (struct info_place place)
{
  const struct memory_info *info = (const struct memory_info *) place.address;
  __builtin_prefetch (&info->alloc_count);
  if (!info_place_is_brief (place))
    /* It may be in the next cache line.  */
    __builtin_prefetch (&info->lifetime_access_density.total);
}

/* Prefetch the MIB at PLACE.  */
static inline __attribute__ ((always_inline)) void
info_place_prefetch (struct info_place place)
{
  const char *bytes = (const char *) place.address;
  size_t count = info_place_is_brief (place) ? sizeof (struct brief_info)
					     : sizeof (struct memory_info);
  for (size_t i = 0; bytes && i < count; i += 64 /* cache line */)
    __builtin_prefetch (bytes + i);
}

/* In the number of a MIB: it is short.  */
#define INFO_TABLE_BRIEF (UINT32_C (1) << 31)

struct info_table
{
  struct record_table longs;  /* struct memory_info */
  struct record_table briefs; /* struct brief_info */
};

void info_table_init (struct info_table *table);
void info_table_free (struct info_table *table);

/* Return true if TABLE has any MIBs.  */
bool info_table_has_any (const struct info_table *table);

/* MIBs have numbers; 0 is that of none.  Append a zeroed MIB, for the caller to
   fill, and store its number in *NUMBER.  NULL if memory or numbers are
   exhausted.  */
struct memory_info *info_table_new (struct info_table *table, uint32_t *number);

/* Append *INFO, in the short form if it has one.  Return its number, 0 if
   memory or numbers are exhausted.  */
uint32_t info_table_add (struct info_table *table,
			 const struct memory_info *info);

/* Return where the MIB with NUMBER is.  */
struct info_place info_table_place (const struct info_table *table,
				    uint32_t number);

/* Replace the MIB with *NUMBER by *INFO.  If that has no short form, but the
   old one had, it gets another number.  Return false if memory or numbers are
   exhausted.  */
bool info_table_set (struct info_table *table, uint32_t *number,
		     const struct memory_info *info);

/* Set the data type of the MIB with NUMBER.  */
void info_table_set_type (struct info_table *table, uint32_t number,
			  uint64_t type);

#endif /* HEAPPROF_INFO_TABLE_H */

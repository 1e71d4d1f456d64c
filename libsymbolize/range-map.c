/* Nested address ranges, flattened for search.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "range-map.h"
#include <stdlib.h>

void
range_map_release (struct range_map *map)
{
  free (map->entries);
  map->entries = NULL;
  map->count = 0;
  map->capacity = 0;
}

bool
range_map_add (struct range_map *map, uint64_t low, uint64_t high,
	       uint32_t depth, uint32_t value)
{
  if (low >= high)
    return true;
  if (map->count == map->capacity)
    {
      size_t capacity = map->capacity > 0 ? 2 * map->capacity : 16;
      void *grown = realloc (map->entries, capacity * sizeof *map->entries);
      if (grown == NULL)
	return false;
      map->entries = grown;
      map->capacity = capacity;
    }
  map->entries[map->count++]
    = (struct range_map_entry){ low, high, depth, value };
  return true;
}

/* Outer ranges come before inner ones that start at the same address.  */
static int
compare_entries (const void *a, const void *b)
{
  const struct range_map_entry *x = a;
  const struct range_map_entry *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  if (x->high != y->high)
    return x->high > y->high ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* The sweep: OPEN is the stack of ranges around CURSOR, innermost last; PIECES
   covers everything before CURSOR.  */
struct sweep
{
  struct range_map_entry *pieces;
  size_t piece_count;
  struct range_map_entry *open;
  size_t open_count;
  uint64_t cursor;
};

/* Assign everything from the cursor up to END to the innermost open range.  */
static void
advance (struct sweep *sweep, uint64_t end)
{
  if (end <= sweep->cursor)
    return;
  struct range_map_entry piece = sweep->open[sweep->open_count - 1];
  piece.low = sweep->cursor;
  piece.high = end;
  sweep->cursor = end;
  struct range_map_entry *last
    = sweep->piece_count > 0 ? &sweep->pieces[sweep->piece_count - 1] : NULL;
  if (last != NULL && last->value == piece.value && last->high == piece.low)
    last->high = piece.high;
  else
    sweep->pieces[sweep->piece_count++] = piece;
}

/* Close the open ranges that end at or before ADDRESS.  */
static void
close_until (struct sweep *sweep, uint64_t address)
{
  while (sweep->open_count > 0)
    {
      uint64_t end = sweep->open[sweep->open_count - 1].high;
      if (end > address)
	break;
      advance (sweep, end);
      sweep->open_count--;
    }
}

/* Shrink PIECES, with room for MAP's capacity, to its count.  */
static struct range_map_entry *
shrink (struct range_map *map, struct range_map_entry *pieces)
{
  void *shrunk = realloc (pieces, map->count * sizeof *pieces);
  if (shrunk == NULL)
    return pieces;
  map->capacity = map->count;
  return shrunk;
}

bool
range_map_seal (struct range_map *map)
{
  if (map->count == 0)
    return true;
  qsort (map->entries, map->count, sizeof *map->entries, compare_entries);

  /* Each range starts at most one piece at its start and leaves at most one
     after its end.  */
  struct sweep sweep = { 0 };
  sweep.pieces = calloc (2 * map->count, sizeof *sweep.pieces);
  sweep.open = calloc (map->count, sizeof *sweep.open);
  if (sweep.pieces == NULL || sweep.open == NULL)
    {
      free (sweep.pieces);
      free (sweep.open);
      return false;
    }
  for (size_t i = 0; i < map->count; i++)
    {
      const struct range_map_entry *entry = &map->entries[i];
      close_until (&sweep, entry->low);
      if (sweep.open_count > 0)
	advance (&sweep, entry->low);
      if (entry->low > sweep.cursor)
	sweep.cursor = entry->low;
      sweep.open[sweep.open_count++] = *entry;
    }
  close_until (&sweep, UINT64_MAX);

  free (sweep.open);
  free (map->entries);
  map->capacity = 2 * map->count;
  map->count = sweep.piece_count;
  map->entries = shrink (map, sweep.pieces);
  return true;
}

const struct range_map_entry *
range_map_piece (const struct range_map *map, uint64_t address)
{
  size_t low = 0;
  size_t high = map->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (map->entries[middle].low <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0 || map->entries[low - 1].high <= address)
    return NULL;
  return &map->entries[low - 1];
}

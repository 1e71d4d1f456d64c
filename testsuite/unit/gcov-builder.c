/* Make gcc's data and notes files for tests.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-builder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_MAGIC 0x67636461
#define NOTES_MAGIC 0x67636e6f
#define FUNCTION_TAG 0x01000000
#define SUMMARY_TAG 0xa1000000

void
gcov_build_u32 (struct gcov_builder *builder, uint32_t value)
{
  if (builder->size + 4 > sizeof builder->data)
    abort ();
  for (int i = 0; i < 4; i++)
    builder->data[builder->size++]
      = value >> 8 * (builder->big_endian ? 3 - i : i);
}

void
gcov_build_u64 (struct gcov_builder *builder, uint64_t value)
{
  gcov_build_u32 (builder, value);
  gcov_build_u32 (builder, value >> 32);
}

void
gcov_build_string (struct gcov_builder *builder, const char *text)
{
  size_t n = strlen (text) + 1;
  size_t padded = builder->major < 12 ? (n + 3) / 4 * 4 : n;
  gcov_build_u32 (builder, builder->major < 12 ? padded / 4 : n);
  memset (builder->data + builder->size, 0, padded);
  memcpy (builder->data + builder->size, text, n);
  builder->size += padded;
}

uint32_t
gcov_build_version (unsigned int major)
{
  return (uint32_t) ('A' + major / 10) << 24 | ('0' + major % 10) << 16
	 | '2' << 8 | '*';
}

void
gcov_build_header (struct gcov_builder *builder, uint32_t magic, uint32_t stamp,
		   uint32_t checksum)
{
  gcov_build_u32 (builder, magic);
  gcov_build_u32 (builder, gcov_build_version (builder->major));
  gcov_build_u32 (builder, stamp);
  if (builder->major >= 12)
    gcov_build_u32 (builder, checksum);
}

void
gcov_build_begin (struct gcov_builder *builder, uint32_t tag)
{
  builder->record = builder->size;
  gcov_build_u32 (builder, tag);
  gcov_build_u32 (builder, 0);
}

void
gcov_build_end (struct gcov_builder *builder)
{
  size_t end = builder->size;
  size_t size = end - builder->record - 8;
  builder->size = builder->record + 4;
  gcov_build_u32 (builder, builder->major < 12 ? size / 4 : size);
  builder->size = end;
}

static uint32_t
counters_tag (unsigned int kind)
{
  return 0x01a10000 + (kind << 17);
}

void
gcov_build_counters (struct gcov_builder *builder, unsigned int kind,
		     const uint64_t *counters, size_t n)
{
  gcov_build_begin (builder, counters_tag (kind));
  for (size_t i = 0; i < n; i++)
    gcov_build_u64 (builder, counters[i]);
  gcov_build_end (builder);
}

void
gcov_build_zeros (struct gcov_builder *builder, unsigned int kind, uint32_t n)
{
  gcov_build_u32 (builder, counters_tag (kind));
  gcov_build_u32 (builder, -(n * (builder->major < 12 ? 2 : 8)));
}

void
gcov_build_function (struct gcov_builder *builder, uint32_t ident,
		     uint32_t lineno_checksum, uint32_t cfg_checksum)
{
  gcov_build_begin (builder, FUNCTION_TAG);
  gcov_build_u32 (builder, ident);
  gcov_build_u32 (builder, lineno_checksum);
  gcov_build_u32 (builder, cfg_checksum);
  gcov_build_end (builder);
}

void
gcov_build_summary (struct gcov_builder *builder, uint32_t runs,
		    uint32_t sum_max)
{
  gcov_build_begin (builder, SUMMARY_TAG);
  gcov_build_u32 (builder, runs);
  gcov_build_u32 (builder, sum_max);
  gcov_build_end (builder);
}

void
gcov_build_notes_function (struct gcov_builder *builder, uint32_t ident,
			   const char *name, const char *file, uint32_t start,
			   uint32_t end, uint32_t blocks)
{
  gcov_build_begin (builder, FUNCTION_TAG);
  gcov_build_u32 (builder, ident);
  gcov_build_u32 (builder, ident + 1);
  gcov_build_u32 (builder, ident + 2);
  gcov_build_string (builder, name);
  gcov_build_u32 (builder, 0);
  gcov_build_string (builder, file);
  gcov_build_u32 (builder, start);
  gcov_build_u32 (builder, 1);
  gcov_build_u32 (builder, end);
  gcov_build_u32 (builder, 2);
  gcov_build_end (builder);
  gcov_build_begin (builder, 0x01410000);
  gcov_build_u32 (builder, blocks);
  gcov_build_end (builder);
}

void
gcov_build_arcs (struct gcov_builder *builder, uint32_t block,
		 const uint32_t *arcs, size_t n)
{
  gcov_build_begin (builder, 0x01430000);
  gcov_build_u32 (builder, block);
  for (size_t i = 0; i < 2 * n; i++)
    gcov_build_u32 (builder, arcs[i]);
  gcov_build_end (builder);
}

void
gcov_build_lines (struct gcov_builder *builder, uint32_t block,
		  const char *file, const uint32_t *lines, size_t n)
{
  gcov_build_begin (builder, 0x01450000);
  gcov_build_u32 (builder, block);
  gcov_build_u32 (builder, 0);
  gcov_build_string (builder, file);
  for (size_t i = 0; i < n; i++)
    gcov_build_u32 (builder, lines[i]);
  gcov_build_u32 (builder, 0);
  gcov_build_u32 (builder, 0);
  gcov_build_end (builder);
}

#define COUNTERS(kind, ...)                                                    \
  gcov_build_counters (builder, kind, (const uint64_t[]){ __VA_ARGS__ },       \
		       sizeof ((const uint64_t[]){ __VA_ARGS__ }) / 8)

void
gcov_build_sample_data (struct gcov_builder *builder, unsigned int major,
			bool big_endian)
{
  *builder = (struct gcov_builder){ .major = major, .big_endian = big_endian };
  gcov_build_header (builder, DATA_MAGIC, 4711, 815);
  gcov_build_summary (builder, 2, 90);
  gcov_build_function (builder, 100, 101, 102);
  COUNTERS (0, 10, 3);
  gcov_build_zeros (builder, 1, 3);
  gcov_build_zeros (builder, 2, 1);
  COUNTERS (3, 9, 2, 31, 4, -UINT64_C (5), 5, 0, 0, -UINT64_C (40), 1, 7, 8);
  COUNTERS (4, 3, 1, 200, 3);
  COUNTERS (5, -UINT64_C (7), 2);
  COUNTERS (6, UINT64_C (0x123456789abcdef0));
  COUNTERS (7, 12);
  if (major >= 14)
    COUNTERS (8, 3, 0);
  if (major >= 15)
    gcov_build_zeros (builder, 9, 2);
  gcov_build_u32 (builder, FUNCTION_TAG);
  gcov_build_u32 (builder, 0);
  gcov_build_function (builder, 200, 201, 202);
  COUNTERS (0, 5, 45);
  gcov_build_counters (builder, 3, NULL, 0);
  gcov_build_counters (builder, 4, NULL, 0);
  gcov_build_zeros (builder, 7, 1);
  gcov_build_function (builder, 300, 301, 302);
  COUNTERS (0, 6);
  gcov_build_function (builder, 400, 401, 402);
  gcov_build_zeros (builder, 0, 1);
  gcov_build_function (builder, 500, 501, 502);
  COUNTERS (0, 9, 8, 1);
  gcov_build_u32 (builder, FUNCTION_TAG);
  gcov_build_u32 (builder, 0);
  gcov_build_u32 (builder, 0);
}

#define ARCS(block, ...)                                                       \
  gcov_build_arcs (builder, block, (const uint32_t[]){ __VA_ARGS__ },          \
		   sizeof ((const uint32_t[]){ __VA_ARGS__ }) / 8)
#define LINES(block, file, ...)                                                \
  gcov_build_lines (builder, block, file, (const uint32_t[]){ __VA_ARGS__ },   \
		    sizeof ((const uint32_t[]){ __VA_ARGS__ }) / 4)

/* Function 100, a diamond, and function 200, a loop whose blocks are all on
   line 22 and which makes 9 iterations each time it is entered.  */
static void
build_branches (struct gcov_builder *builder)
{
  gcov_build_notes_function (builder, 100, "diamond", "a.c", 10, 18, 6);
  ARCS (0, 2, 4);
  ARCS (2, 3, 0, 4, 1);
  ARCS (3, 5, 1);
  ARCS (4, 5, 1);
  ARCS (5, 1, 1);
  LINES (2, "a.c", 10, 11);
  LINES (3, "a.c", 12);
  LINES (4, "a.c", 14);
  LINES (5, "a.c", 18);
  gcov_build_notes_function (builder, 200, "loop", "a.c", 20, 24, 6);
  ARCS (0, 2, 5);
  ARCS (2, 4, 4);
  ARCS (3, 4, 0);
  ARCS (4, 3, 1, 5, 1);
  ARCS (5, 1, 1);
  LINES (2, "a.c", 20, 22);
  LINES (3, "a.c", 22);
  LINES (4, "a.c", 22);
  LINES (5, "a.c", 24);
}

/* Functions 300 and 400, instances of one template, and 500, with a call from
   which an arc leads to a handler.  */
static void
build_others (struct gcov_builder *builder)
{
  for (uint32_t ident = 300; ident <= 400; ident += 100)
    {
      gcov_build_notes_function (builder, ident,
				 ident == 300 ? "twice<int>" : "twice<long>",
				 "a.h", 3, 4, 4);
      ARCS (0, 2, 5);
      ARCS (2, 3, 4);
      ARCS (3, 1, 1);
      LINES (2, "a.h", 3);
      LINES (3, "a.h", 4);
    }
  gcov_build_notes_function (builder, 500, "risk", "a.c", 30, 39, 6);
  ARCS (0, 2, 4);
  ARCS (2, 3, 4, 4, 1, 1, 3);
  ARCS (3, 5, 5);
  ARCS (4, 5, 0);
  ARCS (5, 1, 1);
  LINES (2, "a.c", 30, 32);
  LINES (3, "a.c", 33);
  LINES (4, "a.c", 35);
  LINES (5, "a.c", 39);
}

void
gcov_build_sample_notes (struct gcov_builder *builder, unsigned int major,
			 bool big_endian)
{
  *builder = (struct gcov_builder){ .major = major, .big_endian = big_endian };
  gcov_build_header (builder, NOTES_MAGIC, 4711, 0);
  gcov_build_string (builder, "/build");
  gcov_build_u32 (builder, 1);
  build_branches (builder);
  build_others (builder);
}

/* ---- Units in memory.  */

static unsigned int
next_random (unsigned int *state)
{
  *state = *state * 1103515245 + 12345;
  return *state >> 16;
}

static void *
allocate (size_t n, size_t size)
{
  void *memory = calloc (n + 1, size);
  if (!memory)
    abort ();
  return memory;
}

static void
fill_sites (struct gcov_vector *vector, unsigned int *state)
{
  vector->sites = allocate (vector->count, sizeof *vector->sites);
  for (uint32_t i = 0; i < vector->count; i++)
    {
      struct gcov_site *site = &vector->sites[i];
      site->target_count = next_random (state) % 40;
      site->total = (int) (next_random (state) % 200) - 20;
      site->targets = allocate (site->target_count, sizeof *site->targets);
      for (uint32_t j = 0; j < site->target_count; j++)
	site->targets[j] = (struct gcov_target){ next_random (state) % 50,
						 next_random (state) % 9 };
    }
}

static void
fill_counters (struct gcov_vector *vector, unsigned int *state)
{
  unsigned int form = next_random (state) % 4;
  if (form == 0)
    return;
  vector->counters = allocate (vector->count, sizeof *vector->counters);
  for (uint32_t i = 0; i < vector->count; i++)
    {
      unsigned int chance = next_random (state) % 8;
      vector->counters[i] = next_random (state) % 1000;
      if (form == 1 || chance < 4)
	vector->counters[i] = 0;
      else if (chance == 4)
	vector->counters[i] = INT64_MAX - next_random (state) % 3000;
    }
}

/* Fill FUNCTION, except its position, with random vectors.  SHAPE_STATE
   determines their lengths, and STATE their values.  */
static void
fill_function (struct gcov_function *function, unsigned int *shape_state,
	       unsigned int *state)
{
  static const enum gcov_kind kinds[]
    = { GCOV_KIND_ARCS, GCOV_KIND_TOPN, GCOV_KIND_AVERAGE, GCOV_KIND_TIME };
  function->vector_count = 4;
  function->vectors = allocate (4, sizeof *function->vectors);
  for (int i = 0; i < 4; i++)
    {
      struct gcov_vector *vector = &function->vectors[i];
      vector->kind = kinds[i];
      vector->count = next_random (shape_state) % 12;
      if (gcov_kind_has_sites (kinds[i]))
	fill_sites (vector, state);
      else
	fill_counters (vector, state);
    }
}

struct gcov_unit *
gcov_random_unit (unsigned int shape, unsigned int values)
{
  struct gcov_unit *unit = allocate (1, sizeof *unit);
  unsigned int shape_state = shape * 7919 + 1;
  unsigned int state = values * 104729 + shape;
  char text[40];
  snprintf (text, sizeof text, "dir/unit%u.gcda", shape);
  unit->path = strdup (text);
  unit->version = gcov_build_version (11 + shape % 6);
  unit->stamp = shape + 1;
  unit->is_big_endian = shape % 5 == 4;
  unit->has_summary = true;
  unit->runs = next_random (&state) % 3 + 1;
  unit->sum_max = next_random (&state) * 65536;
  unit->position_count = 3 + shape % 7;
  unit->functions = allocate (unit->position_count, sizeof *unit->functions);
  for (uint32_t i = 0; i < unit->position_count; i++)
    {
      struct gcov_function *function = &unit->functions[unit->function_count];
      unsigned int function_shape = next_random (&shape_state);
      /* A position may have no function in one unit, and another version of the
	 function in another.  */
      if (next_random (&state) % 4 == 0)
	continue;
      fill_function (function, &function_shape, &state);
      function->position = i;
      function->ident = shape * 1000 + i;
      function->lineno_checksum = i;
      function->cfg_checksum = i * 77 + (next_random (&state) % 8 == 0);
      if (next_random (&state) % 2 == 0)
	{
	  snprintf (text, sizeof text, "function%u_%u", shape, i);
	  function->name = strdup (text);
	  function->file = i % 3 == 0 ? NULL : strdup ("file.c");
	}
      unit->function_count++;
    }
  return unit;
}

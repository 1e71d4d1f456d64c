/* Creating a data file (.gcda) from functions that were looked up.
   SPDX-License-Identifier: GPL-3.0-or-later

   The values of call sites are idents of callees.  Idents of local functions
   depend on the location of the object, so each ident that a record in the file
   had is replaced by the current ident of the same function.  Idents of local
   functions of other units are left unchanged.  */

#include "gcov-lookup.h"
#include "gcov-data.h"
#include "gcov-merge.h"
#include "gcov-unit.h"
#include <stdlib.h>

struct translation
{
  uint32_t from;
  uint32_t to;
};

struct translations
{
  struct translation *list; /* malloced, by FROM, each once */
  size_t count;
};

static int
compare_translations (const void *element1, const void *element2)
{
  const struct translation *a = element1;
  const struct translation *b = element2;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

/* Map the old idents of the records of the N PARTS to the new ones.  An ident
   with two translations is left unchanged.  */
static bool
make_translations (struct translations *translations,
		   const struct gcov_lookup_part *parts, size_t n)
{
  size_t most = 0;
  for (size_t i = 0; i < n; i++)
    most += parts[i].count;
  struct translation *list = calloc (most + 1, sizeof *list);
  if (!list)
    return false;
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < parts[i].count; j++)
      list[count++]
	= (struct translation){ parts[i].records[j]->ident, parts[i].ident };
  qsort (list, count, sizeof *list, compare_translations);
  size_t kept = 0;
  for (size_t i = 0; i < count;)
    {
      size_t end = i + 1;
      while (end < count && list[end].from == list[i].from)
	end++;
      if (list[i].to == list[end - 1].to)
	list[kept++] = list[i];
      i = end;
    }
  translations->list = list;
  translations->count = kept;
  return true;
}

static int64_t
translate (const struct translations *translations, int64_t ident)
{
  size_t low = 0;
  size_t high = translations->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (translations->list[middle].from < ident)
	low = middle + 1;
      else
	high = middle;
    }
  if (low < translations->count && translations->list[low].from == ident)
    return translations->list[low].to;
  return ident;
}

static void
translate_callees (const struct translations *translations,
		   struct gcov_function *function)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    {
      struct gcov_vector *vector = &function->vectors[i];
      if (vector->kind != GCOV_KIND_CALL)
	continue;
      for (uint32_t j = 0; j < vector->count; j++)
	for (uint32_t k = 0; k < vector->sites[j].target_count; k++)
	  {
	    struct gcov_target *target = &vector->sites[j].targets[k];
	    target->value = translate (translations, target->value);
	  }
    }
}

/* Remove the empty vectors of FUNCTION, which may be missing in some of its
   records.  */
static void
drop_empty_vectors (struct gcov_function *function)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < function->vector_count; i++)
    if (function->vectors[i].count > 0)
      function->vectors[kept++] = function->vectors[i];
    else
      gcov_vector_clear (&function->vectors[i]);
  function->vector_count = kept;
}

/* Make *UNIT a unit with only RECORD, adapted for PART.  */
static bool
copy_record (struct gcov_unit *unit, const struct gcov_function *record,
	     const struct gcov_lookup_part *part,
	     const struct translations *translations)
{
  *unit = (struct gcov_unit){ .position_count = 1 };
  unit->functions = calloc (1, sizeof *unit->functions);
  if (!unit->functions)
    return false;
  unit->function_count = 1;
  struct gcov_function *function = &unit->functions[0];
  bool done = gcov_function_copy (function, record);
  function->position = 0;
  function->ident = part->ident;
  function->lineno_checksum = part->lineno_checksum;
  if (done)
    {
      drop_empty_vectors (function);
      translate_callees (translations, function);
    }
  return done;
}

static void
clear_unit (struct gcov_unit *unit)
{
  for (uint32_t i = 0; i < unit->function_count; i++)
    gcov_function_clear (&unit->functions[i]);
  free (unit->functions);
}

/* Set *FUNCTION to the sum of the records of PART.  */
static bool
add_records (struct gcov_function *function,
	     const struct gcov_lookup_part *part,
	     const struct translations *translations)
{
  struct gcov_unit sum;
  bool is_saturated = false;
  bool done = copy_record (&sum, part->records[0], part, translations);
  for (size_t i = 1; done && i < part->count; i++)
    {
      struct gcov_unit unit;
      done = (copy_record (&unit, part->records[i], part, translations)
	      && gcov_unit_merge (&sum, &unit, &is_saturated));
      clear_unit (&unit);
    }
  if (done)
    {
      *function = sum.functions[0];
      sum.functions[0] = (struct gcov_function){ 0 };
    }
  clear_unit (&sum);
  return done;
}

bool
gcov_lookup_make_data (struct byte_writer *writer,
		       const struct gcov_lookup_part *parts, size_t n,
		       const struct gcov_unit *head, struct profile_error *err)
{
  struct translations translations = { 0 };
  struct gcov_unit unit = { .version = head->version,
			    .stamp = head->stamp,
			    .is_big_endian = head->is_big_endian,
			    .has_summary = head->has_summary,
			    .runs = head->runs,
			    .sum_max = head->sum_max,
			    .position_count = n };
  unit.functions = calloc (n + 1, sizeof *unit.functions);
  bool done = unit.functions && make_translations (&translations, parts, n);
  for (size_t i = 0; done && i < n; i++)
    {
      done = add_records (&unit.functions[i], &parts[i], &translations);
      unit.functions[i].position = i;
      unit.function_count++;
    }
  done = (done ? gcov_data_serialize (writer, &unit, err)
	       : profile_error_set_memory (err, NULL));
  clear_unit (&unit);
  free (translations.list);
  return done;
}

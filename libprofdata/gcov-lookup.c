/* Looking functions up in gcc's own counters of an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-lookup.h"
#include "gcov-candidates.h"
#include "indexed-profile.h"
#include <stdlib.h>
#include <string.h>

struct gcov_lookup
{
  const char *path;
  struct profile *profile;
  struct gcov_candidate *records; /* malloced; by name, ident; those without
				     name first */
  size_t record_count;
  struct gcov_candidate *candidates; /* malloced, of the last call */
  const struct gcov_function **found; /* malloced, likewise */
  size_t capacity;
};

static const char *
name_of (const struct gcov_candidate *record)
{
  return record->function->name ? record->function->name : "";
}

static int
compare_records (const void *element1, const void *element2)
{
  const struct gcov_candidate *a = element1;
  const struct gcov_candidate *b = element2;
  int order = strcmp (name_of (a), name_of (b));
  if (order != 0)
    return order;
  return ((a->function->ident > b->function->ident)
	  - (a->function->ident < b->function->ident));
}

static bool
make_records (struct gcov_lookup *lookup)
{
  const struct gcov_profile *gcov = lookup->profile->gcov;
  const struct gcov_unit **units = gcov_profile_order (gcov);
  size_t count = 0;
  for (size_t i = 0; units && i < gcov->unit_count; i++)
    count += units[i]->function_count;
  if (units)
    lookup->records = calloc (count + 1, sizeof *lookup->records);
  for (size_t i = 0; lookup->records && i < gcov->unit_count; i++)
    for (uint32_t j = 0; j < units[i]->function_count; j++)
      lookup->records[lookup->record_count++] = (struct gcov_candidate) {
	&units[i]->functions[j], units[i]
      };
  free (units);
  if (!lookup->records)
    return false;
  qsort (lookup->records, count, sizeof *lookup->records, compare_records);
  return true;
}

struct gcov_lookup *
gcov_lookup_open (const char *path, struct profile_error *err)
{
  struct gcov_lookup *lookup = calloc (1, sizeof *lookup);
  bool done = lookup || profile_error_set_memory (err, path);
  if (done)
    {
      lookup->path = path;
      lookup->profile = indexed_profile_read (path, err);
      done = lookup->profile != NULL;
    }
  if (done && !lookup->profile->gcov)
    done = profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "has no counters of gcc");
  if (done && !make_records (lookup))
    done = profile_error_set_memory (err, path);
  if (done)
    return lookup;
  gcov_lookup_close (lookup);
  return NULL;
}

void
gcov_lookup_close (struct gcov_lookup *lookup)
{
  if (!lookup)
    return;
  profile_free (lookup->profile);
  free (lookup->records);
  free (lookup->candidates);
  free (lookup->found);
  free (lookup);
}

void
gcov_lookup_summary (const struct gcov_lookup *lookup, uint32_t *runs,
		     uint32_t *sum_max)
{
  const struct gcov_profile *gcov = lookup->profile->gcov;
  *runs = *sum_max = 0;
  for (size_t i = 0; i < gcov->unit_count; i++)
    {
      const struct gcov_unit *unit = gcov->units[i];
      *runs = unit->runs > *runs ? unit->runs : *runs;
      *sum_max = unit->sum_max > *sum_max ? unit->sum_max : *sum_max;
    }
}

/* The first record that is not before the one that has NAME and IDENT.  */
static size_t
find_first (const struct gcov_lookup *lookup, const char *name, uint32_t ident)
{
  size_t low = 0;
  size_t high = lookup->record_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      const struct gcov_candidate *record = &lookup->records[middle];
      int order = strcmp (name_of (record), name);
      if (order < 0 || (order == 0 && record->function->ident < ident))
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static bool
add_candidate (struct gcov_lookup *lookup, size_t *n,
	       const struct gcov_candidate *record)
{
  if (*n == lookup->capacity)
    {
      size_t capacity = *n + *n / 2 + 8;
      struct gcov_candidate *candidates
	= realloc (lookup->candidates, capacity * sizeof *candidates);
      if (candidates)
	lookup->candidates = candidates;
      const struct gcov_function **found
	= realloc (lookup->found, capacity * sizeof *found);
      if (found)
	lookup->found = found;
      if (!candidates || !found)
	return false;
      lookup->capacity = capacity;
    }
  lookup->candidates[(*n)++] = *record;
  return true;
}

/* Collect the records that have the name of KEY, or its ident and no name.  */
static bool
collect (struct gcov_lookup *lookup, const struct gcov_lookup_key *key,
	 size_t *n)
{
  const struct gcov_candidate *records = lookup->records;
  bool done = true;
  for (size_t i = find_first (lookup, key->name, 0);
       done && i < lookup->record_count
       && strcmp (name_of (&records[i]), key->name) == 0; i++)
    done = add_candidate (lookup, n, &records[i]);
  for (size_t i = find_first (lookup, "", key->ident);
       done && i < lookup->record_count && *name_of (&records[i]) == '\0'
       && records[i].function->ident == key->ident; i++)
    done = add_candidate (lookup, n, &records[i]);
  return done;
}

enum gcov_lookup_result
gcov_lookup_find (struct gcov_lookup *lookup,
		  const struct gcov_lookup_key *key,
		  struct gcov_lookup_found *found, struct profile_error *err)
{
  size_t n = 0;
  if (!collect (lookup, key, &n))
    {
      profile_error_set_memory (err, lookup->path);
      return GCOV_LOOKUP_FAILED;
    }
  enum gcov_lookup_result result
    = gcov_candidates_choose (lookup->candidates, &n, key);
  for (size_t i = 0; i < n; i++)
    lookup->found[i] = lookup->candidates[i].function;
  found->records = lookup->found;
  found->count = n;
  return result;
}

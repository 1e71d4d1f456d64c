/* Choosing among GCC counter records that may belong to a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sequence of filters.  A required filter keeps nothing if no candidate
   passes; a preferred one then keeps all.  */

#include "gcov-candidates.h"
#include "gcov-format.h"
#include "gcov-ident.h"
#include "gcov-names.h"
#include <stdbool.h>
#include <string.h>

typedef bool candidate_test (const struct gcov_candidate *candidate,
			     const struct gcov_lookup_key *key);

/* Keep the candidates that pass TEST.  */
static size_t
demand (struct gcov_candidate *candidates, size_t n,
	const struct gcov_lookup_key *key, candidate_test *test)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (test (&candidates[i], key))
      candidates[kept++] = candidates[i];
  return kept;
}

/* The same, but keep all if none passes.  */
static size_t
prefer (struct gcov_candidate *candidates, size_t n,
	const struct gcov_lookup_key *key, candidate_test *test)
{
  for (size_t i = 0; i < n; i++)
    if (test (&candidates[i], key))
      return demand (candidates, n, key, test);
  return n;
}

static bool
is_of_compiler (const struct gcov_candidate *candidate,
		const struct gcov_lookup_key *key)
{
  return gcov_format_major (candidate->unit->version) == key->major;
}

static bool
has_ident (const struct gcov_candidate *candidate,
	   const struct gcov_lookup_key *key)
{
  return candidate->function->ident == key->ident;
}

static bool
has_lines (const struct gcov_candidate *candidate,
	   const struct gcov_lookup_key *key)
{
  return candidate->function->lineno_checksum == key->lineno_checksum;
}

static bool
has_file (const struct gcov_candidate *candidate,
	  const struct gcov_lookup_key *key)
{
  const char *file = candidate->function->file;
  return file && key->file && strcmp (file, key->file) == 0;
}

static bool
is_public (const struct gcov_candidate *candidate,
	   const struct gcov_lookup_key *key)
{
  return candidate->function->ident == gcov_ident_public (key->name);
}

/* Return true for a separator of paths.  GCC replaces the separators of a path
   by number signs when it makes a file name of it.  */
static bool
is_separator (char c)
{
  return c == '/' || c == '#';
}

static size_t
length_without_suffix (const char *path)
{
  static const char suffix[] = ".gcda";
  size_t n = strlen (path);
  size_t suffix_size = sizeof suffix - 1;
  if (n >= suffix_size && strcmp (path + n - suffix_size, suffix) == 0)
    return n - suffix_size;
  return n;
}

/* Return how many of the last components of the data file paths A and B are
   equal.  */
static size_t
count_common (const char *a, const char *b)
{
  size_t count = 0;
  size_t i = length_without_suffix (a);
  size_t j = length_without_suffix (b);
  bool in_component = false;
  while (i > 0 && j > 0)
    {
      i--;
      j--;
      bool ends = is_separator (a[i]);
      if (ends ? !is_separator (b[j]) : a[i] != b[j])
	return count;
      count += ends && in_component;
      in_component = !ends;
    }
  bool a_begins = i == 0 || is_separator (a[i - 1]);
  bool b_begins = j == 0 || is_separator (b[j - 1]);
  return count + (in_component && a_begins && b_begins);
}

static size_t
count_common_of (const struct gcov_candidate *candidate,
		 const struct gcov_lookup_key *key)
{
  return key->object ? count_common (candidate->unit->path, key->object) : 0;
}

static const char *
last_component (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash ? slash + 1 : path;
}

/* Return true if CANDIDATE is the local function: it has the ident, or the same
   file, or the last parts of the names of its file and its unit are the
   same.  */
static bool
is_local (const struct gcov_candidate *candidate,
	  const struct gcov_lookup_key *key)
{
  if (has_ident (candidate, key))
    return true;
  if (is_public (candidate, key))
    return false;
  if (has_file (candidate, key))
    return true;
  const char *file = candidate->function->file;
  return (file && key->file && count_common_of (candidate, key) > 0
	  && strcmp (last_component (file), last_component (key->file)) == 0);
}

/* Keep the candidates whose units have the most of their paths' last components
   in common with the unit of KEY.  */
static size_t
prefer_near_units (struct gcov_candidate *candidates, size_t n,
		   const struct gcov_lookup_key *key)
{
  size_t most = 0;
  for (size_t i = 0; i < n; i++)
    {
      size_t common = count_common_of (&candidates[i], key);
      most = common > most ? common : most;
    }
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (count_common_of (&candidates[i], key) == most)
      candidates[kept++] = candidates[i];
  return kept;
}

static uint32_t
count_of (const struct gcov_function *function, enum gcov_kind kind)
{
  const struct gcov_vector *vector = gcov_function_vector (function, kind);
  return vector ? vector->count : 0;
}

/* Return true if A and B have the same flow graph and shape.  GCC lists a kind
   that any function of the object counts for all of them, so an empty vector
   means nothing.  */
static bool
are_addable (const struct gcov_function *a, const struct gcov_function *b)
{
  bool equal = a->cfg_checksum == b->cfg_checksum;
  for (unsigned int kind = 0; equal && kind < GCOV_KINDS; kind++)
    equal = count_of (a, kind) == count_of (b, kind);
  return equal;
}

/* Return how much FUNCTION ran.  */
static double
sum_arcs (const struct gcov_function *function)
{
  const struct gcov_vector *arcs
    = gcov_function_vector (function, GCOV_KIND_ARCS);
  double sum = 0;
  for (uint32_t i = 0; arcs && arcs->counters && i < arcs->count; i++)
    sum += arcs->counters[i];
  return sum;
}

/* Return true if A is more likely the function of KEY than B, which has another
   graph.  The checksums make the choice independent of the order.  */
static bool
is_better (const struct gcov_candidate *a, const struct gcov_candidate *b,
	   const struct gcov_lookup_key *key)
{
  size_t a_common = count_common_of (a, key);
  size_t b_common = count_common_of (b, key);
  if (a_common != b_common)
    return a_common > b_common;
  if (has_lines (a, key) != has_lines (b, key))
    return has_lines (a, key);
  double a_sum = sum_arcs (a->function);
  double b_sum = sum_arcs (b->function);
  if (a_sum != b_sum)
    return a_sum > b_sum;
  return a->function->cfg_checksum > b->function->cfg_checksum;
}

/* Keep the candidates with one graph.  */
static size_t
choose_graph (struct gcov_candidate *candidates, size_t n,
	      const struct gcov_lookup_key *key)
{
  const struct gcov_candidate *best = &candidates[0];
  for (size_t i = 1; i < n; i++)
    if (is_better (&candidates[i], best, key))
      best = &candidates[i];
  const struct gcov_function *function = best->function;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (are_addable (candidates[i].function, function))
      candidates[kept++] = candidates[i];
  return kept;
}

enum gcov_lookup_result
gcov_candidates_choose (struct gcov_candidate *candidates, size_t *n,
			const struct gcov_lookup_key *key)
{
  size_t count = *n;
  *n = 0;
  if (count == 0)
    return GCOV_LOOKUP_NOT_FOUND;
  count = demand (candidates, count, key, is_of_compiler);
  if (count == 0)
    return GCOV_LOOKUP_OTHER_COMPILER;
  count
    = demand (candidates, count, key, key->is_public ? is_public : is_local);
  if (count == 0)
    return GCOV_LOOKUP_NOT_FOUND;
  if (!key->is_public)
    count = prefer (candidates, count, key, has_ident);
  if (!key->is_shared)
    {
      count = prefer (candidates, count, key, has_file);
      count = prefer_near_units (candidates, count, key);
      count = prefer (candidates, count, key, has_lines);
    }
  *n = choose_graph (candidates, count, key);
  return GCOV_LOOKUP_FOUND;
}

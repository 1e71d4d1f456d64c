/* Does a context allocate because something grows?
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-growth.h"
#include "advice-limits.h"
#include "function-name.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the C++ library that move data to a larger block: parts of
   linkage names.  The last ones of strings are also called for their first
   block, but only if it is too large for the object itself.  */
static const char *const library_growth[]
  = { "_M_realloc_insert", "_M_realloc_append", "_M_default_append",
      "_M_fill_insert",	   "_M_range_insert",	"_M_insert_aux",
      "_M_reallocate_map", "_M_rehash",		"_M_append",
      "_M_mutate",	   "_M_replace_aux",	"9push_back" };

/* Words of other functions' names.  */
static const char *const growth_words[]
  = { "realloc", "push",    "grow",   "append",
      "resize",	 "enlarge", "extend", "expand" };

/* Who calls reserve knows.  */
static bool
is_reserve (const char *name)
{
  return strstr (name, "7reserve") != NULL || strcmp (name, "reserve") == 0;
}

static bool
has_word (const char *name, const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcasestr (name, words[i]) != NULL)
      return true;
  return false;
}

static bool
says_grows (const char *name)
{
  if (function_name_is_library (name))
    return has_word (name, library_growth,
		     sizeof library_growth / sizeof *library_growth);
  /* Only the name of the function, not those of its classes or parameters.  */
  char *demangled = function_name_demangle (name, false);
  if (demangled == NULL)
    return false;
  const char *last = strrchr (demangled, ':');
  bool does = has_word (last != NULL ? last : demangled, growth_words,
			sizeof growth_words / sizeof *growth_words);
  free (demangled);
  return does;
}

/* Return the linkage name of the outermost function from CONTEXT to SITE that
   grows something; NULL if none does, or the size is reserved.  */
static const char *
growing_function (const struct heap_profile *profile, uint32_t context,
		  uint32_t site)
{
  const char *found = NULL;
  while (context != 0)
    {
      uint32_t id = heap_profile_context_frame (profile, context);
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      const char *name = heap_profile_string (profile, frame->function_name);
      if (is_reserve (name))
	return NULL;
      if (says_grows (name))
	found = name;
      if (context == site)
	break;
      context = heap_profile_context_caller (profile, context);
    }
  return found;
}

/* Return true if the sizes of INFO are those of one chain of growth, or with
   factor 2, of several equal ones.  Set GROWTH's factor and objects.  */
static bool
find_chain (struct growth *growth, const struct memory_info *info)
{
  double count = (double) info->alloc_count;
  double least = (double) info->size_bytes.min;
  double most = (double) info->size_bytes.max;
  double total = (double) info->size_bytes.total;
  double doublings = log2 (most / least);
  double chains = count / (doublings + 1);
  if (doublings >= ADVICE_CHAIN_BLOCKS - 1 && doublings == rint (doublings)
      && chains == rint (chains) && total == chains * (2 * most - least))
    {
      growth->factor = 2;
      growth->objects = chains;
      return true;
    }
  if (count < ADVICE_CHAIN_BLOCKS)
    return false;
  double factor = pow (most / least, 1 / (count - 1));
  double expected = (most * factor - least) / (factor - 1);
  if (factor < ADVICE_CHAIN_LEAST_FACTOR || factor > ADVICE_CHAIN_MOST_FACTOR
      || fabs (total - expected) * 100 > expected * ADVICE_CHAIN_PERCENT)
    return false;
  growth->factor = factor;
  growth->objects = 1;
  return true;
}

/* Return how many blocks of INFO lived at the same time, on average over the
   time that there were any, which cannot be known for several runs.  */
static double
concurrent_blocks (const struct heap_report *report,
		   const struct memory_info *info)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  double ns = report_run_length_ns (report);
  if (totals->runs <= 1 && heap_known_has_times (info)
      && info->last_dealloc_ns > info->first_alloc_ns)
    ns = fmin (ns, (double) (info->last_dealloc_ns - info->first_alloc_ns));
  double blocks = ns > 0 ? (double) info->lifetime_ns.total / ns : 0;
  return fmax (blocks, (double) info->live_count);
}

/* Return how many objects grow at least if each allocates all sizes of INFO,
   from the least to the greatest, by doubling.  */
static double
least_objects (const struct memory_info *info)
{
  double doublings
    = log2 ((double) info->size_bytes.max / (double) info->size_bytes.min);
  return fmax ((double) info->alloc_count / (floor (doublings) + 1), 1);
}

bool
growth_find (struct growth *growth, const struct heap_report *report,
	     uint32_t context, uint32_t site)
{
  const struct memory_info *info = heap_profile_info (report->profile, context);
  *growth = (struct growth){ .function = growing_function (report->profile,
							   context, site) };
  if (!heap_known_has_bounds (info, &info->size_bytes)
      || info->size_bytes.min == 0
      || info->size_bytes.max / info->size_bytes.min < ADVICE_GROWTH_RATIO)
    return false;
  if (find_chain (growth, info))
    return true;
  growth->objects
    = fmin (fmax (concurrent_blocks (report, info), least_objects (info)),
	    (double) info->alloc_count);
  return growth->function != NULL;
}

/* What grew from one heap profile to another, as findings.
   SPDX-License-Identifier: GPL-3.0-or-later

   A finding is about a site, with the changes of all its contexts added up: a
   context that grows because another one at the same place shrinks is none.  */

#include "diff.h"
#include "frame-text.h"
#include "heap-json.h"
#include "plain-frame.h"
#include <stdlib.h>
#include <string.h>

enum
{
  RULE_GROWTH,
  RULE_LIMIT,
  RULES
};

static const struct finding_rule rules[RULES]
  = { [RULE_GROWTH]
      = { .id = "growth",
	  .title = "The heap grew",
	  .meaning = "The second profile has more of the quantity at this "
		     "place than the first one.",
	  .help = "Compare the calling contexts of this place "
		  "with heapprof-gcov diff.",
	  .level = FINDING_WARNING },
      [RULE_LIMIT] = { .id = "limit",
		       .title = "A limit is exceeded",
		       .meaning = "The total of a quantity grew by more than "
				  "--fail-if allows.",
		       .help = "Look at the places that grew most.",
		       .level = FINDING_ERROR } };

/* A site in either profile.  */
struct site
{
  diff_number sums[2];
  diff_number change;
  diff_number most; /* largest growth of one context */
  size_t contexts;
  int side;	    /* the profile of what follows; that with the context
		       that grew most */
  uint32_t context; /* this context */
  uint32_t frame;   /* ID of the site's frame */
};

struct sites
{
  const struct diff_report *report;
  struct heap_profile *common;
  struct site *list; /* by frame in COMMON; malloced */
  size_t capacity;
};

/* Return the site of frame ID of PROFILE in SITES; NULL if memory is
   exhausted.  */
static struct site *
find_site (struct sites *sites, const struct heap_profile *profile, uint32_t id)
{
  uint32_t number = plain_frame_enter (sites->common, profile, id);
  if (number == UINT32_MAX)
    return NULL;
  if (number >= sites->capacity)
    {
      size_t capacity = 2 * ((size_t) number + 8);
      struct site *list = realloc (sites->list, capacity * sizeof *list);
      if (list == NULL)
	return NULL;
      memset (list + sites->capacity, 0,
	      (capacity - sites->capacity) * sizeof *list);
      sites->list = list;
      sites->capacity = capacity;
    }
  return &sites->list[number];
}

/* Add MATCHED to its site.  Return false if memory is exhausted.  */
static bool
add_context (struct sites *sites, const struct matched_context *matched)
{
  const struct diff_report *report = sites->report;
  int side = matched->infos[DIFF_B] != NULL ? DIFF_B : DIFF_A;
  const struct heap_profile *profile = report->pair->profiles[side]->heap;
  uint32_t context = matched->sources[side];
  uint32_t frame = heap_profile_context_frame (
    profile, allocation_wrappers_site (&report->heap->wrappers[side], context));
  struct site *site = find_site (sites, profile, frame);
  if (site == NULL)
    return false;
  for (int i = 0; i < 2; i++)
    site->sums[i]
      += (diff_number) context_measure (matched->infos[i], report->sort);
  diff_number change
    = (diff_number) context_measure (matched->infos[DIFF_B], report->sort)
      - context_measure (matched->infos[DIFF_A], report->sort);
  site->change += change;
  if (site->contexts++ == 0 || change > site->most)
    {
      site->most = change;
      site->side = side;
      site->context = context;
      site->frame = frame;
    }
  return true;
}

/* More growth first; equal ones in the order of their first contexts.  */
static int
compare_sites (const void *a, const void *b)
{
  const struct site *x = a;
  const struct site *y = b;
  if (x->change != y->change)
    return x->change > y->change ? -1 : 1;
  return (x->frame > y->frame) - (x->frame < y->frame);
}

/* Leave only sites that grew, sorted.  Return their number.  */
static size_t
sort_sites (struct sites *sites)
{
  size_t count = 0;
  for (size_t i = 0; i < sites->capacity; i++)
    if (sites->list[i].change > 0)
      sites->list[count++] = sites->list[i];
  if (count > 0)
    qsort (sites->list, count, sizeof *sites->list, compare_sites);
  return count;
}

/* Return NUMBER as JSON, INT64_MAX if it is larger.  */
static json_t *
make_number (diff_number number)
{
  return json_integer (number > INT64_MAX ? INT64_MAX : (json_int_t) number);
}

static json_t *
make_properties (const char *key, const diff_number sums[2], size_t contexts)
{
  return json_pack ("{ss, so, so, so, sI}", "quantity", key, "a",
		    make_number (sums[DIFF_A]), "b", make_number (sums[DIFF_B]),
		    "change", make_number (sums[DIFF_B] - sums[DIFF_A]),
		    "contexts", (json_int_t) contexts);
}

/* Add the finding that SITE, of which NAMES has the frames, has part of the
   growth ALL of all sites that grew.  */
static bool
add_growth (struct finding_list *list, const struct diff_report *report,
	    const struct heap_report *names, const struct site *site,
	    diff_number all)
{
  const char *key = context_measure_name (report->sort);
  const struct heap_profile *profile = names->profile;
  const struct heap_frame *frame = heap_profile_frame (profile, site->frame);
  char text[3][DIFF_NUMBER_BYTES];
  struct finding *finding = finding_list_add (list);
  char *name = frame_name_text (names, frame, false);
  if (finding == NULL || name == NULL)
    {
      free (name);
      return false;
    }
  finding->rule = RULE_GROWTH;
  finding->level = rules[RULE_GROWTH].level;
  finding->file = heap_profile_string (profile, frame->file);
  finding->line = frame->line;
  finding->function = heap_profile_string (profile, frame->function_name);
  finding->report = names;
  finding->context = site->context;
  finding->identity
    = finding_identity (key, profile, site->frame, finding->function);
  finding->rank = (double) (100 * (long double) site->change
			    / (long double) (all > 0 ? all : 1));
  finding->properties = make_properties (key, site->sums, site->contexts);
  if (asprintf (&finding->message,
		"%s of %s grew by %s, from %s to %s, in %zu calling context%s.",
		key, name,
		diff_number_text (text[0], site->change, false, true),
		diff_number_text (text[1], site->sums[DIFF_A], false, true),
		diff_number_text (text[2], site->sums[DIFF_B], false, true),
		site->contexts, site->contexts == 1 ? "" : "s")
      < 0)
    finding->message = NULL;
  free (name);
  return finding->message != NULL && finding->properties != NULL;
}

static bool
add_sites (struct finding_list *list, struct sites *sites,
	   const struct heap_report names[2])
{
  const struct diff_report *report = sites->report;
  diff_number all = 0;
  size_t count = sort_sites (sites);
  for (size_t i = 0; i < count; i++)
    all += sites->list[i].change;
  if (report->top > 0 && report->top < count)
    count = report->top;
  for (size_t i = 0; i < count; i++)
    if (!add_growth (list, report, &names[sites->list[i].side], &sites->list[i],
		     all))
      return false;
  return true;
}

/* Find the sites of REPORT that grew.  */
static bool
find_growth (struct finding_list *list, const struct diff_report *report,
	     const struct heap_report names[2])
{
  const struct diff_heap *heap = report->heap;
  struct sites sites = { .report = report, .common = heap_profile_new () };
  bool is_done = sites.common != NULL;
  for (size_t i = 0; i < heap->match.count && is_done; i++)
    if (heap->is_chosen[i]
	&& diff_context_has (heap, &heap->match.contexts[i],
			     (int) report->sort))
      is_done = add_context (&sites, &heap->match.contexts[i]);
  is_done = is_done && add_sites (list, &sites, names);
  free (sites.list);
  heap_profile_free (sites.common);
  return is_done;
}

/* Add the limits of CASES that are exceeded.  */
static bool
add_limits (struct finding_list *list, const struct limit_cases *cases)
{
  for (size_t i = 0; i < cases->count; i++)
    {
      const struct limit_case *limit = &cases->list[i];
      if (limit->is_within)
	continue;
      struct finding *finding = finding_list_add (list);
      if (finding == NULL)
	return false;
      finding->rule = RULE_LIMIT;
      finding->level = rules[RULE_LIMIT].level;
      finding->identity = finding_identity ("limit", NULL, 0, limit->limit);
      finding->rank = 100;
      finding->message = strdup (limit->message);
      if (finding->message == NULL)
	return false;
    }
  return true;
}

bool
diff_find (struct finding_list *list, const struct diff_report *report,
	   const struct limit_cases *cases, struct heap_report names[2])
{
  *list = (struct finding_list){ .tool = "heapprof-gcov diff",
				 .identity_name = "heapprofGrowth/v1",
				 .rules = rules,
				 .rule_count = RULES,
				 .path = report->pair->paths[DIFF_B] };
  for (int side = 0; side < 2; side++)
    names[side]
      = pair_heap_report (report->pair->profiles[side]->heap, report->options);
  return add_limits (list, cases)
	 && (report->heap == NULL || find_growth (list, report, names));
}

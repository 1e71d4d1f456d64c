/* How allocation sites develop over many profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Profiles are read one after the other, and only a number for each site and
   profile is kept: memory does not depend on their contexts.  Sites are matched
   as in context-match.h.  A site that a profile does not have is told apart
   from one whose number is 0, and from one whose number is unknown.  */

#ifndef HEAPPROF_TREND_H
#define HEAPPROF_TREND_H

#include "context-match.h"
#include "diff.h"
#include "heap-profile.h"
#include "profile-filter.h"
#include "wrapper-uses.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum trend_state
{
  TREND_ABSENT, /* the profile does not have the site */
  TREND_KNOWN,
  TREND_UNKNOWN /* it does not have the quantity */
};

struct trend_value
{
  enum trend_state state;
  uint64_t number;	     /* 0 unless known */
  struct heap_spread spread; /* if it is an estimate */
};

struct trend_run
{
  const char *path;
  char *label;		    /* malloced */
  struct trend_value total; /* of the contexts that filters select */
  uint64_t sites;
  bool is_estimated; /* numbers are sums over samples */
  bool has_samples;
};

struct trend_site
{
  struct trend_value *values; /* by run; malloced; NULL: not a site */
  /* As in the last profile that has the site; malloced.  */
  char *text; /* as in site_text */
  char *function;
  char *file; /* empty: unknown */
  uint32_t line;
  size_t runs;	 /* profiles that have it */
  bool is_known; /* in any run; if not, the next two mean nothing */
  uint64_t most;
  diff_number growth; /* from the first to the last run that is known */
  struct heap_spread growth_spread; /* if that is an estimate */
};

struct trend_options
{
  enum context_measure measure;
  struct profile_filter filter;
  struct wrapper_options wrappers;
  bool demangle;
};

struct trend
{
  struct trend_options options;
  struct trend_run *runs; /* malloced */
  size_t run_count;
  struct heap_profile *common; /* the sites' frames */
  /* The wrappers that contexts show, and what was looked through, as one line
     and as JSON, both malloced: all of the first profile that was added, so
     that sites are the same in all.  */
  struct wrapper_names found;
  char *looked_through;
  json_t *looked_through_json;
  struct trend_site *sites; /* malloced: by frame in COMMON, and after
			       trend_finish sorted */
  size_t site_count;
  size_t capacity;
};

/* Make a trend of COUNT runs without sites.  Return false if memory is
   exhausted; release *TREND in any case.  */
bool trend_make (struct trend *trend, size_t count,
		 const struct trend_options *options);
void trend_release (struct trend *trend);

/* Add PROFILE as run NUMBER.  Names are taken from the first profile with a
   site that is added, so add the newest one first.  Return false if memory is
   exhausted.  */
bool trend_add (struct trend *trend, size_t number,
		struct heap_profile *profile);

/* Find growths and sort the sites by them, the greatest first, after all runs
   were added.  */
void trend_finish (struct trend *trend);

/* Return true if the numbers of a run of TREND are estimates.  */
bool trend_has_margins (const struct trend *trend);

/* ---- Labels.  */

/* Set the labels of all runs of TREND to the names of their files, without
   folders and suffix, or to their paths if names are equal.  Return false if
   memory is exhausted.  */
bool trend_label_names (struct trend *trend);

/* Set the labels to the parts of TEXT, separated by commas.  If their number is
   not that of the runs, print an error in the use of the command and return
   false.  */
bool trend_label_list (struct trend *trend, const char *text);

/* Replace the label of run NUMBER, whose profile is PROFILE, by the start of
   the build ID of the program, if that is known.  Return false if memory is
   exhausted.  */
bool trend_label_build_id (struct trend *trend, size_t number,
			   const struct heap_profile *profile);

/* ---- Printing, of TOP sites, 0: all.  All return false if memory is
   exhausted.  */

bool trend_print_text (const struct trend *trend, size_t top);
bool trend_print_csv (const struct trend *trend, size_t top);
bool trend_print_json (const struct trend *trend, size_t top);

/* Write a page to the file PATH.  On failure print an error and return
   false.  */
bool trend_write_html (const struct trend *trend, size_t top, const char *path);

#endif /* HEAPPROF_TREND_H */

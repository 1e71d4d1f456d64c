/* What `show' prints: the contexts chosen, sorted, and grouped by site.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context's site is its innermost frame that is not the C++ library's: there
   the program asks for memory, through however many layers of containers and
   allocators.  Marks say what is remarkable about a context.  */

#ifndef HEAPPROF_HEAP_REPORT_H
#define HEAPPROF_HEAP_REPORT_H

#include "heap-known.h"
#include "heap-profile.h"
#include "profile-filter.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum report_sort
{
  SORT_BYTES,
  SORT_ACCESSES,
  SORT_COUNT,
  SORT_LIFETIME,
  SORT_DENSITY
};

/* Marks, to be combined.  The thresholds are in the manual too.  */
enum
{
  /* REPORT_HOT_DENSITY accesses a byte or more, and REPORT_HOT_SHARE per cent
     or more of all accesses.  */
  REPORT_HOT = 1,
  /* Fewer than one access for REPORT_COLD_BYTES bytes, in blocks that live, on
     average, REPORT_COLD_SHARE per cent of the run or longer.  */
  REPORT_COLD = 2,
  /* REPORT_LEAK_SHARE per cent or more of the blocks were never freed.  */
  REPORT_LEAK = 4,
  /* As many were live when a process was killed; or, if none was, when the
     profile of one that runs was read.  */
  REPORT_KILLED = 8,
  REPORT_LIVE = 16,
  REPORT_MARKS_END = 32
};

#define REPORT_HOT_DENSITY 10
#define REPORT_HOT_SHARE 1
#define REPORT_COLD_BYTES 2
#define REPORT_COLD_SHARE 10
#define REPORT_LEAK_SHARE 10

struct report_options
{
  enum report_sort sort;
  struct profile_filter filter;
  size_t top; /* 0: all */
  bool demangle;
  bool full; /* print names and contexts in full */
};

/* One context, or the sum of a site's.  */
struct report_entry
{
  struct memory_info info;
  unsigned int marks;
  double sort_key;
  uint32_t context; /* of a site: its first context */
  uint32_t site;    /* frame id */
};

struct report_site
{
  struct report_entry sum;
  size_t first; /* of its contexts in CONTEXTS */
  size_t count;
};

struct heap_report
{
  struct heap_profile *profile; /* not changed */
  struct report_options options;
  /* Those chosen by the options, sorted by site, then by key.  */
  struct report_entry *contexts;
  size_t context_count;
  struct report_site *sites; /* sorted by key */
  size_t site_count;
  struct memory_info total; /* of the whole profile */
  size_t total_contexts;
  struct heap_known known;
  /* Of those that the filters chose, before --top leaves any out.  */
  struct memory_info chosen;
  size_t chosen_contexts;
  /* Contexts with each mark, and their bytes; of a leak the live ones.  */
  size_t marked_contexts[REPORT_MARKS_END];
  uint64_t marked_bytes[REPORT_MARKS_END];
};

/* Make the report of PROFILE, which must outlive it.  False if memory is
   exhausted.  */
bool heap_report_make (struct heap_report *report, struct heap_profile *profile,
		       const struct report_options *options);
void heap_report_release (struct heap_report *report);

/* Sort the contexts by key alone, without regard to sites, and keep no more
   than the options allow.  The sites are void afterwards.  */
void heap_report_flatten (struct heap_report *report);

/* Was REPORT asked for a part of the contexts only?  */
bool heap_report_is_filtered (const struct heap_report *report);

/* The frame id of the site of CONTEXT of PROFILE.  */
uint32_t heap_report_site_of (const struct heap_profile *profile,
			      uint32_t context);

/* How many frames of CONTEXT are inside SITE, the innermost of that id.  */
uint32_t heap_report_site_depth (const struct heap_profile *profile,
				 uint32_t context, uint32_t site);

/* Accesses for each byte of INFO; 0 if there is no byte.  */
double report_density (const struct memory_info *info);

/* Did all runs last longer than the sum of the lengths that are known?  Those
   that were killed, or go on, may have none.  */
bool report_length_is_open (const struct heap_report *report);

/* How long a run took, in nanoseconds: the mean, or the longest lifetime of a
   block where runs were killed or their length is not known.  */
double report_run_length_ns (const struct heap_report *report);

/* What INFO has of what SORT sorts by.  */
double report_sort_key (const struct memory_info *info, enum report_sort sort);

/* What SORT sorts by, in words.  */
const char *report_sort_name (enum report_sort sort);

/* What MARK, a single one, says of a context.  */
const char *report_mark_meaning (unsigned int mark);

/* Mean lifetime of INFO's blocks in nanoseconds; 0 if there are none.  */
double report_mean_lifetime_ns (const struct memory_info *info);

#endif /* HEAPPROF_HEAP_REPORT_H */

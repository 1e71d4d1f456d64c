/* The model behind `show': selected contexts, sorted and grouped by site.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context's site is its innermost frame outside the C++ library and allocator
   wrappers (allocation-wrappers.h): the place where the program requests
   memory, below any layers of containers and allocators.  Marks flag remarkable
   contexts.  */

#ifndef HEAPPROF_HEAP_REPORT_H
#define HEAPPROF_HEAP_REPORT_H

#include "allocation-wrappers.h"
#include "heap-known.h"
#include "heap-profile.h"
#include "placement.h"
#include "profile-filter.h"
#include "wrapper-uses.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum report_sort
{
  SORT_BYTES,
  SORT_ACCESSES,
  SORT_COUNT,
  SORT_LIFETIME,
  SORT_DENSITY,
  SORT_LIVE,
  SORT_PEAK,
  SORT_TEMPORARY,
  SORT_LOST
};

/* Marks, a bit mask.  The manual documents the thresholds too.  */
enum
{
  /* Placement classes (placement.h).  */
  REPORT_HOT = 1,
  REPORT_COLD = 2,
  REPORT_TEMPORARY = 4,
  /* The program had no pointer left to some of the blocks.  */
  REPORT_LEAK = 8,
  /* At least REPORT_LIVE_SHARE percent of the blocks were live when a process
     was killed; or, if none was killed, when the profile of a running process
     was read.  */
  REPORT_KILLED = 16,
  REPORT_LIVE = 32,
  /* At least that share was never freed, in runs in which lost blocks were not
     looked for.  */
  REPORT_AT_EXIT = 64,
  /* Blocks are samples, and these do not tell how many accesses per byte there
     are (heap-spread.h).  */
  REPORT_UNCERTAIN = 128,
  REPORT_MARKS_END = 256
};

#define REPORT_LIVE_SHARE 10

struct report_options
{
  enum report_sort sort;
  struct profile_filter filter;
  struct wrapper_options wrappers;
  size_t top;	  /* 0: all */
  const char *at; /* the moment that was selected (heap-moment.h), or NULL */
  bool demangle;
  bool full; /* print names and contexts in full */
};

/* A context, or the sum of a site's contexts.  */
struct report_entry
{
  struct memory_info info;
  unsigned int marks;
  double sort_key;
  uint32_t context;   /* for a site: its first context */
  uint32_t site;      /* frame id */
  uint32_t site_node; /* of SITE in the context; for a site, in the first */
};

struct report_site
{
  struct report_entry sum;
  size_t first; /* index of its first context in CONTEXTS */
  size_t count;
};

struct heap_report
{
  struct heap_profile *profile; /* not modified */
  struct report_options options;
  /* The selected contexts, sorted by site, then by key.  */
  struct report_entry *contexts;
  size_t context_count;
  struct report_site *sites; /* sorted by key */
  size_t site_count;
  struct memory_info total; /* of the complete profile */
  size_t total_contexts;
  struct heap_known known;
  struct placement_rules placement;
  /* Sum and number of contexts that the filters include, before --top.  */
  struct memory_info chosen;
  size_t chosen_contexts;
  /* Number of contexts with each mark, and their bytes (for leaks, only those
     of lost blocks; for the marks after it, only of live ones).  */
  size_t marked_contexts[REPORT_MARKS_END];
  uint64_t marked_bytes[REPORT_MARKS_END];
  struct allocation_wrappers wrappers;
  struct wrapper_uses looked_through; /* in the contexts, before --top */
};

/* Make the report of PROFILE, which must outlive it.  Return false if memory is
   exhausted.  */
bool heap_report_make (struct heap_report *report, struct heap_profile *profile,
		       const struct report_options *options);
void heap_report_release (struct heap_report *report);

/* Sort the contexts by key alone and keep at most --top of them.  This
   invalidates the sites.  */
void heap_report_flatten (struct heap_report *report);

/* Return true if filters exclude contexts from REPORT.  */
bool heap_report_is_filtered (const struct heap_report *report);

/* Return how many frames of CONTEXT in PROFILE are inside NODE.  */
uint32_t heap_report_depth (const struct heap_profile *profile,
			    uint32_t context, uint32_t node);

/* Accesses per byte of INFO; 0 if it has no bytes.  */
double report_density (const struct memory_info *info);

/* Return true if the total length of all runs is at least the known sum: killed
   and unfinished runs may have no length.  */
bool report_length_is_open (const struct heap_report *report);

/* Return the length of a run in nanoseconds: the mean, or the longest lifetime
   of a block if runs were killed or have no known length.  */
double report_run_length_ns (const struct heap_report *report);

/* Return the key of INFO that SORT sorts by.  */
double report_sort_key (const struct memory_info *info, enum report_sort sort);

/* Return the name of SORT's key for output.  */
const char *report_sort_name (enum report_sort sort);

/* Return the number and the bytes of the blocks of INFO that were lost,
   directly or indirectly.  */
uint64_t report_lost_count (const struct memory_info *info);
uint64_t report_lost_bytes (const struct memory_info *info);

/* Return the name of MARK, a single bit; return its meaning.  */
const char *report_mark_name (unsigned int mark);
const char *report_mark_meaning (unsigned int mark);

/* Mean lifetime of INFO's blocks in nanoseconds; 0 if there are none.  */
double report_mean_lifetime_ns (const struct memory_info *info);

#endif /* HEAPPROF_HEAP_REPORT_H */

/* What LLVM's formats say beside calling contexts and their MIBs: histograms of
   accesses, call sites with their callees, accesses to static data.
   SPDX-License-Identifier: GPL-3.0-or-later

   Few profiles have any of these, so they are kept apart from the contexts.
   Adding what is there already folds it in: associative and commutative, as
   all of a heap profile.  */

#ifndef HEAPPROF_HEAP_DETAILS_H
#define HEAPPROF_HEAP_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Accesses to each 8 bytes of the blocks of a context, from their start.  */
  struct heap_histogram
  {
    uint32_t context;
    uint32_t count;
    uint64_t *counts;
  };

  /* A call site of a function that follows from no context in the profile, or
     whose indirect callees are known.  */
  struct heap_call_site
  {
    uint64_t function_guid;
    uint32_t context; /* its inlined frames below the root */
    uint32_t callee_count;
    uint64_t *callees; /* GUIDs, ascending */
  };

  struct heap_data_location
  {
    uint32_t file; /* string id */
    uint32_t line;
  };

  /* An object of static data: a symbol, or a literal known by its hash.  */
  struct heap_data_access
  {
    uint32_t symbol; /* string id; 0: HASH says what it is */
    bool is_sampled; /* the fields below count */
    bool is_cold;    /* known to have had no accesses */
    uint32_t location_count;
    uint64_t hash;
    uint64_t access_count;
    struct heap_data_location *locations; /* ascending */
  };

  struct heap_details;

  /* Add the N COUNTS elementwise to the histogram of CONTEXT, which becomes as
     long as the longer of the two.  False if memory cannot be had, as below. */
  bool heap_details_add_histogram (struct heap_details *details,
				   uint32_t context, const uint64_t *counts,
				   uint32_t n);

  /* The histogram of CONTEXT, NULL if it has none.  */
  const struct heap_histogram *
  heap_details_histogram (const struct heap_details *details, uint32_t context);

  /* Add *SITE; its callees, in any order, are copied and join those known.  */
  bool heap_details_add_call_site (struct heap_details *details,
				   const struct heap_call_site *site);

  /* Add *ACCESS; its locations, in any order, are copied and join those
     known.  */
  bool heap_details_add_data_access (struct heap_details *details,
				     const struct heap_data_access *access);

  /* How many there are of each.  */
  uint32_t heap_details_histogram_count (const struct heap_details *details);
  uint32_t heap_details_call_site_count (const struct heap_details *details);
  uint32_t heap_details_data_access_count (const struct heap_details *details);

  /* By number, in the order of their adding.  */
  const struct heap_histogram *
  heap_details_histogram_at (const struct heap_details *details,
			     uint32_t number);
  const struct heap_call_site *
  heap_details_call_site_at (const struct heap_details *details,
			     uint32_t number);
  const struct heap_data_access *
  heap_details_data_access_at (const struct heap_details *details,
			       uint32_t number);

  /* Multiply all counts of accesses by WEIGHT; they saturate.  */
  void heap_details_scale (struct heap_details *details, uint64_t weight);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_DETAILS_H */

/* Details of heap profiles besides calling contexts and their MIBs: histograms
   of accesses, call sites with their callees, accesses to static data.
   SPDX-License-Identifier: GPL-3.0-or-later

   Few profiles have any of these, so they are kept separate from contexts.
   Adding an existing item merges the two; like all merging of heap profiles,
   this is associative and commutative.  */

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

  /* A call site that no context of the profile implies, or whose indirect
     callees are known.  */
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

  /* A static data object: a symbol, or a literal identified by its hash.  */
  struct heap_data_access
  {
    uint32_t symbol; /* string id; 0: identified by HASH */
    bool is_sampled; /* the fields below are valid */
    bool is_cold;    /* known to have had no accesses */
    uint32_t location_count;
    uint64_t hash;
    uint64_t access_count;
    struct heap_data_location *locations; /* ascending */
  };

  struct heap_details;

  /* Add the N COUNTS elementwise to the histogram of CONTEXT, which becomes as
     long as the longer of the two.  This and the functions below return false
     if memory is exhausted.  */
  bool heap_details_add_histogram (struct heap_details *details,
				   uint32_t context, const uint64_t *counts,
				   uint32_t n);

  /* Return the histogram of CONTEXT, NULL if it has none.  */
  const struct heap_histogram *
  heap_details_histogram (const struct heap_details *details, uint32_t context);

  /* Add *SITE.  Its callees, in any order, are copied and merged with the known
     ones.  */
  bool heap_details_add_call_site (struct heap_details *details,
				   const struct heap_call_site *site);

  /* Add *ACCESS.  Its locations, in any order, are copied and merged with the
     known ones.  */
  bool heap_details_add_data_access (struct heap_details *details,
				     const struct heap_data_access *access);

  /* Return the number of items of each kind.  */
  uint32_t heap_details_histogram_count (const struct heap_details *details);
  uint32_t heap_details_call_site_count (const struct heap_details *details);
  uint32_t heap_details_data_access_count (const struct heap_details *details);

  /* Return an item by number, in order of addition.  */
  const struct heap_histogram *
  heap_details_histogram_at (const struct heap_details *details,
			     uint32_t number);
  const struct heap_call_site *
  heap_details_call_site_at (const struct heap_details *details,
			     uint32_t number);
  const struct heap_data_access *
  heap_details_data_access_at (const struct heap_details *details,
			       uint32_t number);

  /* Multiply all access counts by WEIGHT; they saturate.  */
  void heap_details_scale (struct heap_details *details, uint64_t weight);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_DETAILS_H */

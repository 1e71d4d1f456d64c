/* Printing of function counters by `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_COUNTERS_H
#define HEAPPROF_SHOW_COUNTERS_H

#include "counter-profile.h"
#include "pattern-list.h"
#include <stdbool.h>

struct counter_options
{
  bool all_functions; /* not only the summary */
  bool counts;	      /* of each function shown */
  bool call_targets;
  bool memop_sizes;
  bool vtables;
  bool binary_ids;
  bool traces;
  bool detailed_summary;
  const struct pattern_list *function; /* functions to show; NULL: none */
};

/* Print COUNTERS as text similar to llvm-profdata's.  Return false if memory is
   exhausted.  */
bool show_counters_text (const struct counter_profile *counters,
			 const struct counter_options *options);

/* Print COUNTERS as a JSON object (heapprof-gcov-show(1) lists the keys).
   Return false if memory is exhausted.  */
bool show_counters_json (const struct counter_profile *counters,
			 const struct counter_options *options);

#endif /* HEAPPROF_SHOW_COUNTERS_H */

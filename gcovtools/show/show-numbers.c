/* Number cells in the tables that `show' prints.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-numbers.h"
#include "context-match.h"
#include <string.h>

uint64_t
show_blocks (const struct memory_info *info)
{
  return context_measure (info, CONTEXT_ALLOCATIONS);
}

double
show_bytes (const struct memory_info *info)
{
  return (double) info->size_bytes.total + (double) info->unfinished_bytes;
}

const char *
lifetime_text (char *text, const struct heap_report *report,
	       const struct memory_info *info)
{
  if (!report->known.has_runs && info->lifetime_ns.total == 0)
    return strcpy (text, "<1 ms");
  return time_text (text, report_mean_lifetime_ns (info));
}

bool
show_numbers (struct table *table, const struct heap_report *report,
	      const struct memory_info *info)
{
  char text[NUMBER_TEXT_BYTES];
  double counted = (double) info->alloc_count - (double) info->uncounted_count;
  double blocks = (double) show_blocks (info);
  bool has_blocks = info->alloc_count > 0;
  bool has_accesses = heap_known_counts (&report->known, info);
  bool has_use = report->known.has_utilization && memory_info_is_counted (info);
  return table_add (table, number_text (text, show_blocks (info)))
	 && table_add (table, bytes_text (text, show_bytes (info)))
	 && table_add (table, blocks > 0
				? bytes_text (text, show_bytes (info) / blocks)
				: "-")
	 && table_add (table, has_accesses
				? number_text (text, info->access_count.total)
				: "-")
	 && table_add (table, has_accesses
				? ratio_text (text, report_density (info))
				: "-")
	 && table_add (table,
		       has_blocks ? lifetime_text (text, report, info) : "-")
	 && table_add (table,
		       has_use
			 ? percent_text (text, (double) info
						   ->utilization_percent.total
						 / counted)
			 : "-")
	 && table_add (table,
		       report->known.has_runs
			 ? number_text (text,
					context_measure (info,
							 CONTEXT_LIVE_BLOCKS))
			 : "-");
}

/* How far the numbers of samples may be off, as one line of text for formats
   that have a place for it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "heap-spread.h"
#include "table.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Append NAME and the margin of VARIANCE to the text of BYTES bytes at TO, and
   return the end of that.  */
static size_t
append_margin (char *to, size_t length, size_t bytes, const char *name,
	       const char *margin)
{
  int added = snprintf (to + length, bytes - length, "%s %s", name, margin);
  return length + (size_t) added;
}

bool
export_margins (const struct export_input *input, char *text)
{
  const struct heap_report *report = input->report;
  const struct heap_totals *totals = heap_profile_read_totals (report->profile);
  const struct memory_info *chosen = &report->chosen;
  double margins[HEAP_ESTIMATES];
  char number[NUMBER_TEXT_BYTES];
  if (!report->known.has_samples)
    return false;
  for (int k = 0; k < HEAP_ESTIMATES; k++)
    margins[k] = heap_spread_margin_of_sum (chosen, (enum heap_estimate) k,
					    totals->sample_bytes);
  size_t n
    = (size_t) snprintf (text, EXPORT_MARGINS_BYTES,
			 "samples in %" PRIu64 " of %" PRIu64
			 " runs, one for each %s: sums may be off, at 95%%, by",
			 totals->sampled_runs, totals->runs,
			 bytes_text (number, (double) totals->sample_bytes));
  number_text (number, (uint64_t) ceil (margins[HEAP_ESTIMATE_BLOCKS]));
  n = append_margin (text, n, EXPORT_MARGINS_BYTES, " blocks", number);
  bytes_text (number, margins[HEAP_ESTIMATE_BYTES]);
  n = append_margin (text, n, EXPORT_MARGINS_BYTES, ", bytes", number);
  if (heap_known_counts (&report->known, chosen)
      && isfinite (margins[HEAP_ESTIMATE_ACCESSES]))
    {
      number_text (number, (uint64_t) ceil (margins[HEAP_ESTIMATE_ACCESSES]));
      append_margin (text, n, EXPORT_MARGINS_BYTES, ", accesses", number);
    }
  return true;
}

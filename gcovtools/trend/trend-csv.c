/* A trend as comma-separated values: a header line, then a row per site.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "csv-text.h"
#include "trend.h"
#include <inttypes.h>
#include <math.h>

/* A cell is empty if the profile does not have the site.  */
static void
write_value (const struct trend_value *value)
{
  putchar (',');
  if (value->state == TREND_KNOWN)
    printf ("%" PRIu64, value->number);
  else if (value->state == TREND_UNKNOWN)
    fputs ("unknown", stdout);
}

bool
trend_print_csv (const struct trend *trend, size_t top)
{
  size_t count = top > 0 && top < trend->site_count ? top : trend->site_count;
  const bool has_margins = trend_has_margins (trend);
  printf ("function,file,line,growth%s", has_margins ? ",growth_margin" : "");
  for (size_t i = 0; i < trend->run_count; i++)
    csv_write_cell (",", trend->runs[i].label, stdout);
  fputs ("\r\n", stdout);
  for (size_t i = 0; i < count; i++)
    {
      const struct trend_site *site = &trend->sites[i];
      char growth[DIFF_NUMBER_BYTES] = "unknown";
      csv_write_cell ("", site->function, stdout);
      csv_write_cell (",", site->file, stdout);
      putchar (',');
      if (site->line > 0)
	printf ("%" PRIu32, site->line);
      if (site->is_known)
	diff_number_text (growth, site->growth, false, false);
      printf (",%s", growth);
      if (has_margins)
	putchar (',');
      if (has_margins && site->is_known)
	printf ("%.0f", ceil (heap_spread_margin (&site->growth_spread)));
      for (size_t j = 0; j < trend->run_count; j++)
	write_value (&site->values[j]);
      fputs ("\r\n", stdout);
    }
  return true;
}

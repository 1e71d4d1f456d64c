/* A trend as an HTML page.
   SPDX-License-Identifier: GPL-3.0-or-later

   The page's data, one JSON object:

     value       name of the quantity
     filtered    do filters select contexts?
     looked      which wrappers were looked through, a line, or empty
     runs        [label, path, total, margin], ...; an unknown total is null
     count       number of sites; the page may have only the first ones
     sites       [function, place, growth, values, margin], ...; a value is null
		 if the run does not have the site, and -1 if it is unknown; a
		 growth is null if all values are unknown
   Margins, by how much a total or growth may be off, are only there if a
   profile is one of samples; null if the number is known exactly or not at all.
 */

#include "diagnostics.h"
#include "heap-json.h"
#include "heap-spread.h"
#include "output-file.h"
#include "report-html.h"
#include "trend.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct source
{
  const struct trend *trend;
  size_t count; /* sites */
};

/* Write BEFORE and VALUE; UNKNOWN stands for an unknown one.  */
static void
write_value (const char *before, const struct trend_value *value,
	     const char *unknown, FILE *out)
{
  fputs (before, out);
  if (value->state == TREND_KNOWN)
    fprintf (out, "%" PRIu64, value->number);
  else
    fputs (value->state == TREND_UNKNOWN ? unknown : "null", out);
}

/* Write a comma and by how much a number with SPREAD may be off, if TREND has
   estimates and it IS_KNOWN.  */
static void
write_margin (const struct trend *trend, const struct heap_spread *spread,
	      bool is_known, FILE *out)
{
  const double margin = ceil (heap_spread_margin (spread));
  if (!trend_has_margins (trend))
    return;
  if (is_known && margin > 0 && isfinite (margin))
    fprintf (out, ",%.0f", margin);
  else
    fputs (",null", out);
}

/* Write the place of SITE: `FILE:LINE', or what is known of it.  */
static bool
write_place (const struct trend_site *site, FILE *out)
{
  char *place;
  if (asprintf (&place, site->line > 0 ? "%s:%" PRIu32 : "%s", site->file,
		site->line)
      < 0)
    return false;
  bool is_done = json_write (out, ",", json_plain_text (place));
  free (place);
  return is_done;
}

static bool
write_site (const struct trend *trend, const struct trend_site *site, FILE *out)
{
  char growth[DIFF_NUMBER_BYTES] = "null";
  if (!json_write (out, "[", json_plain_text (site->function))
      || !write_place (site, out))
    return false;
  if (site->is_known)
    diff_number_text (growth, site->growth, false, false);
  fprintf (out, ",%s", growth);
  for (size_t i = 0; i < trend->run_count; i++)
    write_value (i == 0 ? ",[" : ",", &site->values[i], "-1", out);
  putc (']', out);
  write_margin (trend, &site->growth_spread, site->is_known, out);
  putc (']', out);
  return true;
}

static bool
write_data (const void *data, FILE *out)
{
  const struct source *source = data;
  const struct trend *trend = source->trend;
  fprintf (out, "{\"value\":\"%s\",\"filtered\":%s",
	   context_measure_name (trend->options.measure),
	   profile_filter_is_set (&trend->options.filter) ? "true" : "false");
  if (!json_write (out, ",\n\"looked\":",
		   json_plain_text (trend->looked_through != NULL
				      ? trend->looked_through
				      : "")))
    return false;
  fputs (",\n\"runs\":[", out);
  for (size_t i = 0; i < trend->run_count; i++)
    {
      const struct trend_run *run = &trend->runs[i];
      if (!json_write (out, i == 0 ? "\n[" : ",\n[",
		       json_plain_text (run->label))
	  || !json_write (out, ",", json_plain_text (run->path)))
	return false;
      write_value (",", &run->total, "null", out);
      write_margin (trend, &run->total.spread, run->total.state == TREND_KNOWN,
		    out);
      putc (']', out);
    }
  fprintf (out, "],\n\"count\":%zu,\n\"sites\":[", trend->site_count);
  for (size_t i = 0; i < source->count; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", out);
      if (!write_site (trend, &trend->sites[i], out))
	return false;
    }
  fputs ("]}\n", out);
  return true;
}

bool
trend_write_html (const struct trend *trend, size_t top, const char *path)
{
  const struct source source
    = { trend, top > 0 && top < trend->site_count ? top : trend->site_count };
  struct profile_error err;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  bool is_made
    = out != NULL
      && report_page_write (REPORT_ASSET_SEVERAL_HTML, REPORT_ASSET_TREND,
			    REPORT_ASSET_TREND + 1, write_data, &source, out);
  if (out != NULL)
    is_made = fclose (out) == 0 && is_made;
  bool is_done = is_made ? output_file_write (path, text, size, &err)
			 : profile_error_set_memory (&err, path);
  if (!is_done)
    diagnostics_error (&err);
  free (text);
  return is_done;
}

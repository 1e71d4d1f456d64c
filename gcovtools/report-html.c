/* The report as one HTML file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "report-html.h"
#include <string.h>

enum
{
  ASSET_HTML,
  ASSET_STYLE,
  ASSET_SCRIPTS
};

static void
write_asset (const struct report_asset *asset, FILE *out)
{
  fwrite (asset->data, 1, (size_t) (asset->end - asset->data), out);
}

static void
write_scripts (FILE *out)
{
  for (size_t i = ASSET_SCRIPTS; i < REPORT_ASSETS; i++)
    write_asset (&report_assets[i], out);
}

/* The page has three lines that stand for something else.  */
bool
report_html_write (const struct heap_report *report, const char *title,
		   const struct html_options *options, FILE *out)
{
  const struct report_asset *page = &report_assets[ASSET_HTML];
  bool is_done = true;
  for (const char *line = page->data; line < page->end && is_done;)
    {
      size_t length = strcspn (line, "\n") + 1;
      if (strncmp (line, "@STYLE@", 7) == 0)
	write_asset (&report_assets[ASSET_STYLE], out);
      else if (strncmp (line, "@SCRIPT@", 8) == 0)
	write_scripts (out);
      else if (strncmp (line, "@PROFILE@", 9) == 0)
	is_done = report_data_write (report, title, options, out);
      else
	fwrite (line, 1, length, out);
      line += length;
    }
  return is_done;
}

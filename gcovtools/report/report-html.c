/* The report as one HTML file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "report-html.h"
#include <stdlib.h>
#include <string.h>

static void
write_assets (int first, int end, FILE *out)
{
  for (int i = first; i < end; i++)
    {
      const struct report_asset *asset = &report_assets[i];
      fwrite (asset->data, 1, (size_t) (asset->end - asset->data), out);
    }
}

/* Write the SIZE bytes at TEXT, JSON in which `<' occurs only in strings, with
   `<' escaped so that it cannot end the script element.  */
static void
write_escaped (const char *text, size_t size, FILE *out)
{
  const char *end = text + size;
  while (text < end)
    {
      const char *at = memchr (text, '<', (size_t) (end - text));
      if (at == NULL)
	at = end;
      fwrite (text, 1, (size_t) (at - text), out);
      if (at < end)
	fputs ("\\u003c", out);
      text = at + 1;
    }
}

static bool
write_escaped_data (bool (*write_data) (const void *data, FILE *out),
		    const void *data, FILE *out)
{
  char *text = NULL;
  size_t size = 0;
  FILE *plain = open_memstream (&text, &size);
  bool is_done = plain != NULL && write_data (data, plain);
  if (plain != NULL)
    is_done = fclose (plain) == 0 && is_done;
  if (is_done)
    write_escaped (text, size, out);
  free (text);
  return is_done;
}

/* Three lines of the page are placeholders.  */
bool
report_page_write (int html, int first, int end,
		   bool (*write_data) (const void *data, FILE *out),
		   const void *data, FILE *out)
{
  const struct report_asset *page = &report_assets[html];
  bool is_done = true;
  for (const char *line = page->data; line < page->end && is_done;)
    {
      size_t length = strcspn (line, "\n") + 1;
      if (strncmp (line, "@STYLE@", 7) == 0)
	write_assets (REPORT_ASSET_STYLE, REPORT_ASSET_STYLE + 1, out);
      else if (strncmp (line, "@SCRIPT@", 8) == 0)
	{
	  write_assets (REPORT_ASSET_SHARED, REPORT_ASSET_OWN, out);
	  write_assets (first, end, out);
	}
      else if (strncmp (line, "@PROFILE@", 9) == 0)
	is_done = write_escaped_data (write_data, data, out);
      else
	fwrite (line, 1, length, out);
      line += length;
    }
  return is_done;
}

/* What the profile is written from.  */
struct source
{
  const struct heap_report *report;
  const char *title;
  const struct html_options *options;
};

static bool
write_profile (const void *data, FILE *out)
{
  const struct source *source = data;
  return report_data_write (source->report, source->title, source->options,
			    out);
}

bool
report_html_write (const struct heap_report *report, const char *title,
		   const struct html_options *options, FILE *out)
{
  const struct source source = { report, title, options };
  return report_page_write (REPORT_ASSET_HTML, REPORT_ASSET_OWN,
			    REPORT_ASSET_SEVERAL_HTML, write_profile, &source,
			    out);
}

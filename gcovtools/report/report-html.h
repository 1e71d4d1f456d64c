/* The report as one HTML file.
   SPDX-License-Identifier: GPL-3.0-or-later

   The page, its style and its scripts are the files in report/, embedded in the
   program; the page contains the profile as JSON.  */

#ifndef HEAPPROF_REPORT_HTML_H
#define HEAPPROF_REPORT_HTML_H

#include "frame-names.h"
#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

struct html_options
{
  bool no_sources; /* without the text of source files */
};

/* Write REPORT, which is flat, to OUT, whose errors the caller handles.  TITLE
   names its source.  Return false if memory is exhausted.  */
bool report_html_write (const struct heap_report *report, const char *title,
			const struct html_options *options, FILE *out);

/* A file of report/.  */
struct report_asset
{
  const char *name;
  const char *data;
  const char *end;
};

/* The page of a profile, the style, the scripts in order, the first ones also
   used for the other pages; the page of several profiles, and the scripts that
   compare two and show a trend.  */
enum
{
  REPORT_ASSET_HTML,
  REPORT_ASSET_STYLE,
  REPORT_ASSET_SHARED,	/* first script used by all pages */
  REPORT_ASSET_OWN = 4, /* first script used only for a profile */
  REPORT_ASSET_SEVERAL_HTML = 13,
  REPORT_ASSET_DIFF,
  REPORT_ASSET_TREND,
  REPORT_ASSETS
};
extern const struct report_asset report_assets[REPORT_ASSETS];

/* Write to OUT the page HTML, one of the above, with the shared scripts, the
   scripts from FIRST up to END, and the output of WRITE_DATA, called with DATA:
   JSON in which `<' occurs only in strings.  Return false if WRITE_DATA does or
   memory is exhausted.  */
bool report_page_write (int html, int first, int end,
			bool (*write_data) (const void *data, FILE *out),
			const void *data, FILE *out);

/* Write the profile as JSON (described in report-data.c).  Return false if
   memory is exhausted.  */
bool report_data_write (const struct heap_report *report, const char *title,
			const struct html_options *options, FILE *out);

/* Return the text of the source file PATH, malloced; NULL if it does not exist,
   is not text, or does not have the name of a source file: a path in a profile
   is no reason to read arbitrary files.  */
char *report_source_text (const char *path);

#endif /* HEAPPROF_REPORT_HTML_H */

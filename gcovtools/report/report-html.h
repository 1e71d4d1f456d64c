/* The report as one HTML file.
   SPDX-License-Identifier: GPL-3.0-or-later

   The page, its style and its scripts are the files in report/, which are parts
   of the program; the profile stands in the page as JSON.  */

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

/* Write REPORT, which is flat, to OUT, where errors need no care.  TITLE says
   what it was made from.  False if memory is exhausted.  */
bool report_html_write (const struct heap_report *report, const char *title,
			const struct html_options *options, FILE *out);

/* A file of report/.  */
struct report_asset
{
  const char *name;
  const char *data;
  const char *end;
};

/* The page of a profile, the style, the scripts in their order, of which the
   first are also those of the page of a comparison, and that one's own.  */
enum
{
  REPORT_ASSET_HTML,
  REPORT_ASSET_STYLE,
  REPORT_ASSET_SHARED,	/* the first script that both have */
  REPORT_ASSET_OWN = 4, /* the first that only the profile's has */
  REPORT_ASSET_DIFF_HTML = 12,
  REPORT_ASSET_DIFF, /* its script */
  REPORT_ASSETS
};
extern const struct report_asset report_assets[REPORT_ASSETS];

/* Write to OUT the page HTML, one of the above, with the scripts that both have
   and those from FIRST up to END, and with what WRITE_DATA, which gets DATA,
   writes, JSON, in which `<' only stands in strings.  False if that returns
   false, or memory is exhausted.  */
bool report_page_write (int html, int first, int end,
			bool (*write_data) (const void *data, FILE *out),
			const void *data, FILE *out);

/* Write the profile as JSON (report-data.c has its form).  False if memory is
   exhausted.  */
bool report_data_write (const struct heap_report *report, const char *title,
			const struct html_options *options, FILE *out);

/* The text of the source file at PATH, malloced; NULL if it is not there, is no
   text, or is none of the kinds of files that programs are written in: what a
   profile names is not a reason to read a file.  */
char *report_source_text (const char *path);

#endif /* HEAPPROF_REPORT_HTML_H */

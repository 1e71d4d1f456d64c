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
  bool no_sources;		/* without the text of source files */
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

/* Those of the page: the HTML, then the style, then the scripts in their order;
   REPORT_ASSETS in all.  */
#define REPORT_ASSETS 11
extern const struct report_asset report_assets[REPORT_ASSETS];

/* Write the profile as JSON, in which no `<' stands, so that it can be in HTML
   (report-data.c has its form).  False if memory is exhausted.  */
bool report_data_write (const struct heap_report *report, const char *title,
			const struct html_options *options, FILE *out);

/* The text of the source file at PATH, malloced; NULL if it is not there, is no
   text, or is none of the kinds of files that programs are written in: what a
   profile names is not a reason to read a file.  */
char *report_source_text (const char *path);

#endif /* HEAPPROF_REPORT_HTML_H */

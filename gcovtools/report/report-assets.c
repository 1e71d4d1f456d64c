/* The files of report/, embedded in the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "report-html.h"

/* Define NAME_data and NAME_end around the content of report/FILE.  */
#define ASSET(name, file)                                                      \
  extern const char name##_data[];                                             \
  extern const char name##_end[];                                              \
  __asm__(".pushsection .rodata\n" #name "_data: .incbin \"" REPORT_DIRECTORY  \
	  "/" file "\"\n" #name "_end: .byte 0\n"                              \
	  ".popsection\n")

ASSET (report_html, "report.html");
ASSET (report_css, "report.css");
ASSET (report_words, "words.js");
ASSET (report_page, "page.js");
ASSET (report_model, "model.js");
ASSET (report_overview, "overview.js");
ASSET (report_flame, "flame.js");
ASSET (report_table, "table.js");
ASSET (report_site, "site.js");
ASSET (report_scatter, "scatter.js");
ASSET (report_source, "source.js");
ASSET (report_timeline, "timeline.js");
ASSET (report_main, "main.js");
ASSET (report_several_html, "several.html");
ASSET (report_diff, "diff.js");
ASSET (report_trend, "trend.js");

const struct report_asset report_assets[REPORT_ASSETS]
  = { { "report.html", report_html_data, report_html_end },
      { "report.css", report_css_data, report_css_end },
      { "words.js", report_words_data, report_words_end },
      { "page.js", report_page_data, report_page_end },
      { "model.js", report_model_data, report_model_end },
      { "overview.js", report_overview_data, report_overview_end },
      { "flame.js", report_flame_data, report_flame_end },
      { "table.js", report_table_data, report_table_end },
      { "site.js", report_site_data, report_site_end },
      { "scatter.js", report_scatter_data, report_scatter_end },
      { "source.js", report_source_data, report_source_end },
      { "timeline.js", report_timeline_data, report_timeline_end },
      { "main.js", report_main_data, report_main_end },
      { "several.html", report_several_html_data, report_several_html_end },
      { "diff.js", report_diff_data, report_diff_end },
      { "trend.js", report_trend_data, report_trend_end } };

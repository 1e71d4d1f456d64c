/* Showing a report in the user's browser.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_REPORT_OPEN_H
#define HEAPPROF_REPORT_OPEN_H

#include <stdbool.h>

/* Show the page in the file OUTPUT, by xdg-open.  If there is no display, or no
   such program, or it fails, print the absolute path on standard output
   instead.  If memory is exhausted, print an error and return false.  */
bool report_open (const char *output);

#endif /* HEAPPROF_REPORT_OPEN_H */

/* What was found again when a profile was fitted to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FIT_REPORT_H
#define HEAPPROF_FIT_REPORT_H

#include "stale-samples.h"
#include <stdio.h>

/* Print REPORT to TO: shares of the counts, numbers of functions, and which
   functions have other names.  */
void fit_report_print (FILE *to, const struct stale_samples_report *report);

#endif /* HEAPPROF_FIT_REPORT_H */

/* What was found again when a profile was fitted to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-report.h"
#include "function-name.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>

/* Print the share of PART in WHOLE with one digit after the point.  100 % is
   only printed if it is all.  */
static void
print_share (FILE *to, const char *title, uint64_t part, uint64_t whole)
{
  double share = whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
  if (part < whole && share > 99.9)
    share = 99.9;
  fprintf (to, "%-10s %5.1f %%  %" PRIu64 " of %" PRIu64 "\n", title, share,
	   part, whole);
}

/* Print the function NAME for people.  */
static void
print_function (FILE *to, const char *name)
{
  char *text = function_name_demangle (name, true);
  write_text (text != NULL ? text : name, to);
  free (text);
}

/* Print that code moved as MOVE says.  */
static void
print_move (FILE *to, const struct stale_rename *move)
{
  fputs (move->kind == STALE_SPLIT ? "  part of " : "  ", to);
  print_function (to, move->before);
  fputs (move->kind == STALE_MERGED ? " -> part of " : " -> ", to);
  print_function (to, move->after);
  putc ('\n', to);
}

void
fit_report_print (FILE *to, const struct stale_samples_report *report)
{
  print_share (to, "as it was", report->same, report->counts);
  print_share (to, "matched", report->matched, report->counts);
  fprintf (to,
	   "%" PRIu32 " functions: %" PRIu32 " changed, %" PRIu32
	   " renamed, %" PRIu32 " split, %" PRIu32 " merged, %" PRIu32
	   " gone\n",
	   report->functions, report->changed, report->renamed, report->split,
	   report->merged, report->gone);
  if (report->operations > 0)
    fprintf (to,
	     "values at operations of changed functions: %" PRIu64
	     " of %" PRIu64 " kept\n",
	     report->kept, report->operations);
  for (size_t i = 0; i < report->rename_count; i++)
    print_move (to, &report->renames[i]);
}

/* The sub-commands of heapprof-gcov.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COMMANDS_H
#define HEAPPROF_COMMANDS_H

#include "command-options.h"
#include "process-group.h"

extern const struct command command_advise;
extern const struct command command_annotate;
extern const struct command command_convert;
extern const struct command command_diff;
extern const struct command command_doctor;
extern const struct command command_export;
extern const struct command command_mark;
extern const struct command command_match;
extern const struct command command_matching;
extern const struct command command_merge;
extern const struct command command_mip;

/* Run the merge together with the other processes of GROUP, which have the same
   ARGV.  */
enum exit_status command_merge_run (int argc, char **argv,
				    const struct process_group *group);

extern const struct command command_overlap;
extern const struct command command_profgen;
extern const struct command command_prove;
extern const struct command command_push;
extern const struct command command_report;
extern const struct command command_attach;
extern const struct command command_run;
extern const struct command command_show;
extern const struct command command_top;
extern const struct command command_trend;

#endif /* HEAPPROF_COMMANDS_H */

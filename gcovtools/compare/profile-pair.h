/* Shared parts of the sub-commands that compare two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_PAIR_H
#define HEAPPROF_PROFILE_PAIR_H

#include "command-options.h"
#include "heap-report.h"
#include "profile-filter.h"
#include "profile-inputs.h"
#include "profile.h"
#include "sample-match.h"
#include <stdbool.h>

/* The options that all of them have.  */
enum
{
  PAIR_OPTION_JSON = OPTION_HELP + 1,
  PAIR_OPTION_NO_DEMANGLE,
  PAIR_OPTION_DEBUG_DIRECTORY,
  PAIR_OPTION_NOTES,
  PAIR_OPTION_END
};

/* Rows of these options in an option table.  */
/* clang-format off */
#define PAIR_OPTION_ROWS                                                      \
  { PAIR_OPTION_JSON, "json", NULL, "print all data as JSON" },               \
  { PAIR_OPTION_NO_DEMANGLE, "no-demangle", NULL,                             \
    "do not demangle C++ names" },                                            \
  BINARY_ROW,                                                                 \
  DEBUG_DIRECTORY_ROW (PAIR_OPTION_DEBUG_DIRECTORY),                          \
  { PAIR_OPTION_NOTES, "notes", "DIR",                                        \
    "search DIR for the notes (.gcno) of gcc's data files\n"                  \
    "(default: next to each data file)" }
/* clang-format on */

struct pair_options
{
  struct profile_inputs inputs; /* for each profile, except the path */
  struct profile_filter filter;
  struct wrapper_options wrappers;
  const struct pattern_list *function; /* owned by FILTER; NULL: not given */
  bool is_json;
  bool demangle;
};

/* The first and the second profile; gcc's counters are converted to function
   counters in both.  */
struct profile_pair
{
  const char *paths[2];
  struct profile *profiles[2];
};

struct pair_command
{
  const struct command *command;

  /* Handle an option that is not one of the above.  If VALUE is invalid, print
     an error and return false.  */
  bool (*take_option) (void *arguments, int id, const char *value);

  /* Print the comparison of PAIR.  */
  enum exit_status (*compare) (const struct profile_pair *pair,
			       const struct pair_options *options,
			       const void *arguments);
};

/* Run COMMAND with ARGUMENTS.  */
enum exit_status pair_command_run (const struct pair_command *command,
				   void *arguments, int argc, char **argv);

/* Match the samples of PAIR; a profile without samples counts as empty.  Return
   false and set *ERR on failure; release *MATCH in any case.  */
bool profile_pair_match_samples (const struct profile_pair *pair,
				 struct sample_match *match,
				 struct profile_error *err);

/* Return a report for printing frames of PROFILE according to OPTIONS.  */
struct heap_report pair_heap_report (struct heap_profile *profile,
				     const struct pair_options *options);

#endif /* HEAPPROF_PROFILE_PAIR_H */

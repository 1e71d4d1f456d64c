/* The sub-commands of heapprof-gcov mip, and what they share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_COMMANDS_H
#define HEAPPROF_MIP_COMMANDS_H

#include "command-options.h"
#include "function-name.h"
#include "mip-profile.h"
#include "object-finder.h"
#include "pattern-list.h"
#include <stdio.h>

extern const struct command command_mip_covered;
extern const struct command command_mip_create;
extern const struct command command_mip_diff;
extern const struct command command_mip_edges;
extern const struct command command_mip_extract;
extern const struct command command_mip_from_text;
extern const struct command command_mip_info;
extern const struct command command_mip_merge;
extern const struct command command_mip_order;
extern const struct command command_mip_show;
extern const struct command command_mip_to_text;
extern const struct command command_mip_uncovered;

/* Read the profile PATH, also as text, or make one of the map in PATH, an
   object file or one of a map alone.  NULL, and the error is printed, if that
   fails.  */
struct mip_profile *mip_input_read (const char *path);

/* Add the map in PATH, an object file or one of a map alone, to PROFILE, and
   note what it lacks.  False and *ERR if that fails.  */
bool mip_input_add_map (struct mip_profile *profile, const char *path,
			struct profile_error *err);

/* Write PROFILE to OUTPUT.  False, and the error is printed, if that fails.  */
bool mip_output_write (const struct mip_profile *profile, const char *output);

/* Make *FINDER one that knows the COUNT files at BINARIES, and looks for debug
   files in DEBUG_DIRECTORIES, NULL for the system's.  Free it with
   object_finder_free.  If that fails, *FINDER is NULL and the error is
   printed.  */
enum exit_status mip_finder_open (struct object_finder **finder,
				  const char *const *binaries, size_t count,
				  const char *debug_directories);

/* What FUNCTION is called: its linkage name.  */
static inline const char *
mip_function_name (const struct mip_profile *profile,
		   const struct mip_function *function)
{
  return mip_profile_string (profile, function->name);
}

/* Is FUNCTION one of PATTERNS, or are there none?  */
static inline bool
mip_function_matches (const struct mip_profile *profile,
		      const struct mip_function *function,
		      const struct pattern_list *patterns)
{
  return patterns->count == 0
	 || function_name_matches (mip_function_name (profile, function),
				   patterns);
}

/* The option --regex, ID, of commands that print functions.  */
/* clang-format off */
#define MIP_REGEX_ROW(ID) \
  { ID, "regex", "REGEX|@FILE", \
    "only functions whose demangled or linkage name matches\n" \
    "the extended regular expression, or one in @FILE" }
/* clang-format on */

#endif /* HEAPPROF_MIP_COMMANDS_H */

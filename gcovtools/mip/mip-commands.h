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

/* Read the profile PATH, binary or text, or make one from the map in PATH, an
   object file or an extracted map.  On failure print an error and return
   NULL.  */
struct mip_profile *mip_input_read (const char *path);

/* Add the map in PATH, an object file or an extracted map, to PROFILE.  Print a
   note about functions that are omitted.  Return false and set *ERR on
   failure.  */
bool mip_input_add_map (struct mip_profile *profile, const char *path,
			struct profile_error *err);

/* Write PROFILE to OUTPUT.  On failure print an error and return false.  */
bool mip_output_write (const struct mip_profile *profile, const char *output);

/* Set *FINDER to a new finder that knows the COUNT files BINARIES and searches
   DEBUG_DIRECTORIES (NULL: the system's) for debug files.  Free it with
   object_finder_free.  On failure print an error and set *FINDER to NULL.  */
enum exit_status mip_finder_open (struct object_finder **finder,
				  const char *const *binaries, size_t count,
				  const char *debug_directories);

/* Return the linkage name of FUNCTION.  */
static inline const char *
mip_function_name (const struct mip_profile *profile,
		   const struct mip_function *function)
{
  return mip_profile_string (profile, function->name);
}

/* Return true if FUNCTION matches PATTERNS or there are none.  */
static inline bool
mip_function_matches (const struct mip_profile *profile,
		      const struct mip_function *function,
		      const struct pattern_list *patterns)
{
  return patterns->count == 0
	 || function_name_matches (mip_function_name (profile, function),
				   patterns);
}

/* The row of --regex, option ID, of commands that print functions.  */
/* clang-format off */
#define MIP_REGEX_ROW(ID) \
  { ID, "regex", "REGEX|@FILE", \
    "show only functions whose demangled or linkage name\n" \
    "matches the extended regular expression; @FILE: any\n" \
    "expression in FILE" }
/* clang-format on */

#endif /* HEAPPROF_MIP_COMMANDS_H */

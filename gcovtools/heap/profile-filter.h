/* Filters that select calling contexts, shared by all commands.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each kind of expression given must match in some frame of a context, or its
   type or thread; of several expressions of one kind, one match is enough.  */

#ifndef HEAPPROF_PROFILE_FILTER_H
#define HEAPPROF_PROFILE_FILTER_H

#include "heap-profile.h"
#include "pattern-list.h"
#include "thread-starts.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  FILTER_OPTION_FUNCTION = 512,
  FILTER_OPTION_FILE,
  FILTER_OPTION_MODULE,
  FILTER_OPTION_TYPE,
  FILTER_OPTION_THREAD,
  FILTER_OPTION_MIN_BYTES,
  FILTER_OPTION_END
};

/* Option table rows of the filters, except --function, whose meaning is broader
   in some commands.  */
/* clang-format off */
#define FILTER_FUNCTION_ROW                                                   \
  { FILTER_OPTION_FUNCTION, "function", "REGEX",                              \
    "include only contexts that contain a function whose\n"                   \
    "demangled or linkage name matches the extended regular\n"                \
    "expression; @FILE: any of the expressions in FILE" }
#define FILTER_OPTION_ROWS                                                    \
  { FILTER_OPTION_FILE, "file", "REGEX",                                      \
    "include only contexts that contain a matching source\n"                  \
    "file" },                                                                 \
  { FILTER_OPTION_MODULE, "module", "REGEX",                                  \
    "include only contexts that contain a program or\n"                       \
    "library whose file name matches" },                                      \
  { FILTER_OPTION_TYPE, "type", "REGEX",                                      \
    "include only contexts that allocate a data type whose\n"                 \
    "name matches" },                                                         \
  { FILTER_OPTION_THREAD, "thread", "REGEX",                                  \
    "include only contexts of threads whose start function\n"                 \
    "matches; that of the first thread is main" },                            \
  { FILTER_OPTION_MIN_BYTES, "min-bytes", "N",                                \
    "include only contexts that allocated at least N bytes" }
/* clang-format on */

/* All zeros includes every context.  */
struct profile_filter
{
  struct pattern_list functions;
  struct pattern_list files;
  struct pattern_list modules;
  struct pattern_list types;
  struct pattern_list threads;
  size_t min_bytes;
};

/* Return true if ID is a filter option.  */
bool profile_filter_has_option (int id);

/* Handle filter option ID of the sub-command COMMAND.  If VALUE is invalid,
   print an error and return false.  */
bool profile_filter_take_option (struct profile_filter *filter,
				 const char *command, int id,
				 const char *value);
void profile_filter_release (struct profile_filter *filter);

/* Return true if FILTER excludes any context.  */
bool profile_filter_is_set (const struct profile_filter *filter);

/* Return the patterns of --function, NULL if not given.  */
const struct pattern_list *
profile_filter_functions (const struct profile_filter *filter);

/* FILTER applied to PROFILE; caches the result for each string.  */
struct context_chooser
{
  const struct heap_profile *profile;
  const struct profile_filter *filter;
  uint8_t *strings;	       /* match cache by string; malloced */
  struct thread_starts starts; /* set if FILTER selects threads */
  bool *is_thread_taken;       /* by thread; malloced; NULL: all included */
};

/* Return false if memory is exhausted; release *CHOOSER in any case.  */
bool context_chooser_make (struct context_chooser *chooser,
			   const struct heap_profile *profile,
			   const struct profile_filter *filter);
void context_chooser_release (struct context_chooser *chooser);

/* Return true if CONTEXT with INFO is included.  */
bool context_chooser_takes (struct context_chooser *chooser, uint32_t context,
			    const struct memory_info *info);

#endif /* HEAPPROF_PROFILE_FILTER_H */

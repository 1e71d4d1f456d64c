/* Which calling contexts a command is about: the same options everywhere.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each kind of expression that is given has to match in some frame of a
   context, or what it allocates; one expression of a kind is enough.  */

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

/* Their rows in a table of options, but for that of --function, which may mean
   more than contexts.  */
/* clang-format off */
#define FILTER_FUNCTION_ROW                                                   \
  { FILTER_OPTION_FUNCTION, "function", "REGEX",                              \
    "take only contexts with a function whose demangled or\n"                 \
    "linkage name matches the extended regular expression;\n"                 \
    "@FILE: one of those in FILE" }
#define FILTER_OPTION_ROWS                                                    \
  { FILTER_OPTION_FILE, "file", "REGEX",                                      \
    "take only contexts with a source file that matches" },                   \
  { FILTER_OPTION_MODULE, "module", "REGEX",                                  \
    "take only contexts with a program or library whose\n"                    \
    "name, without folders, matches" },                                       \
  { FILTER_OPTION_TYPE, "type", "REGEX",                                      \
    "take only contexts that allocate for a data type whose\n"                 \
    "name matches" },                                                         \
  { FILTER_OPTION_THREAD, "thread", "REGEX",                                  \
    "take only contexts of threads that began with a\n"                       \
    "function whose name matches; the first one's is main" },                 \
  { FILTER_OPTION_MIN_BYTES, "min-bytes", "N",                                \
    "take only contexts that allocated N bytes or more" }
/* clang-format on */

/* All zeros: every context.  */
struct profile_filter
{
  struct pattern_list functions;
  struct pattern_list files;
  struct pattern_list modules;
  struct pattern_list types;
  struct pattern_list threads;
  size_t min_bytes;
};

/* Is ID that of one of the options?  */
bool profile_filter_has_option (int id);

/* Take the option ID, which is one, of the sub-command COMMAND.  False if VALUE
   is wrong, which was printed.  */
bool profile_filter_take_option (struct profile_filter *filter,
				 const char *command, int id,
				 const char *value);
void profile_filter_release (struct profile_filter *filter);

/* Does FILTER leave any context out?  */
bool profile_filter_is_set (const struct profile_filter *filter);

/* The functions that were asked for, NULL if none were.  */
const struct pattern_list *
profile_filter_functions (const struct profile_filter *filter);

/* FILTER applied to PROFILE; each string is tried once.  */
struct context_chooser
{
  const struct heap_profile *profile;
  const struct profile_filter *filter;
  uint8_t *strings;	       /* what is known of each; malloced */
  struct thread_starts starts; /* made if the filter is about threads */
  bool *is_thread_taken;       /* by thread; malloced, or NULL: all are */
};

/* False if memory is exhausted; release *CHOOSER in any case.  */
bool context_chooser_make (struct context_chooser *chooser,
			   const struct heap_profile *profile,
			   const struct profile_filter *filter);
void context_chooser_release (struct context_chooser *chooser);

/* Is CONTEXT with INFO chosen?  */
bool context_chooser_takes (struct context_chooser *chooser, uint32_t context,
			    const struct memory_info *info);

#endif /* HEAPPROF_PROFILE_FILTER_H */

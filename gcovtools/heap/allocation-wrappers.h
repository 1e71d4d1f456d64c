/* Allocator wrappers: functions that allocate for their callers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Wrappers at the innermost end of a context are looked through: the site of
   the context is the innermost frame that is in none, so it is the line that
   wanted the memory.  The compiler does the same when it uses a profile, where
   a function is a wrapper that returns what it allocates.  A profile does not
   tell what a function returns.  Here a function is a wrapper if

   - it belongs to the C++ library or is an operator new,
   - its name is listed (wrapper-name.h) or matches --skip, or
   - the contexts say so (wrapper-search.h).

   A function without a name is none, and neither is main.  If all frames of a
   context are in wrappers, the outermost is its site.

   Functions that Python code calls are looked through, too: the site is the
   line of Python code, whether the interpreter allocates for it or an extension
   module does.  In lists of frames the interpreter's own functions are left
   out.  */

#ifndef HEAPPROF_ALLOCATION_WRAPPERS_H
#define HEAPPROF_ALLOCATION_WRAPPERS_H

#include "heap-profile.h"
#include "pattern-list.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wrapper_kind
{
  WRAPPER_NONE,
  WRAPPER_LIBRARY, /* of the C++ library */
  WRAPPER_LISTED,
  WRAPPER_NAMED, /* by --skip */
  WRAPPER_FOUND
};

/* Names of functions that were found to be wrappers in other profiles.  All
   zeros is an empty list.  */
struct wrapper_names
{
  char **names; /* malloced, sorted */
  size_t count;
};

/* All zeros looks through wrappers.  */
struct wrapper_options
{
  struct pattern_list skip;
  const struct wrapper_names *known; /* NULL: none */
  bool only_known;		     /* find no others by contexts */
  bool is_off; /* look through nothing: sites are the innermost frames */
};

enum
{
  WRAPPER_OPTION_SKIP = 640,
  WRAPPER_OPTION_NO_SKIP,
  WRAPPER_OPTION_END
};

/* Rows of these options in an option table.  */
/* clang-format off */
#define WRAPPER_OPTION_ROWS                                                   \
  { WRAPPER_OPTION_SKIP, "skip", "REGEX",                                     \
    "also look through functions that match, as through\n"                    \
    "allocator wrappers: what they allocate is due to their\n"                \
    "callers; @FILE: any of the expressions in FILE" },                       \
  { WRAPPER_OPTION_NO_SKIP, "no-skip", NULL,                                  \
    "look through no wrapper, nor the C++ library: sites\n"                   \
    "are the innermost frames" }
/* clang-format on */

/* Return true if ID is one of these options.  */
bool wrapper_options_have (int id);

/* Handle option ID of the sub-command COMMAND.  If VALUE is invalid, print an
   error and return false.  */
bool wrapper_options_take (struct wrapper_options *options, const char *command,
			   int id, const char *value);
void wrapper_options_release (struct wrapper_options *options);

/* What a frame has to do with Python.  */
enum python_role
{
  PYTHON_NONE,
  PYTHON_CODE,	     /* a frame of it */
  PYTHON_INTERPRETER /* in the module that runs it */
};

/* The wrappers of PROFILE.  All zeros: nothing is looked through.  */
struct allocation_wrappers
{
  const struct heap_profile *profile;
  uint8_t *kinds; /* enum wrapper_kind, by frame; malloced; NULL: all none */
  uint8_t *roles; /* enum python_role, by frame; malloced; NULL: all none */
  bool *is_below_python; /* by node: it or a caller is a frame of Python code;
			    malloced with ROLES */
};

/* Find the wrappers of PROFILE, which must outlive *WRAPPERS.  Return false if
   memory is exhausted; release *WRAPPERS in any case.  */
bool allocation_wrappers_make (struct allocation_wrappers *wrappers,
			       const struct heap_profile *profile,
			       const struct wrapper_options *options);
void allocation_wrappers_release (struct allocation_wrappers *wrappers);

/* Return the kind of FRAME's function.  */
static inline enum wrapper_kind
allocation_wrappers_kind (const struct allocation_wrappers *wrappers,
			  uint32_t frame)
{
  return wrappers->kinds != NULL ? (enum wrapper_kind) wrappers->kinds[frame]
				 : WRAPPER_NONE;
}

/* Return what FRAME has to do with Python.  */
static inline enum python_role
allocation_wrappers_role (const struct allocation_wrappers *wrappers,
			  uint32_t frame)
{
  return wrappers->roles != NULL ? (enum python_role) wrappers->roles[frame]
				 : PYTHON_NONE;
}

/* Return true if NODE, or a caller, is a frame of Python code.  */
static inline bool
allocation_wrappers_below_python (const struct allocation_wrappers *wrappers,
				  uint32_t node)
{
  return wrappers->roles != NULL && wrappers->is_below_python[node];
}

/* Return the node of CONTEXT's site.  */
uint32_t allocation_wrappers_site (const struct allocation_wrappers *wrappers,
				   uint32_t context);

/* Return the word for KIND in JSON.  */
const char *wrapper_kind_name (enum wrapper_kind kind);

/* Add the names of WRAPPERS that were found by contexts to NAMES.  Return false
   if memory is exhausted.  */
bool wrapper_names_add (struct wrapper_names *names,
			const struct allocation_wrappers *wrappers);

/* Make functions of these NAMES wrappers, too.  */
void wrapper_names_apply (const struct wrapper_names *names,
			  struct allocation_wrappers *wrappers);
void wrapper_names_release (struct wrapper_names *names);

#endif /* HEAPPROF_ALLOCATION_WRAPPERS_H */

/* Reading the input files of a command into one profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_INPUTS_H
#define HEAPPROF_PROFILE_INPUTS_H

#include "input-list.h"
#include "process-group.h"
#include "profile.h"
#include <stddef.h>

/* Which invalid inputs make a command fail.  Otherwise invalid inputs are
   skipped with a warning.  */
enum failure_mode
{
  FAILURE_ANY,
  FAILURE_ALL, /* fail if no input is valid */
  FAILURE_WARN /* never fail */
};

struct profile_inputs
{
  char **paths; /* profiles, and directories of gcc's data files */
  size_t path_count;
  const struct input_list *list; /* read instead of PATHS; NULL: none */
  const char **binaries;	 /* modules of the programs */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
  const char
    *notes_directory; /* of gcc's notes; NULL: next to the data files */
  bool looks_again;   /* look up addresses kept in profiles again; implied by
			 BINARIES or DEBUG_DIRECTORIES */
  bool may_be_brief;  /* MIBs may have the short form: the profile is only
			 merged and written */
  enum failure_mode failure_mode;
  size_t *left_out; /* if not NULL, skipped inputs are counted here; a single
		       input then fails with its own error */
  unsigned int threads;		     /* 0: choose automatically */
  const struct process_group *group; /* shares the list, which must be the same
					in all; NULL: single process */
};

/* Read all of INPUTS into a new profile, which depends neither on their order
   nor on the number of threads.  Of several files of one run only the newest
   counts.  On failure print an error and return NULL.  In a group, all
   processes fail or none; only the first one's profile is meaningful.  */
struct profile *profile_inputs_read (const struct profile_inputs *inputs);

/* Like profile_inputs_read, but also calibrates estimates, and converts gcc's
   counters to function counters.  */
struct profile *
profile_inputs_read_to_show (const struct profile_inputs *inputs);

#endif /* HEAPPROF_PROFILE_INPUTS_H */

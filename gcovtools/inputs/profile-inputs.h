/* The input files of a command, folded into one profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_INPUTS_H
#define HEAPPROF_PROFILE_INPUTS_H

#include "input-list.h"
#include "process-group.h"
#include "profile.h"
#include <stddef.h>

/* Which invalid inputs make a command fail.  Those that are invalid otherwise
   are warned about and left out.  */
enum failure_mode
{
  FAILURE_ANY,
  FAILURE_ALL, /* if no input is valid */
  FAILURE_WARN /* none */
};

struct profile_inputs
{
  char **paths; /* profiles, and directories of gcc's data
		   files */
  size_t path_count;
  const struct input_list *list; /* read instead of the paths; NULL: none */
  const char **binaries;	 /* modules of the programs */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
  const char *notes_directory;	 /* of gcc's notes; NULL: beside the data */
  bool looks_again;		 /* look addresses that profiles keep up again;
				    also done if the user says where: BINARIES,
				    DEBUG_DIRECTORIES */
  enum failure_mode failure_mode;
  size_t *left_out;	/* NULL; or counts what was left out.  Then one
			   file alone, which is all that there is to
			   read, fails with its own error */
  unsigned int threads; /* 0: as many as is sensible */
  const struct process_group *group; /* shares the list, which is the same in
					all; NULL: this process is alone */
};

/* Read all of INPUTS into a new profile, which does not depend on their order
   nor on the number of threads.  Of several files of one run only the newest
   counts.  NULL if that fails, after the error was printed.  In a group that
   happens to all processes or to none; the profile is that of the first one,
   and the others' are worth nothing.  */
struct profile *profile_inputs_read (const struct profile_inputs *inputs);

/* The same, but gcc's counters are among those of functions too.  */
struct profile *
profile_inputs_read_to_show (const struct profile_inputs *inputs);

#endif /* HEAPPROF_PROFILE_INPUTS_H */

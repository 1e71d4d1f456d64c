/* The input files of a command, folded into one profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_INPUTS_H
#define HEAPPROF_PROFILE_INPUTS_H

#include "profile.h"
#include <stddef.h>

struct profile_inputs
{
  char **paths;			/* profiles, and directories of gcc's data
				   files */
  size_t path_count;
  const char **binaries;	/* modules of the programs */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
  const char *notes_directory;	/* of gcc's notes; NULL: beside the data */
};

/* Read all of INPUTS into a new profile.  Of several files of one run only the
   newest counts.  NULL if that fails, after the error was printed.  */
struct profile *profile_inputs_read (const struct profile_inputs *inputs);

#endif /* HEAPPROF_PROFILE_INPUTS_H */

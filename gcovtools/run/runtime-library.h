/* Finding the run-time libraries that `run' preloads and `attach' loads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RUNTIME_LIBRARY_H
#define HEAPPROF_RUNTIME_LIBRARY_H

#include "profile-error.h"
#include <limits.h>
#include <stdbool.h>

/* Store the path of the library that belongs to this program in PATH: in the
   build tree, or where it was installed, also if all of that was moved.  Return
   false and set *ERR if there is none, or its path cannot be preloaded.  */
bool runtime_library_find (char path[PATH_MAX], struct profile_error *err);

/* The same for the library for running programs.  */
bool runtime_library_find_attached (char path[PATH_MAX],
				    struct profile_error *err);

#endif /* HEAPPROF_RUNTIME_LIBRARY_H */

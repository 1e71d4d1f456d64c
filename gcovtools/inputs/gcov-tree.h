/* Writing gcc's data files below a directory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_TREE_H
#define HEAPPROF_GCOV_TREE_H

#include "profile.h"
#include <stdbool.h>

struct gcov_tree
{
  const char *directory;
  const char *prefix; /* left out of units' paths, NULL: none */
};

/* Write the units of PROFILE, read from PATH, each to a file of TREE, whose
   directories are made.  No file is outside of it, whatever the units' paths
   say.  False if one could not be written, after the errors were printed.  */
bool gcov_tree_write (const struct gcov_tree *tree,
		      const struct profile *profile, const char *path);

#endif /* HEAPPROF_GCOV_TREE_H */

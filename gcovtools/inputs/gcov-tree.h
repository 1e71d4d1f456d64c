/* Writing gcc's data files below a directory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_TREE_H
#define HEAPPROF_GCOV_TREE_H

#include "profile.h"
#include <stdbool.h>

struct gcov_tree
{
  const char *directory;
  const char *prefix; /* stripped from units' paths, NULL: none */
};

/* Write each unit of PROFILE, read from PATH, to a file of TREE, creating its
   directories.  All files stay below TREE, whatever the units' paths are.  On
   failure, print errors and return false.  */
bool gcov_tree_write (const struct gcov_tree *tree,
		      const struct profile *profile, const char *path);

#endif /* HEAPPROF_GCOV_TREE_H */

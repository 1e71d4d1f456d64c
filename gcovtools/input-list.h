/* The files that operands stand for.
   SPDX-License-Identifier: GPL-3.0-or-later

   An operand that is a directory stands for all of gcc's data files (.gcda)
   below it.  Their units are called as they are found from there, so that the
   trees of two runs go together.  */

#ifndef HEAPPROF_INPUT_LIST_H
#define HEAPPROF_INPUT_LIST_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

struct input_file
{
  char *path;			/* malloced */
  const char *unit_path;	/* the part of PATH that names a unit */
};

struct input_list
{
  struct input_file *files;	/* malloced */
  size_t count;
  size_t capacity;
};

/* Fill *LIST, all zeros, from the N PATHS; the files of a directory by their
   names.  False and *ERR if a directory cannot be read or has none.  Release it
   with input_list_free in any case.  */
bool input_list_make (struct input_list *list, char *const *paths, size_t n,
		      struct profile_error *err);
void input_list_free (struct input_list *list);

#endif /* HEAPPROF_INPUT_LIST_H */

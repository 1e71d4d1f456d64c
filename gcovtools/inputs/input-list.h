/* The list of input files that operands refer to.
   SPDX-License-Identifier: GPL-3.0-or-later

   A directory stands for all gcc data files (.gcda) below it, or if there are
   none, all raw profiles (.hpraw).  Units of data files are named by the path
   relative to it, so that the trees of two runs match.  `-'
   is standard input.  A file may have a weight: it counts as if it were given
   that many times.  */

#ifndef HEAPPROF_INPUT_LIST_H
#define HEAPPROF_INPUT_LIST_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_file
{
  char *path;		 /* malloced; INPUT_LIST_STDIN for standard input */
  const char *unit_path; /* the part of PATH that names the unit */
  uint64_t weight;	 /* at least 1 */
};

#define INPUT_LIST_STDIN "-"

struct input_list
{
  struct input_file *files; /* malloced */
  size_t count;
  size_t capacity;
  size_t
    *left_out; /* if not NULL, unreadable directories below others only cause a
		  warning and are counted here; else they are errors */
};

/* Append the files that PATH refers to to *LIST, initially all zeros; files of
   a directory are sorted by name.  Return false and set *ERR if a directory
   cannot be read or has no such files, or memory is exhausted.  Free the list
   with input_list_free in any case.  */
bool input_list_add (struct input_list *list, const char *path, uint64_t weight,
		     struct profile_error *err);
void input_list_free (struct input_list *list);

/* Like input_list_add, for notes (.gcno): a directory stands for all that are
   below it.  */
bool input_list_add_notes (struct input_list *list, const char *path,
			   struct profile_error *err);

/* Like input_list_add, for TEXT: a weight, a comma, and a path.  */
bool input_list_add_weighted (struct input_list *list, const char *text,
			      struct profile_error *err);

/* Append the files in each line of PATH: a path, or a weight, a comma and a
   path.  Surrounding blanks, empty lines and lines that start with `#' are
   ignored.  PATH must outlive *ERR.  */
bool input_list_add_lines (struct input_list *list, const char *path,
			   struct profile_error *err);

/* Append the PATH_COUNT PATHS with weight 1, like input_list_add.  */
bool input_list_add_all (struct input_list *list, char *const *paths,
			 size_t path_count, struct profile_error *err);

#endif /* HEAPPROF_INPUT_LIST_H */

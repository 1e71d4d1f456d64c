/* The files that operands stand for.
   SPDX-License-Identifier: GPL-3.0-or-later

   An operand that is a directory stands for all of gcc's data files (.gcda)
   below it.  Their units are called as they are found from there, so that the
   trees of two runs go together.  `-' is standard input.  A file may have a
   weight: it counts as if it were given so many times.  */

#ifndef HEAPPROF_INPUT_LIST_H
#define HEAPPROF_INPUT_LIST_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_file
{
  char *path;		 /* malloced; INPUT_LIST_STDIN too */
  const char *unit_path; /* the part of PATH that names a unit */
  uint64_t weight;	 /* at least 1 */
};

#define INPUT_LIST_STDIN "-"

struct input_list
{
  struct input_file *files; /* malloced */
  size_t count;
  size_t capacity;
  size_t *left_out; /* NULL, or counts directories below others that
		       cannot be read, after a warning; else these
		       are errors */
};

/* Append what PATH stands for to *LIST, which is all zeros at first; the files
   of a directory by their names.  False and *ERR if a directory cannot be read
   or has none, or if memory is exhausted.  Release the list with
   input_list_free in any case.  */
bool input_list_add (struct input_list *list, const char *path, uint64_t weight,
		     struct profile_error *err);
void input_list_free (struct input_list *list);

/* The same for TEXT, a weight, a comma, and a path.  */
bool input_list_add_weighted (struct input_list *list, const char *text,
			      struct profile_error *err);

/* The same for each line of the file PATH, which is a path or like the above;
   blanks around it, empty lines, and those that begin with `#' mean nothing.
   PATH must outlive *ERR.  */
bool input_list_add_lines (struct input_list *list, const char *path,
			   struct profile_error *err);

/* Copy PATH_COUNT paths with the weight 1, as by input_list_add.  */
bool input_list_add_all (struct input_list *list, char *const *paths,
			 size_t path_count, struct profile_error *err);

#endif /* HEAPPROF_INPUT_LIST_H */

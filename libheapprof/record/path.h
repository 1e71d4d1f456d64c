/* Paths of raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_PATH_H
#define HEAPPROF_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The expansions of a pattern's letters.  */
struct rt_path_facts
{
  const char *program;	  /* %n: last component of the program's path */
  const char *host;	  /* %h */
  uint64_t pid;		  /* %p */
  uint64_t start_seconds; /* %t */
};

/* Expand PATTERN into PATH of BYTES bytes; return false if it does not fit.
   Unknown letters stay as they are.  */
bool rt_path_expand (const char *pattern, const struct rt_path_facts *facts,
		     char *path, size_t bytes);

/* Choose the path of this process's raw profile: option file, or the default
   name in the folder given to the compiler.  The path is absolute, and missing
   folders are created.  Return false, with a message, on failure.  */
bool rt_path_choose (char *path, size_t bytes);

/* Return what the user can do about ERROR, to be added to a message that a file
   could not be created; "" if that is nothing.  */
const char *rt_path_advice (int error);

/* Return the program's own path.  */
const char *rt_path_of_program (void);

/* Remember the current options and folder.  Call once, at start.  */
void rt_path_start (void);

#endif /* HEAPPROF_PATH_H */

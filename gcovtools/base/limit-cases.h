/* What became of the limits of `--fail-if': messages, and JUnit's form of them.
   SPDX-License-Identifier: GPL-3.0-or-later

   JUnit's XML is what CI servers read results of tests from; each limit is a
   test case.  */

#ifndef HEAPPROF_LIMIT_CASES_H
#define HEAPPROF_LIMIT_CASES_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

struct limit_case
{
  const char *subject; /* what it is about: a path, a variant */
  const char *limit;   /* as given by the user */
  char *message;       /* malloced: the figures */
  bool is_within;
};

/* All zeros: none.  */
struct limit_cases
{
  struct limit_case *list; /* malloced */
  size_t count;
  size_t capacity;
};

/* Add the result of LIMIT for SUBJECT, which both must outlive *CASES; FORMAT
   as for printf.  If memory is exhausted, print an error and return false.  */
bool limit_cases_add (struct limit_cases *cases, const char *subject,
		      const char *limit, bool is_within, const char *format,
		      ...) __attribute__ ((format (printf, 5, 6)));
void limit_cases_release (struct limit_cases *cases);

/* Print an error for each limit that is exceeded.  Return true if none is.  */
bool limit_cases_report (const struct limit_cases *cases);

/* Write CASES as the results of COMMAND to the file PATH.  On failure print an
   error and return false.  */
bool limit_cases_write (const struct limit_cases *cases, const char *command,
			const char *path);

#endif /* HEAPPROF_LIMIT_CASES_H */

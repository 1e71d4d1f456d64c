/* The standard output of runs, compared with that of the first run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OUTPUT_CHECK_H
#define HEAPPROF_OUTPUT_CHECK_H

#include "prove.h"
#include <stdio.h>

/* Output is kept in files without a name; all zeros: not started.  */
struct output_check
{
  FILE *first;	 /* of the first run; NULL: not compared */
  FILE *current; /* of the last run; /dev/null if nobody reads it */
  bool has_first;
  bool has_varied;
};

/* Prepare for runs, whose output is compared if IS_COMPARED, and kept while
   they run if IS_READ.  */
bool output_check_start (struct output_check *check, bool is_compared,
			 bool is_read, struct profile_error *err);

/* Return the file for the output of the next run.  */
int output_check_file (const struct output_check *check);

/* Compare the output of the run of NAME with that of the first run, of
   FIRST_NAME.  Return false and set *ERR if they differ.  */
bool output_check_compare (struct output_check *check, const char *name,
			   const char *first_name, struct profile_error *err);

/* Do not compare any more: the first variant's output varies.  */
void output_check_stop (struct output_check *check);

/* Close the files and tell PROVE the result.  */
void output_check_end (struct output_check *check, struct prove *prove);

#endif /* HEAPPROF_OUTPUT_CHECK_H */

/* Options from the environment variable HEAPPROF_OPTIONS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   NAME=VALUE pairs separated by `:'.  The table in options.c is the one place
   that lists them.  */

#ifndef HEAPPROF_OPTIONS_H
#define HEAPPROF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define RT_PATH_BYTES 4096

/* Frames of a calling context at most.  */
#define RT_MAX_DEPTH 1024

struct rt_options
{
  bool enabled;		    /* take profiles at all */
  unsigned max_depth;	    /* frames kept of a calling context */
  bool folds_recursion;	    /* leave frames between two returns to the same
			       address out of it */
  uint64_t max_memory;	    /* bytes that the profile may take, 0: any */
  int dump_signal;	    /* that makes a snapshot, 0 for none */
  unsigned verbose;	    /* 0: only problems, 1: what was written */
  unsigned level;	    /* of the debug log (debug-log.h), 0: none */
  char file[RT_PATH_BYTES]; /* pattern of the raw profile's path; empty:
			       the default one */
};

extern struct rt_options rt_options __attribute__ ((visibility ("hidden")));

/* Set *OPTIONS to the defaults.  */
void rt_options_set_defaults (struct rt_options *options);

/* Read TEXT, the value of HEAPPROF_OPTIONS.  What is wrong in it gets a line
   on standard error and is skipped.  */
void rt_options_parse (const char *text, struct rt_options *options);

#endif /* HEAPPROF_OPTIONS_H */

/* Options from the environment variable HEAPPROF_OPTIONS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   NAME=VALUE pairs separated by `:', listed in the table in options.c.  */

#ifndef HEAPPROF_OPTIONS_H
#define HEAPPROF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define RT_PATH_BYTES 4096

/* Maximum number of frames of a calling context.  */
#define RT_MAX_DEPTH 1024

/* Greatest mean number of bytes from one sample to the next.  */
#define RT_SAMPLE_OPTION_MAX (256u << 20)

/* Words that a thread can watch: all processors have as many.  */
#define RT_WATCHES_MAX 4

struct rt_options
{
  bool enabled;		    /* profile at all */
  unsigned max_depth;	    /* frames kept of each calling context */
  bool folds_recursion;	    /* omit frames between two returns to one address */
  bool records_affinity;    /* which contexts' blocks are used together */
  bool finds_leaks;	    /* at the end and in snapshots */
  bool names_python;	    /* frames of Python code are in contexts */
  uint64_t max_memory;	    /* limit on the profile's bytes, 0: none */
  uint64_t resident_bytes;  /* of its records in memory, 0: all */
  unsigned process;	    /* the only process to profile, 0: any */
  int dump_signal;	    /* that triggers a snapshot, 0: none */
  int mark_signal;	    /* that sets a mark, 0: none */
  uint64_t interval_ms;	    /* between snapshots, 0: none */
  unsigned snapshots_kept;  /* of those, 0: all */
  bool is_peak_exact;	    /* to the byte, under a lock */
  uint32_t sample_bytes;    /* from one sample to the next, 0: all blocks */
  unsigned seed;	    /* of the samples, 0: random */
  unsigned watches;	    /* words watched by each thread, 0: none */
  bool is_special;	    /* is_peak_exact, or samples */
  unsigned verbose;	    /* 0: only problems, 1: also the files written */
  unsigned level;	    /* of the debug log (debug-log.h), 0: none */
  char file[RT_PATH_BYTES]; /* pattern of the raw profile's path; empty: the
			       default */
};

extern struct rt_options rt_options __attribute__ ((visibility ("hidden")));

/* Set *OPTIONS to the defaults.  */
void rt_options_set_defaults (struct rt_options *options);

/* Apply those options in TEXT that decide what is profiled, silently:
   called before the first allocation, when messages would come too early.  */
void rt_options_preview (const char *text, struct rt_options *options);

/* Parse TEXT, the value of HEAPPROF_OPTIONS.  Invalid parts are reported on
   standard error and skipped; return false if there are any.  */
bool rt_options_parse (const char *text, struct rt_options *options);

#endif /* HEAPPROF_OPTIONS_H */

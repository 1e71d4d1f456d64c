/* Runs of commands under valgrind's cachegrind.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CACHE_SIMULATION_H
#define HEAPPROF_CACHE_SIMULATION_H

#include "process-run.h"

/* Simulated caches, as cachegrind's options have them: bytes, ways, bytes of a
   line.  The defaults do not depend on the machine, so that results can be
   compared.  */
struct cache_sizes
{
  const char *d1;
  const char *ll;
};

#define CACHE_SIZES_DEFAULT                                                    \
  {                                                                            \
    "32768,8,64", "8388608,16,64"                                              \
  }

/* Sums over all processes.  */
struct cache_counts
{
  double instructions;
  double d1_misses; /* of data */
  double ll_misses; /* of data and instructions */
};

/* Return true if cachegrind runs with SIZES; otherwise set *ERR.  */
bool cache_simulation_check (const struct cache_sizes *sizes, int *interruption,
			     struct profile_error *err);

/* Run COMMAND, whose `before' is NULL, under cachegrind, with hints turned on
   unless the command turns them off.  Like process_run.  */
bool cache_simulation_run (const struct process_command *command,
			   const struct cache_sizes *sizes,
			   struct cache_counts *counts, int *interruption,
			   struct profile_error *err);

#endif /* HEAPPROF_CACHE_SIMULATION_H */

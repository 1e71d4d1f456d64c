/* Placement classes: which calling contexts' blocks belong together in memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   The classes are relative to the program: they do not change if the machine is
   slower or the run is longer.

     temporary	the blocks live, on average, for at most 1% of a run, and the
		program allocates at most 64 KiB meanwhile: the memory stays in
		the processor's caches, however often it is accessed
     cold	all other contexts are ranked by accesses per byte in memory.
		Those ranked last that together have 3% of the accesses: filling
		them takes some, even if they are never read.  The blocks live,
		on average, for at least 10% of a run; before that, their memory
		had better serve other blocks
     hot	all but the temporary ones are ranked by accesses per byte
		allocated.  Those ranked first that together have 90% of the
		accesses, unless they are cold
     warm	the others

   A byte in memory is a byte for the length of a run: 100 bytes for a tenth of
   it are 10 bytes.  Hot and warm blocks are placed alike, so their border needs
   no time, in which two runs of one program differ: with time, classes of 4% of
   gawk's bytes differed from run to run.  */

#ifndef HEAPPROF_PLACEMENT_H
#define HEAPPROF_PLACEMENT_H

#include "memory-info.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define PLACEMENT_TEMPORARY_PERCENT 1
#define PLACEMENT_TEMPORARY_BYTES 65536
#define PLACEMENT_HOT_PERCENT 90
#define PLACEMENT_COLD_PERCENT 3
#define PLACEMENT_COLD_LIFETIME_PERCENT 10

  enum placement_class
  {
    PLACEMENT_UNKNOWN, /* nothing is known about lifetimes or accesses */
    PLACEMENT_TEMPORARY,
    PLACEMENT_HOT,
    PLACEMENT_WARM,
    PLACEMENT_COLD,
    PLACEMENT_CLASSES
  };

  /* Temporary blocks of this mean size or less are placed with hot ones: pools
     recycle their memory with fewer instructions than malloc does.  Larger ones
     might need memory of their own there.  */
#define PLACEMENT_SMALL_BYTES 4096

  /* The limits of the classes in one profile.  */
  struct placement_rules
  {
    double temporary_ns; /* greatest mean lifetime; 0: unknown */
    bool has_accesses;	 /* otherwise nothing is hot, warm or cold */
    double hot_density;	 /* least; accesses per byte allocated */
    double cold_density; /* greatest; accesses per byte and nanosecond in
			    memory */
    double cold_ns;	 /* least mean lifetime */
  };

  /* Return the MIB of context INDEX of DATA, or NULL.  */
  typedef const struct memory_info *placement_info (const void *data,
						    size_t index);

  /* Store in *RULES those for the contexts 0 to COUNT - 1 of DATA, whose MIBs
     INFO returns, in RUNS runs of DURATION_NS nanoseconds together; both are 0
     if unknown.  Return false if memory is exhausted.  */
  bool placement_rules_make (struct placement_rules *rules, uint64_t runs,
			     uint64_t duration_ns, placement_info *info,
			     const void *data, size_t count);

  /* Return the mean length of a run, in nanoseconds: DURATION_NS / RUNS, but at
     least LONGEST_NS, the longest lifetime.  0 if unknown.  */
  double placement_run_ns (uint64_t runs, uint64_t duration_ns,
			   uint64_t longest_ns);

  /* Return the class of a context with the MIB INFO.  */
  enum placement_class placement_class_of (const struct placement_rules *rules,
					   const struct memory_info *info);

  /* Return the name of VALUE: "temporary", "hot", "warm", "cold", "unknown". */
  const char *placement_class_name (enum placement_class value);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PLACEMENT_H */

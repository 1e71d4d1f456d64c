/* Placement classes: which calling contexts' blocks belong together in memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   The classes are relative to the program: they do not change if the machine is
   slower or the run is longer.  Lifetimes are measured in bytes that the
   program allocates meanwhile, and a run's length in the bytes that it
   allocates; in nanoseconds only if the profile has no others.

     temporary	the blocks live, on average, for at most 1% of a run, and the
		program allocates at most 64 KiB meanwhile: the memory stays in
		the processor's caches, however often it is accessed.  Bytes
		stand still while a program computes without allocating:
		therefore contexts are not temporary if more than half of their
		blocks are never released, or are in memory when the heap is
		largest, or if each has more than 1% of the accesses of a run,
		which takes longer
     cold	all other contexts are ranked by accesses per byte in memory.
		Those ranked last that together have 3% of the accesses: filling
		them takes some, even if they are never read.  The blocks live,
		on average, for at least 10% of a run; before that, their memory
		had better serve other blocks.  If it is measured in bytes, it
		is enough that more than half of them are never released, or are
		in memory when the heap is largest
     hot	all but the temporary ones are ranked by accesses per byte
		allocated.  Those ranked first that together have 90% of the
		accesses, and those that have little less: the limit is the
		widest gap in the next 20%, unless they are cold
     warm	the others

   A byte in memory is a byte for the length of a run: 100 bytes for a tenth of
   it are 10 bytes.  Hot and warm blocks are placed alike, so their border needs
   no time, in which two runs of one program differ: with time, classes of 4% of
   gawk's bytes differed from run to run.  */

#ifndef HEAPPROF_PLACEMENT_H
#define HEAPPROF_PLACEMENT_H

#include "heap-profile.h"
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
#define PLACEMENT_GAP_PERCENT 20
#define PLACEMENT_FEW_PERCENT 0.1
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
    bool in_bytes;    /* how lifetimes are measured, otherwise in nanoseconds */
    double run;	      /* mean length of a run; 0: unknown */
    double temporary; /* greatest mean lifetime */
    double temporary_accesses; /* greatest mean number, of blocks whose
				  lifetimes are in bytes */
    bool has_accesses;	       /* otherwise nothing is hot, warm or cold */
    double hot_density;	       /* least; accesses per byte allocated */
    double sure_density;       /* least of those that are hot even if all
				  accesses to blocks that are no samples are to
				  hotter ones; otherwise the same */
    double cold_density;       /* greatest; accesses per byte and time in
				  memory */
    double cold;	       /* least mean lifetime */
  };

  /* Return the MIB of context INDEX of DATA, or NULL; valid until the next
     call.  */
  typedef const struct memory_info *placement_info (const void *data,
						    size_t index);

  /* Store in *RULES those for the contexts 0 to COUNT - 1 of DATA, whose MIBs
     INFO returns, in the runs of TOTALS.  Return false if memory is
     exhausted.  */
  bool placement_rules_make (struct placement_rules *rules,
			     const struct heap_totals *totals,
			     placement_info *info, const void *data,
			     size_t count);

  /* What the rules know of a context, from its MIB.  There may be many
     contexts, and their MIBs are large and scattered in memory.  All zeros: a
     context without blocks.  */
  struct placement_facts
  {
    uint64_t count;	  /* of blocks */
    uint64_t bytes;	  /* of these */
    uint64_t accesses;	  /* to these, as counted */
    double real_accesses; /* or estimated, if the profile has no accesses */
    double counted_bytes; /* of the blocks whose accesses are known */
    double lifetime;	  /* mean, in the unit of the rules */
    bool is_counted;	  /* the accesses to some blocks are known */
    bool is_kept;	  /* more than half of the blocks were never released,
			     or were all in memory when the heap was largest */
    bool is_left;	  /* more than half of the blocks were not released */
    enum placement_class its_class;
  };

  /* placement_rules_make, which also stores the facts of context I, with its
     class, in FACTS[I].  */
  bool placement_classify (struct placement_rules *rules,
			   const struct heap_totals *totals,
			   placement_info *info, const void *data, size_t count,
			   struct placement_facts *facts);

  /* Return the mean length of a run, in nanoseconds: DURATION_NS / RUNS, but at
     least LONGEST_NS, the longest lifetime.  0 if unknown.  */
  double placement_run_ns (uint64_t runs, uint64_t duration_ns,
			   uint64_t longest_ns);

  /* Return the class of a context with the MIB INFO.  */
  enum placement_class placement_class_of (const struct placement_rules *rules,
					   const struct memory_info *info);

  /* Return true if that class would be the same with fewer or more accesses, by
     up to SHARE of their number; and, if it is hot, with the accesses that no
     sample stands for.  */
  bool placement_class_is_certain (const struct placement_rules *rules,
				   const struct memory_info *info,
				   double share);

  /* Return the mean lifetime of the blocks of INFO, which has some, in the unit
     of RULES.  */
  double placement_mean_lifetime (const struct placement_rules *rules,
				  const struct memory_info *info);

  /* Return the bytes of the blocks of INFO that are in memory at a time, on
     average over a run, added up over runs; all bytes if that is unknown.  */
  double placement_bytes_in_memory (const struct placement_rules *rules,
				    const struct memory_info *info);

  /* The same for blocks of which only FACTS are known.  */
  double placement_facts_in_memory (const struct placement_rules *rules,
				    const struct placement_facts *facts);

  /* Return the name of VALUE: "temporary", "hot", "warm", "cold", "unknown". */
  const char *placement_class_name (enum placement_class value);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PLACEMENT_H */

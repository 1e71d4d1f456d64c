/* GCC's own counters as a sample profile, which compilers can use without the
   flags and options of the instrumented build.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each function in the notes becomes a function of the sample profile, under
   its assembler name.  Its head samples are its entries; body samples are
   counts of the blocks that have a line.  Lines of functions that were inlined
   before GCC counted are dropped: notes do not tell which function they belong
   to.

   Several blocks may have the same line, for example of loops with condition
   and step on it.  Discriminators distinguish them, and each compiler has its
   own:

     LLVM  the first block of a line in source order has 0, the second 1, and
	   so on
     GCC   up to version 12 it looks up lines without them.  A block gets the
	   greatest count of its lines, so a line has the least of its blocks,
	   which never claims executions that did not happen.

   Functions that never ran have samples of 0 for GCC, which treats them as
   cold.  LLVM treats them as cold if they are in the list of functions but have
   no samples.

   Indirect calls have their targets where notes and counts determine the line
   without doubt.  */

#ifndef HEAPPROF_GCOV_SAMPLES_H
#define HEAPPROF_GCOV_SAMPLES_H

#include "gcov-notes.h"
#include "gcov-profile.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Selects discriminators, and how cold functions are marked.  */
  enum gcov_samples_reader
  {
    GCOV_SAMPLES_LLVM,
    GCOV_SAMPLES_GCC
  };

  /* What could not be converted.  */
  struct gcov_samples_losses
  {
    uint64_t functions; /* without notes or matching counters */
    uint64_t lines;	/* executed lines of inlined functions, per block */
    uint64_t calls;	/* executed sites whose line is unknown */
  };

  struct gcov_samples;

  /* Start converting units of GCOV, whose functions must have their names, to
     samples for READER.  INTO and GCOV must outlive the result.  NULL if memory
     is exhausted.  Free it with gcov_samples_free, which accepts NULL.  */
  struct gcov_samples *gcov_samples_new (struct sample_profile *into,
					 const struct gcov_profile *gcov,
					 enum gcov_samples_reader reader);
  void gcov_samples_free (struct gcov_samples *samples);

  /* Add the functions of UNIT, one of GCOV's units, with NOTES from the same
     compilation.  Return false if memory is exhausted; the sample profile is
     then incomplete.  */
  bool gcov_samples_add (struct gcov_samples *samples,
			 const struct gcov_unit *unit,
			 const struct gcov_notes *notes);

  /* Return what was lost so far.  */
  struct gcov_samples_losses
  gcov_samples_lost (const struct gcov_samples *samples);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_SAMPLES_H */

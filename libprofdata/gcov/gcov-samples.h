/* gcc's own counters as a sample profile, which compilers take without the
   instrumented build's flags and options.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each function that the notes have becomes one of the sample profile, under
   its assembler name.  Its head samples are its entries; body samples are
   counts of the blocks that have a line.  Lines of other functions, which were
   inlined before gcc counted, are nobody's: notes do not say whose.

   Several blocks may have one line, as loops do whose condition and step are on
   it.  Discriminators tell them apart, and each compiler has its own:

     LLVM	the first block of a line in the order of the source has 0, the
		second 1, and so on
     gcc	up to version 12 it looks lines up without them.  A block gets
		the greatest count of its lines, so a line has the least of its
		blocks, and claims nothing that did not happen.

   Functions that never ran have samples of 0 for gcc, which takes them as cold.
   LLVM takes them so if the list of functions has them, and not as functions.

   Indirect calls have their targets where notes and counts leave no doubt on
   which line they are.  */

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

  /* Whose discriminators, and whose way to say that a function is cold.  */
  enum gcov_samples_reader
  {
    GCOV_SAMPLES_LLVM,
    GCOV_SAMPLES_GCC
  };

  /* What could not be turned into samples.  */
  struct gcov_samples_losses
  {
    uint64_t functions; /* without notes or fitting counters */
    uint64_t lines;	/* executed ones of blocks, of inlined
			   functions */
    uint64_t calls;	/* executed sites whose line is not known */
  };

  struct gcov_samples;

  /* Begin to turn units of GCOV, whose functions have their names, into samples
     for READER.  INTO and GCOV must outlive the result.  NULL if memory cannot
     be had.  Release it with gcov_samples_free, which takes NULL too.  */
  struct gcov_samples *gcov_samples_new (struct sample_profile *into,
					 const struct gcov_profile *gcov,
					 enum gcov_samples_reader reader);
  void gcov_samples_free (struct gcov_samples *samples);

  /* Add the functions of UNIT, one of GCOV's, with NOTES of the same
     compilation. False if memory cannot be had; the sample profile is then half
     changed.  */
  bool gcov_samples_add (struct gcov_samples *samples,
			 const struct gcov_unit *unit,
			 const struct gcov_notes *notes);

  /* What was lost up to now.  */
  struct gcov_samples_losses
  gcov_samples_lost (const struct gcov_samples *samples);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_SAMPLES_H */

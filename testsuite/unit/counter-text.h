/* Random counter profiles, and counter profiles as text, which is the same for
   equal profiles even if their internal numbers differ.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COUNTER_TEXT_H
#define HEAPPROF_COUNTER_TEXT_H

#include "counter-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* All that PROFILE has, a line each, sorted.  Malloced.  */
char *counter_text (const struct counter_profile *profile);

/* A profile of about FUNCTIONS records, chosen by SEED: several hashes and
   shapes of a name, extreme counts, bitmaps, values, some sites with more than
   a file's part for LLVM takes, vtables, build IDs, traces.  If IS_NAMED, it
   has only what text can express.  */
struct counter_profile *random_counters (uint64_t seed, unsigned int functions,
					 bool is_named);

#endif /* HEAPPROF_COUNTER_TEXT_H */

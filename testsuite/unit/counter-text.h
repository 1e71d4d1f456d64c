/* Random counter profiles, and counter profiles as text.  Equal profiles have
   the same text even if their internal numbers differ.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COUNTER_TEXT_H
#define HEAPPROF_COUNTER_TEXT_H

#include "counter-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Return the contents of PROFILE as sorted lines, one for each item.
   Malloced.  */
char *counter_text (const struct counter_profile *profile);

/* Return a profile of about FUNCTIONS records, chosen by SEED: several hashes
   and shapes of one name, extreme counts, bitmaps, values, some sites with more
   values than the LLVM part of a file can hold, vtables, build IDs, traces.  If
   IS_NAMED, include only what text can express.  */
struct counter_profile *random_counters (uint64_t seed, unsigned int functions,
					 bool is_named);

#endif /* HEAPPROF_COUNTER_TEXT_H */

/* A heap profile as text, the same for equal profiles even if their ids differ.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_TEXT_H
#define HEAPPROF_PROFILE_TEXT_H

#include "heap-profile.h"
#include <stdint.h>

/* Every field of every MIB with its context and of every module, a line each,
   sorted, and a line of totals.  Malloced.  */
char *profile_text (const struct heap_profile *profile);

/* The next number of a sequence that *STATE stands for; any *STATE will do to
   begin with.  */
uint64_t next_random (uint64_t *state);

/* A profile of about CONTEXTS contexts, chosen by SEED: recursion, inlined
   frames, unknown functions, extreme MIBs.  */
struct heap_profile *random_profile (uint64_t seed, unsigned int contexts);

/* Add up to 19 modules, chosen by SEED, to PROFILE.  */
void add_random_modules (struct heap_profile *profile, uint64_t seed);

/* The same: up to 39 contexts of frames that keep their addresses.  */
void add_random_addresses (struct heap_profile *profile, uint64_t seed);

#endif /* HEAPPROF_PROFILE_TEXT_H */

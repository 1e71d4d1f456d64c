/* Heap profiles as text, which is the same for equal profiles even if their
   internal numbers differ.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_TEXT_H
#define HEAPPROF_PROFILE_TEXT_H

#include "heap-profile.h"
#include <stdint.h>

/* Return sorted lines: every MIB with all fields and its context, every module,
   and a line of totals.  Malloced.  */
char *profile_text (const struct heap_profile *profile);

/* Return the next number of the random sequence whose state is *STATE; any
   initial value is valid.  */
uint64_t next_random (uint64_t *state);

/* Return a profile of about CONTEXTS contexts, chosen by SEED: recursion,
   inlined frames, unknown functions, extreme MIBs.  */
struct heap_profile *random_profile (uint64_t seed, unsigned int contexts);

/* Add up to 19 modules, chosen by SEED, to PROFILE.  */
void add_random_modules (struct heap_profile *profile, uint64_t seed);

/* Add up to 39 contexts, chosen by SEED, whose frames have addresses.  */
void add_random_addresses (struct heap_profile *profile, uint64_t seed);

#endif /* HEAPPROF_PROFILE_TEXT_H */

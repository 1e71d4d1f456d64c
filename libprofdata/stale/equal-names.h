/* Names of a profile in that of a newer version of the program.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is in the same source file, or, if there is only one other of its
   name that is in no file as before, in another one.  */

#ifndef HEAPPROF_EQUAL_NAMES_H
#define HEAPPROF_EQUAL_NAMES_H

#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Set NUMBERS[I], for each name I of PROFILE, to its number in SHAPE, to which
   those that are not there are added.  Return false if memory is exhausted.  */
bool equal_names_find (const struct sample_profile *profile,
		       struct sample_profile *shape, uint32_t *numbers);

#endif /* HEAPPROF_EQUAL_NAMES_H */

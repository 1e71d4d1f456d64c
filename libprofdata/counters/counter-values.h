/* The values of one site of a counter profile, sorted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COUNTER_VALUES_H
#define HEAPPROF_COUNTER_VALUES_H

#include "counter-profile.h"

/* Return SITE's values by descending count, then ascending value, malloced;
   NULL if memory is exhausted.  */
struct counter_value *
counter_site_sorted (const struct counter_value_site *site);

#endif /* HEAPPROF_COUNTER_VALUES_H */

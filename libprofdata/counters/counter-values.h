/* The values of one site of a counter profile, in order.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COUNTER_VALUES_H
#define HEAPPROF_COUNTER_VALUES_H

#include "counter-profile.h"

/* SITE's values by falling count, then ascending value, malloced; NULL if
   memory cannot be had.  */
struct counter_value *
counter_site_sorted (const struct counter_value_site *site);

#endif /* HEAPPROF_COUNTER_VALUES_H */

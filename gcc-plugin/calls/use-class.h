/* Cold, not cold or hot: what the blocks of a calling context are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_CLASS_H
#define HEAPPROF_USE_CLASS_H

#include "use-call.h"

/* What the thresholds in ARGUMENTS make of a MIB's FIELDS (use-call.h).  */
hint_class use_classify (tree fields);

/* Set the default of the shortest average lifetime of what is cold, to be used
   unless an argument gives another.  */
void use_set_cold_lifetime (double milliseconds);

/* The value that stands for HINT in programs: 1, 128 or 254; 0 for none.  */
int use_hint_value (hint_class hint);

/* "cold", "notcold" or "hot"; "none".  */
const char *use_hint_name (hint_class hint);

#endif /* HEAPPROF_USE_CLASS_H */

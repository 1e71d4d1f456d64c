/* Keep counters in memory across calls that are said to change none.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COUNTER_SETTLE_H
#define HEAPPROF_COUNTER_SETTLE_H

/* Register the pass.  */
void counter_settle_register (const char *plugin_name);

#endif /* HEAPPROF_COUNTER_SETTLE_H */

/* The passes that count heap accesses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ACCESS_COUNT_H
#define HEAPPROF_ACCESS_COUNT_H

/* Register the passes.  The arguments must have been parsed.  */
void access_count_register (const char *plugin_name);

#endif /* HEAPPROF_ACCESS_COUNT_H */

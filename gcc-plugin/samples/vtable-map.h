/* Map of promoted virtual calls (doc/vtmap-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VTABLE_MAP_H
#define HEAPPROF_VTABLE_MAP_H

/* Register the passes that write a map of comparisons with virtual tables to
   each object.  */
void vtable_map_start (const char *plugin_name);

#endif /* HEAPPROF_VTABLE_MAP_H */

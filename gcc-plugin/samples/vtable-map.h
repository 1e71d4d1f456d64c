/* The map of promoted virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VTABLE_MAP_H
#define HEAPPROF_VTABLE_MAP_H

/* Have comparisons with virtual tables written to the map of each object.  */
void vtable_map_start (const char *plugin_name);

#endif /* HEAPPROF_VTABLE_MAP_H */

/* Option max_memory: the limit on the profile's size.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   This counts the tree of contexts and the raw file, at their current size plus
   wide records that MIBs may come to need.  The last eighth is reserved for
   MIBs of existing nodes.  */

#ifndef HEAPPROF_ROOM_H
#define HEAPPROF_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TREE_BYTES returns the memory taken by a tree of COUNT nodes.  Call once.  */
void rt_room_start (uint64_t (*tree_bytes) (uint32_t count));

/* True if another node, which takes TREE_BYTES bytes in the tree, or that many
   MIBs may be added.  Once false, always false.  rt_raw_lock is held.  */
bool rt_room_for_node (size_t tree_bytes);
bool rt_room_for_mibs (uint32_t records);

/* The same for brief MIBs, and what they may grow to.  */
bool rt_room_for_briefs (uint32_t records);

/* The same for an interpreted frame and BYTES of strings.  */
bool rt_room_for_names (size_t bytes);

/* True if a mark may be added, for all MIBs.  rt_raw_lock is held.  */
bool rt_room_for_mark (void);

/* The same for RECORDS records of lost blocks.  */
bool rt_room_for_leaks (uint32_t records);

/* The same for a record of a thread.  */
bool rt_room_for_thread (void);

/* True if either of the first two has returned false.  */
bool rt_room_is_limited (void);

/* True if that for nodes has.  */
bool rt_room_has_no_nodes (void);

#endif /* HEAPPROF_ROOM_H */

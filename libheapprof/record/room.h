/* Option max_memory: what the profile may take.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The tree of contexts and the raw file count, as they are and as they may come
   to be.  The last eighth is for MIBs of nodes that exist.  */

#ifndef HEAPPROF_ROOM_H
#define HEAPPROF_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TREE_BYTES says what the tree of COUNT nodes takes in memory.  Once.  */
void rt_room_start (uint64_t (*tree_bytes) (uint32_t count));

/* May there be a node more, which takes TREE_BYTES bytes in the tree, or so
   many MIBs?  Once the answer is no, it stays.  rt_raw_lock is held.  */
bool rt_room_for_node (size_t tree_bytes);
bool rt_room_for_mibs (uint32_t records);

/* Has one of the answers been no?  */
bool rt_room_is_limited (void);

/* That for nodes?  */
bool rt_room_has_no_nodes (void);

#endif /* HEAPPROF_ROOM_H */

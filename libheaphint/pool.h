/* Pools of cold and hot blocks, for programs with the C library's malloc.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Blocks share pages only with blocks of their kind.  Up to 64 KiB they are
   slots in runs of chunks (slots.h), above that, if cold, runs of their own.
   errno is not changed.  */

#ifndef HEAPPROF_POOL_H
#define HEAPPROF_POOL_H

#include "area.h"
#include "backend.h"

/* Hot blocks of a page or more are left to malloc.  They share few pages with
   others, and malloc uses their memory for any size afterwards and enlarges
   them without copying; in a pool, the pages of each size are apart.  */
#define HINT_HOT_BYTES_MOST (4u * 1024 - 1)

/* True if POOL has blocks of BYTES bytes.  */
static inline bool
hint_pool_takes (unsigned pool, size_t bytes)
{
  return hint_pool_kind (pool) == HINT_COLD || bytes <= HINT_HOT_BYTES_MOST;
}

extern const struct hint_backend hint_pool_backend;

/* Reserve addresses and initialize the pools, once; return false if there can
   be none.  */
bool hint_pool_start (void);

/* True if the block DATA is in the pools' memory.  */
bool hint_pool_has (const void *data);

/* For blocks in the pools; the kind does not change.  If SIZE is 0, release the
   block and return NULL, as the C library's realloc does.  */
void *hint_pool_resize (void *data, size_t size);
void hint_pool_release (void *data);
size_t hint_pool_usable_bytes (const void *data);

/* Move a block in the pools that must move for SIZE bytes to POOL, which may be
   none, or none for this size: to plain memory.  Return NULL if it need not, if
   it is large, or if there is no memory.  */
void *hint_pool_grow (unsigned pool, void *data, size_t size);

/* For blocks in the range.  If they are not in the pools, do nothing and return
   false, and 0.  */
bool hint_pool_release_own (void *data);
size_t hint_pool_usable_own (const void *data);

#endif /* HEAPPROF_POOL_H */

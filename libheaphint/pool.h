/* Pools of cold and of hot blocks, for programs with the C library's malloc.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Blocks of a kind share pages with blocks of that kind alone.  Up to 64 KiB
   they are slots of runs of chunks (slots.h), above that runs of their own.
   errno is not changed.  */

#ifndef HEAPPROF_POOL_H
#define HEAPPROF_POOL_H

#include "area.h"
#include "backend.h"

extern const struct hint_backend hint_pool_backend;

/* Reserve addresses, and so on, once; false if pools cannot be had.  */
bool hint_pool_start (void);

/* Does the pools' memory hold the block DATA?  */
bool hint_pool_has (const void *data);

/* For blocks that the pools hold; the kind stays.  With SIZE 0 the block is
   released and NULL returned, as the C library's realloc does.  */
void *hint_pool_resize (void *data, size_t size);
void hint_pool_release (void *data);
size_t hint_pool_usable_bytes (const void *data);

#endif /* HEAPPROF_POOL_H */

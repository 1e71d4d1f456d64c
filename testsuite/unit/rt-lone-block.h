/* Blocks of unit tests that are in no arena.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_UNIT_LONE_BLOCK_H
#define HEAPPROF_UNIT_LONE_BLOCK_H

#include "block.h"
#include "size-class.h"

struct lone_block
{
  struct rt_block_far far;
  struct rt_block block;
};

/* Return a block of SIZE bytes of MIB and EPOCH 1, allocated at NS on CPU.  */
static inline struct lone_block
lone_block (uint64_t size, uint32_t mib, uint64_t ns, uint64_t cpu)
{
  struct lone_block lone = { .block.size_class = RT_CLASS_LARGE };
  rt_block_set_far (&lone.block, size);
  rt_block_begin (&lone.block, mib, 1, ns, (uint32_t) cpu);
  return lone;
}

#endif /* HEAPPROF_UNIT_LONE_BLOCK_H */

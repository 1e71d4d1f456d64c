/* A node of the tree of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_NODE_H
#define HEAPPROF_CONTEXT_NODE_H

#include <stdint.h>

struct context_node
{
  uint32_t caller; /* less than the node's own number */
  uint32_t frame;
};

#endif /* HEAPPROF_CONTEXT_NODE_H */

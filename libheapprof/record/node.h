/* What of a context is in memory: links to its children or its MIB.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The raw file's context records have addresses and point to their parents.
   They are written once and seldom read, so their pages are given back
   (resident.h).  All that an allocation needs of a context is in its node of 12
   bytes, under the same index.

   A context has a return address, of which a program has few compared with its
   contexts: these are numbered, as sites.  And nearly always the call before a
   return address either allocates or leads to other calls.  So a node has one
   link, which is to its MIB or to one of its children.  If it needs both, the
   second kind is kept elsewhere: a MIB in the thread's hash table
   (mib-table.h), children in that of the tree (context-tree.h).

   Nodes are read without a lock; all writers hold rt_raw_lock, except of links
   to MIBs.  */

#ifndef HEAPPROF_NODE_H
#define HEAPPROF_NODE_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_node
{
  uint32_t link;    /* to a child or a MIB (rt_link_child, rt_link_mib) */
  uint32_t sibling; /* the next child of its parent (context-tree.h) */
  uint32_t site;
};

/* Links to MIBs: the number of a brief one as it is, which has the uppermost
   bit set, that of another with this bit set.  A link without either is the
   number of a child, 0 if there is none.  */
#define RT_LINK_FULL 0x40000000u

extern struct rt_node *rt_nodes __attribute__ ((visibility ("hidden")));

/* The return addresses, by site; that of site 0, the root's, is 0.  */
extern uint64_t *rt_sites __attribute__ ((visibility ("hidden")));

static inline uint32_t
rt_link_child (uint32_t link)
{
  return link < RT_LINK_FULL ? link : 0;
}

static inline uint32_t
rt_link_mib (uint32_t link)
{
  if ((link & HEAPPROF_RAW_BRIEF) != 0)
    return link;
  return (link & RT_LINK_FULL) != 0 ? link & ~RT_LINK_FULL : 0;
}

static inline uint32_t
rt_link_to_mib (uint32_t mib)
{
  return (mib & HEAPPROF_RAW_BRIEF) != 0 ? mib : mib | RT_LINK_FULL;
}

static inline uint32_t
rt_node_link (uint32_t node)
{
  return __atomic_load_n (&rt_nodes[node].link, __ATOMIC_ACQUIRE);
}

/* Let NODE, whose link is KNOWN, have LINK.  Return false if it has another one
   by now.  */
static inline bool
rt_node_relink (uint32_t node, uint32_t known, uint32_t link)
{
  return __atomic_compare_exchange_n (&rt_nodes[node].link, &known, link, false,
				      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Reserve addresses for nodes and sites.  False if there are none.  */
bool rt_nodes_start (void);

/* Give node NUMBER, the next one, the site of ADDRESS.  False if there is no
   space.  */
bool rt_node_prepare (uint32_t number, uint64_t address);

/* Return the bytes of memory in use for COUNT nodes and all sites.  */
uint64_t rt_nodes_bytes (uint32_t count);

#endif /* HEAPPROF_NODE_H */

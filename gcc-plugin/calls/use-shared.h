/* Lists that share their equal ends.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_SHARED_H
#define HEAPPROF_USE_SHARED_H

/* The one list node of PURPOSE, VALUE and the list REST in this unit.  Each
   is NULL, a constant that the compiler shares, or made by this.  */
tree use_shared_node (tree purpose, tree value, tree rest);

/* The constant NUMBER of 64 bits.  */
tree use_shared_number (uint64_t number);

void use_shared_register_roots (const char *plugin_name);

#endif /* HEAPPROF_USE_SHARED_H */

/* Lists that share equal tails.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_SHARED_H
#define HEAPPROF_USE_SHARED_H

/* Return the list node of PURPOSE, VALUE and the list REST, unique in this
   unit.  Each is NULL, a constant that the compiler shares, or a result of this
   function.  */
tree use_shared_node (tree purpose, tree value, tree rest);

/* Return the 64-bit constant NUMBER.  */
tree use_shared_number (uint64_t number);

void use_shared_register_roots (const char *plugin_name);

#endif /* HEAPPROF_USE_SHARED_H */

/* Cloning of functions for some of their callers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUNCTION_CLONES_H
#define HEAPPROF_FUNCTION_CLONES_H

/* Start: the unit, at its current size, may grow by use-max-growth percent.  */
void function_clones_start (void);
/* End, and write the number of clones to the dump.  */
void function_clones_finish (void);

/* Return the remaining growth allowed for the unit, in instructions.  */
HOST_WIDE_INT function_clones_growth_left (void);

/* Return the instructions in NODES that count as growth, as GCC's inliner
   counts them.  */
HOST_WIDE_INT function_clones_size (const vec<cgraph_node *> &nodes);

/* True if NODE can be cloned.  */
bool function_clones_possible_p (cgraph_node *node);

/* Return why a function, among NODES and those cloned with them, cannot be
   cloned ("may be replaced by another definition"), or NULL.  The dump names
   the function.  */
const char *function_clones_obstacle (const vec<cgraph_node *> &nodes);

/* Record that clones were not made because the unit would grow too much; true
   if this was recorded.  */
void function_clones_limit (void);
bool function_clones_limited_p (void);

/* True if CALL is certain to run the definition in this unit.  */
bool function_clones_may_redirect_p (cgraph_edge *call);

/* Clone MEMBERS, functions of a circle, and the functions that must be cloned
   with them, and redirect CALLS to the clones.  Do nothing if the unit would
   grow too much.  */
void function_clones_make (const vec<cgraph_node *> &members,
			   const vec<cgraph_edge *> &calls);

#endif /* HEAPPROF_FUNCTION_CLONES_H */

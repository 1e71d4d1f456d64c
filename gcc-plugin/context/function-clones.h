/* Cloning functions for some of their callers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUNCTION_CLONES_H
#define HEAPPROF_FUNCTION_CLONES_H

/* Begin: the unit, as it is, may grow by use-max-growth.  */
void function_clones_start (void);
/* End, and say in the dump how many clones there are.  */
void function_clones_finish (void);

/* Instructions by which the unit may still grow.  */
HOST_WIDE_INT function_clones_growth_left (void);

/* Instructions in NODES, as GCC counts them when it inlines.  */
HOST_WIDE_INT function_clones_size (const vec<cgraph_node *> &nodes);

/* True if NODE can be cloned.  */
bool function_clones_possible_p (cgraph_node *node);

/* One of NODES, and of what is cloned with them, that cannot be cloned, or
   NULL.  The dump says why.  */
cgraph_node *function_clones_obstacle (const vec<cgraph_node *> &nodes);

/* True if CALL surely runs the definition that is here.  */
bool function_clones_may_redirect_p (cgraph_edge *call);

/* Clone MEMBERS, functions of a circle, and what has to be cloned with them.
   Those of CALLS that call one of them call its clone then.  Nothing is done if
   the unit would grow too much.  */
void function_clones_make (const vec<cgraph_node *> &members,
			   const vec<cgraph_edge *> &calls);

#endif /* HEAPPROF_FUNCTION_CLONES_H */

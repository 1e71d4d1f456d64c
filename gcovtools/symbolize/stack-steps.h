/* A cache of steps in a context tree, each over several addresses.
   SPDX-License-Identifier: GPL-3.0-or-later

   Many stacks share their outer frames.  Walking each stack down the tree
   address by address costs a search in a large table for each address; here one
   search covers four addresses, or two if their numbers are too large.  */

#ifndef HEAPPROF_STACK_STEPS_H
#define HEAPPROF_STACK_STEPS_H

#include <stdbool.h>
#include <stdint.h>

struct step
{
  uint32_t from; /* node */
  uint32_t to;	 /* node plus 1; 0: free */
  uint64_t run;	 /* the numbers, packed */
};

struct stack_steps
{
  struct step *steps; /* open addressing, at most half full */
  uint32_t count;
  uint32_t mask;
  unsigned int width; /* addresses per run */
};

/* Make *STEPS empty, for numbers below COUNT.  Return false if memory is
   exhausted; free *STEPS in any case.  */
bool stack_steps_init (struct stack_steps *steps, uint32_t count);
void stack_steps_free (struct stack_steps *steps);

/* Return the WIDTH numbers at NUMBERS packed into a run.  */
uint64_t stack_steps_run (const struct stack_steps *steps,
			  const uint32_t *numbers);

/* Return the node that RUN leads to from node FROM; UINT32_MAX if unknown.  */
uint32_t stack_steps_find (const struct stack_steps *steps, uint32_t from,
			   uint64_t run);

/* Add that RUN leads from node FROM to TO, which was unknown.  Return false if
   memory is exhausted.  */
bool stack_steps_add (struct stack_steps *steps, uint32_t from, uint64_t run,
		      uint32_t to);

#endif /* HEAPPROF_STACK_STEPS_H */

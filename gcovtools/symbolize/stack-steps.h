/* Where runs of numbered addresses lead in a tree of contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Many stacks have the same outer frames.  Walking each stack down the tree
   address by address costs a search in a large table for each; here one search
   goes over four at once, or over two if the numbers are too large.  */

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
  unsigned int width; /* addresses of a run */
};

/* Make *STEPS empty, for numbers below COUNT.  False if memory is exhausted;
 *STEPS is to be freed in any case.  */
bool stack_steps_init (struct stack_steps *steps, uint32_t count);
void stack_steps_free (struct stack_steps *steps);

/* The run of the WIDTH numbers at NUMBERS.  */
uint64_t stack_steps_run (const struct stack_steps *steps,
			  const uint32_t *numbers);

/* The node that RUN leads to from the node FROM; UINT32_MAX if that is not
   known.  */
uint32_t stack_steps_find (const struct stack_steps *steps, uint32_t from,
			   uint64_t run);

/* Note that it leads to TO, which was not known.  False if memory is
   exhausted.  */
bool stack_steps_add (struct stack_steps *steps, uint32_t from, uint64_t run,
		      uint32_t to);

#endif /* HEAPPROF_STACK_STEPS_H */

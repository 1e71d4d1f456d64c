/* Where runs of addresses lead in a tree of contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Many stacks have the same outer frames.  Walking each stack down the tree
   address by address costs a search in a large table for each; here one search
   goes over four at once.  */

#ifndef HEAPPROF_STACK_STEPS_H
#define HEAPPROF_STACK_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#define STEP_ADDRESSES 4
#define STEP_BYTES (STEP_ADDRESSES * 8)

struct step
{
  uint32_t from;		/* node */
  uint32_t to;			/* node plus 1; 0: free */
  const uint8_t *addresses;	/* in the file */
};

struct stack_steps
{
  struct step *steps;		/* open addressing, at most half full */
  uint32_t count;
  uint32_t mask;
};

/* Make *STEPS empty.  False if memory is exhausted; *STEPS is to be freed in
   any case.  */
bool stack_steps_init (struct stack_steps *steps);
void stack_steps_free (struct stack_steps *steps);

/* The node that the STEP_BYTES bytes at ADDRESSES lead to from the node FROM;
   UINT32_MAX if that is not known.  */
uint32_t stack_steps_find (const struct stack_steps *steps, uint32_t from,
			   const uint8_t *addresses);

/* Note that they lead to TO, which was not known.  ADDRESSES must stay as they
   are.  False if memory is exhausted.  */
bool stack_steps_add (struct stack_steps *steps, uint32_t from,
		      const uint8_t *addresses, uint32_t to);

#endif /* HEAPPROF_STACK_STEPS_H */

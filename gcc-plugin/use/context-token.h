/* Context tokens: calls that tell ambiguous allocations where blocks belong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_TOKEN_H
#define HEAPPROF_CONTEXT_TOKEN_H

/* Let the calls of FUN that have a token set it, and restore it where FUN
   continues after an exception or longjmp.  Return GCC's TODO flags.  */
unsigned context_token_set (function *fun);

/* Return the value that the allocation at GSI passes as its hint: that of the
   call with a token that it was inlined through, if any, otherwise that of the
   active token, or HINT_VALUE_AMBIGUOUS.  */
tree context_token_hint (gimple_stmt_iterator *gsi);

/* Write what this assembler file needs.  */
void context_token_finish (void);

#endif /* HEAPPROF_CONTEXT_TOKEN_H */

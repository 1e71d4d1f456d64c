/* Context tokens: calls that tell ambiguous allocations where blocks belong.
   SPDX-License-Identifier: GPL-3.0-or-later

   An allocation whose contexts have blocks of several kinds (hot, cold and
   others) needs a hint from its callers.  Warm blocks are hot ones here, since
   they go where these do.  Temporary blocks agree with hot and with other ones:
   they may be anywhere but between cold blocks.  Without a token, an allocation
   puts small ones with hot blocks; so do the tokens that they need.

     keep --1--> xmalloc --0--> malloc	cold from 1, hot from 2
     work --2--> xmalloc

   The calls 1 and 2 get tokens: while such a call runs, a thread-local word has
   the kind of its contexts, and ambiguous allocations read it.  The token of a
   context belongs to the innermost call from which on all contexts agree:
   counted from the allocation, contexts of other kinds have another call there
   or before.  If a call is that of contexts of several kinds, the one with more
   bytes wins.  A context that passes several calls with tokens has that of the
   innermost one; a token that keeps outer ones from more than it decides is
   dropped.

   A token costs a few instructions whenever its call runs, whether that
   allocates or not.  So the lightest tokens are dropped: those that together
   decide about at most a hundredth of the accesses and bytes of hot contexts,
   or of the bytes of cold ones, each counted for as long as it is in memory.
   Temporary blocks whose token is dropped with those get one of their own.

   Calls without a place in the source cannot get tokens; nor can compilers give
   hints to allocations at such calls, as in a library without debug
   information.  If all contexts of an allocation agree, the token is that of
   the allocation's call, which needs it only if it calls malloc through a
   pointer.  */

#ifndef HEAPPROF_STACK_TOKENS_H
#define HEAPPROF_STACK_TOKENS_H

#include "llvm-records.h"
#include "placement.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_TOKENS_LIGHT_PERCENT 1

struct stack_tokens
{
  bool *decides; /* by stack: the token of a call decides where its blocks go */
  enum placement_class *calls; /* by frame of the records: PLACEMENT_HOT, _COLD,
				  _TEMPORARY for others, _UNKNOWN without token
				*/
};

/* Find the tokens for RECORDS, whose stack S has FACTS[S] by RULES.  Return
   false if memory is exhausted.  Free with stack_tokens_free in both cases.  */
bool stack_tokens_make (struct stack_tokens *tokens,
			const struct llvm_records *records,
			const struct placement_facts *facts,
			const struct placement_rules *rules);
void stack_tokens_free (struct stack_tokens *tokens);

#endif /* HEAPPROF_STACK_TOKENS_H */

/* Allocation calls that carry a hint.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HINT_CALL_H
#define HEAPPROF_HINT_CALL_H

/* The value for an allocation whose contexts disagree and could not be told
   apart.  Those of classes are in use-class.h.  */
enum { HINT_VALUE_AMBIGUOUS = 222 };

/* True if DECL is a function whose calls can be given hints: an operator new
   or a function of C that hands out memory, by its assembler name; or a
   placeholder for one.  */
bool allocation_function_p (const_tree decl);

/* True if DECL is a function that hands out memory, but has no form that takes
   a hint: one with the attribute malloc.  */
bool unhinted_allocation_function_p (const_tree decl);

/* True if the user wants calls of the allocation function DECL to get
   hints.  */
bool hint_wanted_p (const_tree decl);

/* Redirect CALL, an edge whose callee is an allocation function, to a
   placeholder that stands for its form with the hint VALUE.  The statement is
   changed when the compiler brings statements up to date: until then it may be
   that of other calls, too.  The placeholder is turned into the real call after
   all inlining.  */
void hint_call_redirect (cgraph_edge *call, int value);

/* The hint of the placeholder DECL; -1 if it is none.  */
int hint_of_placeholder (const_tree decl);

/* The assembler name of the function DECL; of a placeholder, that of what it
   stands for.  */
const char *hint_allocator_name (const_tree decl);

/* Tell GCC's verifier what the placeholders of this part of an LTO link stand
   for; that is not in the object that the link's decisions come in.  */
void hint_call_relate_placeholders (void);

/* Register the pass that turns placeholders into calls.  */
void hint_call_register (const char *plugin_name);

#endif /* HEAPPROF_HINT_CALL_H */

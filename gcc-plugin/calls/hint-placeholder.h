/* Allocation functions that have a hinted form, and placeholders for its calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A decision about an edge of the call graph shows in the statement only after
   all clones and inlined copies have been made.  So the edge is redirected to a
   placeholder, a copy of the allocation function's declaration with another
   name, and the compiler's own code updates every copy of the statement.  A
   late pass then replaces the placeholder with the real call
   (hint-call.cc).  */

#ifndef HEAPPROF_HINT_PLACEHOLDER_H
#define HEAPPROF_HINT_PLACEHOLDER_H

/* The hint for an allocation whose contexts disagree and could not be
   separated.  The hints of the classes are in use-call.h.  HINT_VALUE_BY_TOKEN
   stands for the context token where a call sets one (context-token.h).  */
enum
{
  HINT_VALUE_AMBIGUOUS = 222,
  HINT_VALUE_BY_TOKEN = 256
};

/* An allocation function and its form that takes a hint, as assembler
   names.  */
struct hint_allocator
{
  const char *name;
  const char *hinted;
  bool is_new;
};

/* Return the allocation function that DECL is or is a placeholder for, or
   NULL.  */
const hint_allocator *hint_find_allocator (const_tree decl);

/* True if DECL is a function whose calls can get hints, by its assembler name:
   an operator new, an allocation function of C, or a placeholder for one.  */
bool allocation_function_p (const_tree decl);

/* True if DECL is an allocation function that has no hinted form: one with the
   attribute malloc.  */
bool unhinted_allocation_function_p (const_tree decl);

/* True if the user wants calls of the allocation function DECL to get
   hints.  */
bool hint_wanted_p (const_tree decl);

/* Redirect CALL, an edge whose callee is an allocation function, to a
   placeholder for its form with the hint VALUE.  The statement changes only
   when the compiler updates statements: until then, other calls may share
   it.  */
void hint_redirect_call (cgraph_edge *call, int value);

/* Return the hint of the placeholder DECL; -1 if DECL is not a placeholder.  */
int hint_of_placeholder (const_tree decl);

/* Return the assembler name of the function DECL, or for a placeholder, of the
   function it stands for.  */
const char *hint_allocator_name (const_tree decl);

/* Record which functions the placeholders of this partition of an LTO link
   stand for, for GCC's verifier.  The objects in which the link passes on its
   decisions do not contain that.  */
void hint_relate_placeholders (void);

/* Return the node of the symbol NAME if it is a function of this unit, or
   NULL.  */
cgraph_node *hint_find_function (const char *name);

/* Return an external copy of the function DECL with the name NAME.  */
tree hint_copy_as_external (tree decl, const char *name);

#endif /* HEAPPROF_HINT_PLACEHOLDER_H */

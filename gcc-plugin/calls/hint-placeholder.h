/* Allocation functions that have a form with a hint, and placeholders for it.
   SPDX-License-Identifier: GPL-3.0-or-later

   What the call graph decides about an edge is not visible in the statement
   before all clones and inlined copies have been made.  So an edge is sent to a
   placeholder, a declaration that is like the allocation function's but has
   another name, and the compiler's own code brings that to every copy of the
   statement.  A late pass then makes the call of it (hint-call.cc).  */

#ifndef HEAPPROF_HINT_PLACEHOLDER_H
#define HEAPPROF_HINT_PLACEHOLDER_H

/* The value for an allocation whose contexts disagree and could not be told
   apart.  Those of classes are in use-call.h.  */
enum
{
  HINT_VALUE_AMBIGUOUS = 222
};

/* An allocation function, and its form that takes a hint: assembler names.  */
struct hint_allocator
{
  const char *name;
  const char *hinted;
  bool is_new;
};

/* The allocation function that DECL is or stands for, or NULL.  */
const hint_allocator *hint_find_allocator (const_tree decl);

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
   that of other calls, too.  */
void hint_redirect_call (cgraph_edge *call, int value);

/* The hint of the placeholder DECL; -1 if it is none.  */
int hint_of_placeholder (const_tree decl);

/* The assembler name of the function DECL; of a placeholder, that of what it
   stands for.  */
const char *hint_allocator_name (const_tree decl);

/* Tell GCC's verifier what the placeholders of this part of an LTO link stand
   for; that is not in the object that the link's decisions come in.  */
void hint_relate_placeholders (void);

/* The node of the symbol NAME if it is a function of this unit, or NULL.  */
cgraph_node *hint_find_function (const char *name);

/* A copy of the function DECL that is external and has NAME.  */
tree hint_copy_as_external (tree decl, const char *name);

#endif /* HEAPPROF_HINT_PLACEHOLDER_H */

/* A context-sensitive sample profile as a tree of calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A node is a function called from its parent; the root has the functions
   without context.  Siblings are ordered by a key that depends on their names
   and call sites only, as in LLVM, so that decisions are the same as there.  */

#ifndef HEAPPROF_CALL_TREE_H
#define HEAPPROF_CALL_TREE_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_node;
struct objalloc;

/* The samples of a function in a context.  */
struct context_samples
{
  struct sample_function *function;
  struct call_node *node; /* where they are now */
  bool is_inlined;	  /* decided to be inlined into the parent */
  bool is_merged;	  /* their counts were added to others */
};

struct call_node
{
  uint64_t key;
  uint32_t name;
  struct sample_location site; /* of the call in the parent */
  struct call_node *parent;    /* NULL: this is the root */
  struct call_node **children; /* by key */
  uint32_t child_count;
  uint32_t child_capacity;
  struct context_samples *samples; /* NULL: none */
  uint32_t code_bytes;		   /* if HAS_CODE */
  bool has_code;
};

struct call_tree
{
  struct sample_profile *profile; /* has the names */
  struct objalloc *memory;
  struct call_node root;
};

/* Begin an empty tree with names of PROFILE, which must outlive it.  Return
   false if memory is exhausted.  */
bool call_tree_open (struct call_tree *tree, struct sample_profile *profile);
void call_tree_close (struct call_tree *tree);

/* Add all functions of the profile.  Return false if memory is exhausted.  */
bool call_tree_fill (struct call_tree *tree);

/* Return the function NAME that PARENT calls at SITE, which is added if it is
   missing.  NULL if memory is exhausted.  */
struct call_node *call_tree_need (struct call_tree *tree,
				  struct call_node *parent,
				  struct sample_location site, uint32_t name);

/* The same, but NULL if it is missing.  */
struct call_node *call_tree_find (const struct call_tree *tree,
				  const struct call_node *parent,
				  struct sample_location site, uint32_t name);

/* Return the first child of NODE after CHILD, NULL: the first of all, even if
   CHILD is no child of NODE any more.  NULL if there is none.  */
struct call_node *call_node_next (const struct call_node *node,
				  const struct call_node *child);

/* Remove NODE from its parent, and make it one that PARENT calls at SITE, where
   there is none of its name.  Return false if memory is exhausted.  */
bool call_tree_move (struct call_tree *tree, struct call_node *node,
		     struct call_node *parent, struct sample_location site);
void call_node_detach (struct call_node *node);

/* Return all nodes but the root, *COUNT of them, malloced: each level after the
   one above it.  NULL if memory is exhausted.  */
struct call_node **call_tree_list (struct call_tree *tree, size_t *count);

/* Return a new profile with the functions in the tree, each with its context
   there.  NULL and *ERR, without a path, on failure.  */
struct sample_profile *call_tree_write (struct call_tree *tree,
					struct profile_error *err);

#endif /* HEAPPROF_CALL_TREE_H */

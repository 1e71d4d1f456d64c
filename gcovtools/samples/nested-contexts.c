/* Contexts as functions that are inlined into each other.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested-contexts.h"
#include "call-tree.h"
#include <stdlib.h>

struct nesting
{
  struct call_tree tree;
  struct sample_function **outermost; /* by name; NULL: none */
  struct profile_error *err;
};

/* Count FUNCTION without context.  */
static bool
add_outermost (struct nesting *nesting, struct sample_function *function)
{
  struct sample_function **slot = &nesting->outermost[function->name];
  if (*slot != NULL)
    return sample_function_merge (nesting->tree.profile, *slot, function,
				  nesting->err);
  *slot = function;
  return true;
}

/* Inline the function of CHILD, which is complete, into that of its parent.  */
static bool
add_inlinee (struct nesting *nesting, const struct call_node *child)
{
  struct sample_function *outer = child->parent->samples->function;
  struct sample_function *inner = child->samples->function;
  if (!sample_function_adopt_inlinee (nesting->tree.profile, outer, child->site,
				      inner))
    return profile_error_set_memory (nesting->err, NULL);
  sample_count_add (&outer->total, inner->total);
  /* What runs there is the inlined code.  */
  uint64_t removed
    = sample_function_remove_call (outer, child->site, inner->name);
  outer->total -= removed < outer->total ? removed : outer->total;
  return true;
}

/* Nest the functions below NODE, those further down first.  */
static bool
nest (struct nesting *nesting, const struct call_node *node)
{
  for (uint32_t i = 0; i < node->child_count; i++)
    {
      const struct call_node *child = node->children[i];
      if (!nest (nesting, child)
	  || (child->samples != NULL
	      && !(node->samples != NULL
		     ? add_inlinee (nesting, child)
		     : add_outermost (nesting, child->samples->function))))
	return false;
    }
  return true;
}

/* Return a profile of the functions without context.  */
static struct sample_profile *
write_outermost (const struct nesting *nesting)
{
  struct sample_profile *source = nesting->tree.profile;
  struct sample_profile *profile
    = sample_profile_copy_names (source, SAMPLE_DROP_CONTEXTS, nesting->err);
  uint32_t count = sample_profile_name_count (source);
  bool is_done = profile != NULL;
  for (uint32_t i = 0; i < count && is_done; i++)
    {
      const struct sample_function *function = nesting->outermost[i];
      if (function == NULL)
	continue;
      struct sample_function *copy
	= sample_profile_add_function (profile, NULL, 0, i);
      if (copy == NULL)
	is_done = profile_error_set_memory (nesting->err, NULL);
      else
	{
	  copy->attributes = function->attributes;
	  is_done
	    = sample_function_merge (profile, copy, function, nesting->err);
	}
    }
  if (is_done)
    return profile;
  sample_profile_free (profile);
  return NULL;
}

struct sample_profile *
nested_contexts_make (struct sample_profile *profile, struct profile_error *err)
{
  struct sample_profile *result = NULL;
  struct nesting nesting
    = { .outermost = calloc ((size_t) sample_profile_name_count (profile) + 1,
			     sizeof *nesting.outermost),
	.err = err };
  if (!call_tree_open (&nesting.tree, profile) || nesting.outermost == NULL
      || !call_tree_fill (&nesting.tree))
    profile_error_set_memory (err, NULL);
  else if (nest (&nesting, &nesting.tree.root))
    result = write_outermost (&nesting);
  call_tree_close (&nesting.tree);
  free (nesting.outermost);
  return result;
}

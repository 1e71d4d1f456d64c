/* A context-sensitive sample profile as a tree of calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "call-tree.h"
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

static const struct sample_location no_site;

bool
call_tree_open (struct call_tree *tree, struct sample_profile *profile)
{
  *tree
    = (struct call_tree){ .profile = profile, .memory = objalloc_create () };
  tree->root.name = SAMPLE_NO_NAME;
  return tree->memory != NULL;
}

void
call_tree_close (struct call_tree *tree)
{
  if (tree->memory != NULL)
    objalloc_free (tree->memory);
  tree->memory = NULL;
}

static uint64_t
key_of (const struct call_tree *tree, struct sample_location site,
	uint32_t name)
{
  uint64_t place = (uint64_t) site.discriminator << 32 | site.line;
  return sample_profile_name_guid (tree->profile, name) + (place << 5) + place;
}

/* Return the index of the first child of NODE whose key is at least KEY.  */
static uint32_t
find_place (const struct call_node *node, uint64_t key)
{
  uint32_t low = 0;
  uint32_t high = node->child_count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (node->children[middle]->key < key)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static struct call_node *
child_at (const struct call_node *node, uint32_t place)
{
  return place < node->child_count ? node->children[place] : NULL;
}

/* Insert CHILD, whose key is set, into PARENT.  */
static bool
attach (struct call_tree *tree, struct call_node *parent,
	struct call_node *child)
{
  uint32_t place = find_place (parent, child->key);
  if (parent->child_count == parent->child_capacity)
    {
      uint32_t capacity
	= parent->child_capacity > 0 ? 2 * parent->child_capacity : 2;
      void *grown
	= objalloc_alloc (tree->memory, capacity * sizeof *parent->children);
      if (grown == NULL)
	return false;
      if (parent->child_count > 0)
	memcpy (grown, parent->children,
		parent->child_count * sizeof *parent->children);
      parent->children = grown;
      parent->child_capacity = capacity;
    }
  memmove (&parent->children[place + 1], &parent->children[place],
	   (parent->child_count - place) * sizeof *parent->children);
  parent->children[place] = child;
  parent->child_count++;
  child->parent = parent;
  return true;
}

struct call_node *
call_tree_find (const struct call_tree *tree, const struct call_node *parent,
		struct sample_location site, uint32_t name)
{
  uint64_t key = key_of (tree, site, name);
  struct call_node *child = child_at (parent, find_place (parent, key));
  return child != NULL && child->key == key ? child : NULL;
}

struct call_node *
call_tree_need (struct call_tree *tree, struct call_node *parent,
		struct sample_location site, uint32_t name)
{
  struct call_node *node = call_tree_find (tree, parent, site, name);
  if (node != NULL)
    return node;
  node = objalloc_alloc (tree->memory, sizeof *node);
  if (node == NULL)
    return NULL;
  *node = (struct call_node){ .key = key_of (tree, site, name),
			      .name = name,
			      .site = site };
  return attach (tree, parent, node) ? node : NULL;
}

struct call_node *
call_node_next (const struct call_node *node, const struct call_node *child)
{
  if (child == NULL)
    return child_at (node, 0);
  if (child->key == UINT64_MAX)
    return NULL;
  return child_at (node, find_place (node, child->key + 1));
}

void
call_node_detach (struct call_node *node)
{
  struct call_node *parent = node->parent;
  uint32_t place = find_place (parent, node->key);
  if (child_at (parent, place) != node)
    return;
  parent->child_count--;
  memmove (&parent->children[place], &parent->children[place + 1],
	   (parent->child_count - place) * sizeof *parent->children);
}

bool
call_tree_move (struct call_tree *tree, struct call_node *node,
		struct call_node *parent, struct sample_location site)
{
  call_node_detach (node);
  node->site = site;
  node->key = key_of (tree, site, node->name);
  return attach (tree, parent, node);
}

/* Add FUNCTION of the profile.  */
static bool
add_function (struct call_tree *tree, struct sample_function *function)
{
  struct call_node *node = &tree->root;
  struct sample_location site = no_site;
  for (uint32_t i = 0; i < function->caller_count && node != NULL; i++)
    {
      node = call_tree_need (tree, node, site, function->callers[i].name);
      site = function->callers[i].location;
    }
  if (node != NULL)
    node = call_tree_need (tree, node, site, function->name);
  if (node == NULL)
    return false;
  node->samples = objalloc_alloc (tree->memory, sizeof *node->samples);
  if (node->samples == NULL)
    return false;
  *node->samples
    = (struct context_samples){ .function = function, .node = node };
  return true;
}

bool
call_tree_fill (struct call_tree *tree)
{
  for (uint32_t i = 0; i < sample_profile_function_count (tree->profile); i++)
    if (!add_function (tree, sample_profile_function (tree->profile, i)))
      return false;
  return true;
}

/* Return the number of nodes below NODE.  */
static size_t
count_nodes (const struct call_node *node)
{
  size_t count = node->child_count;
  for (uint32_t i = 0; i < node->child_count; i++)
    count += count_nodes (node->children[i]);
  return count;
}

struct call_node **
call_tree_list (struct call_tree *tree, size_t *count)
{
  size_t used = 0;
  *count = count_nodes (&tree->root);
  struct call_node **nodes = calloc (*count + 1, sizeof *nodes);
  if (nodes == NULL)
    return NULL;
  const struct call_node *node = &tree->root;
  for (size_t next = 0;; node = nodes[next++])
    {
      if (node->child_count > 0)
	memcpy (&nodes[used], node->children,
		node->child_count * sizeof *nodes);
      used += node->child_count;
      if (next == used)
	return nodes;
    }
}

/* Add the samples of NODE, DEPTH calls below the root, to PROFILE.  FRAMES has
   room for its callers.  */
static bool
write_node (struct sample_profile *profile, const struct call_node *node,
	    struct sample_frame *frames, uint32_t depth,
	    struct profile_error *err)
{
  if (node->samples == NULL)
    return true;
  const struct call_node *callee = node;
  for (uint32_t i = depth; i-- > 0; callee = callee->parent)
    frames[i] = (struct sample_frame){ callee->parent->name, callee->site };
  struct sample_function *function
    = sample_profile_add_function (profile, frames, depth, node->name);
  if (function == NULL)
    return profile_error_set_memory (err, NULL);
  function->attributes = node->samples->function->attributes;
  return sample_function_merge (profile, function, node->samples->function,
				err);
}

static uint32_t
depth_of (const struct call_node *node)
{
  uint32_t depth = 0;
  for (; node->parent->parent != NULL; node = node->parent)
    depth++;
  return depth;
}

struct sample_profile *
call_tree_write (struct call_tree *tree, struct profile_error *err)
{
  size_t count;
  struct call_node **nodes = call_tree_list (tree, &count);
  /* The last level is the deepest.  */
  struct sample_frame *frames
    = nodes != NULL ? calloc (count > 0 ? depth_of (nodes[count - 1]) + 1 : 1,
			      sizeof *frames)
		    : NULL;
  struct sample_profile *profile
    = sample_profile_copy_names (tree->profile, 0, err);
  bool is_done = profile != NULL
		 && (frames != NULL || profile_error_set_memory (err, NULL));
  for (size_t i = 0; i < count && is_done; i++)
    is_done = write_node (profile, nodes[i], frames, depth_of (nodes[i]), err);
  free (frames);
  free (nodes);
  if (is_done)
    return profile;
  sample_profile_free (profile);
  return NULL;
}

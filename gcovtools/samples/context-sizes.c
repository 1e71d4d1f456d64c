/* Sizes of machine code by calling context.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "context-sizes.h"
#include "line-locations.h"
#include "number-sort.h"
#include "packed-discriminator.h"
#include <stdlib.h>
#include <string.h>

static const struct sample_location no_site;

/* The functions of one image.  */
struct measuring
{
  struct context_sizes *sizes;
  const struct sampled_functions *functions;
};

bool
context_sizes_open (struct context_sizes *sizes, struct sample_profile *profile)
{
  return call_tree_open (&sizes->tree, profile);
}

void
context_sizes_close (struct context_sizes *sizes)
{
  call_tree_close (&sizes->tree);
}

static void
add_bytes (struct call_node *node, uint32_t bytes)
{
  node->code_bytes += bytes;
  node->has_code = true;
}

static bool
has_probes (const struct measuring *measuring)
{
  return sample_profile_flags (measuring->sizes->tree.profile) & SAMPLE_PROBES;
}

/* Return where FRAME goes on, in the profile.  */
static struct sample_location
site_of (const struct measuring *measuring,
	 const struct symbolizer_frame *frame)
{
  return has_probes (measuring)
	   ? (struct sample_location){ packed_discriminator_probe (
					 frame->discriminator),
				       0 }
	   : line_location_packed (frame);
}

/* Return the node of the code at ADDRESS, whose frames change at *END.  NULL if
   memory is exhausted.  */
static struct call_node *
find_node (struct measuring *measuring, uint64_t address, uint64_t *end)
{
  const struct symbolizer_frame *frames;
  struct call_tree *tree = &measuring->sizes->tree;
  struct call_node *node = &tree->root;
  size_t count
    = symbolizer_lookup_scope (measuring->functions->image->symbolizer, address,
			       &frames, end);
  size_t first = count;
  /* What is in an unknown function has no context.  */
  while (first > 0 && frames[first - 1].described_name != NULL)
    first--;
  for (size_t i = first; i < count && node != NULL; i++)
    {
      uint32_t name
	= sampled_functions_add_name (measuring->functions, frames[i].function,
				      frames[i].function_bytes,
				      frames[i].described_name,
				      frames[i].declared_in);
      if (name == SAMPLE_NO_NAME)
	return NULL;
      node = call_tree_need (tree, node,
			     i == first ? no_site
					: site_of (measuring, &frames[i]),
			     name);
    }
  return count > 0 ? node : NULL;
}

/* Add the code of FUNCTION.  */
static bool
add_code (struct measuring *measuring,
	  const struct symbolizer_function *function)
{
  struct code_map *code = measuring->functions->image->code;
  for (size_t i = 0; i < function->range_count; i++)
    {
      struct code_instruction where;
      struct call_node *node = NULL;
      uint64_t node_end = 0;
      for (uint64_t address = function->ranges[i].start;
	   code_map_next (code, address, &where)
	   && where.address < function->ranges[i].end;
	   address = where.address + where.bytes)
	{
	  if (where.address >= node_end)
	    node = find_node (measuring, where.address, &node_end);
	  if (node == NULL)
	    return false;
	  add_bytes (node, where.bytes);
	}
    }
  return true;
}

/* What was inlined may have lost all its code, but not its probes: its size is
   0.  Add COPY, which has probes.  */
static bool
add_copy (struct measuring *measuring, uint32_t copy)
{
  const struct pseudo_probes *probes = &measuring->functions->image->probes;
  struct call_tree *tree = &measuring->sizes->tree;
  struct call_node *node = &tree->root;
  struct sample_location site = no_site;
  while (copy != PSEUDO_PROBE_NO_COPY)
    {
      const struct pseudo_probe_copy *here = &probes->copies[copy];
      const struct pseudo_probe_function *function
	= &probes->functions[here->function];
      uint32_t name = sample_profile_add_name (tree->profile, function->name,
					       function->name_bytes);
      if (name == SAMPLE_NO_NAME)
	return false;
      node = call_tree_need (tree, node, site, name);
      if (node == NULL)
	return false;
      site.line = here->site;
      copy = here->caller;
    }
  add_bytes (node, 0);
  return true;
}

/* Return the copy that COPY is inlined into in the end.  */
static uint32_t
outermost (const struct pseudo_probes *probes, uint32_t copy)
{
  while (probes->copies[copy].caller != PSEUDO_PROBE_NO_COPY)
    copy = probes->copies[copy].caller;
  return copy;
}

/* Add the copies of the functions for which IS_SEEN, by name, is true.  */
static bool
add_copies (struct measuring *measuring, const bool *is_seen, uint32_t count)
{
  const struct pseudo_probes *probes = &measuring->functions->image->probes;
  bool *is_added = calloc ((size_t) probes->copy_count + 1, sizeof *is_added);
  bool is_done = is_added != NULL;
  for (uint32_t i = 0; i < probes->probe_count && is_done; i++)
    {
      uint32_t copy = probes->probes[i].copy;
      if (is_added[copy])
	continue;
      is_added[copy] = true;
      const struct pseudo_probe_function *function
	= &probes->functions[probes->copies[outermost (probes, copy)].function];
      uint32_t name
	= sample_profile_add_name (measuring->sizes->tree.profile,
				   function->name, function->name_bytes);
      is_done = name != SAMPLE_NO_NAME;
      if (is_done && name < count && is_seen[name])
	is_done = add_copy (measuring, copy);
    }
  free (is_added);
  return is_done;
}

/* Addresses, malloced.  */
struct address_list
{
  uint64_t *addresses;
  size_t count;
};

/* Sort LIST and remove what is there twice.  Return false if memory is
   exhausted.  */
static bool
sort_list (struct address_list *list)
{
  size_t kept = 0;
  uint64_t *spare = calloc (list->count + 1, sizeof *spare);
  if (spare == NULL)
    return false;
  number_sort (list->addresses, spare, list->count, sizeof *spare);
  free (spare);
  for (size_t i = 0; i < list->count; i++)
    if (kept == 0 || list->addresses[i] != list->addresses[kept - 1])
      list->addresses[kept++] = list->addresses[i];
  list->count = kept;
  return true;
}

/* Set *LIST to the addresses of code that STACKS came through.  Return false if
   memory is exhausted.  */
static bool
list_addresses (const struct stack_counts *stacks, struct address_list *list)
{
  const struct call_contexts *contexts = &stacks->contexts;
  size_t count = 0;
  uint64_t *all = calloc ((size_t) contexts->path_count + stacks->ranges.count
			    + 2 * (size_t) stacks->branches.count + 1,
			  sizeof *all);
  *list = (struct address_list){ .addresses = all };
  if (all == NULL)
    return false;
  /* llvm-profgen knows no addresses of contexts by lines.  */
  for (uint32_t i = CALL_PATH_EMPTY + 1;
       i < contexts->path_count && !contexts->are_paths; i++)
    all[count++] = contexts->paths[i].address;
  for (uint32_t i = 0; i < stacks->ranges.count; i++)
    all[count++] = stacks->ranges.slots[i].first;
  for (uint32_t i = 0; i < stacks->branches.count; i++)
    {
      all[count++] = stacks->branches.slots[i].first;
      all[count++] = stacks->branches.slots[i].second;
    }
  list->count = count;
  return sort_list (list);
}

/* Replace the addresses in LIST, which are sorted, by the starts of their
   functions.  Return false if memory is exhausted.  */
static bool
find_functions (const struct measuring *measuring, struct address_list *list)
{
  size_t count = 0;
  struct symbolizer_range here = { 0 };
  for (size_t i = 0; i < list->count; i++)
    {
      struct symbolizer_function function;
      uint64_t address = list->addresses[i];
      if (address >= here.start && address < here.end)
	continue;
      if (!symbolizer_function_at (measuring->functions->image->symbolizer,
				   address, true, &function))
	return false;
      if (function.described_name == NULL || function.range_count == 0)
	continue;
      list->addresses[count] = function.ranges[0].start;
      for (size_t j = 0; j < function.range_count; j++)
	{
	  const struct symbolizer_range *range = &function.ranges[j];
	  if (address >= range->start && address < range->end)
	    here = *range;
	  if (range->start < list->addresses[count])
	    list->addresses[count] = range->start;
	}
      count++;
    }
  list->count = count;
  return sort_list (list);
}

/* Mark NAME in *IS_SEEN, which has room for *COUNT names.  */
static bool
mark (bool **is_seen, uint32_t *count, uint32_t name)
{
  if (name >= *count)
    {
      uint32_t more = 2 * (name + 1);
      bool *grown = realloc (*is_seen, more * sizeof *grown);
      if (grown == NULL)
	return false;
      memset (grown + *count, 0, (more - *count) * sizeof *grown);
      *is_seen = grown;
      *count = more;
    }
  (*is_seen)[name] = true;
  return true;
}

bool
context_sizes_add (struct context_sizes *sizes,
		   const struct sampled_functions *functions,
		   const struct stack_counts *stacks)
{
  struct measuring measuring = { sizes, functions };
  struct address_list list;
  bool *is_seen = NULL;
  uint32_t count = 0;
  bool is_done
    = list_addresses (stacks, &list) && find_functions (&measuring, &list);
  for (size_t i = 0; i < list.count && is_done; i++)
    {
      struct symbolizer_function function;
      uint32_t name = SAMPLE_NO_NAME;
      is_done = symbolizer_function_at (functions->image->symbolizer,
					list.addresses[i], true, &function);
      if (is_done)
	name = sample_profile_add_name (sizes->tree.profile,
					function.described_name,
					strlen (function.described_name));
      is_done = name != SAMPLE_NO_NAME && mark (&is_seen, &count, name)
		&& add_code (&measuring, &function);
    }
  if (is_done && has_probes (&measuring))
    is_done = add_copies (&measuring, is_seen, count);
  free (list.addresses);
  free (is_seen);
  return is_done;
}

uint32_t
context_sizes_find (const struct context_sizes *sizes,
		    const struct call_node *node)
{
  const struct call_node *here = &sizes->tree.root;
  const struct call_node *last = here;
  struct sample_location site = no_site;
  const struct call_node *found = NULL;
  for (; here != NULL && node->parent != NULL; node = node->parent)
    {
      last = here;
      here = call_tree_find (&sizes->tree, here, site, node->name);
      if (here != NULL && here->has_code)
	found = here;
      site = node->site;
    }
  /* The size with other callers.  */
  if (found == NULL)
    for (here = here != NULL ? here : last;
	 here->child_count > 0 && found == NULL;)
      {
	here = here->children[0];
	if (here->has_code)
	  found = here;
      }
  return found != NULL ? found->code_bytes : 0;
}

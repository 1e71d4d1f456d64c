/* Construction of a sample profile from sampled code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-builder.h"
#include "line-locations.h"
#include "range-overlay.h"
#include "sampled-functions.h"
#include "slot-targets.h"
#include "vtable-flow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder
{
  struct sampled_functions functions; /* of the current image */
  enum sample_rule rule;
  bool has_ranges; /* else only addresses */
  struct slot_targets slots;
};

/* The location of an instruction in the profile.  */
struct place
{
  struct sample_function *function; /* the innermost one; NULL: none */
  struct sample_location location;
  uint32_t factor; /* multiplier for its count */
};

static struct sample_location
location_of (const struct builder *builder,
	     const struct symbolizer_frame *frame)
{
  struct sample_location location
    = line_location (builder->functions.image, frame);
  if (builder->functions.options->has_columns)
    location.discriminator = frame->column;
  return location;
}

void
function_sources_release (struct function_sources *sources)
{
  for (uint32_t i = 0; i < sources->count; i++)
    free ((char *) sources->sources[i].path);
  free (sources->sources);
  *sources = (struct function_sources){ 0 };
}

/* Note where the function NAME of FRAME is defined, if that is wanted.  */
static bool
add_source (const struct builder *builder, uint32_t name,
	    const struct symbolizer_frame *frame)
{
  struct function_sources *sources = builder->functions.options->sources;
  if (sources == NULL || frame->declared_in == NULL || frame->start_line == 0
      || (name < sources->count && sources->sources[name].path != NULL))
    return true;
  if (name >= sources->count)
    {
      uint32_t count = 2 * (name + 1);
      struct stale_source *grown
	= realloc (sources->sources, count * sizeof *grown);
      if (grown == NULL)
	return false;
      memset (grown + sources->count, 0,
	      (count - sources->count) * sizeof *grown);
      sources->sources = grown;
      sources->count = count;
    }
  const char *folder = frame->declared_in[0] != '/' ? frame->directory : NULL;
  char *path;
  if (asprintf (&path, "%s%s%s", folder != NULL ? folder : "",
		folder != NULL ? "/" : "", frame->declared_in)
      < 0)
    return false;
  sources->sources[name] = (struct stale_source){ path, frame->start_line };
  return true;
}

/* Return true if debug information describes all COUNT frames at FRAMES and has
   the file of the innermost.  */
static bool
are_described (const struct symbolizer_frame *frames, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (frames[i].described_name == NULL)
      return false;
  return count > 0 && frames[0].file != NULL;
}

/* Find the location of the instruction at ADDRESS, and add TOTAL to the
   functions there, from the outermost one to an initializer, which has no
   counts.  Return false if memory is exhausted.  */
static bool
find_place (const struct builder *builder, uint64_t address, uint64_t total,
	    struct place *place)
{
  const struct symbolizer_frame *frames;
  size_t count = symbolizer_lookup (builder->functions.image->symbolizer,
				    address, &frames);
  place->function = NULL;
  if (count == 0)
    return false;
  if (!are_described (frames, count) || count > SAMPLE_DEEPEST)
    return true;
  struct sample_function *function = NULL;
  for (size_t i = count; i-- > 0;)
    {
      if (sampled_functions_is_initializer (frames[i].described_name))
	return true;
      uint32_t name
	= sampled_functions_add_name (&builder->functions, frames[i].function,
				      frames[i].function_bytes,
				      frames[i].described_name,
				      frames[i].declared_in);
      if (name == SAMPLE_NO_NAME || !add_source (builder, name, &frames[i]))
	return false;
      function = function == NULL
		   ? sample_profile_add_function (builder->functions.profile,
						  NULL, 0, name)
		   : sample_function_need_inlinee (builder->functions.profile,
						   function,
						   location_of (builder,
								&frames[i + 1]),
						   name);
      if (function == NULL)
	return false;
      sample_count_add (&function->total, total);
    }
  place->function = function;
  place->location = location_of (builder, &frames[0]);
  place->factor = line_location_factor (builder->functions.image, &frames[0]);
  return true;
}

static uint64_t
multiply (uint64_t count, uint64_t by)
{
  uint64_t product;
  return __builtin_mul_overflow (count, by, &product) ? UINT64_MAX : product;
}

static bool
add_instruction (void *closure, const struct code_instruction *where,
		 uint64_t count)
{
  struct builder *builder = closure;
  struct place place;
  uint64_t weight = builder->has_ranges ? where->bytes : 1;
  if (!find_place (builder, where->address, multiply (count, weight), &place))
    return false;
  if (place.function == NULL)
    return true;
  struct sample_body *body
    = sample_function_need_body (builder->functions.profile, place.function,
				 place.location);
  if (body == NULL)
    return false;
  uint64_t own = multiply (count, place.factor);
  if (builder->rule == SAMPLE_RULE_SUM)
    sample_count_add (&body->count, own);
  else if (own > body->count)
    body->count = own;
  return true;
}

/* Add the body counts of image NUMBER in PAIRS: ranges or addresses.  */
static bool
add_bodies (struct builder *builder, const struct address_pairs *pairs,
	    uint32_t number)
{
  struct range_overlay overlay = { 0 };
  bool is_done
    = sampled_functions_overlay (&builder->functions, pairs, number,
				 builder->has_ranges, &overlay)
      && range_overlay_walk (&overlay, builder->functions.image->code,
			     add_instruction, builder);
  range_overlay_release (&overlay);
  return is_done;
}

/* Add COUNT entries of NAME, unless it is an initializer: these have no counts,
   only calls of them do.  */
static bool
add_head (const struct builder *builder, uint32_t name, uint64_t count)
{
  const char *text = sample_profile_name (builder->functions.profile, name);
  if (text != NULL && sampled_functions_is_initializer (text))
    return true;
  struct sample_function *function
    = sample_profile_add_function (builder->functions.profile, NULL, 0, name);
  if (function == NULL)
    return false;
  sample_count_add (&function->head, count);
  return true;
}

/* Add the branch PAIR as a call target.  Set *NAME to the name number of the
   function that it entered; SAMPLE_NO_NAME if none.  */
static bool
add_target (struct builder *builder, struct image_list *images,
	    const struct address_pair *pair, uint32_t *name)
{
  struct place place;
  uint32_t from = SAMPLED_FROM_IMAGE (pair->space);
  builder->functions.image = &images->images[SAMPLED_TO_IMAGE (pair->space)];
  if (!sampled_functions_find_callee (&builder->functions, pair->second, name))
    return false;
  if (*name == SAMPLE_NO_NAME || from == SAMPLED_NO_IMAGE)
    return true;
  builder->functions.image = &images->images[from];
  return find_place (builder, pair->first, 0, &place)
	 && (place.function == NULL
	     || sample_function_add_target (builder->functions.profile,
					    place.function, place.location,
					    *name, pair->count));
}

/* Add the branch PAIR: function entries and call targets.  */
static bool
add_branch (struct builder *builder, struct image_list *images,
	    const struct address_pair *pair)
{
  uint32_t name;
  if (!add_target (builder, images, pair, &name))
    return false;
  return name == SAMPLE_NO_NAME || add_head (builder, name, pair->count);
}

/* Add the branch PAIR without others: call targets.  Entries count where the
   function's first instruction was sampled.  */
static bool
add_single_branch (struct builder *builder, struct image_list *images,
		   const struct address_pair *pair)
{
  uint32_t name;
  return add_target (builder, images, pair, &name);
}

/* Add the sampled address PAIR: function entries.  */
static bool
add_address (struct builder *builder, struct image_list *images,
	     const struct address_pair *pair)
{
  uint32_t name;
  builder->functions.image = &images->images[pair->space];
  if (!sampled_functions_find_callee (&builder->functions, pair->first, &name))
    return false;
  return name == SAMPLE_NO_NAME || add_head (builder, name, pair->count);
}

/* Set *NAME to the name number of the function in the slot at ADDRESS of IMAGE;
   SAMPLE_NO_NAME if it is unknown.  */
static bool
find_in_slot (struct builder *builder, struct image *image, uint64_t address,
	      uint32_t *name)
{
  struct table_target target;
  *name = SAMPLE_NO_NAME;
  if (!table_slots_find (&image->slots, address, &target))
    return true;
  if (target.name == NULL)
    {
      builder->functions.image = image;
      return sampled_functions_find_callee (&builder->functions, target.address,
					    name);
    }
  *name = sample_profile_add_name (builder->functions.profile, target.name,
				   strlen (target.name));
  return *name != SAMPLE_NO_NAME;
}

/* Add PAIR, loads of a table slot at *PLACE, as calls of the function in the
   slot.  */
static bool
add_slot (struct builder *builder, struct image_list *images,
	  const struct address_pair *pair, const struct place *place)
{
  struct slot_target target = { .function = place->function,
				.location = place->location,
				.count = pair->count };
  return find_in_slot (builder, &images->images[SAMPLED_TO_IMAGE (pair->space)],
		       pair->second, &target.name)
	 && (target.name == SAMPLE_NO_NAME
	     || slot_targets_add (&builder->slots, &target));
}

/* Return true if ADDRESS of IMAGE is the slot of a function, not of an offset:
   a virtual thunk that was inlined at a promoted call loads an offset, too, and
   the call would count twice.  */
static bool
is_function_slot (const struct image *image, uint64_t address)
{
  struct table_target target;
  struct code_instruction instruction;
  return table_slots_find (&image->slots, address, &target)
	 && (target.name != NULL
	     || code_map_find (image->code, target.address, &instruction));
}

static bool
add_load (struct builder *builder, struct image_list *images,
	  const struct address_pair *pair)
{
  struct place place;
  const struct virtual_table *table
    = virtual_tables_find (&images->images[SAMPLED_TO_IMAGE (pair->space)]
			      .tables,
			   pair->second);
  builder->functions.image = &images->images[SAMPLED_FROM_IMAGE (pair->space)];
  if (builder->functions.image->sites.count > 0
      && !is_function_slot (&images->images[SAMPLED_TO_IMAGE (pair->space)],
			    pair->second))
    return true;
  if (!find_place (builder, pair->first, 0, &place))
    return false;
  if (place.function == NULL || table == NULL)
    return true;
  /* A link with LTO gives local tables a suffix, which records of comparisons
     do not have.  */
  const char *suffix = strstr (table->name, ".lto_priv.");
  size_t bytes
    = suffix != NULL ? (size_t) (suffix - table->name) : strlen (table->name);
  uint32_t name
    = sample_profile_add_name (builder->functions.profile, table->name, bytes);
  return name != SAMPLE_NO_NAME
	 && sample_function_add_vtable (builder->functions.profile,
					place.function, place.location, name,
					pair->count)
	 && (!builder->functions.options->slots_are_targets
	     || add_slot (builder, images, pair, &place));
}

/* Fill *CALL, whose location is set, from FLOW at SITE.  Objects whose function
   was compared, not the table, load from their tables, just as objects that
   match no comparison.  */
static bool
describe_promoted (const struct builder *builder,
		   const struct vtable_site *site,
		   const struct vtable_flow *flow, struct promoted_call *call)
{
  call->table = SAMPLE_NO_NAME;
  call->rest = site->is_continued ? 0 : flow->other;
  if (site->is_function)
    {
      sample_count_add (&call->rest, flow->same);
      return true;
    }
  call->same = flow->same;
  call->table = sample_profile_add_name (builder->functions.profile, site->name,
					 strlen (site->name));
  return call->table != SAMPLE_NO_NAME;
}

/* Append to CALLS, which has *COUNT entries, the promoted calls of the current
   image that have counts in FLOWS.  */
static bool
find_promoted (const struct builder *builder, const struct vtable_flow *flows,
	       struct promoted_call *calls, size_t *count)
{
  const struct vtable_sites *sites = &builder->functions.image->sites;
  for (size_t i = 0; i < sites->count; i++)
    {
      struct place place;
      const struct vtable_site *site = &sites->sites[i];
      if (flows[i].same == 0 && flows[i].other == 0)
	continue;
      if (!find_place (builder, site->jump, 0, &place))
	return false;
      if (place.function == NULL)
	continue;
      struct promoted_call *call = &calls[(*count)++];
      call->function = place.function;
      call->location = place.location;
      if (!describe_promoted (builder, site, &flows[i], call))
	return false;
    }
  return true;
}

/* Add the virtual tables that promoted calls of IMAGES compare with.  */
static bool
add_promoted (struct builder *builder, struct image_list *images,
	      const struct sampled_code *code)
{
  size_t site_count = 0;
  size_t count = 0;
  for (size_t i = 0; i < images->count; i++)
    site_count += images->images[i].sites.count;
  if (site_count == 0)
    return true;
  struct promoted_call *calls = calloc (site_count, sizeof *calls);
  bool is_done = calls != NULL;
  for (uint32_t i = 0; i < images->count && is_done; i++)
    {
      builder->functions.image = &images->images[i];
      struct vtable_flow *flows
	= vtable_flow_count (builder->functions.image, i, code);
      is_done = flows != NULL && find_promoted (builder, flows, calls, &count);
      free (flows);
    }
  is_done
    = is_done && vtable_flow_apply (builder->functions.profile, calls, count);
  free (calls);
  return is_done;
}

static bool
add_all (struct builder *builder, struct image_list *images,
	 const struct address_pairs *pairs,
	 bool (*add) (struct builder *, struct image_list *,
		      const struct address_pair *))
{
  for (uint32_t i = 0; i < pairs->count; i++)
    if (!add (builder, images, &pairs->slots[i]))
      return false;
  return true;
}

/* Set when the functions of CODE first ran.  */
static bool
add_times (struct builder *builder, struct image_list *images,
	   const struct sampled_code *code)
{
  for (uint32_t i = 0; i < code->first_runs.count; i++)
    {
      const struct address_pair *pair = &code->first_runs.slots[i];
      struct symbolizer_function function;
      builder->functions.image = &images->images[pair->space];
      if (!sampled_functions_find (&builder->functions, pair->first, &function))
	return false;
      if (function.described_name == NULL)
	continue;
      uint32_t name
	= sampled_functions_add_name (&builder->functions, function.function,
				      function.function_bytes,
				      function.described_name,
				      function.declared_in);
      if (name == SAMPLE_NO_NAME)
	return false;
      struct sample_function *found
	= sample_profile_find_function (builder->functions.profile, NULL, 0,
					name);
      if (found != NULL)
	sample_function_set_first_run (found, pair->count);
    }
  return true;
}

void
sample_builder_raise_bodies (struct sample_profile *profile, bool is_exact)
{
  for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
    {
      struct sample_function *function = sample_profile_function (profile, i);
      for (uint32_t j = 0; j < function->body_count; j++)
	{
	  struct sample_body *body = &function->bodies[j];
	  uint64_t sum = 0;
	  if (is_exact && body->count > 0)
	    continue;
	  for (uint32_t k = 0; k < body->targets.count; k++)
	    sample_count_add (&sum, body->targets.counts[k].count);
	  if (sum > body->count)
	    body->count = sum;
	}
    }
}

/* Add all counts of CODE.  */
static bool
add_code (struct builder *builder, struct image_list *images,
	  const struct sampled_code *code)
{
  for (uint32_t i = 0; i < images->count; i++)
    {
      builder->functions.image = &images->images[i];
      if (!add_bodies (builder,
		       builder->has_ranges ? &code->ranges : &code->addresses,
		       i))
	return false;
    }
  return (builder->has_ranges
	    ? add_all (builder, images, &code->branches, add_branch)
	    : add_all (builder, images, &code->addresses, add_address)
		&& add_all (builder, images, &code->single_branches,
			    add_single_branch))
	 && add_all (builder, images, &code->loads, add_load)
	 && add_promoted (builder, images, code)
	 && add_times (builder, images, code)
	 && slot_targets_apply (&builder->slots, builder->functions.profile);
}

bool
sample_builder_add (struct sample_profile *profile, struct image_list *images,
		    struct sampled_code *code,
		    const struct sample_builder_options *options)
{
  bool is_sorted = address_pairs_sort (&code->branches)
		   && address_pairs_sort (&code->single_branches)
		   && address_pairs_sort (&code->ranges)
		   && address_pairs_sort (&code->addresses)
		   && address_pairs_sort (&code->loads)
		   && address_pairs_sort (&code->first_runs);
  struct builder builder
    = { .functions = { .profile = profile, .options = options },
	.rule = options->rule,
	.has_ranges = code->branch_samples > 0 };
  if (builder.rule == SAMPLE_RULE_FITTING)
    builder.rule = builder.has_ranges ? SAMPLE_RULE_MAX : SAMPLE_RULE_SUM;
  bool is_done = is_sorted && add_code (&builder, images, code);
  slot_targets_release (&builder.slots);
  if (!is_done)
    return false;
  sample_builder_raise_bodies (profile, options->counts_are_exact);
  if (options->totals_are_counts)
    for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
      sample_function_sum (sample_profile_function (profile, i));
  return true;
}

/* Set *NAME to the name number of what the instruction WHERE calls;
   SAMPLE_NO_NAME: nothing.  In shapes with columns, calls of unknown functions
   have the name STALE_UNKNOWN_CALLEE.  */
static bool
find_called (struct builder *builder, const struct code_instruction *where,
	     uint32_t *name)
{
  struct code_instruction other;
  uint64_t target;
  bool has_target
    = code_map_target (builder->functions.image->code, where, &target);
  *name = SAMPLE_NO_NAME;
  if (has_target
      && !sampled_functions_find_callee (&builder->functions, target, name))
    return false;
  if (*name != SAMPLE_NO_NAME || !builder->functions.options->has_columns
      || !where->leaves || where->returns
      || (has_target
	  && code_map_find (builder->functions.image->code, target, &other)))
    return true;
  *name
    = sample_profile_add_name (builder->functions.profile, STALE_UNKNOWN_CALLEE,
			       strlen (STALE_UNKNOWN_CALLEE));
  return *name != SAMPLE_NO_NAME;
}

/* Add the location of the instruction WHERE, and its call.  */
static bool
add_shape (void *closure, const struct code_instruction *where)
{
  struct builder *builder = closure;
  struct place place;
  uint32_t name;
  if (!find_place (builder, where->address, 0, &place))
    return false;
  if (place.function == NULL)
    return true;
  return sample_function_need_body (builder->functions.profile, place.function,
				    place.location)
	   != NULL
	 && find_called (builder, where, &name)
	 && (name == SAMPLE_NO_NAME
	     || sample_function_add_target (builder->functions.profile,
					    place.function, place.location,
					    name, 1));
}

bool
sample_builder_add_shape (struct sample_profile *profile,
			  struct image_list *images,
			  const struct sample_builder_options *options)
{
  struct builder builder
    = { .functions = { .profile = profile, .options = options } };
  for (size_t i = 0; i < images->count; i++)
    {
      builder.functions.image = &images->images[i];
      if (!code_map_visit (builder.functions.image->code, add_shape, &builder))
	return false;
    }
  return true;
}

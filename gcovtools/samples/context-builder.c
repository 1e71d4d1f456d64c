/* Construction of a context-sensitive sample profile by pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "context-builder.h"
#include "context-frames.h"
#include "growing-array.h"
#include "probe-frames.h"
#include "range-overlay.h"
#include "sampled-functions.h"
#include "tail-calls.h"
#include <stdlib.h>

/* A probe that ran in the current context.  */
struct seen_probe
{
  uint32_t probe;
  uint64_t count;
};

/* The function of the profile that the probes of a copy are counted in, in the
   context SPACE.  */
struct known_copy
{
  struct sample_function *function; /* NULL: none yet */
  uint32_t space;
  bool is_seen; /* probes ran */
};

struct context_builder
{
  struct probe_frames frames;
  struct sampled_functions functions;
  uint32_t *by_copy;	/* numbers of probes, those of one copy together */
  uint32_t *copy_first; /* by copy: where its probes begin; and where the last
			   one's end */
  struct tail_calls *tails;
  struct context_frames *contexts;
  struct seen_probe *seen; /* in the current context */
  uint32_t seen_count;
  size_t seen_capacity;
  struct known_copy *known; /* by copy */
  uint32_t *copies;	    /* whose probes ran in the current context */
  uint32_t copy_count;
  size_t copy_capacity;
  struct profile_error *err;
};

/* Make room for one more element of BYTES in *ELEMENTS.  */
static bool
reserve (struct context_builder *builder, void *elements, size_t count,
	 size_t *capacity, size_t bytes)
{
  return growing_array_reserve (elements, count, capacity, 1, bytes)
	 || profile_error_set_memory (builder->err, builder->frames.path);
}

/* Return the function of PROBE, which ran in CONTEXT; NULL on failure.  */
static struct sample_function *
make_function (struct context_builder *builder, uint32_t context,
	       const struct pseudo_probe *probe)
{
  const struct pseudo_probes *probes = builder->frames.probes;
  const struct frame_list *callers
    = context_frames_find (builder->contexts, context, probe);
  uint32_t name = probe_frames_name (&builder->frames, probe->copy);
  struct sample_function *function
    = callers != NULL && name != SAMPLE_NO_NAME
	? sample_profile_add_function (builder->frames.profile, callers->frames,
				       callers->count, name)
	: NULL;
  if (function == NULL)
    {
      profile_error_set_memory (builder->err, builder->frames.path);
      return NULL;
    }
  if (probes->copies[probe->copy].caller != PSEUDO_PROBE_NO_COPY)
    function->attributes |= SAMPLE_WAS_INLINED;
  return probe_frames_set_checksum (&builder->frames, function, probe->copy,
				    builder->err)
	   ? function
	   : NULL;
}

/* The same; what was found last for each copy is remembered.  */
static struct sample_function *
find_function (struct context_builder *builder, uint32_t context,
	       const struct pseudo_probe *probe)
{
  struct known_copy *known = &builder->known[probe->copy];
  if (known->function == NULL || known->space != context)
    *known = (struct known_copy){ make_function (builder, context, probe),
				  context, false };
  return known->function;
}

/* Add COUNT to LOCATION and the total of FUNCTION.  */
static bool
add_body (struct context_builder *builder, struct sample_function *function,
	  struct sample_location location, uint64_t count)
{
  sample_count_add (&function->total, count);
  return sample_function_add_body (builder->frames.profile, function, location,
				   count)
	 || profile_error_set_memory (builder->err, builder->frames.path);
}

static bool
add_target (struct context_builder *builder, struct sample_function *function,
	    struct sample_location location, uint32_t name, uint64_t count)
{
  return sample_function_add_target (builder->frames.profile, function,
				     location, name, count)
	 || profile_error_set_memory (builder->err, builder->frames.path);
}

/* FUNCTION of COPY was entered COUNT times.  If it is inlined, no branch was
   the call: count it in the caller.  */
static bool
add_entry (struct context_builder *builder, struct sample_function *function,
	   uint32_t copy, uint64_t count)
{
  uint32_t outer = builder->frames.probes->copies[copy].caller;
  uint32_t depth = function->caller_count;
  sample_count_add (&function->head, count);
  if (outer == PSEUDO_PROBE_NO_COPY || depth == 0)
    return true;
  const struct sample_frame *last = &function->callers[depth - 1];
  struct sample_function *caller
    = sample_profile_add_function (builder->frames.profile, function->callers,
				   depth - 1, last->name);
  if (caller == NULL)
    return profile_error_set_memory (builder->err, builder->frames.path);
  return probe_frames_set_checksum (&builder->frames, caller, outer,
				    builder->err)
	 && add_body (builder, caller, last->location, count)
	 && add_target (builder, caller, last->location, function->name, count);
}

/* Add the block PROBE, which ran COUNT times in CONTEXT.  */
static bool
add_block (struct context_builder *builder, uint32_t context,
	   const struct pseudo_probe *probe, uint64_t count)
{
  bool is_entry = probe->number == PSEUDO_PROBE_ENTRY;
  struct known_copy *known = &builder->known[probe->copy];
  struct sample_function *function = find_function (builder, context, probe);
  struct sample_location location = { probe->number, probe->discriminator };
  if (function == NULL || !add_body (builder, function, location, count)
      || (is_entry && !add_entry (builder, function, probe->copy, count)))
    return false;
  if (known->is_seen)
    return true;
  known->is_seen = true;
  if (!reserve (builder, &builder->copies, builder->copy_count,
		&builder->copy_capacity, sizeof *builder->copies))
    return false;
  builder->copies[builder->copy_count++] = probe->copy;
  return true;
}

/* The probes of copies that ran, but not themselves, did not run in this
   context: their counts are 0.  Others may have been optimized away.  */
static bool
add_zeros (struct context_builder *builder)
{
  const struct pseudo_probes *probes = builder->frames.probes;
  for (uint32_t i = 0; i < builder->copy_count; i++)
    {
      uint32_t copy = builder->copies[i];
      for (uint32_t j = builder->copy_first[copy];
	   j < builder->copy_first[copy + 1]; j++)
	{
	  const struct pseudo_probe *probe
	    = &probes->probes[builder->by_copy[j]];
	  struct sample_location location
	    = { probe->number, probe->discriminator };
	  if (!add_body (builder, builder->known[copy].function, location, 0))
	    return false;
	}
    }
  return true;
}

/* Group the probes by copy.  Return false if memory is exhausted.  */
static bool
group_probes (struct context_builder *builder)
{
  const struct pseudo_probes *probes = builder->frames.probes;
  uint32_t *first = calloc (probes->copy_count + 2, sizeof *first);
  builder->copy_first = first;
  builder->by_copy = calloc (probes->probe_count + 1, sizeof *builder->by_copy);
  builder->known = calloc (probes->copy_count + 1, sizeof *builder->known);
  if (first == NULL || builder->by_copy == NULL || builder->known == NULL)
    return false;
  for (uint32_t i = 0; i < probes->probe_count; i++)
    first[probes->probes[i].copy + 2]++;
  for (uint32_t i = 2; i < probes->copy_count + 2; i++)
    first[i] += first[i - 1];
  for (uint32_t i = 0; i < probes->probe_count; i++)
    builder->by_copy[first[probes->probes[i].copy + 1]++] = i;
  return true;
}

/* Note the blocks from BEGIN to END, which ran COUNT times.  */
static bool
see_piece (void *closure, uint64_t begin, uint64_t end, uint64_t count)
{
  struct context_builder *builder = closure;
  const struct pseudo_probes *probes = builder->frames.probes;
  if (count == 0)
    return true;
  for (uint32_t i = pseudo_probes_first (probes, begin);
       i < probes->probe_count && probes->probes[i].address < end; i++)
    {
      if (probes->probes[i].kind != PSEUDO_PROBE_BLOCK)
	continue;
      if (!reserve (builder, &builder->seen, builder->seen_count,
		    &builder->seen_capacity, sizeof *builder->seen))
	return false;
      builder->seen[builder->seen_count++] = (struct seen_probe){ i, count };
    }
  return true;
}

/* Add the COUNT ranges at PAIRS, which have the same context.  */
static bool
add_ranges (struct context_builder *builder, const struct address_pair *pairs,
	    uint32_t count)
{
  struct range_overlay overlay = { 0 };
  bool is_done = true;
  builder->seen_count = 0;
  builder->copy_count = 0;
  for (uint32_t i = 0; i < count && is_done; i++)
    is_done = range_overlay_add (&overlay, pairs[i].first, pairs[i].second,
				 pairs[i].count)
	      || profile_error_set_memory (builder->err, builder->frames.path);
  is_done
    = is_done
      && (range_overlay_pieces (&overlay, see_piece, builder)
	  || profile_error_set_memory (builder->err, builder->frames.path));
  range_overlay_release (&overlay);
  for (uint32_t i = 0; i < builder->seen_count && is_done; i++)
    is_done
      = add_block (builder, pairs->space,
		   &builder->frames.probes->probes[builder->seen[i].probe],
		   builder->seen[i].count);
  return is_done && add_zeros (builder);
}

/* Add PAIR as a call, if its source has the probe of one.  */
static bool
add_branch (struct context_builder *builder, const struct address_pair *pair)
{
  uint32_t name;
  const struct pseudo_probe *call
    = pseudo_probes_call (builder->frames.probes, pair->first);
  if (call == NULL)
    return true;
  struct sample_function *function = find_function (builder, pair->space, call);
  struct sample_location location = { call->number, 0 };
  if (function == NULL || !add_body (builder, function, location, pair->count))
    return false;
  if (!sampled_functions_find_callee (&builder->functions, pair->second, &name))
    return profile_error_set_memory (builder->err, builder->frames.path);
  location.discriminator = call->discriminator;
  return name == SAMPLE_NO_NAME
	 || add_target (builder, function, location, name, pair->count);
}

/* Return how many of the COUNT pairs at PAIRS are in SPACE, from the first
   on.  */
static uint32_t
count_in_space (const struct address_pair *pairs, uint32_t count,
		uint32_t space)
{
  uint32_t in = 0;
  while (in < count && pairs[in].space == space)
    in++;
  return in;
}

/* Add STACKS, which are sorted, context after context.  */
static bool
add_all (struct context_builder *builder, const struct stack_counts *stacks)
{
  const struct address_pair *ranges = stacks->ranges.slots;
  const struct address_pair *branches = stacks->branches.slots;
  uint32_t range = 0;
  uint32_t branch = 0;
  for (uint32_t space = 0; space < stacks->contexts.count; space++)
    {
      uint32_t count
	= count_in_space (&ranges[range], stacks->ranges.count - range, space);
      if (count > 0 && !add_ranges (builder, &ranges[range], count))
	return false;
      range += count;
      count = count_in_space (&branches[branch],
			      stacks->branches.count - branch, space);
      for (uint32_t i = 0; i < count; i++)
	if (!add_branch (builder, &branches[branch + i]))
	  return false;
      branch += count;
    }
  return true;
}

static void
release (struct context_builder *builder)
{
  probe_frames_close (&builder->frames);
  context_frames_close (builder->contexts);
  tail_calls_close (builder->tails);
  free (builder->seen);
  free (builder->copies);
  free (builder->known);
  free (builder->by_copy);
  free (builder->copy_first);
}

/* Add the stacks of CODE in IMAGE to PROFILE, and the code there to SIZES if
   that is not NULL.  */
static bool
add_image (struct sample_profile *profile, struct image *image,
	   struct stack_counts *stacks,
	   const struct sample_builder_options *options,
	   struct context_sizes *sizes, struct profile_error *err)
{
  struct context_builder builder
    = { .functions = { .profile = profile, .options = options, .image = image },
	.err = err };
  bool is_done
    = (address_pairs_sort (&stacks->ranges)
       && address_pairs_sort (&stacks->branches)
       && probe_frames_open (&builder.frames, profile, &image->probes,
			     image->path)
       && group_probes (&builder)
       && (builder.tails = tail_calls_open (image, &stacks->branches)) != NULL
       && (builder.contexts
	   = context_frames_open (&builder.frames, builder.tails,
				  &stacks->contexts))
	    != NULL)
      || profile_error_set_memory (err, image->path);
  is_done
    = is_done && add_all (&builder, stacks)
      && (sizes == NULL || context_sizes_add (sizes, &builder.functions, stacks)
	  || profile_error_set_memory (err, image->path));
  release (&builder);
  return is_done;
}

struct sample_profile *
context_builder_make (struct image_list *images, struct sampled_code *code,
		      const struct context_rules *rules,
		      const struct sample_builder_options *options,
		      struct profile_error *err)
{
  struct sample_profile *profile = sample_profile_new ();
  struct sample_profile *result = NULL;
  struct context_sizes sizes = { 0 };
  bool is_done
    = (profile != NULL
       && (!rules->preinlines || context_sizes_open (&sizes, profile)))
      || profile_error_set_memory (err, NULL);
  is_done
    = is_done
      && sample_profile_add_flags (profile,
				   SAMPLE_PROBES | SAMPLE_CONTEXT_SENSITIVE,
				   true, err);
  for (uint32_t i = 0; i < code->stack_count && is_done; i++)
    is_done = add_image (profile, &images->images[i], &code->stacks[i], options,
			 rules->preinlines ? &sizes : NULL, err);
  if (is_done)
    result = context_passes_run (&profile, &sizes, rules, err);
  if (result == NULL && err->path == NULL)
    err->path = images->images[0].path;
  context_sizes_close (&sizes);
  sample_profile_free (profile);
  return result;
}

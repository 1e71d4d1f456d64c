/* Counting of pseudo probes by calling context.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-contexts.h"
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

struct probe_contexts
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
reserve (struct probe_contexts *counting, void *elements, size_t count,
	 size_t *capacity, size_t bytes)
{
  return growing_array_reserve (elements, count, capacity, 1, bytes)
	 || profile_error_set_memory (counting->err, counting->frames.path);
}

/* Return the function of PROBE, which ran in CONTEXT; NULL on failure.  */
static struct sample_function *
make_function (struct probe_contexts *counting, uint32_t context,
	       const struct pseudo_probe *probe)
{
  const struct pseudo_probes *probes = counting->frames.probes;
  const struct frame_list *callers
    = context_frames_find (counting->contexts, context, probe);
  uint32_t name = probe_frames_name (&counting->frames, probe->copy);
  struct sample_function *function
    = callers != NULL && name != SAMPLE_NO_NAME
	? sample_profile_add_function (counting->frames.profile,
				       callers->frames, callers->count, name)
	: NULL;
  if (function == NULL)
    {
      profile_error_set_memory (counting->err, counting->frames.path);
      return NULL;
    }
  if (probes->copies[probe->copy].caller != PSEUDO_PROBE_NO_COPY)
    function->attributes |= SAMPLE_WAS_INLINED;
  return probe_frames_set_checksum (&counting->frames, function, probe->copy,
				    counting->err)
	   ? function
	   : NULL;
}

/* The same; what was found last for each copy is remembered.  */
static struct sample_function *
find_function (struct probe_contexts *counting, uint32_t context,
	       const struct pseudo_probe *probe)
{
  struct known_copy *known = &counting->known[probe->copy];
  if (known->function == NULL || known->space != context)
    *known = (struct known_copy){ make_function (counting, context, probe),
				  context, false };
  return known->function;
}

/* Add COUNT to LOCATION and the total of FUNCTION.  */
static bool
add_body (struct probe_contexts *counting, struct sample_function *function,
	  struct sample_location location, uint64_t count)
{
  sample_count_add (&function->total, count);
  return sample_function_add_body (counting->frames.profile, function, location,
				   count)
	 || profile_error_set_memory (counting->err, counting->frames.path);
}

static bool
add_target (struct probe_contexts *counting, struct sample_function *function,
	    struct sample_location location, uint32_t name, uint64_t count)
{
  return sample_function_add_target (counting->frames.profile, function,
				     location, name, count)
	 || profile_error_set_memory (counting->err, counting->frames.path);
}

/* FUNCTION of COPY was entered COUNT times.  If it is inlined, no branch was
   the call: count it in the caller.  */
static bool
add_entry (struct probe_contexts *counting, struct sample_function *function,
	   uint32_t copy, uint64_t count)
{
  uint32_t outer = counting->frames.probes->copies[copy].caller;
  uint32_t depth = function->caller_count;
  sample_count_add (&function->head, count);
  if (outer == PSEUDO_PROBE_NO_COPY || depth == 0)
    return true;
  const struct sample_frame *last = &function->callers[depth - 1];
  struct sample_function *caller
    = sample_profile_add_function (counting->frames.profile, function->callers,
				   depth - 1, last->name);
  if (caller == NULL)
    return profile_error_set_memory (counting->err, counting->frames.path);
  return probe_frames_set_checksum (&counting->frames, caller, outer,
				    counting->err)
	 && add_body (counting, caller, last->location, count)
	 && add_target (counting, caller, last->location, function->name,
			count);
}

/* Add the block PROBE, which ran COUNT times in CONTEXT.  */
static bool
add_block (struct probe_contexts *counting, uint32_t context,
	   const struct pseudo_probe *probe, uint64_t count)
{
  bool is_entry = probe->number == PSEUDO_PROBE_ENTRY;
  struct known_copy *known = &counting->known[probe->copy];
  struct sample_function *function = find_function (counting, context, probe);
  struct sample_location location = { probe->number, probe->discriminator };
  if (function == NULL || !add_body (counting, function, location, count)
      || (is_entry && !add_entry (counting, function, probe->copy, count)))
    return false;
  if (known->is_seen)
    return true;
  known->is_seen = true;
  if (!reserve (counting, &counting->copies, counting->copy_count,
		&counting->copy_capacity, sizeof *counting->copies))
    return false;
  counting->copies[counting->copy_count++] = probe->copy;
  return true;
}

/* The probes of copies that ran, but not themselves, did not run in this
   context: their counts are 0.  Others may have been optimized away.  */
static bool
add_zeros (struct probe_contexts *counting)
{
  const struct pseudo_probes *probes = counting->frames.probes;
  for (uint32_t i = 0; i < counting->copy_count; i++)
    {
      uint32_t copy = counting->copies[i];
      for (uint32_t j = counting->copy_first[copy];
	   j < counting->copy_first[copy + 1]; j++)
	{
	  const struct pseudo_probe *probe
	    = &probes->probes[counting->by_copy[j]];
	  struct sample_location location
	    = { probe->number, probe->discriminator };
	  if (!add_body (counting, counting->known[copy].function, location, 0))
	    return false;
	}
    }
  return true;
}

/* Group the probes by copy.  Return false if memory is exhausted.  */
static bool
group_probes (struct probe_contexts *counting)
{
  const struct pseudo_probes *probes = counting->frames.probes;
  uint32_t *first = calloc (probes->copy_count + 2, sizeof *first);
  counting->copy_first = first;
  counting->by_copy
    = calloc (probes->probe_count + 1, sizeof *counting->by_copy);
  counting->known = calloc (probes->copy_count + 1, sizeof *counting->known);
  if (first == NULL || counting->by_copy == NULL || counting->known == NULL)
    return false;
  for (uint32_t i = 0; i < probes->probe_count; i++)
    first[probes->probes[i].copy + 2]++;
  for (uint32_t i = 2; i < probes->copy_count + 2; i++)
    first[i] += first[i - 1];
  for (uint32_t i = 0; i < probes->probe_count; i++)
    counting->by_copy[first[probes->probes[i].copy + 1]++] = i;
  return true;
}

/* Note the blocks from BEGIN to END, which ran COUNT times.  */
static bool
see_piece (void *closure, uint64_t begin, uint64_t end, uint64_t count)
{
  struct probe_contexts *counting = closure;
  const struct pseudo_probes *probes = counting->frames.probes;
  if (count == 0)
    return true;
  for (uint32_t i = pseudo_probes_first (probes, begin);
       i < probes->probe_count && probes->probes[i].address < end; i++)
    {
      if (probes->probes[i].kind != PSEUDO_PROBE_BLOCK)
	continue;
      if (!reserve (counting, &counting->seen, counting->seen_count,
		    &counting->seen_capacity, sizeof *counting->seen))
	return false;
      counting->seen[counting->seen_count++] = (struct seen_probe){ i, count };
    }
  return true;
}

/* Add the COUNT ranges at PAIRS, which have the same context.  */
static bool
add_ranges (struct probe_contexts *counting, const struct address_pair *pairs,
	    uint32_t count)
{
  struct range_overlay overlay = { 0 };
  bool is_done = true;
  counting->seen_count = 0;
  counting->copy_count = 0;
  for (uint32_t i = 0; i < count && is_done; i++)
    is_done
      = range_overlay_add (&overlay, pairs[i].first, pairs[i].second,
			   pairs[i].count)
	|| profile_error_set_memory (counting->err, counting->frames.path);
  is_done
    = is_done
      && (range_overlay_pieces (&overlay, see_piece, counting)
	  || profile_error_set_memory (counting->err, counting->frames.path));
  range_overlay_release (&overlay);
  for (uint32_t i = 0; i < counting->seen_count && is_done; i++)
    is_done
      = add_block (counting, pairs->space,
		   &counting->frames.probes->probes[counting->seen[i].probe],
		   counting->seen[i].count);
  return is_done && add_zeros (counting);
}

/* Add PAIR as a call, if its source has the probe of one.  */
static bool
add_branch (struct probe_contexts *counting, const struct address_pair *pair)
{
  uint32_t name;
  const struct pseudo_probe *call
    = pseudo_probes_call (counting->frames.probes, pair->first);
  if (call == NULL)
    return true;
  struct sample_function *function
    = find_function (counting, pair->space, call);
  struct sample_location location = { call->number, 0 };
  if (function == NULL || !add_body (counting, function, location, pair->count))
    return false;
  if (!sampled_functions_find_callee (&counting->functions, pair->second,
				      &name))
    return profile_error_set_memory (counting->err, counting->frames.path);
  location.discriminator = call->discriminator;
  return name == SAMPLE_NO_NAME
	 || add_target (counting, function, location, name, pair->count);
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
add_all (struct probe_contexts *counting, const struct stack_counts *stacks)
{
  const struct address_pair *ranges = stacks->ranges.slots;
  const struct address_pair *branches = stacks->branches.slots;
  uint32_t range = 0;
  uint32_t branch = 0;
  for (uint32_t space = 0; space < stacks->contexts.count; space++)
    {
      uint32_t count
	= count_in_space (&ranges[range], stacks->ranges.count - range, space);
      if (count > 0 && !add_ranges (counting, &ranges[range], count))
	return false;
      range += count;
      count = count_in_space (&branches[branch],
			      stacks->branches.count - branch, space);
      for (uint32_t i = 0; i < count; i++)
	if (!add_branch (counting, &branches[branch + i]))
	  return false;
      branch += count;
    }
  return true;
}

static void
release (struct probe_contexts *counting)
{
  probe_frames_close (&counting->frames);
  context_frames_close (counting->contexts);
  tail_calls_close (counting->tails);
  free (counting->seen);
  free (counting->copies);
  free (counting->known);
  free (counting->by_copy);
  free (counting->copy_first);
}

bool
probe_contexts_add (const struct sampled_functions *functions,
		    struct stack_counts *stacks, struct profile_error *err)
{
  struct image *image = functions->image;
  struct probe_contexts counting = { .functions = *functions, .err = err };
  bool is_done
    = (probe_frames_open (&counting.frames, functions->profile, &image->probes,
			  image->path)
       && group_probes (&counting)
       && (counting.tails = tail_calls_open (image, &stacks->branches)) != NULL
       && (counting.contexts
	   = context_frames_open (&counting.frames, counting.tails,
				  &stacks->contexts))
	    != NULL)
      || profile_error_set_memory (err, image->path);
  is_done = is_done && add_all (&counting, stacks);
  release (&counting);
  return is_done;
}

/* Construction of a sample profile by pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-builder.h"
#include "probe-frames.h"
#include "range-overlay.h"
#include "sampled-functions.h"
#include <stdlib.h>
#include <string.h>

/* The counts of the probes of one image.  */
struct probe_counts
{
  const struct pseudo_probes *probes;
  uint64_t *counts; /* by probe, and whether its code was looked at */
  bool *are_known;
};

static bool
count_piece (void *closure, uint64_t begin, uint64_t end, uint64_t count)
{
  struct probe_counts *counts = closure;
  const struct pseudo_probes *probes = counts->probes;
  for (uint32_t i = pseudo_probes_first (probes, begin);
       i < probes->probe_count && probes->probes[i].address < end; i++)
    {
      sample_count_add (&counts->counts[i], count);
      counts->are_known[i] = true;
    }
  return true;
}

/* Add COUNT of PROBE to its function and to the totals of those around it.  */
static bool
add_probe (struct probe_frames *frames, const struct pseudo_probe *probe,
	   uint64_t count, struct profile_error *err)
{
  uint32_t kept = probe_frames_kept (frames, probe->copy);
  if (kept == PSEUDO_PROBE_NO_COPY)
    return true;
  struct sample_function *function = probe_frames_function (frames, kept, err);
  if (function == NULL)
    return false;
  for (uint32_t copy = kept; copy != PSEUDO_PROBE_NO_COPY;
       copy = probe_frames_caller (frames, copy))
    sample_count_add (&frames->functions[copy]->total, count);
  if (kept != probe->copy)
    return true;
  struct sample_location location = { probe->number, probe->discriminator };
  if (!sample_function_add_body (frames->profile, function, location, count))
    return profile_error_set_memory (err, frames->path);
  if (probe->number == PSEUDO_PROBE_ENTRY && function->depth == 0)
    sample_count_add (&function->head, count);
  return true;
}

/* Add the ranges of image NUMBER, the current one of FUNCTIONS.  */
static bool
add_ranges (struct probe_frames *frames,
	    const struct sampled_functions *functions,
	    const struct sampled_code *code, uint32_t number,
	    struct profile_error *err)
{
  const struct pseudo_probes *probes = frames->probes;
  struct range_overlay overlay = { 0 };
  struct probe_counts counts = {
    .probes = probes,
    .counts = calloc (probes->probe_count + 1, sizeof *counts.counts),
    .are_known = calloc (probes->probe_count + 1, sizeof *counts.are_known),
  };
  bool is_done = (counts.counts != NULL && counts.are_known != NULL
		  && sampled_functions_overlay (functions, &code->ranges,
						number, true, &overlay)
		  && range_overlay_pieces (&overlay, count_piece, &counts))
		 || profile_error_set_memory (err, frames->path);
  for (uint32_t i = 0; i < probes->probe_count && is_done; i++)
    if (counts.are_known[i])
      is_done = add_probe (frames, &probes->probes[i], counts.counts[i], err);
  range_overlay_release (&overlay);
  free (counts.counts);
  free (counts.are_known);
  return is_done;
}

/* Add the branch PAIR as a call.  ALL has the frames of each image.  */
static bool
add_branch (struct probe_frames *all, struct sampled_functions *functions,
	    struct image_list *images, const struct address_pair *pair,
	    struct profile_error *err)
{
  uint32_t name;
  uint32_t from = SAMPLED_FROM_IMAGE (pair->space);
  if (from == SAMPLED_NO_IMAGE)
    return true;
  struct probe_frames *frames = &all[from];
  const struct pseudo_probe *call
    = pseudo_probes_call (frames->probes, pair->first);
  if (call == NULL || probe_frames_kept (frames, call->copy) != call->copy)
    return true;
  functions->image = &images->images[SAMPLED_TO_IMAGE (pair->space)];
  if (!sampled_functions_find_callee (functions, pair->second, &name))
    return profile_error_set_memory (err, frames->path);
  if (name == SAMPLE_NO_NAME)
    return true;
  struct sample_function *function
    = probe_frames_function (frames, call->copy, err);
  struct sample_location location = { call->number, 0 };
  return function != NULL
	 && (sample_function_add_target (frames->profile, function, location,
					 name, pair->count)
	     || profile_error_set_memory (err, frames->path));
}

bool
probe_builder_add (struct sample_profile *profile, struct image_list *images,
		   struct sampled_code *code,
		   const struct sample_builder_options *options,
		   struct profile_error *err)
{
  struct sampled_functions functions
    = { .profile = profile, .options = options };
  struct probe_frames *all = calloc (images->count + 1, sizeof *all);
  bool is_done
    = ((all != NULL && address_pairs_sort (&code->branches)
	&& address_pairs_sort (&code->ranges))
       || profile_error_set_memory (err, NULL))
      && sample_profile_add_flags (profile, SAMPLE_PROBES, true, err);
  for (uint32_t i = 0; i < images->count && is_done; i++)
    {
      functions.image = &images->images[i];
      is_done = (probe_frames_open (&all[i], profile, &functions.image->probes,
				    functions.image->path)
		 || profile_error_set_memory (err, functions.image->path))
		&& add_ranges (&all[i], &functions, code, i, err);
    }
  for (uint32_t i = 0; i < code->branches.count && is_done; i++)
    is_done
      = add_branch (all, &functions, images, &code->branches.slots[i], err);
  for (uint32_t i = 0; i < images->count && all != NULL; i++)
    probe_frames_close (&all[i]);
  free (all);
  if (is_done)
    sample_builder_raise_bodies (profile, false);
  return is_done;
}

/* Construction of a context-sensitive sample profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "context-builder.h"
#include "line-contexts.h"
#include "probe-contexts.h"

/* Add the STACKS of the image of FUNCTIONS, and the code there to SIZES if that
   is not NULL.  */
static bool
add_image (const struct sampled_functions *functions,
	   struct stack_counts *stacks, struct context_sizes *sizes,
	   struct profile_error *err)
{
  const char *path = functions->image->path;
  bool is_sorted = (address_pairs_sort (&stacks->ranges)
		    && address_pairs_sort (&stacks->branches))
		   || profile_error_set_memory (err, path);
  return is_sorted
	 && (stacks->contexts.are_paths
	       ? line_contexts_add (functions, stacks, err)
	       : probe_contexts_add (functions, stacks, err))
	 && (sizes == NULL || context_sizes_add (sizes, functions, stacks)
	     || profile_error_set_memory (err, path));
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
  unsigned int flags
    = SAMPLE_CONTEXT_SENSITIVE | (code->wants_paths ? 0 : SAMPLE_PROBES);
  is_done = is_done && sample_profile_add_flags (profile, flags, true, err);
  for (uint32_t i = 0; i < code->stack_count && is_done; i++)
    {
      const struct sampled_functions functions = {
	.profile = profile, .options = options, .image = &images->images[i]
      };
      is_done = add_image (&functions, &code->stacks[i],
			   rules->preinlines ? &sizes : NULL, err);
    }
  if (is_done && code->wants_paths)
    is_done = line_contexts_finish (profile, options)
	      || profile_error_set_memory (err, NULL);
  if (is_done)
    result = context_passes_run (&profile, &sizes, rules, err);
  if (result == NULL && err->path == NULL)
    err->path = images->images[0].path;
  context_sizes_close (&sizes);
  sample_profile_free (profile);
  return result;
}

/* The contexts in LLVM's YAML form of heap profiles, as printed by
   `llvm-profdata show --memory' of LLVM 21 and 22.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show.h"
#include "memprof-yaml.h"
#include <stdio.h>
#include <stdlib.h>

/* Add context NODE of SOURCE with INFO to PROFILE.  */
static bool
copy_context (struct heap_profile *profile, const struct heap_profile *source,
	      uint32_t node, const struct memory_info *info)
{
  uint32_t depth = 0;
  for (uint32_t i = node; i != 0; i = heap_profile_context_caller (source, i))
    depth++;
  uint32_t *frames = calloc (depth + 1u, sizeof *frames);
  if (frames == NULL)
    return false;
  for (uint32_t i = 0; i < depth; i++)
    {
      frames[i] = heap_profile_context_frame (source, node);
      node = heap_profile_context_caller (source, node);
    }
  uint32_t copy = 0;
  for (uint32_t i = depth; i-- > 0 && copy != UINT32_MAX;)
    {
      struct heap_frame frame = *heap_profile_frame (source, frames[i]);
      /* LLVM's form has no strings.  */
      frame.function_name = frame.file = frame.module = 0;
      uint32_t id = heap_profile_add_frame (profile, &frame);
      copy = id == UINT32_MAX ? UINT32_MAX
			      : heap_profile_add_context (profile, copy, id);
    }
  free (frames);
  return copy != UINT32_MAX && heap_profile_add_info (profile, copy, info);
}

/* Return a profile with only the contexts of REPORT; NULL if memory is
   exhausted.  */
static struct heap_profile *
copy_chosen (const struct heap_report *report)
{
  struct heap_profile *profile = heap_profile_new ();
  for (size_t i = 0; i < report->context_count && profile != NULL; i++)
    if (!copy_context (profile, report->profile, report->contexts[i].context,
		       &report->contexts[i].info))
      {
	heap_profile_free (profile);
	return NULL;
      }
  return profile;
}

bool
show_yaml (const struct heap_report *report, const struct yaml_options *options,
	   struct profile_error *err)
{
  bool is_whole = report->context_count == report->total_contexts;
  struct heap_profile *chosen = is_whole ? NULL : copy_chosen (report);
  if (!is_whole && chosen == NULL)
    return profile_error_set_memory (err, NULL);
  const struct memprof_yaml_options yaml
    = { .full_schema = options->full_schema,
	.keep_columns = options->keep_columns };
  struct byte_writer text = { 0 };
  bool is_done = memprof_yaml_write (&text, is_whole ? report->profile : chosen,
				     &yaml, err);
  if (is_done)
    fwrite (text.data, 1, text.size, stdout);
  byte_writer_free (&text);
  heap_profile_free (chosen);
  return is_done;
}

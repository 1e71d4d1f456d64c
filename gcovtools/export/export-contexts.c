/* Contexts as the formats of other tools have them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "shown-frames.h"
#include <stdlib.h>
#include <string.h>

uint32_t
export_caller (const struct export_input *input, uint32_t node)
{
  const struct heap_report *report = input->report;
  do
    node = heap_profile_context_caller (report->profile, node);
  while (node != 0 && shown_frames_hide (&report->wrappers, node));
  return node;
}

uint32_t *
export_frames (const struct export_input *input,
	       const struct report_entry *entry, size_t *count)
{
  const struct heap_profile *profile = input->report->profile;
  size_t depth = heap_report_depth (profile, entry->site_node, 0);
  uint32_t *frames = malloc ((depth + 1) * sizeof *frames);
  *count = 0;
  for (uint32_t c = entry->site_node; c != 0 && frames != NULL;
       c = export_caller (input, c))
    frames[(*count)++] = heap_profile_context_frame (profile, c);
  return frames;
}

/* ---- Contexts that look alike.  */

/* Nodes of a report's tree by how they look: contexts of ALIKE, where each
   frame stands for the frame of the report whose id is its line.  */
struct looks
{
  const struct export_input *input;
  struct heap_profile *alike;
  uint32_t *nodes; /* by node of the report: that of ALIKE, 0: none yet */
};

/* Return the node of ALIKE that NODE looks like; UINT32_MAX if memory is
   exhausted.  */
static uint32_t
look_of (struct looks *looks, uint32_t node)
{
  const struct heap_profile *profile = looks->input->report->profile;
  if (node == 0 || looks->nodes[node] != 0)
    return looks->nodes[node];
  uint32_t caller = look_of (looks, export_caller (looks->input, node));
  const struct heap_frame frame
    = { .line = heap_profile_context_frame (profile, node) };
  uint32_t id = caller != UINT32_MAX
		  ? heap_profile_add_frame (looks->alike, &frame)
		  : UINT32_MAX;
  looks->nodes[node] = id != UINT32_MAX
			 ? heap_profile_add_context (looks->alike, caller, id)
			 : UINT32_MAX;
  return looks->nodes[node];
}

/* Add the contexts of REPORT that look alike, in place.  */
static bool
add_alike (struct looks *looks, struct heap_report *report)
{
  size_t count = report->context_count;
  /* By node of ALIKE: the place of its context, plus 1.  */
  size_t *places
    = calloc ((size_t) heap_profile_context_count (report->profile) + 1,
	      sizeof *places);
  bool is_done = places != NULL;
  report->context_count = 0;
  for (size_t i = 0; i < count && is_done; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      uint32_t look = look_of (looks, entry->site_node);
      is_done = look != UINT32_MAX;
      if (!is_done)
	break;
      if (places[look] == 0)
	{
	  report->contexts[report->context_count++] = *entry;
	  places[look] = report->context_count;
	  continue;
	}
      struct report_entry *sum = &report->contexts[places[look] - 1];
      memory_info_add (&sum->info, &entry->info);
      sum->marks |= entry->marks;
      sum->sort_key = report_sort_key (&sum->info, report->options.sort);
    }
  free (places);
  return is_done;
}

bool
export_contexts_make (struct heap_report *report,
		      const struct heap_report *source)
{
  *report = *source;
  report->contexts
    = malloc ((source->context_count + 1) * sizeof *report->contexts);
  if (report->contexts == NULL)
    return false;
  memcpy (report->contexts, source->contexts,
	  source->context_count * sizeof *report->contexts);
  const struct export_input input = { .report = report };
  struct looks looks
    = { .input = &input,
	.alike = heap_profile_new (),
	.nodes
	= calloc ((size_t) heap_profile_context_count (source->profile) + 1,
		  sizeof *looks.nodes) };
  bool is_done
    = looks.alike != NULL && looks.nodes != NULL && add_alike (&looks, report);
  if (is_done)
    heap_report_flatten (report);
  heap_profile_free (looks.alike);
  free (looks.nodes);
  return is_done;
}

void
export_contexts_release (struct heap_report *report)
{
  free (report->contexts);
}

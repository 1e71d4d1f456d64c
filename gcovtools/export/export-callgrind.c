/* Callgrind's form, which KCachegrind and callgrind_annotate show.
   SPDX-License-Identifier: GPL-3.0-or-later

   For each node of the tree of contexts with allocations below it: where the
   function is, what it allocated itself, and its calls, of which the costs are
   all that was allocated inside.

     fl=(ID) FILE
     fn=(ID) FUNCTION
     LINE COSTS...
     cfi=(ID) FILE
     cfn=(ID) FUNCTION
     calls=ALLOCATIONS START-LINE
     LINE COSTS...

   A name follows its ID only the first time.  */

#include "export.h"
#include "shown-frames.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>

/* In column order; viewers sort by the first.  */
static const struct
{
  enum context_measure measure;
  const char *name;
} events[] = { { CONTEXT_BYTES, "Bytes" },
	       { CONTEXT_ALLOCATIONS, "Allocations" },
	       { CONTEXT_ACCESSES, "Accesses" },
	       { CONTEXT_LIVE_BYTES, "LiveBytes" },
	       { CONTEXT_LIVE_BLOCKS, "LiveBlocks" },
	       { CONTEXT_LIFETIME, "LifetimeNs" } };

#define EVENT_COUNT (sizeof events / sizeof *events)
#define ALLOCATIONS_EVENT 1

struct costs
{
  uint64_t values[EVENT_COUNT];
};

struct writer
{
  const struct export_input *input;
  FILE *out;
  struct costs *own; /* by context node */
  struct costs *inclusive;
  bool *has_file;     /* by string: its name was written */
  bool *has_function; /* by function number: its name was written */
};

/* Return true if the profile of WRITER has EVENT.  */
static bool
has_event (const struct writer *writer, size_t event)
{
  return context_measure_is_known (&writer->input->report->known,
				   events[event].measure);
}

static void
add_costs (struct costs *sum, const struct costs *addend)
{
  for (size_t i = 0; i < EVENT_COUNT; i++)
    if (__builtin_add_overflow (sum->values[i], addend->values[i],
				&sum->values[i]))
      sum->values[i] = UINT64_MAX;
}

/* Compute all costs, and return the totals.  */
static struct costs
sum_up (struct writer *writer)
{
  const struct heap_report *report = writer->input->report;
  struct costs total = { { 0 } };
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      struct costs costs;
      for (size_t k = 0; k < EVENT_COUNT; k++)
	costs.values[k] = context_measure (&entry->info, events[k].measure);
      add_costs (&writer->own[entry->site_node], &costs);
      add_costs (&total, &costs);
    }
  /* A node's number is greater than its caller's.  */
  for (uint32_t i = heap_profile_context_count (report->profile); i-- > 1;)
    {
      uint32_t caller = heap_profile_context_caller (report->profile, i);
      add_costs (&writer->inclusive[i], &writer->own[i]);
      add_costs (&writer->inclusive[caller], &writer->inclusive[i]);
    }
  return total;
}

/* Write KEY, ID, and NAME unless it was *WRITTEN.  */
static void
write_name (FILE *out, const char *key, uint32_t id, const char *name,
	    bool *written)
{
  fprintf (out, "%s=(%" PRIu32 ")", key, id + 1);
  if (!*written)
    {
      putc (' ', out);
      write_text (*name != '\0' ? name : "???", out);
    }
  *written = true;
  putc ('\n', out);
}

/* Write file and function of frame ID with the given keys.  */
static void
write_function (struct writer *writer, uint32_t id, const char *file_key,
		const char *function_key)
{
  const struct frame_names *names = writer->input->names;
  const struct heap_profile *profile = writer->input->report->profile;
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  uint32_t file = frame->file != 0 ? frame->file : frame->module;
  uint32_t function = names->functions[id];
  write_name (writer->out, file_key, file, heap_profile_string (profile, file),
	      &writer->has_file[file]);
  write_name (writer->out, function_key, function, names->texts[function],
	      &writer->has_function[function]);
}

static void
write_costs (const struct writer *writer, uint32_t line,
	     const struct costs *costs)
{
  fprintf (writer->out, "%" PRIu32, line);
  for (size_t i = 0; i < EVENT_COUNT; i++)
    if (has_event (writer, i))
      fprintf (writer->out, " %" PRIu64, costs->values[i]);
  putc ('\n', writer->out);
}

/* Write what node CONTEXT allocated itself, and the call from its caller.  */
static void
write_node (struct writer *writer, uint32_t context)
{
  const struct heap_profile *profile = writer->input->report->profile;
  FILE *out = writer->out;
  uint32_t caller = export_caller (writer->input, context);
  uint32_t id = heap_profile_context_frame (profile, context);
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  const struct costs *inclusive = &writer->inclusive[context];
  if (writer->own[context].values[ALLOCATIONS_EVENT] > 0)
    {
      write_function (writer, id, "fl", "fn");
      write_costs (writer, frame->line, &writer->own[context]);
    }
  if (caller == 0)
    return;
  uint32_t caller_id = heap_profile_context_frame (profile, caller);
  write_function (writer, caller_id, "fl", "fn");
  write_function (writer, id, "cfi", "cfn");
  fprintf (out, "calls=%" PRIu64 " %" PRIu32 "\n",
	   inclusive->values[ALLOCATIONS_EVENT], frame->start_line);
  write_costs (writer, heap_profile_frame (profile, caller_id)->line,
	       inclusive);
}

static void
write_head (const struct writer *writer, const struct costs *total)
{
  FILE *out = writer->out;
  fputs ("# callgrind format\nversion: 1\ncreator: heapprof-gcov\ncmd: ", out);
  write_text (writer->input->program, out);
  fputs ("\ndesc: Profile: ", out);
  write_text (writer->input->title, out);
  char margins[EXPORT_MARGINS_BYTES];
  if (export_margins (writer->input, margins))
    fprintf (out, "\ndesc: Samples: %s", margins);
  fputs ("\npositions: line\nevents:", out);
  for (size_t i = 0; i < EVENT_COUNT; i++)
    if (has_event (writer, i))
      fprintf (out, " %s", events[i].name);
  fputs ("\nsummary:", out);
  for (size_t i = 0; i < EVENT_COUNT; i++)
    if (has_event (writer, i))
      fprintf (out, " %" PRIu64, total->values[i]);
  fputs ("\n\n", out);
}

bool
export_callgrind (const struct export_input *input, FILE *out)
{
  const struct heap_profile *profile = input->report->profile;
  uint32_t count = heap_profile_context_count (profile);
  struct writer writer
    = { .input = input,
	.out = out,
	.own = calloc ((size_t) count + 1, sizeof *writer.own),
	.inclusive = calloc ((size_t) count + 1, sizeof *writer.inclusive),
	.has_file = calloc ((size_t) heap_profile_string_count (profile) + 1,
			    sizeof *writer.has_file),
	.has_function = calloc ((size_t) input->names->count + 1,
				sizeof *writer.has_function) };
  bool is_done = writer.own != NULL && writer.inclusive != NULL
		 && writer.has_file != NULL && writer.has_function != NULL;
  if (is_done)
    {
      struct costs total = sum_up (&writer);
      write_head (&writer, &total);
      for (uint32_t i = 1; i < count; i++)
	if (writer.inclusive[i].values[ALLOCATIONS_EVENT] > 0
	    && !shown_frames_hide (&input->report->wrappers, i))
	  write_node (&writer, i);
    }
  free (writer.has_function);
  free (writer.has_file);
  free (writer.inclusive);
  free (writer.own);
  return is_done;
}

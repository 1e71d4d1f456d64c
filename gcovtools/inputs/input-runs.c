/* Identification of inputs: kind of file, and files of the same run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "input-runs.h"
#include "file-content.h"
#include "raw-content.h"
#include "raw-profile.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int
rank_state (uint32_t state)
{
  switch (state)
    {
    case HEAPPROF_RAW_COMPLETE:
      return 2;
    case HEAPPROF_RAW_RUNNING:
      return 1;
    default:
      return 0;
    }
}

static bool
is_stdin (const struct input *input)
{
  return strcmp (input->file->path, INPUT_LIST_STDIN) == 0;
}

/* Return true if the file of INPUT can be read more than once.  */
static bool
is_lasting (const struct input *input)
{
  struct stat status;
  return !is_stdin (input)
	 && (stat (input->file->path, &status) != 0
	     || !S_ISFIFO (status.st_mode));
}

static bool
load (struct input *input, bool is_start, struct profile_error *err)
{
  struct input_source *source = &input->source;
  void *data;
  bool is_done
    = is_stdin (input)
	? file_content_read_stdin (source->path, &data, &source->size, err)
      : is_start
	? file_content_read_start (source->path, INPUT_KIND_START_BYTES, &data,
				   &source->size, err)
	: raw_content_read (source->path, &data, &source->size, err);
  source->data = is_done ? data : NULL;
  return is_done;
}

bool
input_load (struct input *input, struct profile_error *err)
{
  return input->source.data != NULL || load (input, false, err);
}

static void
release_content (struct input *input)
{
  free ((void *) input->source.data);
  input->source.data = NULL;
}

void
input_unload (struct input *input)
{
  if (!input->is_spooled)
    release_content (input);
}

bool
input_identify (struct input *input, const struct input_file *file,
		struct profile_error *err)
{
  struct input_source *source = &input->source;
  input->file = file;
  source->path = file->path;
  source->unit_path = file->unit_path;
  if (is_stdin (input))
    source->path = source->unit_path = "standard input";
  input->is_spooled = !is_lasting (input);
  input->source.is_kept = input->is_spooled;
  if (!load (input, !input->is_spooled, err))
    return false;
  const struct input_kind *kind
    = input_kind_find (source->path, source->data, source->size, err);
  input_unload (input);
  input->kind = kind;
  return kind != NULL;
}

bool
input_identify_run (struct input *input, struct profile_error *err)
{
  if (!input_load (input, err))
    return false;
  const struct input_source *source = &input->source;
  struct raw_profile *raw
    = raw_profile_parse (source->path, source->data, source->size, err);
  if (raw != NULL)
    {
      const struct heapprof_raw_header *header = raw_profile_header (raw);
      memcpy (input->run_id, header->run_id, sizeof input->run_id);
      input->rank = rank_state (header->state);
      input->snapshot = header->snapshot;
      input->has_run = true;
      raw_profile_close (raw);
    }
  input_unload (input);
  return raw != NULL;
}

/* What processes exchange about an input: all zeros unless they have identified
   it.  */
struct run_message
{
  uint8_t run_id[16];
  uint64_t snapshot;
  uint32_t rank;
  uint32_t has_run;
};

#define MESSAGES_AT_ONCE 256

void
input_runs_share (struct input *inputs, size_t count,
		  const struct process_group *group)
{
  struct run_message messages[MESSAGES_AT_ONCE];
  for (size_t first = 0; first < count; first += MESSAGES_AT_ONCE)
    {
      size_t n = count - first;
      if (n > MESSAGES_AT_ONCE)
	n = MESSAGES_AT_ONCE;
      memset (messages, 0, sizeof messages);
      for (size_t i = 0; i < n; i++)
	if (inputs[first + i].has_run)
	  {
	    const struct input *input = &inputs[first + i];
	    memcpy (messages[i].run_id, input->run_id, sizeof input->run_id);
	    messages[i].snapshot = input->snapshot;
	    messages[i].rank = (uint32_t) input->rank;
	    messages[i].has_run = 1;
	  }
      group->combine (messages, n * sizeof *messages);
      for (size_t i = 0; i < n; i++)
	{
	  struct input *input = &inputs[first + i];
	  memcpy (input->run_id, messages[i].run_id, sizeof input->run_id);
	  input->snapshot = messages[i].snapshot;
	  input->rank = (int) messages[i].rank;
	  input->has_run = messages[i].has_run != 0;
	}
    }
}

void
input_release (struct input *input)
{
  release_content (input);
  diagnostics_lines_free (&input->lines);
}

/* Sort files of the same run together, the newest first; then by greater
   weight, then by order on the command line.  */
static int
compare_inputs (const void *a, const void *b)
{
  const struct input *x = *(const struct input *const *) a;
  const struct input *y = *(const struct input *const *) b;
  int order = memcmp (x->run_id, y->run_id, sizeof x->run_id);
  if (order != 0)
    return order;
  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  if (x->snapshot != y->snapshot)
    return x->snapshot > y->snapshot ? -1 : 1;
  if (x->file->weight != y->file->weight)
    return x->file->weight > y->file->weight ? -1 : 1;
  return x < y ? -1 : x > y;
}

bool
input_runs_find_newest (struct input *inputs, size_t count)
{
  struct input **sorted = calloc (count, sizeof *sorted);
  if (sorted == NULL)
    return false;
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (inputs[i].has_run)
      sorted[n++] = &inputs[i];
  qsort (sorted, n, sizeof *sorted, compare_inputs);
  const struct input *newest = NULL;
  for (size_t i = 0; i < n; i++)
    if (newest != NULL
	&& memcmp (newest->run_id, sorted[i]->run_id, sizeof newest->run_id)
	     == 0)
      sorted[i]->newer = newest;
    else
      newest = sorted[i];
  free (sorted);
  return true;
}

/* The input files of a command, folded into one profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files are read twice if there are several: first to find the files of
   one run, then one after the other, so that only one is in memory.  */

#include "profile-inputs.h"
#include "diagnostics.h"
#include "file-content.h"
#include "gcov-data.h"
#include "gcov-inputs.h"
#include "indexed-profile.h"
#include "input-list.h"
#include "memprof-raw.h"
#include "object-finder.h"
#include "pgo-text.h"
#include "raw-profile.h"
#include "symbolize-profile.h"
#include "terminal.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum input_kind
{
  INPUT_UNKNOWN,
  INPUT_RAW,
  INPUT_MEMPROF_RAW,
  INPUT_INDEXED,
  INPUT_PGO_TEXT,
  INPUT_GCOV
};

/* What tells the files of one run apart.  */
struct input
{
  const char *path;
  enum input_kind kind;
  uint8_t run_id[16];
  int rank;			/* of its state */
  uint64_t snapshot;
  const struct input *newer;	/* of the same run, NULL if there is none */
};

/* Find out what the file PATH is that begins with the SIZE bytes at DATA.  INPUT_UNKNOWN
   and *ERR if they are nothing that can be read.  */
static enum input_kind
find_kind (const char *path, const void *data, size_t size,
	   struct profile_error *err)
{
  if (raw_profile_has_magic (data, size))
    return INPUT_RAW;
  if (memprof_raw_has_magic (data, size))
    return INPUT_MEMPROF_RAW;
  if (indexed_profile_has_magic (data, size))
    return INPUT_INDEXED;
  if (gcov_data_has_magic (data, size))
    return INPUT_GCOV;
  if (pgo_text_is_possible (data, size))
    return INPUT_PGO_TEXT;
  const char *cause = "no profile of a known format";
  if (size == 0)
    cause = "the file is empty";
  profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s", cause);
  return INPUT_UNKNOWN;
}

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

/* Find out which run the raw profile of INPUT is of.  */
static bool
identify_raw (struct input *input, struct profile_error *err)
{
  void *data;
  size_t size;
  if (!file_content_read (input->path, &data, &size, err))
    return false;
  struct raw_profile *raw = raw_profile_parse (input->path, data, size, err);
  if (raw != NULL)
    {
      const struct heapprof_raw_header *header = raw_profile_header (raw);
      memcpy (input->run_id, header->run_id, sizeof input->run_id);
      input->rank = rank_state (header->state);
      input->snapshot = header->snapshot;
      raw_profile_close (raw);
    }
  free (data);
  return raw != NULL;
}

/* Fill INPUT from the file PATH.  */
static bool
identify (struct input *input, const char *path, struct profile_error *err)
{
  void *data;
  size_t size;
  input->path = path;
  if (!file_content_read_start (path, PGO_TEXT_START_BYTES, &data, &size, err))
    return false;
  input->kind = find_kind (path, data, size, err);
  free (data);
  return input->kind == INPUT_RAW ? identify_raw (input, err)
				  : input->kind != INPUT_UNKNOWN;
}

/* Orders the files of a run one after the other, the newest first; of equal
   ones, the one given first.  */
static int
compare_inputs (const void *a, const void *b)
{
  const struct input *x = *(const struct input *const *) a;
  const struct input *y = *(const struct input *const *) b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  int order = memcmp (x->run_id, y->run_id, sizeof x->run_id);
  if (order != 0)
    return order;
  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  if (x->snapshot != y->snapshot)
    return x->snapshot > y->snapshot ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Set NEWER of each raw profile of which INPUTS has a newer state of the same
   run.  */
static bool
find_newest (struct input *inputs, size_t count)
{
  struct input **sorted = calloc (count, sizeof *sorted);
  if (sorted == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    sorted[i] = &inputs[i];
  qsort (sorted, count, sizeof *sorted, compare_inputs);
  const struct input *newest = NULL;
  for (size_t i = 0; i < count; i++)
    {
      if (sorted[i]->kind != INPUT_RAW)
	continue;
      if (newest != NULL
	  && memcmp (newest->run_id, sorted[i]->run_id,
		     sizeof newest->run_id) == 0)
	sorted[i]->newer = newest;
      else
	newest = sorted[i];
    }
  free (sorted);
  return true;
}

/* The profile being made, and what naming addresses needs: made when the first
   raw profile asks for it.  */
struct reading
{
  struct profile *profile;
  struct object_finder *finder;
  struct profile_symbolizer *symbolizer;
  const char *notes_directory;	/* NULL: beside the data files */
};

static bool
need_symbolizer (struct reading *reading, const char *path,
		 struct profile_error *err)
{
  struct heap_profile *heap = profile_need_heap (reading->profile);
  if (heap != NULL && reading->symbolizer == NULL)
    reading->symbolizer = profile_symbolizer_new (heap, reading->finder);
  return reading->symbolizer != NULL || profile_error_set_memory (err, path);
}

static bool
add_raw (struct reading *reading, const char *path, const void *data,
	 size_t size, struct profile_error *err)
{
  if (!need_symbolizer (reading, path, err))
    return false;
  struct raw_profile *raw = raw_profile_parse (path, data, size, err);
  bool is_done
    = raw != NULL
      && profile_symbolizer_add (reading->symbolizer, raw, path, err);
  raw_profile_close (raw);
  return is_done;
}

static bool
add_memprof_raw (struct reading *reading, const char *path, const void *data,
		 size_t size, struct profile_error *err)
{
  if (!need_symbolizer (reading, path, err))
    return false;
  struct memprof_raw *raw = memprof_raw_parse (path, data, size, err);
  bool is_done
    = raw != NULL
      && profile_symbolizer_add_memprof (reading->symbolizer, raw, path, err);
  memprof_raw_close (raw);
  return is_done;
}

static bool
add_pgo_text (struct reading *reading, const char *path, const void *data,
	      size_t size, struct profile_error *err)
{
  struct counter_profile *counters = profile_need_counters (reading->profile);
  if (counters == NULL)
    return profile_error_set_memory (err, path);
  return pgo_text_fold (counters, path, data, size, err);
}

/* Fold the file FILE.  */
static bool
add_file (struct reading *reading, const struct input_file *file,
	  struct profile_error *err)
{
  const char *path = file->path;
  void *data;
  size_t size;
  bool is_done = false;
  if (!file_content_read (path, &data, &size, err))
    return false;
  switch (find_kind (path, data, size, err))
    {
    case INPUT_RAW:
      is_done = add_raw (reading, path, data, size, err);
      break;
    case INPUT_MEMPROF_RAW:
      is_done = add_memprof_raw (reading, path, data, size, err);
      break;
    case INPUT_INDEXED:
      is_done = indexed_profile_fold (reading->profile, path, data, size, err);
      break;
    case INPUT_PGO_TEXT:
      is_done = add_pgo_text (reading, path, data, size, err);
      break;
    case INPUT_GCOV:
      is_done = gcov_inputs_add (reading->profile, path, file->unit_path,
				 reading->notes_directory, data, size, err);
      break;
    default:
      break;
    }
  free (data);
  return is_done;
}

/* Fold all files of LIST.  */
static bool
add_files (struct reading *reading, const struct input_list *list,
	   struct profile_error *err)
{
  size_t count = list->count;
  if (count == 1)
    return add_file (reading, &list->files[0], err);
  struct input *files = calloc (count, sizeof *files);
  bool is_done = files != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    is_done = identify (&files[i], list->files[i].path, err);
  if (files == NULL || (is_done && !find_newest (files, count)))
    is_done = profile_error_set_memory (err, NULL);
  for (size_t i = 0; i < count && is_done; i++)
    {
      terminal_progress ("files", i, count);
      if (files[i].newer == NULL)
	is_done = add_file (reading, &list->files[i], err);
      else
	diagnostics_note ("%s: not counted: %s is a newer state of the same "
			  "run", files[i].path, files[i].newer->path);
    }
  terminal_progress_end ();
  free (files);
  return is_done;
}

static bool
add_binaries (struct object_finder *finder,
	      const struct profile_inputs *inputs, struct profile_error *err)
{
  for (size_t i = 0; i < inputs->binary_count; i++)
    if (!object_finder_add (finder, inputs->binaries[i], err))
      return false;
  return true;
}

struct profile *
profile_inputs_read (const struct profile_inputs *inputs)
{
  struct profile_error err;
  struct input_list list = { 0 };
  struct reading reading = {
    .notes_directory = inputs->notes_directory,
    .profile = profile_new (),
    .finder = object_finder_new (inputs->debug_directories)
  };
  bool is_done = reading.profile != NULL && reading.finder != NULL;
  if (!is_done)
    profile_error_set_memory (&err, NULL);
  is_done = is_done && add_binaries (reading.finder, inputs, &err)
	    && input_list_make (&list, inputs->paths, inputs->path_count, &err)
	    && add_files (&reading, &list, &err)
	    && (profile_name_functions (reading.profile)
		|| profile_error_set_memory (&err, NULL));
  if (is_done)
    {
      for (size_t i = 0; object_finder_unused (reading.finder, i) != NULL; i++)
	diagnostics_warning ("%s: no calling context is in this file",
			     object_finder_unused (reading.finder, i));
      gcov_inputs_report (reading.profile);
    }
  else
    {
      diagnostics_error (&err);
      profile_free (reading.profile);
      reading.profile = NULL;
    }
  profile_symbolizer_free (reading.symbolizer);
  object_finder_free (reading.finder);
  /* Debug information takes much memory, and writing wants it.  */
  malloc_trim (0);
  input_list_free (&list);
  return reading.profile;
}

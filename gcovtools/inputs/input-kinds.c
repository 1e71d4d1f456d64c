/* The input formats, and how each is added to a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "input-kinds.h"
#include "gcov-data.h"
#include "gcov-inputs.h"
#include "indexed-profile.h"
#include "memprof-raw.h"
#include "memprof-yaml.h"
#include "pgo-text.h"
#include "raw-profile-begin.h"
#include "sample-afdo.h"
#include "sample-binary.h"
#include "sample-text.h"

_Static_assert(INPUT_KIND_START_BYTES >= PGO_TEXT_START_BYTES
		 && INPUT_KIND_START_BYTES >= SAMPLE_TEXT_START_BYTES,
	       "text is recognised by its start");

static bool
need_symbolizer (struct input_reading *reading, const char *path,
		 struct profile_error *err)
{
  struct heap_profile *heap = profile_need_heap (reading->profile);
  if (heap != NULL && reading->symbolizer == NULL)
    reading->symbolizer = profile_symbolizer_new (heap, reading->names);
  return reading->symbolizer != NULL || profile_error_set_memory (err, path);
}

/* ---- heapprof's raw profiles.  */

static bool
check_raw (const struct input_source *source, struct profile_error *err)
{
  struct raw_profile *raw
    = raw_profile_parse (source->path, source->data, source->size, err);
  raw_profile_close (raw);
  return raw != NULL;
}

static bool
fold_raw (struct input_reading *reading, const struct input_source *source,
	  struct profile_error *err)
{
  if (!need_symbolizer (reading, source->path, err))
    return false;
  struct raw_profile *raw
    = raw_profile_begin (source->path, source->data, source->size,
			 reading->may_be_brief, err);
  bool is_done
    = raw != NULL
      && profile_symbolizer_add (reading->symbolizer, raw, source->path, err);
  raw_profile_close (raw);
  return is_done;
}

/* ---- Raw profiles of LLVM's run-time library.  */

static bool
check_memprof_raw (const struct input_source *source, struct profile_error *err)
{
  struct memprof_raw *raw
    = memprof_raw_parse (source->path, source->data, source->size, err);
  memprof_raw_close (raw);
  return raw != NULL;
}

static bool
fold_memprof_raw (struct input_reading *reading,
		  const struct input_source *source, struct profile_error *err)
{
  if (!need_symbolizer (reading, source->path, err))
    return false;
  struct memprof_raw *raw
    = memprof_raw_parse (source->path, source->data, source->size, err);
  bool is_done
    = raw != NULL
      && profile_symbolizer_add_memprof (reading->symbolizer, raw,
					 !source->is_kept, source->path, err);
  memprof_raw_close (raw);
  return is_done;
}

/* ---- The others.  */

static bool
fold_indexed (struct input_reading *reading, const struct input_source *source,
	      struct profile_error *err)
{
  return indexed_profile_fold (reading->profile, source->path, source->data,
			       source->size, err);
}

static bool
fold_gcov (struct input_reading *reading, const struct input_source *source,
	   struct profile_error *err)
{
  return gcov_inputs_add (reading->profile, source->path, source->unit_path,
			  reading->notes_directory, source->data, source->size,
			  err);
}

static bool
fold_pgo_text (struct input_reading *reading, const struct input_source *source,
	       struct profile_error *err)
{
  struct counter_profile *counters = profile_need_counters (reading->profile);
  if (counters == NULL)
    return profile_error_set_memory (err, source->path);
  return pgo_text_fold (counters, source->path, source->data, source->size,
			err);
}

static bool
fold_yaml (struct input_reading *reading, const struct input_source *source,
	   struct profile_error *err)
{
  struct heap_profile *heap = profile_need_heap (reading->profile);
  if (heap == NULL)
    return profile_error_set_memory (err, source->path);
  return memprof_yaml_read (heap, source->path, source->data, source->size,
			    err);
}

/* ---- Samples.  */

typedef bool sample_folder (struct sample_profile *profile, const char *path,
			    const void *data, size_t size,
			    struct profile_error *err);

static bool
fold_samples (struct input_reading *reading, const struct input_source *source,
	      sample_folder *fold, struct profile_error *err)
{
  struct sample_profile *samples = profile_need_samples (reading->profile);
  if (samples == NULL)
    return profile_error_set_memory (err, source->path);
  return fold (samples, source->path, source->data, source->size, err);
}

static bool
fold_afdo (struct input_reading *reading, const struct input_source *source,
	   struct profile_error *err)
{
  return fold_samples (reading, source, sample_afdo_fold, err);
}

static bool
fold_sample_binary (struct input_reading *reading,
		    const struct input_source *source,
		    struct profile_error *err)
{
  return fold_samples (reading, source, sample_binary_fold, err);
}

static bool
fold_sample_text (struct input_reading *reading,
		  const struct input_source *source, struct profile_error *err)
{
  return fold_samples (reading, source, sample_text_fold, err);
}

/* Text formats come last: they have no magic number. gcc's sample profiles
   start with the magic number of its data files, followed by more.  */
static const struct input_kind kinds[] = {
  { "raw profile", true, false, raw_profile_has_magic, check_raw, fold_raw },
  { "raw profile of LLVM", false, false, memprof_raw_has_magic,
    check_memprof_raw, fold_memprof_raw },
  { "indexed profile", false, false, indexed_profile_has_magic, NULL,
    fold_indexed },
  { "sample profile of gcc", false, true, sample_afdo_has_magic, NULL,
    fold_afdo },
  { "sample profile of LLVM", false, true, sample_binary_has_magic, NULL,
    fold_sample_binary },
  { "data file of gcc", false, false, gcov_data_has_magic, NULL, fold_gcov },
  { "heap profile as YAML", false, false, memprof_yaml_is_it, NULL, fold_yaml },
  { "samples as text", false, true, sample_text_is_possible, NULL,
    fold_sample_text },
  { "counters as text", false, false, pgo_text_is_possible, NULL,
    fold_pgo_text }
};

const struct input_kind *
input_kind_find (const char *path, const void *data, size_t size,
		 struct profile_error *err)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].recognise (data, size))
      return &kinds[i];
  profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s",
		     size == 0 ? "the file is empty"
			       : "not a profile in a known format");
  return NULL;
}

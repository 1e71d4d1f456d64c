/* A perf recording in any form.
   SPDX-License-Identifier: GPL-3.0-or-later

   A recording may be larger than memory, so a file is mapped, and parts that
   were read are dropped.  */

#include "perf-recording.h"
#include "file-content.h"
#include "file-map.h"
#include "perf-data.h"
#include "perf-dump.h"
#include "perf-script.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Number of leading bytes of a text that are examined to find its form.  */
#define LOOKED_AT_BYTES 65536

struct perf_recording
{
  const char *path;
  enum perf_form form;
  struct file_map map; /* of a file */
  void *content;       /* of what cannot be mapped, malloced */
  const void *data;    /* in one of the two */
  size_t size;
};

static enum perf_form
find_form (const void *data, size_t size)
{
  if (perf_data_has_magic (data, size))
    return PERF_FORM_DATA;
  if (size > LOOKED_AT_BYTES)
    size = LOOKED_AT_BYTES;
  return perf_dump_is_possible (data, size) ? PERF_FORM_DUMP : PERF_FORM_SCRIPT;
}

static bool
open_file (struct perf_recording *recording, struct profile_error *err)
{
  struct stat status;
  const char *path = recording->path;
  bool is_stdin = strcmp (path, "-") == 0;
  bool is_file
    = !is_stdin && stat (path, &status) == 0 && S_ISREG (status.st_mode);
  if (is_file)
    {
      if (!file_map_open (&recording->map, path, err))
	return false;
      recording->data = recording->map.data;
      recording->size = recording->map.size;
      madvise (recording->map.data, recording->map.size, MADV_SEQUENTIAL);
      return true;
    }
  if (is_stdin)
    recording->path = "standard input";
  if (!(is_stdin
	  ? file_content_read_stdin (recording->path, &recording->content,
				     &recording->size, err)
	  : file_content_read (path, &recording->content, &recording->size,
			       err)))
    return false;
  recording->data = recording->content;
  return true;
}

static struct perf_recording *
new_recording (const char *path, enum perf_form form, struct profile_error *err)
{
  struct perf_recording *recording = calloc (1, sizeof *recording);
  if (!recording)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  recording->path = path;
  recording->form = form;
  return recording;
}

static void
settle_form (struct perf_recording *recording)
{
  if (recording->form == PERF_FORM_ANY)
    recording->form = find_form (recording->data, recording->size);
}

struct perf_recording *
perf_recording_open (const char *path, enum perf_form form,
		     struct profile_error *err)
{
  struct perf_recording *recording = new_recording (path, form, err);
  if (!recording)
    return NULL;
  if (!open_file (recording, err))
    {
      free (recording);
      return NULL;
    }
  settle_form (recording);
  return recording;
}

struct perf_recording *
perf_recording_of_memory (const char *path, const void *data, size_t size,
			  enum perf_form form, struct profile_error *err)
{
  struct perf_recording *recording = new_recording (path, form, err);
  if (!recording)
    return NULL;
  recording->data = data;
  recording->size = size;
  settle_form (recording);
  return recording;
}

void
perf_recording_close (struct perf_recording *recording)
{
  if (!recording)
    return;
  file_map_close (&recording->map);
  free (recording->content);
  free (recording);
}

const char *
perf_recording_path (const struct perf_recording *recording)
{
  return recording->path;
}

enum perf_form
perf_recording_form (const struct perf_recording *recording)
{
  return recording->form;
}

/* Return pages of a mapped file that were read to the kernel; they are loaded
   again if needed.  */
static void
drop (void *closure, uint64_t offset)
{
  struct perf_recording *recording = closure;
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  madvise (recording->map.data, offset / page * page, MADV_DONTNEED);
}

bool
perf_recording_read (struct perf_recording *recording,
		     const struct perf_handler *given,
		     struct profile_error *err)
{
  struct perf_handler own = *given;
  const struct perf_handler *handler = given;
  if (recording->map.data && !given->passed)
    {
      own.passed = drop;
      own.passed_closure = recording;
      handler = &own;
    }
  switch (recording->form)
    {
    case PERF_FORM_DATA:
      return perf_data_read (recording->path, recording->data, recording->size,
			     handler, err);
    case PERF_FORM_DUMP:
      return perf_dump_read (recording->path, recording->data, recording->size,
			     handler, err);
    case PERF_FORM_SCRIPT:
    case PERF_FORM_ANY:
    default:
      return perf_script_read (recording->path, recording->data,
			       recording->size, handler, err);
    }
}

/* Labels of the runs of a trend.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diagnostics.h"
#include "input-list.h"
#include "program-module.h"
#include "raw-profile.h"
#include "trend.h"
#include <stdlib.h>
#include <string.h>

/* Digits of a build ID that are shown.  */
#define BUILD_ID_DIGITS 12

/* ---- Names.  */

/* Return the name of the file PATH without folders and a suffix of
   profiles.  */
static char *
name_of (const char *path)
{
  static const char *const suffixes[]
    = { ".profdata", ".hpraw", ".memprofraw", ".profraw" };
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL && slash[1] != '\0' ? slash + 1 : path;
  size_t bytes = strlen (name);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    {
      size_t n = strlen (suffixes[i]);
      if (bytes > n && strcmp (name + bytes - n, suffixes[i]) == 0)
	return strndup (name, bytes - n);
    }
  return strdup (name);
}

static int
compare_labels (const void *a, const void *b)
{
  const char *const *x = a;
  const char *const *y = b;
  return strcmp (*x, *y);
}

/* Set *ARE_UNIQUE to whether no two labels of TREND are equal.  */
static bool
compare_all (const struct trend *trend, bool *are_unique)
{
  const char **labels = calloc (trend->run_count + 1, sizeof *labels);
  if (labels == NULL)
    return false;
  for (size_t i = 0; i < trend->run_count; i++)
    labels[i] = trend->runs[i].label;
  qsort (labels, trend->run_count, sizeof *labels, compare_labels);
  *are_unique = true;
  for (size_t i = 1; i < trend->run_count; i++)
    *are_unique &= strcmp (labels[i - 1], labels[i]) != 0;
  free (labels);
  return true;
}

bool
trend_label_names (struct trend *trend)
{
  bool are_unique = true;
  for (size_t i = 0; i < trend->run_count; i++)
    {
      trend->runs[i].label = name_of (trend->runs[i].path);
      if (trend->runs[i].label == NULL)
	return false;
    }
  if (!compare_all (trend, &are_unique))
    return false;
  for (size_t i = 0; i < trend->run_count && !are_unique; i++)
    {
      free (trend->runs[i].label);
      trend->runs[i].label = strdup (trend->runs[i].path);
      if (trend->runs[i].label == NULL)
	return false;
    }
  return true;
}

bool
trend_label_list (struct trend *trend, const char *text)
{
  size_t count = 0;
  for (const char *part = text;; count++)
    {
      size_t bytes = strcspn (part, ",");
      if (count < trend->run_count)
	{
	  free (trend->runs[count].label);
	  trend->runs[count].label = strndup (part, bytes);
	  if (trend->runs[count].label == NULL)
	    {
	      diagnostics_memory ();
	      return false;
	    }
	}
      part += bytes;
      if (*part++ == '\0')
	break;
    }
  if (++count == trend->run_count)
    return true;
  diagnostics_usage ("trend", "expected %zu labels, %zu given",
		     trend->run_count, count);
  return false;
}

/* ---- Build IDs.  */

static void
write_build_id (const struct heapprof_raw_segment *segment, char *text)
{
  static const char digits[] = "0123456789abcdef";
  size_t bytes = segment->build_id_bytes;
  if (bytes > BUILD_ID_DIGITS / 2)
    bytes = BUILD_ID_DIGITS / 2;
  for (size_t i = 0; i < bytes; i++)
    {
      *text++ = digits[segment->build_id[i] >> 4];
      *text++ = digits[segment->build_id[i] & 15];
    }
  *text = '\0';
}

/* Write the build ID of the program of the raw profile PATH to TEXT, of
   BUILD_ID_DIGITS + 1 bytes; nothing if it is another file.  */
static void
find_in_raw (const char *path, char *text)
{
  struct profile_error err;
  struct raw_profile *raw = raw_profile_open (path, &err);
  if (raw == NULL)
    return;
  const char *program = raw_profile_program_name (raw);
  uint32_t count = raw_profile_segment_count (raw);
  for (uint32_t i = 0; i < count && *text == '\0'; i++)
    if (strcmp (raw_profile_segment_path (raw, i), program) == 0)
      write_build_id (raw_profile_segment (raw, i), text);
  raw_profile_close (raw);
}

/* Write the build ID of the program in PROFILE to TEXT: frames have it whose
   lines are unknown.  Return false if memory is exhausted.  */
static bool
find_in_frames (const struct heap_profile *profile, char *text)
{
  uint32_t program = program_module_find (profile);
  uint32_t count = heap_profile_frame_count (profile);
  for (uint32_t i = 0; i < count && program != 0 && program != UINT32_MAX; i++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, i);
      if (frame->module != program || frame->build_id == 0)
	continue;
      const char *id = heap_profile_string (profile, frame->build_id);
      size_t bytes = strnlen (id, BUILD_ID_DIGITS);
      memcpy (text, id, bytes);
      text[bytes] = '\0';
      break;
    }
  return program != UINT32_MAX;
}

bool
trend_label_build_id (struct trend *trend, size_t number,
		      const struct heap_profile *profile)
{
  struct trend_run *run = &trend->runs[number];
  char id[BUILD_ID_DIGITS + 1] = "";
  if (strcmp (run->path, INPUT_LIST_STDIN) != 0)
    find_in_raw (run->path, id);
  if (id[0] == '\0' && !find_in_frames (profile, id))
    return false;
  if (id[0] == '\0')
    {
      diagnostics_note (
	"%s: the build ID of the program is not in the profile; "
	"its name is the label",
	run->path);
      return true;
    }
  free (run->label);
  run->label = strdup (id);
  return run->label != NULL;
}

/* Which calling contexts are on which lines of a source file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "source-lines.h"
#include <stdlib.h>
#include <string.h>

/* Does LONGER end with the path SHORTER, component by component?  */
static bool
ends_with (const char *longer, const char *shorter)
{
  size_t n = strlen (longer);
  size_t m = strlen (shorter);
  return m > 0 && n >= m && strcmp (longer + n - m, shorter) == 0
	 && (n == m || longer[n - m - 1] == '/');
}

/* Mark in IS_WANTED, by string id, the paths in PROFILE that PATH means.  */
static void
find_paths (const struct heap_profile *profile, const char *path,
	    bool *is_wanted, struct source_lines *lines)
{
  while (strncmp (path, "./", 2) == 0)
    path += 2;
  uint32_t count = heap_profile_frame_count (profile);
  for (uint32_t id = 0; id < count; id++)
    {
      uint32_t file = heap_profile_frame (profile, id)->file;
      const char *name = heap_profile_string (profile, file);
      if (file == 0 || is_wanted[file]
	  || !(ends_with (name, path) || ends_with (path, name)))
	continue;
      is_wanted[file] = true;
      lines->path = name;
    }
}

/* Append a use of LINE by ENTRY, unless it is among those from FIRST on.  */
static bool
add_use (struct source_lines *lines, size_t *capacity, size_t first,
	 const struct line_use *use)
{
  for (size_t i = first; i < lines->count; i++)
    if (lines->uses[i].line == use->line)
      return true;
  if (lines->count == *capacity)
    {
      size_t grown = 2 * *capacity + 64;
      struct line_use *uses
	= realloc (lines->uses, grown * sizeof *lines->uses);
      if (uses == NULL)
	return false;
      lines->uses = uses;
      *capacity = grown;
    }
  lines->uses[lines->count++] = *use;
  return true;
}

/* Append the uses by ENTRY of the files in IS_WANTED.  */
static bool
add_entry (struct source_lines *lines, size_t *capacity,
	   const struct heap_profile *profile, const bool *is_wanted,
	   const struct report_entry *entry)
{
  size_t first = lines->count;
  const struct heap_frame *site = heap_profile_frame (profile, entry->site);
  struct line_use use = { site->line, true, entry };
  if (is_wanted[site->file] && !add_use (lines, capacity, first, &use))
    return false;
  use.is_site = false;
  for (uint32_t c = entry->context; c != 0;
       c = heap_profile_context_caller (profile, c))
    {
      const struct heap_frame *frame = heap_profile_frame (
	profile, heap_profile_context_frame (profile, c));
      use.line = frame->line;
      if (is_wanted[frame->file] && !add_use (lines, capacity, first, &use))
	return false;
    }
  return true;
}

static int
compare_uses (const void *a, const void *b)
{
  const struct line_use *x = a;
  const struct line_use *y = b;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->is_site != y->is_site)
    return x->is_site ? -1 : 1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

bool
source_lines_make (struct source_lines *lines,
		   const struct heap_report *report, const char *path)
{
  const struct heap_profile *profile = report->profile;
  size_t capacity = 0;
  bool *is_wanted = calloc ((size_t) heap_profile_string_count (profile) + 1,
			    sizeof *is_wanted);
  *lines = (struct source_lines){ 0 };
  bool is_done = is_wanted != NULL;
  if (is_done)
    find_paths (profile, path, is_wanted, lines);
  for (size_t i = 0; i < report->context_count && is_done; i++)
    is_done = add_entry (lines, &capacity, profile, is_wanted,
			 &report->contexts[i]);
  if (is_done && lines->count > 0)
    qsort (lines->uses, lines->count, sizeof *lines->uses, compare_uses);
  free (is_wanted);
  return is_done;
}

void
source_lines_release (struct source_lines *lines)
{
  free (lines->uses);
}

struct memory_info
source_lines_sum (const struct line_use *uses, size_t count, bool is_site,
		  unsigned int *marks)
{
  struct memory_info sum = { 0 };
  *marks = 0;
  for (size_t i = 0; i < count; i++)
    if (uses[i].is_site == is_site)
      {
	memory_info_add (&sum, &uses[i].entry->info);
	*marks |= uses[i].entry->marks;
      }
  return sum;
}

/* Mapping of calling contexts to lines of a source file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "source-lines.h"
#include "source-path.h"
#include <stdlib.h>
#include <string.h>

/* Append USE unless its line is among the uses from FIRST on.  */
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

/* Append the uses by ENTRY of lines in the files IS_WANTED.  */
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
      const struct heap_frame *frame
	= heap_profile_frame (profile, heap_profile_context_frame (profile, c));
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

/* Find the file of PROFILE that PATH refers to.  */
static bool
find_path (struct source_lines *lines, const struct heap_profile *profile,
	   const char *path, bool *is_wanted)
{
  struct source_path found;
  if (!source_path_find (&found, profile, path, is_wanted))
    return false;
  if (found.file != 0)
    lines->path = heap_profile_string (profile, found.file);
  if (found.other != 0)
    lines->other = heap_profile_string (profile, found.other);
  return true;
}

bool
source_lines_make (struct source_lines *lines, const struct heap_report *report,
		   const char *path)
{
  const struct heap_profile *profile = report->profile;
  size_t capacity = 0;
  bool *is_wanted = calloc ((size_t) heap_profile_string_count (profile) + 1,
			    sizeof *is_wanted);
  *lines = (struct source_lines){ 0 };
  bool is_done = is_wanted != NULL;
  if (is_done)
    is_done = find_path (lines, profile, path, is_wanted);
  for (size_t i = 0; i < report->context_count && is_done; i++)
    is_done
      = add_entry (lines, &capacity, profile, is_wanted, &report->contexts[i]);
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

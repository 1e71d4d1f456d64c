/* How well the lines around a line of a function fit a newer version of it if
   they moved together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "moved-lines.h"
#include <stdlib.h>

/* Most lines with code on each side of a line that are compared.  The nearest
   counts most, the second half as much, the third a third: what is further away
   more likely moved by another number of lines.  */
#define MOST_NEAR 8
#define NEAREST_WEIGHT 840 /* a multiple of 1 to MOST_NEAR */

bool
moved_lines_make (struct moved_lines *lines,
		  const struct function_outline *before,
		  const struct function_outline *after)
{
  *lines = (struct moved_lines){ 0 };
  if (before->place_count == 0 || after->place_count == 0)
    return true;
  lines->first = outline_line (after->places[0]);
  lines->after_count
    = (size_t) (outline_line (after->places[after->place_count - 1])
		- lines->first)
      + 1;
  lines->before = calloc (before->place_count, sizeof *lines->before);
  lines->after = calloc (lines->after_count, sizeof *lines->after);
  if (lines->before == NULL || lines->after == NULL)
    return false;
  for (size_t i = 0; i < before->place_count; i++)
    {
      int line = outline_line (before->places[i]);
      if (lines->before_count == 0
	  || lines->before[lines->before_count - 1] != line)
	lines->before[lines->before_count++] = line;
    }
  for (size_t i = 0; i < after->place_count; i++)
    lines->after[outline_line (after->places[i]) - lines->first] = true;
  return true;
}

void
moved_lines_release (struct moved_lines *lines)
{
  free (lines->before);
  free (lines->after);
  *lines = (struct moved_lines){ 0 };
}

/* Return the number of old lines before LINE.  */
static size_t
count_before (const struct moved_lines *lines, int line)
{
  size_t low = 0;
  size_t high = lines->before_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (lines->before[middle] < line)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static bool
has_code (const struct moved_lines *lines, int line)
{
  return line >= lines->first
	 && (size_t) (line - lines->first) < lines->after_count
	 && lines->after[line - lines->first];
}

unsigned int
moved_lines_fit (const struct moved_lines *lines, int line, int shift)
{
  size_t before = count_before (lines, line);
  size_t behind = before;
  unsigned int whole = 0;
  unsigned int fitting = 0;
  if (behind < lines->before_count && lines->before[behind] == line)
    behind++;
  for (unsigned int i = 1; i <= MOST_NEAR; i++)
    {
      unsigned int weight = NEAREST_WEIGHT / i;
      if (before > 0)
	{
	  whole += weight;
	  if (has_code (lines, lines->before[--before] + shift))
	    fitting += weight;
	}
      if (behind < lines->before_count)
	{
	  whole += weight;
	  if (has_code (lines, lines->before[behind++] + shift))
	    fitting += weight;
	}
    }
  return whole > 0 ? MOVED_LINES_BEST * fitting / whole : 0;
}

/* Source text annotated with what ran.
   SPDX-License-Identifier: GPL-3.0-or-later

   The layout is that of gcov's files: lines without code have `-', lines that
   did not run `#####', and `*' follows the number if some block on the line did
   not run. gcov's mark `=====' for lines reached only by exceptions stands here
   for lines all of whose blocks only clean up, so that it is unknown whether
   they ran.  */

#include "mip-annotate.h"
#include "heap-json.h"
#include "mip-commands.h"
#include "report-html.h"
#include "table.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Return true if PATH is SOURCE or ends with it, in whole components.  */
static bool
is_source (const char *path, const char *source)
{
  size_t bytes = strlen (path);
  size_t source_bytes = strlen (source);
  return bytes >= source_bytes
	 && strcmp (path + bytes - source_bytes, source) == 0
	 && (bytes == source_bytes || source[0] == '/'
	     || path[bytes - source_bytes - 1] == '/');
}

/* Return the end of the lines in the same file as line FIRST.  */
static size_t
end_of_file (const struct mip_lines *lines, size_t first)
{
  size_t end = first + 1;
  while (end < lines->count
	 && strcmp (lines->lines[end].path, lines->lines[first].path) == 0)
    end++;
  return end;
}

/* Print RUNS as the first column.  */
static void
print_runs (uint64_t runs, bool is_known, const char *mark)
{
  char text[NUMBER_TEXT_BYTES];
  if (!is_known)
    snprintf (text, sizeof text, "=====");
  else if (runs == 0)
    snprintf (text, sizeof text, "#####");
  else
    snprintf (text, sizeof text, "%" PRIu64 "%s", runs, mark);
  printf ("%9s:", text);
}

/* Print the blocks that start on LINE.  */
static void
print_blocks (const struct mip_profile *profile, const struct mip_lines *lines,
	      const struct mip_line *line)
{
  for (size_t i = 0; i < line->use_count; i++)
    {
      const struct mip_line_use *use = &lines->uses[line->first_use + i];
      if (!use->begins || use->block == MIP_NO_BLOCK)
	continue;
      print_runs (use->runs, use->is_known, "");
      printf ("%5" PRIu32 "-block %" PRIu32 " of ", line->line, use->block);
      print_text (mip_function_name (profile,
				     &profile->functions[use->function]));
      putchar ('\n');
    }
}

static void
print_line (const struct mip_profile *profile, const struct mip_lines *lines,
	    const struct mip_line *line, const char *text, size_t length,
	    const struct mip_annotation *annotation)
{
  print_runs (line->runs, line->is_known, line->is_partial ? "*" : "");
  printf ("%5" PRIu32 ":", line->line);
  write_source_line (text, length, stdout);
  putchar ('\n');
  if (annotation->has_blocks)
    print_blocks (profile, lines, line);
}

/* Print the file with the lines FIRST to END.  */
static void
print_file (const struct mip_profile *profile, const struct mip_lines *lines,
	    size_t first, size_t end, const struct mip_annotation *annotation)
{
  static const char absent[] = "/*EOF*/";
  const char *path = lines->lines[first].path;
  char *content = report_source_text (path);
  printf ("%9s:%5d:Source:", "-", 0);
  print_text (path);
  printf ("\n%9s:%5d:Runs:%" PRIu64 "\n", "-", 0, profile->images);
  uint32_t number = 0;
  for (const char *text = content; text != NULL && *text != '\0';)
    {
      size_t length = strcspn (text, "\n");
      if (first < end && lines->lines[first].line == ++number)
	print_line (profile, lines, &lines->lines[first++], text, length,
		    annotation);
      else
	{
	  printf ("%9s:%5" PRIu32 ":", "-", number);
	  write_source_line (text, length, stdout);
	  putchar ('\n');
	}
      text += length;
      text += *text == '\n';
    }
  for (; first < end; first++)
    print_line (profile, lines, &lines->lines[first], absent, sizeof absent - 1,
		annotation);
  free (content);
}

void
mip_annotate_text (const struct mip_profile *profile,
		   const struct mip_lines *lines,
		   const struct mip_annotation *annotation)
{
  size_t end;
  for (size_t first = 0; first < lines->count; first = end)
    {
      end = end_of_file (lines, first);
      if (annotation->source == NULL
	  || is_source (lines->lines[first].path, annotation->source))
	print_file (profile, lines, first, end, annotation);
    }
}

/* Return the blocks that start on LINE.  */
static json_t *
make_blocks (const struct mip_profile *profile, const struct mip_lines *lines,
	     const struct mip_line *line)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < line->use_count && array != NULL; i++)
    {
      const struct mip_line_use *use = &lines->uses[line->first_use + i];
      if (!use->begins || use->block == MIP_NO_BLOCK)
	continue;
      const struct mip_function *function = &profile->functions[use->function];
      json_t *row = json_object ();
      if (row == NULL
	  || !json_set_text (row, "function",
			     mip_function_name (profile, function))
	  || !json_set_number (row, "block", use->block)
	  || (use->is_known && !json_set_number (row, "runs", use->runs))
	  || json_array_append (array, row) != 0)
	{
	  json_decref (array);
	  array = NULL;
	}
      json_decref (row);
    }
  return array;
}

static json_t *
make_line (const struct mip_profile *profile, const struct mip_lines *lines,
	   const struct mip_line *line, const struct mip_annotation *annotation)
{
  json_t *row = json_object ();
  if (row != NULL && json_set_number (row, "line", line->line)
      && (!line->is_known || json_set_number (row, "runs", line->runs))
      && (!line->is_partial
	  || json_object_set_new (row, "partial", json_true ()) == 0)
      && (!annotation->has_blocks
	  || json_object_set_new (row, "blocks",
				  make_blocks (profile, lines, line))
	       == 0))
    return row;
  json_decref (row);
  return NULL;
}

bool
mip_annotate_json (const struct mip_profile *profile,
		   const struct mip_lines *lines,
		   const struct mip_annotation *annotation)
{
  const char *separator = "\n";
  size_t end;
  bool is_done = true;
  printf ("{\"runs\": %" PRIu64 ", \"files\": [", profile->images);
  for (size_t first = 0; first < lines->count && is_done; first = end)
    {
      const char *path = lines->lines[first].path;
      end = end_of_file (lines, first);
      if (annotation->source != NULL && !is_source (path, annotation->source))
	continue;
      printf ("%s{\"file\": ", separator);
      is_done = json_print ("", json_text (path));
      separator = ", \"lines\": [\n ";
      for (size_t i = first; i < end && is_done; i++)
	{
	  is_done
	    = json_print (separator, make_line (profile, lines,
						&lines->lines[i], annotation));
	  separator = ",\n ";
	}
      printf ("]}");
      separator = ",\n";
    }
  printf ("\n]}\n");
  return is_done;
}

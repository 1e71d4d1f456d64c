/* What changed from one heap profile to another, as an HTML page.
   SPDX-License-Identifier: GPL-3.0-or-later

   The page's data, one JSON object:

     a, b        paths of the profiles
     filtered    are the contexts a part of those that differ?
     sort        index of the measure that contexts are sorted by
     measures    [name, sum of A, sum of B], in the order of numbers below
     counts      of contexts by status: added, removed, changed, unchanged
     looked      which wrappers were looked through, a line, or empty
     contexts    [status, numbers in A, numbers in B, index of the site in
		 frames, frames], ...; frames are innermost first, each with its
		 function, its place and a remark (shown-frames.h)

   An unknown sum is null.  A measure without both sums is not compared, and its
   numbers mean nothing.  */

#include "diff.h"
#include "diagnostics.h"
#include "frame-text.h"
#include "heap-json.h"
#include "output-file.h"
#include "report-html.h"
#include "shown-frames.h"
#include <inttypes.h>
#include <stdlib.h>

/* Write BEFORE and the text NAME, which is malloced or NULL, and free it.  */
static bool
write_name (FILE *out, const char *before, char *name)
{
  bool is_done
    = name != NULL && json_write (out, before, json_plain_text (name));
  free (name);
  return is_done;
}

static bool
write_frames (const struct heap_report *names, uint32_t context, FILE *out)
{
  const struct heap_profile *profile = names->profile;
  uint32_t site = allocation_wrappers_site (&names->wrappers, context);
  struct shown_frames shown;
  bool is_done = shown_frames_make (&shown, names, context);
  size_t index = 0;
  while (index < shown.count && shown.frames[index].node != site)
    index++;
  fprintf (out, ",%zu,[", index < shown.count ? index : 0);
  for (size_t i = 0; i < shown.count && is_done; i++)
    {
      uint32_t node = shown.frames[i].node;
      const struct heap_frame *frame
	= heap_profile_frame (profile,
			      heap_profile_context_frame (profile, node));
      is_done = write_name (out, i > 0 ? ",[" : "[",
			    frame_name_text (names, frame, false))
		&& write_name (out, ",", frame_place_text (names, frame))
		&& write_name (out, ",", shown_frame_text (&shown.frames[i]));
      putc (']', out);
    }
  fputs ("]]", out);
  shown_frames_release (&shown);
  return is_done;
}

static bool
write_context (const struct diff_report *report,
	       const struct matched_context *matched, FILE *out)
{
  const struct diff_heap *heap = report->heap;
  fprintf (out, "[%d", (int) diff_context_status (heap, matched));
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < CONTEXT_MEASURES; i++)
      {
	fputs (i == 0 ? ",[" : ",", out);
	if (diff_context_has (heap, matched, i))
	  fprintf (out, "%" PRIu64, context_measure (matched->infos[side], i));
	else
	  fputs ("null", out);
	fputs (i == CONTEXT_MEASURES - 1 ? "]" : "", out);
      }
  uint32_t context;
  struct heap_report names
    = diff_heap_names (report->heap, report->pair, report->options, matched,
		       &context);
  return write_frames (&names, context, out);
}

static void
write_measures (const struct diff_report *report, FILE *out)
{
  char text[2][DIFF_NUMBER_BYTES];
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    {
      const diff_number *totals = report->heap->measures[i].totals;
      const char *sums[2];
      for (int side = 0; side < 2; side++)
	sums[side]
	  = diff_heap_has (report->heap, side, i)
	      ? diff_number_text (text[side], totals[side], false, false)
	      : "null";
      fprintf (out, "%s[\"%s\",%s,%s]", i == 0 ? ",\n\"measures\":[" : ",",
	       context_measure_name (i), sums[DIFF_A], sums[DIFF_B]);
    }
  for (int status = 0; status < DIFF_STATUSES; status++)
    fprintf (out, "%s%" PRIu64, status == 0 ? "],\n\"counts\":[" : ",",
	     report->heap->counts[status]);
  fputs ("],\n\"contexts\":[", out);
}

/* Write which wrappers were looked through in either profile.  */
static bool
write_wrappers (const struct diff_report *report, FILE *out)
{
  struct heap_report names = pair_heap_report (NULL, report->options);
  struct wrapper_uses uses = { 0 };
  bool is_done
    = wrapper_uses_merge (&uses, &report->heap->looked_through[DIFF_A])
      && wrapper_uses_merge (&uses, &report->heap->looked_through[DIFF_B])
      && write_name (out,
		     ",\n\"looked\":", looked_through_text (&names, &uses));
  wrapper_uses_release (&uses);
  return is_done;
}

static bool
write_data (const void *data, FILE *out)
{
  const struct diff_report *report = data;
  const struct diff_heap *heap = report->heap;
  if (!json_write (out,
		   "{\"a\":", json_plain_text (report->pair->paths[DIFF_A]))
      || !json_write (out, ",\n\"b\":",
		      json_plain_text (report->pair->paths[DIFF_B])))
    return false;
  fprintf (out, ",\n\"sort\":%d,\"filtered\":%s", (int) report->sort,
	   profile_filter_is_set (&report->options->filter) ? "true" : "false");
  if (!write_wrappers (report, out))
    return false;
  write_measures (report, out);
  const char *before = "\n";
  for (size_t i = 0; i < heap->match.count; i++)
    {
      const struct matched_context *matched = &heap->match.contexts[i];
      if (diff_context_status (heap, matched) == DIFF_UNCHANGED
	  || !heap->is_chosen[i])
	continue;
      fputs (before, out);
      if (!write_context (report, matched, out))
	return false;
      before = ",\n";
    }
  fputs ("]}\n", out);
  return true;
}

bool
diff_write_html (const struct diff_report *report, const char *path)
{
  struct profile_error err;
  char *text = NULL;
  size_t size = 0;
  if (report->heap == NULL)
    {
      profile_error_set (&err, report->pair->paths[DIFF_B],
			 PROFILE_ERROR_NO_OFFSET,
			 "no heap profile to write as a page");
      diagnostics_error (&err);
      return false;
    }
  FILE *out = open_memstream (&text, &size);
  bool is_done
    = out != NULL
      && report_page_write (REPORT_ASSET_SEVERAL_HTML, REPORT_ASSET_DIFF,
			    REPORT_ASSET_DIFF + 1, write_data, report, out);
  if (out != NULL)
    is_done = fclose (out) == 0 && is_done;
  if (!is_done)
    diagnostics_memory ();
  else if (!output_file_write (path, text, size, &err))
    {
      diagnostics_error (&err);
      is_done = false;
    }
  free (text);
  return is_done;
}

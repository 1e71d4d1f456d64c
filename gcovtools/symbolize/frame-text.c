/* Text forms of frames: names of functions, locations, sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "frame-text.h"
#include "function-name.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough to distinguish builds.  */
#define SHORT_BUILD_ID_DIGITS 16

/* Wrappers that are named.  */
#define MOST_WRAPPERS 5

static const char *
last_component (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Return the text for FRAME when its function is unknown: its location in the
   binary, `MODULE+0xADDRESS', or `??' if that is unknown too.  */
static char *
address_text (const struct heap_report *report, const struct heap_frame *frame)
{
  const char *module = heap_profile_string (report->profile, frame->module);
  const char *id = heap_profile_string (report->profile, frame->build_id);
  char *text = NULL;
  int bytes;
  if (!heap_frame_has_address (frame))
    return strdup ("??");
  if (*module != '\0')
    bytes = asprintf (&text, "%s+0x%" PRIx64, module, frame->address);
  else
    bytes = asprintf (&text, "[%.*s]+0x%" PRIx64, SHORT_BUILD_ID_DIGITS, id,
		      frame->address);
  return bytes < 0 ? NULL : text;
}

char *
frame_name_text (const struct heap_report *report,
		 const struct heap_frame *frame, bool with_parameters)
{
  char guid[32];
  const char *name
    = heap_profile_string (report->profile, frame->function_name);
  if (*name == '\0' && frame->function_guid == 0)
    return address_text (report, frame);
  if (*name == '\0')
    {
      snprintf (guid, sizeof guid, "0x%016" PRIx64, frame->function_guid);
      return strdup (guid);
    }
  if (!report->options.demangle)
    return strdup (name);
  char *demangled
    = function_name_demangle_in (name,
				 heap_profile_string (report->profile,
						      frame->file),
				 with_parameters);
  if (demangled != NULL && !report->options.full)
    function_name_shorten (demangled);
  return demangled;
}

/* Return the binary of FRAME, preceded by BEFORE.  The name of an unnamed frame
   includes the module, but several builds may share that name, so return the
   build.  */
static char *
binary_text (const struct heap_report *report, const struct heap_frame *frame,
	     const char *before)
{
  const struct heap_profile *profile = report->profile;
  char *address = address_text (report, frame);
  char *text = NULL;
  int bytes;
  if (address == NULL)
    return NULL;
  if (frame->function_guid != 0)
    bytes = asprintf (&text, "%sin %s", before, address);
  else if (frame->build_id != 0)
    bytes = asprintf (&text, "%sin build %.*s", before, SHORT_BUILD_ID_DIGITS,
		      heap_profile_string (profile, frame->build_id));
  else
    bytes = asprintf (&text, "%sin %s", before,
		      heap_profile_string (profile, frame->path));
  free (address);
  return bytes < 0 ? NULL : text;
}

/* Return the location of FRAME, preceded by BEFORE_FILE if it is in a file,
   BEFORE_OTHER otherwise; without folders if IS_SHORT.  */
static char *
place_text (const struct heap_report *report, const struct heap_frame *frame,
	    const char *before_file, const char *before_other, bool is_short)
{
  const char *file = heap_profile_string (report->profile, frame->file);
  const char *module = heap_profile_string (report->profile, frame->module);
  char *place = NULL;
  int bytes;
  const char *shown = is_short ? last_component (file) : file;
  if (*file != '\0' && frame->line == 0)
    bytes = asprintf (&place, "%s%s", before_file, shown);
  else if (*file != '\0')
    bytes = asprintf (&place, "%s%s:%" PRIu32, before_file, shown, frame->line);
  else if (heap_frame_has_address (frame))
    return binary_text (report, frame, before_other);
  else if (*module != '\0')
    bytes = asprintf (&place, "%sin %s", before_other, module);
  else if (frame->function_guid != 0)
    bytes
      = asprintf (&place, "%sline +%" PRIu32, before_file, frame->line_offset);
  else
    bytes = asprintf (&place, "%sin no module", before_other);
  return bytes < 0 ? NULL : place;
}

char *
type_name_text (const struct heap_report *report, uint32_t string)
{
  char *name = strdup (heap_profile_string (report->profile, string));
  if (name != NULL && !report->options.full)
    type_name_shorten (name);
  return name;
}

char *
frame_place_text (const struct heap_report *report,
		  const struct heap_frame *frame)
{
  return place_text (report, frame, " at ", " ", false);
}

char *
site_text (const struct heap_report *report, uint32_t site)
{
  const struct heap_frame *frame = heap_profile_frame (report->profile, site);
  char *name = frame_name_text (report, frame, false);
  char *place = place_text (report, frame, "", "", true);
  char *label = NULL;
  if (name != NULL && place != NULL
      && asprintf (&label, "%s (%s)", name, place) < 0)
    label = NULL;
  free (place);
  free (name);
  return label;
}

/* Write the name of USE in the form that the options of REPORT select.  */
static bool
write_use (const struct heap_report *report, const struct wrapper_use *use,
	   FILE *out)
{
  char *name = report->options.demangle
		 ? function_name_demangle (use->name, false)
		 : strdup (use->name);
  if (name != NULL && report->options.demangle && !report->options.full)
    function_name_shorten (name);
  if (name != NULL)
    fputs (name, out);
  free (name);
  return name != NULL;
}

char *
looked_through_text (const struct heap_report *report,
		     const struct wrapper_uses *uses)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  size_t named = uses->count > MOST_WRAPPERS + 1 ? MOST_WRAPPERS : uses->count;
  bool is_done = out != NULL;
  if (is_done && uses->count > 0)
    fprintf (out, "looked through %zu wrapper%s: ", uses->count,
	     uses->count > 1 ? "s" : "");
  for (size_t i = 0; i < named && is_done; i++)
    {
      fputs (i > 0 ? ", " : "", out);
      is_done = write_use (report, &uses->list[i], out);
    }
  if (is_done && named < uses->count)
    fprintf (out, " and %zu more", uses->count - named);
  if (is_done && uses->count > 0)
    fputs ("; --no-skip shows them", out);
  if (out != NULL && fclose (out) == 0 && is_done)
    return text;
  free (text);
  return NULL;
}

bool
print_looked_through (const struct heap_report *report,
		      const struct wrapper_uses *uses)
{
  char *text = looked_through_text (report, uses);
  if (text != NULL && *text != '\0')
    {
      print_text (text);
      putchar ('\n');
    }
  free (text);
  return text != NULL;
}

const char *
linkage_name_of (const struct heap_report *report, uint32_t context)
{
  uint32_t id = heap_profile_context_frame (report->profile, context);
  const struct heap_frame *frame = heap_profile_frame (report->profile, id);
  return heap_profile_string (report->profile, frame->function_name);
}

char *
shown_frame_text (const struct shown_frame *shown)
{
  char text[128];
  size_t n = 0;
  *text = '\0';
  if (shown->hidden > 0)
    n = (size_t) snprintf (text, sizeof text, " (and %" PRIu32 " inside)",
			   shown->hidden);
  if (shown->cycle == 1)
    snprintf (text + n, sizeof text - n, " (%" PRIu32 " times)", shown->times);
  else if (shown->cycle > 1)
    snprintf (text + n, sizeof text - n,
	      " (the last %" PRIu32 " frames %" PRIu32 " times)", shown->cycle,
	      shown->times);
  return strdup (text);
}

/* Write SHOWN, a frame with its line, to OUT.  */
static bool
write_frame (const struct heap_report *report, const struct shown_frame *shown,
	     FILE *out)
{
  const struct heap_frame *frame
    = heap_profile_frame (report->profile,
			  heap_profile_context_frame (report->profile,
						      shown->node));
  char *name = frame_name_text (report, frame, true);
  char *place = frame_place_text (report, frame);
  char *more = shown_frame_text (shown);
  bool is_done = name != NULL && place != NULL && more != NULL;
  if (is_done)
    {
      fputs ("       ", out);
      write_text (name, out);
      write_text (place, out);
      fputs (frame->is_inline ? " (inlined)" : "", out);
      fputs (more, out);
      putc ('\n', out);
    }
  free (more);
  free (place);
  free (name);
  return is_done;
}

bool
write_calling_context (const struct heap_report *report, uint32_t context,
		       FILE *out)
{
  struct shown_frames shown;
  bool is_done = shown_frames_make (&shown, report, context);
  for (size_t i = 0; i < shown.count && is_done; i++)
    is_done = write_frame (report, &shown.frames[i], out);
  shown_frames_release (&shown);
  return is_done;
}

bool
print_calling_context (const struct heap_report *report, uint32_t context)
{
  return write_calling_context (report, context, stdout);
}

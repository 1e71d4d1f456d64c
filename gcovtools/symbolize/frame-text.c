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
  char *demangled = function_name_demangle (name, with_parameters);
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

const char *
linkage_name_of (const struct heap_report *report, uint32_t context)
{
  uint32_t id = heap_profile_context_frame (report->profile, context);
  const struct heap_frame *frame = heap_profile_frame (report->profile, id);
  return heap_profile_string (report->profile, frame->function_name);
}

/* Write FRAME, which stands for itself and HIDDEN frames inside it, to OUT.  */
static bool
write_frame (const struct heap_report *report, const struct heap_frame *frame,
	     size_t hidden, FILE *out)
{
  char *name = frame_name_text (report, frame, true);
  char *place = frame_place_text (report, frame);
  bool is_done = name != NULL && place != NULL;
  if (is_done)
    {
      fputs ("       ", out);
      write_text (name, out);
      write_text (place, out);
      fputs (frame->is_inline ? " (inlined)" : "", out);
      if (hidden > 0)
	fprintf (out, " (and %zu inside)", hidden);
      putc ('\n', out);
    }
  free (place);
  free (name);
  return is_done;
}

/* Return true if CONTEXT and its caller are both in the C++ library.  Of such
   frames only the outermost, called by the program, is printed.  */
static bool
is_inside_library (const struct heap_report *report, uint32_t context)
{
  uint32_t caller = heap_profile_context_caller (report->profile, context);
  return caller != 0
	 && function_name_is_library (linkage_name_of (report, context))
	 && function_name_is_library (linkage_name_of (report, caller));
}

bool
write_calling_context (const struct heap_report *report, uint32_t context,
		       FILE *out)
{
  const struct heap_profile *profile = report->profile;
  bool is_full = report->options.full;
  size_t hidden = 0;
  while (context != 0)
    {
      uint32_t id = heap_profile_context_frame (profile, context);
      if (!is_full && is_inside_library (report, context))
	hidden++;
      else if (write_frame (report, heap_profile_frame (profile, id), hidden,
			    out))
	hidden = 0;
      else
	return false;
      if (!is_full && strcmp (linkage_name_of (report, context), "main") == 0)
	break;
      context = heap_profile_context_caller (profile, context);
    }
  return true;
}

bool
print_calling_context (const struct heap_report *report, uint32_t context)
{
  return write_calling_context (report, context, stdout);
}

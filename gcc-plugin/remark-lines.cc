/* Remarks for programs: an object of JSON a line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "atomic-file.h"
#include "plain-text.h"
#include "remark-lines.h"
#include "use-frame.h"

void
remark_lines_open (remark_lines *lines, const char *path)
{
  lines->path = path;
  lines->out = path ? open_memstream (&lines->text, &lines->bytes) : NULL;
}

/* Processes of a link that make code of what another decided have no
   remarks.  */
void
remark_lines_close (remark_lines *lines)
{
  profile_error err;

  if (!lines->out)
    return;
  fclose (lines->out);
  lines->out = NULL;
  if (!flag_ltrans && !seen_error ()
      && !atomic_file_write (lines->path, lines->text, lines->bytes, &err))
    error_at (UNKNOWN_LOCATION, "%s: remarks are not written: %s", lines->path,
	      err.cause);
  free (lines->text);
}

/* Write TEXT as a JSON string: what is not plain (plain-text.h) as an escape of
   JSON's, and bytes that are no UTF-8, which it cannot have, as \xHH.  */
static void
put_text (FILE *out, const char *text)
{
  uint32_t code;

  putc ('"', out);
  for (size_t n = strlen (text), bytes; n > 0; text += bytes, n -= bytes)
    {
      bytes = plain_text_decode (text, n, &code);
      if (code == '"' || code == '\\')
	fprintf (out, "\\%c", *text);
      else if (plain_text_is_plain (code))
	fwrite (text, 1, bytes, out);
      else if (code == UINT32_MAX)
	fprintf (out, "\\\\x%02x", (unsigned char) *text);
      else if (code < 0x10000)
	fprintf (out, "\\u%04x", code);
      else
	fprintf (out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
		 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  putc ('"', out);
}

void
remark_field (FILE *out, const char *key, const char *text)
{
  fprintf (out, ",\"%s\":", key);
  put_text (out, text);
}

static const char *
unit_name (void)
{
  const char *name = in_lto_p ? aux_base_name : main_input_filename;

  return name ? name : "";
}

void
remark_begin (FILE *out, const remark_place &place)
{
  fputs ("{\"unit\":", out);
  put_text (out, unit_name ());
  remark_field (out, "function", place.function);
  remark_field (out, "file", place.file ? place.file : "");
  fprintf (out, ",\"line\":%d,\"column\":%d", place.line, place.column);
}

void
remark_name (FILE *out, const char *key, bool is_first, const char *name)
{
  if (is_first)
    fprintf (out, ",\"%s\":[", key);
  else
    putc (',', out);
  put_text (out, name);
}

void
remark_end_names (FILE *out, bool is_empty)
{
  if (!is_empty)
    putc (']', out);
}

void
remark_outer_functions (FILE *out, const char *key,
			const vec<tree> &functions)
{
  for (unsigned i = 1; i < functions.length (); i++)
    remark_name (out, key, i == 1, use_linkage_name (functions[i]));
  remark_end_names (out, functions.length () <= 1);
}

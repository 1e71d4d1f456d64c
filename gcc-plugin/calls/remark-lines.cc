/* Machine-readable remarks: one JSON object per line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "plain-text.h"
#include "remark-file.h"
#include "remark-lines.h"
#include "use-frame.h"

/* Write TEXT as a JSON string.  Characters that are not plain (plain-text.h)
   become JSON escapes, and bytes that are not valid UTF-8, which JSON cannot
   represent, become \xHH.  */
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

/* Return the name of this compilation's output, malloced.  With
   -flto-partition=none, a link has a temporary name in it,
   ./PROGRAM.lto.o-TEMPORARY, which differs between links of one program.  */
static char *
output_name (void)
{
  char *name = xstrdup (aux_base_name ? aux_base_name : "");
  char *temporary = in_lto_p ? strstr (name, ".lto.o-") : NULL;

  if (temporary)
    *temporary = 0;
  return name;
}

/* Write the name of the unit: its source file, or the program that is linked,
   which the compiler calls ./PROGRAM.wpa.  */
static void
put_unit (FILE *out)
{
  char *output = output_name ();
  const char *name = main_input_filename ? main_input_filename : "";

  if (in_lto_p)
    {
      size_t n = strlen (output);
      if (n > 4 && !strcmp (output + n - 4, ".wpa"))
	output[n - 4] = 0;
      name = startswith (output, "./") ? output + 2 : output;
    }
  put_text (out, name);
  free (output);
}

/* Return the next part of the header line, malloced.  It distinguishes the unit
   from others that write remarks of KIND, even if one source file is compiled
   more than once.  */
static char *
unit_identity (const char *kind)
{
  char *text;
  size_t bytes;

  FILE *out = open_memstream (&text, &bytes);
  fputs (",\"kind\":", out);
  put_text (out, kind);
  fputs (",\"unit\":", out);
  put_unit (out);
  fputs (",\"directory\":", out);
  put_text (out, getpwd ());
  fputs (",\"output\":", out);
  char *output = output_name ();
  put_text (out, output);
  free (output);
  fclose (out);
  return text;
}

void
remark_lines_open (remark_lines *lines, const char *path, const char *kind)
{
  lines->path = path;
  lines->kind = kind;
  lines->out = path ? open_memstream (&lines->text, &lines->bytes) : NULL;
}

static unsigned
count_lines (const char *text, size_t bytes)
{
  unsigned count = 0;

  for (size_t i = 0; i < bytes; i++)
    count += text[i] == '\n';
  return count;
}

/* The LTRANS processes of a link generate code for decisions that WPA made and
   have no remarks of their own.  */
void
remark_lines_close (remark_lines *lines)
{
  profile_error err;

  if (!lines->out)
    return;
  fclose (lines->out);
  lines->out = NULL;
  char *identity = unit_identity (lines->kind);
  char *sums = (lines->token_calls
		  ? xasprintf (",\"token_calls\":%u}", lines->token_calls)
		  : xstrdup ("}"));
  if (!flag_ltrans && !seen_error ()
      && !remark_file_write (lines->path, identity, sums,
			     count_lines (lines->text, lines->bytes),
			     lines->text, lines->bytes, &err))
    error_at (UNKNOWN_LOCATION, "%s: cannot write remarks: %s", lines->path,
	      err.cause);
  free (identity);
  free (sums);
  free (lines->text);
}

void
remark_field (FILE *out, const char *key, const char *text)
{
  fprintf (out, ",\"%s\":", key);
  put_text (out, text);
}

void
remark_begin (FILE *out, const remark_place &place)
{
  fputs ("{\"unit\":", out);
  put_unit (out);
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

char *
remark_outer_names (const vec<tree> &functions)
{
  char *names = xstrdup ("");

  for (unsigned i = 1; i < functions.length (); i++)
    names = reconcat (names, names, i > 1 ? " " : "",
		      use_linkage_name (functions[i]), NULL);
  return names;
}

void
remark_split_names (FILE *out, const char *key, const char *names)
{
  char *copy = xstrdup (names), *rest = NULL;
  unsigned n = 0;

  for (char *name = strtok_r (copy, " ", &rest); name;
       name = strtok_r (NULL, " ", &rest))
    remark_name (out, key, n++ == 0, name);
  remark_end_names (out, n == 0);
  free (copy);
}

void
remark_outer_functions (FILE *out, const char *key, const vec<tree> &functions)
{
  for (unsigned i = 1; i < functions.length (); i++)
    remark_name (out, key, i == 1, use_linkage_name (functions[i]));
  remark_end_names (out, functions.length () <= 1);
}

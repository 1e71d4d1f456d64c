/* Findings as annotations of GitHub and GitLab.
   SPDX-License-Identifier: GPL-3.0-or-later

   GitHub reads commands from the output of a step, one a line:
   `::LEVEL file=FILE,line=LINE,title=TITLE::MESSAGE', with percent escapes for
   characters that end a part.  GitLab reads a JSON list, its Code Quality form,
   in which each item has a file and a line.  */

#include "file-uri.h"
#include "findings.h"
#include "heap-json.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- GitHub.  */

/* Write TEXT, in which the characters of ENDS have a meaning.  */
static void
write_escaped (const char *text, const char *ends, FILE *out)
{
  while (*text != '\0')
    {
      size_t plain = strcspn (text, ends);
      write_text_bytes (text, plain, "", out);
      text += plain;
      if (*text != '\0')
	fprintf (out, "%%%02X", (unsigned char) *text++);
    }
}

static bool
write_command (const struct finding_list *list, const struct finding *item,
	       const char *base, FILE *out)
{
  static const char *const levels[] = { [FINDING_NOTE] = "notice",
					[FINDING_WARNING] = "warning",
					[FINDING_ERROR] = "error" };
  fprintf (out, "::%s ", levels[item->level]);
  if (*item->file != '\0')
    {
      char *path = file_path_below (item->file, base);
      if (path == NULL)
	return false;
      fputs ("file=", out);
      write_escaped (path, "%\r\n:,", out);
      free (path);
      if (item->line > 0)
	fprintf (out, ",line=%" PRIu32, item->line);
      putc (',', out);
    }
  fprintf (out, "title=%s %s::", list->tool, list->rules[item->rule].id);
  write_escaped (item->message, "%\r\n", out);
  putc ('\n', out);
  return true;
}

/* ---- GitLab.  */

static json_t *
make_item (const struct finding_list *list, const struct finding *item,
	   const char *base, size_t before)
{
  static const char *const severities[] = { [FINDING_NOTE] = "info",
					    [FINDING_WARNING] = "minor",
					    [FINDING_ERROR] = "major" };
  bool has_file = *item->file != '\0';
  char fingerprint[64];
  char *path = file_path_below (has_file ? item->file : list->path, base);
  if (path == NULL)
    return NULL;
  snprintf (fingerprint, sizeof fingerprint, "%016" PRIx64 ":%zu",
	    item->identity, before + 1);
  json_t *made
    = json_pack ("{so, ss, ss, ss, s{so, s{sI}}}", "description",
		 json_plain_text (item->message), "check_name",
		 list->rules[item->rule].id, "fingerprint", fingerprint,
		 "severity", severities[item->level], "location", "path",
		 json_plain_text (path), "lines", "begin",
		 (json_int_t) (has_file && item->line > 0 ? item->line : 1));
  free (path);
  return made;
}

static bool
write_list (const struct finding_list *list, const size_t *before,
	    const char *base, FILE *out)
{
  for (size_t i = 0; i < list->count; i++)
    if (!json_write (out, i == 0 ? "[\n" : ",\n",
		     make_item (list, &list->list[i], base, before[i])))
      return false;
  fputs (list->count == 0 ? "[]\n" : "]\n", out);
  return true;
}

/* ---- Both.  */

bool
finding_write_github (const struct finding_list *list, FILE *out)
{
  char *base = file_uri_folder (list->base);
  bool is_done = base != NULL;
  for (size_t i = 0; i < list->count && is_done; i++)
    is_done = write_command (list, &list->list[i], base, out);
  free (base);
  return is_done;
}

bool
finding_write_gitlab (const struct finding_list *list, FILE *out)
{
  char *base = file_uri_folder (list->base);
  size_t *before = finding_list_repeats (list);
  bool is_done
    = base != NULL && before != NULL && write_list (list, before, base, out);
  free (before);
  free (base);
  return is_done;
}

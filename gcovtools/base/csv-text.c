/* Cells of comma-separated values, which spreadsheets take as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "csv-text.h"
#include "plain-text.h"
#include "text-output.h"
#include <stdbool.h>
#include <string.h>

/* Quotation marks are doubled.  */
void
csv_write_part (const char *text, size_t n, FILE *out)
{
  const char *end = text + n;
  const char *mark;
  while ((mark = memchr (text, '"', (size_t) (end - text))) != NULL)
    {
      write_text_bytes (text, (size_t) (mark - text), "", out);
      fputs ("\"\"", out);
      text = mark + 1;
    }
  write_text_bytes (text, (size_t) (end - text), "", out);
}

/* Return true if a spreadsheet would treat a cell that starts with TEXT as a
   formula.  Some accept leading spaces or fullwidth forms of these
   characters.  */
static bool
is_formula (const char *text)
{
  static const uint32_t signs[]
    = { '=', '+', '-', '@', 0xff1d, 0xff0b, 0xff0d, 0xff20 };
  uint32_t code = 0;
  text += strspn (text, " ");
  if (*text != '\0')
    plain_text_decode (text, strlen (text), &code);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (code == signs[i])
      return true;
  return false;
}

/* An apostrophe makes what looks like a formula a text.  */
void
csv_begin_cell (const char *before, const char *text, FILE *out)
{
  fputs (before, out);
  fputs (is_formula (text) ? "\"'" : "\"", out);
}

void
csv_write_cell (const char *before, const char *text, FILE *out)
{
  csv_begin_cell (before, text, out);
  csv_write_part (text, strlen (text), out);
  putc ('"', out);
}

/* Output of text from profiles and command lines, escaped as in plain-text.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "text-output.h"
#include "plain-text.h"
#include <string.h>

void
write_text_bytes (const char *text, size_t n, const char *marks, FILE *out)
{
  char character[PLAIN_TEXT_CHARACTER_BYTES];
  for (size_t i = 0; i < n;)
    {
      i += plain_text_character (text + i, n - i, marks, character);
      fputs (character, out);
    }
}

void
write_text (const char *text, FILE *out)
{
  write_text_bytes (text, strlen (text), "", out);
}

void
write_source_line (const char *text, size_t n, FILE *out)
{
  const char *end = text + n;
  if (n > 0 && end[-1] == '\r')
    end--;
  while (text < end)
    {
      const char *tab = memchr (text, '\t', (size_t) (end - text));
      const char *stop = tab != NULL ? tab : end;
      write_text_bytes (text, (size_t) (stop - text), "", out);
      if (tab != NULL)
	putc ('\t', out);
      text = stop + 1;
    }
}

void
print_text (const char *text)
{
  write_text (text, stdout);
}

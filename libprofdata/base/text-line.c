/* Lines and numbers of text profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "text-line.h"
#include <string.h>

/* Bytes of a line shown in an error.  */
#define SHOWN_BYTES 40

bool
text_line_take (struct byte_reader *reader, struct text_line *line)
{
  size_t left = byte_reader_left (reader);
  if (left == 0)
    return false;
  line->offset = reader->position;
  line->text = (const char *) reader->data + reader->position;
  const char *end = memchr (line->text, '\n', left);
  size_t n = end ? (size_t) (end - line->text) : left;
  reader->position += n + (end != NULL);
  if (n > 0 && line->text[n - 1] == '\r')
    n--;
  line->n = n;
  return true;
}

bool
text_line_fail (struct byte_reader *reader, const struct text_line *line,
		const char *what)
{
  int n = line->n < SHOWN_BYTES ? (int) line->n : SHOWN_BYTES;
  for (int i = 0; i < n; i++)
    if (!text_is_printable (line->text[i]))
      n = i;
  return byte_reader_fail (reader, line->offset,
			   "invalid line '%.*s' (expected %s)", n, line->text,
			   what);
}

/* Return the value of C as a digit; more than any base if it is not a
   digit.  */
static unsigned int
digit_value (char c)
{
  if (text_is_digit (c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

bool
text_parse_number (const char *digits, size_t n, unsigned int base,
		   uint64_t *value)
{
  *value = 0;
  for (size_t i = 0; i < n; i++)
    {
      unsigned int digit = digit_value (digits[i]);
      if (digit >= base || __builtin_mul_overflow (*value, base, value)
	  || __builtin_add_overflow (*value, digit, value))
	return false;
    }
  return n > 0;
}

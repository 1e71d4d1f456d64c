/* Escaping of untrusted text: one policy for all writers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "plain-text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters that are not plain, sorted.  */
static const struct
{
  uint32_t first;
  uint32_t last;
} refused[] = { { 0x00, 0x1f },	    { 0x7f, 0x9f },	 { 0xad, 0xad },
		{ 0x61c, 0x61c },   { 0x180e, 0x180e },	 { 0x200b, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f },	 { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb }, { 0xe0000, 0xe007f } };

bool
plain_text_is_plain (uint32_t code)
{
  if (code >= ' ' && code < 0x7f)
    return true;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (code <= refused[i].last)
      return code < refused[i].first;
  return code <= 0x10ffff;
}

/* Return the length of the character that the lead byte C starts, and set *BITS
   to its code bits; 0 if C is not a lead byte.  */
static size_t
lead_bytes (unsigned char c, uint32_t *bits)
{
  size_t n = c < 0x80	? 1
	     : c < 0xc2 ? 0
	     : c < 0xe0 ? 2
	     : c < 0xf0 ? 3
	     : c < 0xf5 ? 4
			: 0;
  *bits = n < 2 ? c : c & (0x7fu >> n);
  return n;
}

size_t
plain_text_decode (const char *text, size_t n, uint32_t *code)
{
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  uint32_t bits;
  size_t bytes = lead_bytes ((unsigned char) text[0], &bits);
  *code = UINT32_MAX;
  if (bytes == 0 || bytes > n)
    return 1;
  for (size_t i = 1; i < bytes; i++)
    {
      unsigned char c = (unsigned char) text[i];
      if ((c & 0xc0) != 0x80)
	return 1;
      bits = bits << 6 | (c & 0x3f);
    }
  /* Overlong, a UTF-16 surrogate, or out of range.  */
  if (bits < least[bytes] || (bits >= 0xd800 && bits < 0xe000)
      || bits > 0x10ffff)
    return 1;
  *code = bits;
  return bytes;
}

bool
plain_text_is_all_plain (const char *text, size_t n)
{
  uint32_t code;
  for (size_t i = 0; i < n;)
    {
      i += plain_text_decode (text + i, n - i, &code);
      if (!plain_text_is_plain (code))
	return false;
    }
  return true;
}

size_t
plain_text_character (const char *text, size_t n, const char *marks,
		      char out[PLAIN_TEXT_CHARACTER_BYTES])
{
  uint32_t code;
  size_t bytes = plain_text_decode (text, n, &code);
  bool is_mark = code > 0 && code < 0x80 && strchr (marks, (int) code) != NULL;
  if (plain_text_is_plain (code) && !is_mark)
    {
      memcpy (out, text, bytes);
      out[bytes] = '\0';
    }
  else if (code < 0x80 || code == UINT32_MAX)
    snprintf (out, PLAIN_TEXT_CHARACTER_BYTES, "\\x%02x",
	      (unsigned char) text[0]);
  else
    snprintf (out, PLAIN_TEXT_CHARACTER_BYTES,
	      code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned int) code);
  return bytes;
}

char *
plain_text_copy (const char *text, size_t n, const char *marks)
{
  char character[PLAIN_TEXT_CHARACTER_BYTES];
  size_t size = 1;
  for (size_t i = 0; i < n;)
    {
      i += plain_text_character (text + i, n - i, marks, character);
      size += strlen (character);
    }
  char *copy = malloc (size);
  char *end = copy;
  for (size_t i = 0; i < n && copy != NULL;)
    {
      i += plain_text_character (text + i, n - i, marks, character);
      end = stpcpy (end, character);
    }
  if (copy != NULL)
    *end = '\0';
  return copy;
}

/* Truncate TEXT, in SIZE bytes of memory, and append three dots.  */
static void
end_with_dots (char *text, size_t size)
{
  size_t n = strlen (text);
  if (n + 4 > size)
    n = size - 4;
  while (n > 0 && ((unsigned char) text[n] & 0xc0) == 0x80)
    n--;
  strcpy (text + n, "...");
}

/* Return the length of TEXT without an incomplete character at its end.  */
static size_t
whole_bytes (const char *text)
{
  size_t n = strlen (text);
  for (size_t back = 1; back <= 3 && back <= n; back++)
    {
      uint32_t bits;
      unsigned char c = (unsigned char) text[n - back];
      if (lead_bytes (c, &bits) > back)
	return n - back;
      if ((c & 0xc0) != 0x80)
	break;
    }
  return n;
}

void
plain_text_fit (char *text, size_t size, bool was_cut)
{
  size_t n = was_cut ? whole_bytes (text) : strlen (text);
  text[n] = '\0';
  if (plain_text_is_all_plain (text, n))
    {
      if (was_cut)
	end_with_dots (text, size);
      return;
    }
  char *copy = plain_text_copy (text, n, "");
  bool is_cut = was_cut || copy == NULL || strlen (copy) >= size;
  if (copy == NULL)
    text[0] = '\0';
  else
    snprintf (text, size, "%s", copy);
  free (copy);
  if (is_cut)
    end_with_dots (text, size);
}

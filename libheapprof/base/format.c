/* Text formatting without stdio.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "format.h"
#include "error-text.h"
#include <stdbool.h>
#include <stdint.h>

struct text
{
  char *data;
  size_t used, bytes;
  bool is_message;
};

static void
add_char (struct text *text, char c)
{
  if (text->used + 1 < text->bytes)
    text->data[text->used++] = c;
}

static void
add_string (struct text *text, const char *string)
{
  for (; *string != '\0'; string++)
    add_char (text, *string);
}

/* Return the length of the UTF-8 character at C, or 0 if it is invalid or is
   invisible, a terminal control or a change of text direction.  The tools
   follow the same rule (doc/guarantees.md).  */

static unsigned
plain_bytes (const unsigned char *c)
{
  static const uint32_t odd[][2] = { { 0, 0x1f },
				     { 0x7f, 0x9f },
				     { 0xad, 0xad },
				     { 0x61c, 0x61c },
				     { 0x180e, 0x180e },
				     { 0x200b, 0x200f },
				     { 0x2028, 0x202e },
				     { 0x2060, 0x206f },
				     { 0xd800, 0xdfff },
				     { 0xfeff, 0xfeff },
				     { 0xfff9, 0xfffb },
				     { 0xe0000, 0xe007f },
				     { 0x110000, UINT32_MAX } };
  static const uint32_t least[] = { UINT32_MAX, 0, 0x80, 0x800, 0x10000 };
  const unsigned bytes = *c < 0x80   ? 1
			 : *c < 0xc0 ? 0
			 : *c < 0xe0 ? 2
			 : *c < 0xf0 ? 3
			 : *c < 0xf8 ? 4
				     : 0;
  uint32_t code = bytes > 1 ? *c & (0x7fu >> bytes) : *c;
  for (unsigned i = 1; i < bytes; i++)
    {
      if ((c[i] & 0xc0) != 0x80)
	return 0;
      code = code << 6 | (c[i] & 0x3f);
    }
  for (unsigned i = 0; i < sizeof odd / sizeof odd[0]; i++)
    if (code >= odd[i][0] && code <= odd[i][1])
      return 0;
  return code >= least[bytes] ? bytes : 0;
}

/* Add STRING, which may contain anything, to a message; bytes of characters
   that are not plain become \xHH.  Characters are added whole or not at
   all.  */

static void
add_plain (struct text *text, const char *string)
{
  while (*string != '\0' && text->used + 5 < text->bytes)
    {
      unsigned bytes = plain_bytes ((const unsigned char *) string);
      if (bytes == 0)
	{
	  const unsigned char c = (unsigned char) *string++;
	  add_string (text, "\\x");
	  add_char (text, "0123456789abcdef"[c >> 4]);
	  add_char (text, "0123456789abcdef"[c & 15]);
	}
      for (; bytes > 0; bytes--)
	add_char (text, *string++);
    }
}

static void
add_number (struct text *text, uint64_t value, unsigned base)
{
  char digits[24];
  unsigned n = 0;
  do
    digits[n++] = "0123456789abcdef"[value % base];
  while ((value /= base) != 0);
  while (n > 0)
    add_char (text, digits[--n]);
}

static void
add_error (struct text *text, int error)
{
  const char *const known = error_text (-error);
  if (known != NULL)
    {
      add_string (text, known);
      return;
    }
  add_string (text, "error ");
  add_number (text, (uint64_t) -error, 10);
}

static void
add_signed (struct text *text, int value)
{
  if (value < 0)
    add_char (text, '-');
  add_number (text, value < 0 ? -(uint64_t) value : (uint64_t) value, 10);
}

static void
add_formatted (struct text *text, const char *format, va_list arguments)
{
  for (; *format != '\0'; format++)
    {
      if (*format != '%')
	{
	  add_char (text, *format);
	  continue;
	}
      switch (*++format)
	{
	case 's':
	  (text->is_message
	     ? add_plain
	     : add_string) (text, va_arg (arguments, const char *));
	  break;
	case 'd':
	  add_signed (text, va_arg (arguments, int));
	  break;
	case 'u':
	  add_number (text, va_arg (arguments, uint64_t), 10);
	  break;
	case 'x':
	  add_number (text, va_arg (arguments, uint64_t), 16);
	  break;
	case 'e':
	  add_error (text, va_arg (arguments, int));
	  break;
	default:
	  add_char (text, *format);
	  break;
	}
    }
}

size_t
rt_format_plain (char *buffer, size_t bytes, const char *format,
		 va_list arguments)
{
  struct text text = { buffer, 0, bytes, true };
  add_formatted (&text, format, arguments);
  buffer[text.used] = '\0';
  return text.used;
}

size_t
rt_format (char *buffer, size_t bytes, const char *format, ...)
{
  struct text text = { buffer, 0, bytes, false };
  va_list arguments;
  va_start (arguments, format);
  add_formatted (&text, format, arguments);
  va_end (arguments);
  buffer[text.used] = '\0';
  return text.used;
}

/* Parsing of the YAML subset that profiles use.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "yaml-cursor.h"
#include "plain-text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
yaml_cursor_fail (struct yaml_cursor *cursor, size_t offset, const char *cause,
		  ...)
{
  char text[PROFILE_ERROR_CAUSE_BYTES];
  va_list arguments;
  va_start (arguments, cause);
  int n = vsnprintf (text, sizeof text, cause, arguments);
  va_end (arguments);
  plain_text_fit (text, sizeof text, n >= (int) sizeof text);
  byte_reader_fail (cursor->reader, offset, "line %zu: %s", cursor->line, text);
}

static bool
has_failed (const struct yaml_cursor *cursor)
{
  return cursor->reader->failed;
}

/* Return the byte N after the position; 0 past the end and for a NUL, which no
   token contains.  */
static char
byte_at (const struct yaml_cursor *cursor, size_t n)
{
  const struct byte_reader *reader = cursor->reader;
  return n < reader->end - reader->position
	   ? (char) reader->data[reader->position + n]
	   : '\0';
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool
ends_token (char c)
{
  return is_blank (c) || c == '\n' || c == '\0';
}

/* Go to the next token.  */
static void
skip_blanks (struct yaml_cursor *cursor)
{
  struct byte_reader *reader = cursor->reader;
  while (!has_failed (cursor) && reader->position < reader->end)
    {
      char c = byte_at (cursor, 0);
      if (c == '\n')
	{
	  cursor->line++;
	  cursor->line_start = reader->position + 1;
	  cursor->is_first = true;
	}
      else if (c == '\t' && cursor->is_first)
	yaml_cursor_fail (cursor, reader->position, "tab used for indentation");
      else if (c == '#')
	{
	  while (reader->position + 1 < reader->end
		 && byte_at (cursor, 1) != '\n')
	    reader->position++;
	}
      else if (!is_blank (c))
	break;
      reader->position++;
    }
  cursor->column = reader->position - cursor->line_start;
}

/* Skip N bytes of the token and go to the next token.  */
static void
take (struct yaml_cursor *cursor, size_t n)
{
  cursor->reader->position += n;
  cursor->is_first = false;
  skip_blanks (cursor);
}

void
yaml_cursor_init (struct yaml_cursor *cursor, struct byte_reader *reader)
{
  *cursor
    = (struct yaml_cursor){ .reader = reader, .line = 1, .is_first = true };
  skip_blanks (cursor);
}

void
yaml_cursor_free (struct yaml_cursor *cursor)
{
  free (cursor->scalar);
}

/* Return true if the token is MARK, three bytes at the start of a line.  */
static bool
is_mark (const struct yaml_cursor *cursor, const char *mark)
{
  return (cursor->is_first && cursor->column == 0
	  && byte_at (cursor, 0) == mark[0] && byte_at (cursor, 1) == mark[1]
	  && byte_at (cursor, 2) == mark[2]
	  && ends_token (byte_at (cursor, 3)));
}

bool
yaml_cursor_at_end (const struct yaml_cursor *cursor)
{
  return (has_failed (cursor) || cursor->reader->position == cursor->reader->end
	  || is_mark (cursor, "..."));
}

void
yaml_cursor_begin_document (struct yaml_cursor *cursor)
{
  while (!has_failed (cursor) && is_mark (cursor, "---"))
    take (cursor, 3);
}

/* ---- Scalars.  */

static void
append (struct yaml_cursor *cursor, char c)
{
  if (cursor->scalar_bytes + 1 >= cursor->scalar_capacity)
    {
      size_t capacity = cursor->scalar_capacity * 2 + 64;
      char *scalar = realloc (cursor->scalar, capacity);
      if (!scalar)
	{
	  byte_reader_fail_memory (cursor->reader);
	  return;
	}
      cursor->scalar = scalar;
      cursor->scalar_capacity = capacity;
    }
  cursor->scalar[cursor->scalar_bytes++] = c;
  cursor->scalar[cursor->scalar_bytes] = '\0';
}

static int
hexadecimal (char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Append the character CODE as UTF-8.  */
static void
append_code (struct yaml_cursor *cursor, uint32_t code)
{
  int rest = code < 0x80 ? 0 : code < 0x800 ? 6 : code < 0x10000 ? 12 : 18;
  append (cursor, rest == 0
		    ? (char) code
		    : (char) (0xff00u >> (rest / 6 + 1) | code >> rest));
  for (; rest > 0; rest -= 6)
    append (cursor, (char) (0x80 | (code >> (rest - 6) & 0x3f)));
}

/* Return the value of the DIGITS hexadecimal digits after the position; 0 if
   they are missing.  */
static uint32_t
code_at (const struct yaml_cursor *cursor, size_t digits)
{
  uint32_t code = 0;
  for (size_t i = 1; i <= digits; i++)
    {
      int digit = hexadecimal (byte_at (cursor, i));
      if (digit < 0)
	return 0;
      code = code << 4 | (uint32_t) digit;
    }
  return code;
}

/* Read an escape sequence of a double-quoted scalar.  The position is after the
   backslash.  */
static void
take_escape (struct yaml_cursor *cursor)
{
  static const char escapes[] = "\\\\\"\"//n\nt\tr\ra\ab\be\033f\fv\v  ";
  char c = byte_at (cursor, 0);
  for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
    if (c == escapes[i])
      {
	cursor->reader->position++;
	append (cursor, escapes[i + 1]);
	return;
      }
  size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  uint32_t code = code_at (cursor, digits);
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    {
      yaml_cursor_fail (cursor, cursor->reader->position,
			"unknown escape sequence in a string");
      return;
    }
  cursor->reader->position += 1 + digits;
  append_code (cursor, code);
}

static void
take_quoted (struct yaml_cursor *cursor, char quote)
{
  struct byte_reader *reader = cursor->reader;
  reader->position++;
  while (!has_failed (cursor))
    {
      char c = byte_at (cursor, 0);
      if (c == '\n' || c == '\0')
	{
	  yaml_cursor_fail (cursor, cursor->scalar_offset,
			    "unterminated string");
	  return;
	}
      reader->position++;
      if (c == '\\' && quote == '"')
	take_escape (cursor);
      else if (c != quote)
	append (cursor, c);
      else if (quote == '\'' && byte_at (cursor, 0) == quote)
	{
	  reader->position++;
	  append (cursor, c);
	}
      else
	return;
    }
}

/* Return true if C, followed by NEXT, ends a plain scalar.  Commas and brackets
   do so only IN_BRACKETS.  */
static bool
ends_plain (char c, char next, bool in_brackets)
{
  return (c == '\n' || c == '\0'
	  || (in_brackets && (c == ',' || c == ']' || c == '}'))
	  || (c == ':' && ends_token (next)) || (is_blank (c) && next == '#'));
}

static void
take_plain (struct yaml_cursor *cursor)
{
  static const char reserved[] = "[]{},#&*!|>'\"%@`";
  if (strchr (reserved, byte_at (cursor, 0)))
    {
      yaml_cursor_fail (cursor, cursor->reader->position, "expected a value");
      return;
    }
  while (!has_failed (cursor)
	 && !ends_plain (byte_at (cursor, 0), byte_at (cursor, 1),
			 cursor->brackets > 0))
    {
      append (cursor, byte_at (cursor, 0));
      cursor->reader->position++;
    }
  while (cursor->scalar_bytes > 0
	 && is_blank (cursor->scalar[cursor->scalar_bytes - 1]))
    cursor->scalar[--cursor->scalar_bytes] = '\0';
}

bool
yaml_cursor_scalar (struct yaml_cursor *cursor)
{
  cursor->scalar_bytes = 0;
  cursor->scalar_offset = cursor->reader->position;
  if (has_failed (cursor))
    return false;
  char c = byte_at (cursor, 0);
  cursor->scalar_is_quoted = c == '\'' || c == '"';
  if (cursor->scalar_is_quoted)
    take_quoted (cursor, c);
  else
    take_plain (cursor);
  if (!has_failed (cursor) && cursor->scalar_bytes == 0)
    {
      if (!cursor->scalar_is_quoted)
	yaml_cursor_fail (cursor, cursor->scalar_offset, "empty value");
      /* The buffer may still hold the previous scalar, or be unallocated.  */
      append (cursor, '\0');
      cursor->scalar_bytes = 0;
    }
  take (cursor, 0);
  return !has_failed (cursor);
}

uint64_t
yaml_cursor_number (struct yaml_cursor *cursor, const char *what, uint64_t most)
{
  if (!yaml_cursor_scalar (cursor))
    return 0;
  const char *text = cursor->scalar;
  bool is_hexadecimal = text[0] == '0' && (text[1] | 0x20) == 'x';
  const char *digits = is_hexadecimal ? text + 2 : text;
  const char *set = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  errno = 0;
  uint64_t value = strtoull (digits, NULL, is_hexadecimal ? 16 : 10);
  if (digits[0] == '\0' || digits[strspn (digits, set)] != '\0')
    yaml_cursor_fail (cursor, cursor->scalar_offset,
		      "%s: invalid number \"%.40s\"", what, text);
  else if (errno != 0 || value > most)
    yaml_cursor_fail (cursor, cursor->scalar_offset,
		      "%s: %.40s exceeds %" PRIu64, what, text, most);
  return has_failed (cursor) ? 0 : value;
}

bool
yaml_cursor_boolean (struct yaml_cursor *cursor, const char *what)
{
  if (!yaml_cursor_scalar (cursor))
    return false;
  bool value = strcmp (cursor->scalar, "true") == 0;
  if (!value && strcmp (cursor->scalar, "false") != 0)
    yaml_cursor_fail (cursor, cursor->scalar_offset,
		      "%s: invalid value \"%.40s\" (expected true or "
		      "false)",
		      what, cursor->scalar);
  return value;
}

/* ---- Collections.  */

/* Read a key and its colon; the visitor reads the value.  */
static void
take_key (struct yaml_cursor *cursor, yaml_key_visitor *visit, void *data)
{
  if (!yaml_cursor_scalar (cursor))
    return;
  if (byte_at (cursor, 0) != ':' || !ends_token (byte_at (cursor, 1)))
    {
      yaml_cursor_fail (cursor, cursor->scalar_offset,
			"missing colon after \"%.40s\"", cursor->scalar);
      return;
    }
  take (cursor, 1);
  visit (cursor, cursor->scalar, data);
}

/* Go to the next element after a comma, or to the CLOSING bracket.  Return
   false at the bracket or if CURSOR failed.  */
static bool
goes_on (struct yaml_cursor *cursor, char closing, bool is_first)
{
  if (has_failed (cursor) || byte_at (cursor, 0) == closing)
    return false;
  if (is_first)
    return true;
  if (byte_at (cursor, 0) != ',')
    {
      yaml_cursor_fail (cursor, cursor->reader->position,
			"expected '%c' or a comma", closing);
      return false;
    }
  take (cursor, 1);
  return !has_failed (cursor);
}

void
yaml_cursor_mapping (struct yaml_cursor *cursor, size_t least_column,
		     yaml_key_visitor *visit, void *data)
{
  if (byte_at (cursor, 0) == '{')
    {
      take (cursor, 1);
      cursor->brackets++;
      for (bool is_first = true; goes_on (cursor, '}', is_first);
	   is_first = false)
	take_key (cursor, visit, data);
      cursor->brackets--;
      take (cursor, 1);
      return;
    }
  size_t column = cursor->column;
  if (yaml_cursor_at_end (cursor) || column < least_column)
    yaml_cursor_fail (cursor, cursor->reader->position, "expected a mapping");
  while (!yaml_cursor_at_end (cursor) && cursor->column == column)
    take_key (cursor, visit, data);
  if (!yaml_cursor_at_end (cursor) && cursor->column > column)
    yaml_cursor_fail (cursor, cursor->reader->position,
		      "indented more than the previous key");
}

/* Return true if the token is the dash of an element.  */
static bool
is_dash (const struct yaml_cursor *cursor)
{
  return (!yaml_cursor_at_end (cursor) && byte_at (cursor, 0) == '-'
	  && ends_token (byte_at (cursor, 1)));
}

void
yaml_cursor_sequence (struct yaml_cursor *cursor, size_t least_column,
		      yaml_element_visitor *visit, void *data)
{
  if (byte_at (cursor, 0) == '[')
    {
      take (cursor, 1);
      cursor->brackets++;
      for (bool is_first = true; goes_on (cursor, ']', is_first);
	   is_first = false)
	visit (cursor, 0, data);
      cursor->brackets--;
      take (cursor, 1);
      return;
    }
  size_t column = cursor->column;
  if (!is_dash (cursor) || column < least_column)
    yaml_cursor_fail (cursor, cursor->reader->position, "expected a list");
  while (is_dash (cursor) && cursor->column == column)
    {
      take (cursor, 1);
      visit (cursor, column + 1, data);
    }
}

/* Lines and numbers of text profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TEXT_LINE_H
#define HEAPPROF_TEXT_LINE_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_line
{
  const char *text; /* in the file, without the line end */
  size_t n;
  size_t offset; /* in the file */
};

/* Classification of ASCII characters, independent of the locale.  */
static inline bool
text_is_printable (char c)
{
  return c >= ' ' && c <= '~';
}

static inline bool
text_is_space (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool
text_is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* Read the next line.  Return false at the end of the file.  */
bool text_line_take (struct byte_reader *reader, struct text_line *line);

/* Fail because LINE should have been WHAT.  Return false.  */
bool text_line_fail (struct byte_reader *reader, const struct text_line *line,
		     const char *what);

/* Parse all of the N bytes at DIGITS as a number to BASE, at most 16,
   into *VALUE.  Return false if they are not a number of at most 64
   bits; *VALUE is undefined then.  */
bool text_parse_number (const char *digits, size_t n, unsigned int base,
			uint64_t *value);

#endif /* HEAPPROF_TEXT_LINE_H */

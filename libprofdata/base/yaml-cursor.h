/* Reading the part of YAML that profiles need.
   SPDX-License-Identifier: GPL-3.0-or-later

   Block mappings and sequences by indentation, flow mappings and sequences on
   one line, plain and quoted scalars, comments, `---' and `...'.  Anchors,
   tags, several lines of text and tabs as indentation are refused: no profile
   has them.

   A cursor stands before a token: the next text that is no blank and no
   comment.  As with a byte reader, the first thing that is wrong makes it fail,
   and all that follows does nothing.  */

#ifndef HEAPPROF_YAML_CURSOR_H
#define HEAPPROF_YAML_CURSOR_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct yaml_cursor
{
  struct byte_reader *reader; /* of the text; at the token */
  size_t column;	      /* of the token, from 0 */
  size_t line;		      /* on which it is, from 1 */
  size_t line_start;	      /* offset */
  bool is_first;	      /* no other token is before it on its line */
  size_t brackets;	      /* that are open: collections in flow style */
  char *scalar;		      /* the last one read, NUL-terminated */
  size_t scalar_bytes;
  size_t scalar_capacity;
  size_t scalar_offset;
  bool scalar_is_quoted;
};

/* Begin to read all of READER.  */
void yaml_cursor_init (struct yaml_cursor *cursor, struct byte_reader *reader);
void yaml_cursor_free (struct yaml_cursor *cursor);

/* Fail, saying the line: CAUSE.  */
void yaml_cursor_fail (struct yaml_cursor *cursor, size_t offset,
		       const char *cause, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Is nothing left, or has the cursor failed?  */
bool yaml_cursor_at_end (const struct yaml_cursor *cursor);

/* Take what follows `---' lines, the first document with anything in it.  */
void yaml_cursor_begin_document (struct yaml_cursor *cursor);

/* Read a mapping that is the value of a key or of an element: in braces, or in
   a block whose keys stand in one column, at LEAST_COLUMN or more.  VISIT gets
   each key, NUL-terminated until it reads something, and must read the
   value.  */
typedef void yaml_key_visitor (struct yaml_cursor *cursor, const char *key,
			       void *data);
void yaml_cursor_mapping (struct yaml_cursor *cursor, size_t least_column,
			  yaml_key_visitor *visit, void *data);

/* The same for a sequence, in brackets or of dashes; VISIT gets the least
   column that a block inside an element has, and must read it.  */
typedef void yaml_element_visitor (struct yaml_cursor *cursor,
				   size_t least_column, void *data);
void yaml_cursor_sequence (struct yaml_cursor *cursor, size_t least_column,
			   yaml_element_visitor *visit, void *data);

/* Read a scalar into CURSOR->scalar; only a quoted one can be empty.  False if
   it failed.  */
bool yaml_cursor_scalar (struct yaml_cursor *cursor);

/* Read a number of at most MOST, decimal or with 0x in hexadecimal; or true or
   false.  WHAT is the key, for errors.  */
uint64_t yaml_cursor_number (struct yaml_cursor *cursor, const char *what,
			     uint64_t most);
bool yaml_cursor_boolean (struct yaml_cursor *cursor, const char *what);

#endif /* HEAPPROF_YAML_CURSOR_H */

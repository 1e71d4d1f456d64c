/* Parsing of the YAML subset that profiles use.
   SPDX-License-Identifier: GPL-3.0-or-later

   Block mappings and sequences by indentation, flow mappings and sequences on
   one line, plain and quoted scalars, comments, `---' and `...'.  Anchors,
   tags, multi-line text and tabs as indentation are rejected: no profile has
   them.

   A cursor is positioned at a token: the next text that is neither blank nor
   comment.  As with a byte reader, the first error makes it fail, and later
   calls do nothing.  */

#ifndef HEAPPROF_YAML_CURSOR_H
#define HEAPPROF_YAML_CURSOR_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct yaml_cursor
{
  struct byte_reader *reader; /* of the text, positioned at the token */
  size_t column;	      /* of the token, from 0 */
  size_t line;		      /* of the token, from 1 */
  size_t line_start;	      /* offset */
  bool is_first;	      /* no token before it on its line */
  size_t brackets;	      /* open flow collections */
  char *scalar;		      /* the last scalar read, NUL-terminated */
  size_t scalar_bytes;
  size_t scalar_capacity;
  size_t scalar_offset;
  bool scalar_is_quoted;
};

/* Start reading all of READER.  */
void yaml_cursor_init (struct yaml_cursor *cursor, struct byte_reader *reader);
void yaml_cursor_free (struct yaml_cursor *cursor);

/* Fail with CAUSE, prefixed by the line number.  */
void yaml_cursor_fail (struct yaml_cursor *cursor, size_t offset,
		       const char *cause, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Return true if nothing is left or the cursor failed.  */
bool yaml_cursor_at_end (const struct yaml_cursor *cursor);

/* Skip `---' lines up to the first non-empty document.  */
void yaml_cursor_begin_document (struct yaml_cursor *cursor);

/* Read a mapping that is the value of a key or an element: in braces, or a
   block whose keys are in one column, at LEAST_COLUMN or more.  Call VISIT for
   each key, which is NUL-terminated until VISIT reads something; VISIT must
   read the value.  */
typedef void yaml_key_visitor (struct yaml_cursor *cursor, const char *key,
			       void *data);
void yaml_cursor_mapping (struct yaml_cursor *cursor, size_t least_column,
			  yaml_key_visitor *visit, void *data);

/* The same for a sequence, in brackets or with dashes.  VISIT gets the least
   column of a block inside an element, and must read the element.  */
typedef void yaml_element_visitor (struct yaml_cursor *cursor,
				   size_t least_column, void *data);
void yaml_cursor_sequence (struct yaml_cursor *cursor, size_t least_column,
			   yaml_element_visitor *visit, void *data);

/* Read a scalar into CURSOR->scalar; only a quoted scalar can be empty.  Return
   false on failure.  */
bool yaml_cursor_scalar (struct yaml_cursor *cursor);

/* Read a number of at most MOST, decimal or hexadecimal with 0x; or a boolean,
   true or false.  WHAT is the key, for errors.  */
uint64_t yaml_cursor_number (struct yaml_cursor *cursor, const char *what,
			     uint64_t most);
bool yaml_cursor_boolean (struct yaml_cursor *cursor, const char *what);

#endif /* HEAPPROF_YAML_CURSOR_H */

/* Marks of local functions in linkage names.
   SPDX-License-Identifier: GPL-3.0-or-later

   A nested name is `N', its parts, and `E'.  A part is a decimal number and as
   many bytes.  A name that occurred before can be replaced by a substitution:
   `S_', or `S', a number in base 36, and `_'.  The scopes of a function's own
   name are the first that occur, so their substitutions have the first
   numbers.  */

#include "local-marks.h"
#include <stdlib.h>
#include <string.h>

static const char unnamed[] = "12_GLOBAL__N_1";

#define UNNAMED_BYTES (sizeof unnamed - 1)

/* A name that is searched, and the substitutions that are scopes in an unnamed
   namespace: from FIRST to before END.  */
struct marked_name
{
  char *text;
  size_t n;
  size_t first;
  size_t end;
};

static bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

bool
local_marks_are_possible (const char *name, size_t n)
{
  return n > 2 && name[0] == '_' && name[1] == 'Z'
	 && memmem (name, n, unnamed, UNNAMED_BYTES) != NULL;
}

/* Return the position after the part at POSITION of NAME; POSITION itself if
   there is none.  */
static size_t
after_part (const struct marked_name *name, size_t position)
{
  size_t at = position;
  size_t bytes = 0;
  for (; at < name->n && is_digit (name->text[at]) && bytes <= name->n; at++)
    bytes = bytes * 10 + (size_t) (name->text[at] - '0');
  return bytes > 0 && bytes <= name->n - at ? at + bytes : position;
}

/* Find the substitutions of NAME.  */
static void
find_scopes (struct marked_name *name)
{
  bool is_inside = false;
  size_t position = strlen ("_ZN");
  if (name->n < position || name->text[2] != 'N')
    return;
  for (;; name->end++)
    {
      size_t next = after_part (name, position);
      if (next == position)
	return;
      if (!is_inside && next - position == UNNAMED_BYTES
	  && memcmp (name->text + position, unnamed, UNNAMED_BYTES) == 0)
	{
	  is_inside = true;
	  name->first = name->end;
	}
      if (!is_inside)
	name->first = name->end + 1;
      position = next;
    }
}

/* Return the position after the substitution at POSITION of NAME, if it is a
   scope in an unnamed namespace; 0 otherwise.  */
static size_t
after_scope (const struct marked_name *name, size_t position)
{
  size_t number = 0;
  size_t at = position + 1;
  for (; at < name->n && name->text[at] != '_' && number < name->n; at++)
    {
      char c = name->text[at];
      if (!is_digit (c) && (c < 'A' || c > 'Z'))
	return 0;
      number = number * 36 + (size_t) (is_digit (c) ? c - '0' : c - 'A' + 10);
    }
  if (at >= name->n || name->text[at] != '_')
    return 0;
  if (at > position + 1)
    number++;
  return number >= name->first && number < name->end ? at + 1 : 0;
}

/* Return the position after the unnamed namespace that is spelled out or
   substituted at POSITION of NAME, 0 if there is none.  */
static size_t
after_namespace (const struct marked_name *name, size_t position)
{
  const char *at = name->text + position;
  if (name->n - position > UNNAMED_BYTES
      && memcmp (at, unnamed, UNNAMED_BYTES) == 0 && !is_digit (at[-1]))
    return position + UNNAMED_BYTES;
  return at[0] == 'S' && at[-1] == 'N' ? after_scope (name, position) : 0;
}

char *
local_marks_remove (const char *name, size_t *n)
{
  char *copy = malloc (*n);
  if (copy == NULL)
    return NULL;
  memcpy (copy, name, *n);
  if (!local_marks_are_possible (name, *n))
    return copy;
  struct marked_name marked = { .text = copy, .n = *n };
  find_scopes (&marked);
  for (size_t i = 2; i < marked.n; i++)
    {
      size_t at = after_namespace (&marked, i);
      for (size_t next; at != 0 && (next = after_part (&marked, at)) != at;)
	at = next;
      if (at == 0 || at + 1 >= marked.n || copy[at] != 'L'
	  || !is_digit (copy[at + 1]))
	continue;
      marked.n--;
      memmove (copy + at, copy + at + 1, marked.n - at);
    }
  *n = marked.n;
  return copy;
}

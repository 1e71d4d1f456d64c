/* Strings without the C library, whose functions a program may replace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For names, options and paths: small code, not for use where speed
   matters.  */

#ifndef HEAPPROF_TEXT_H
#define HEAPPROF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Return the part of TEXT after HEAD, or NULL if TEXT does not start with
   HEAD.  */

static inline const char *
text_after (const char *text, const char *head)
{
  for (; *head != '\0'; head++)
    if (*text++ != *head)
      return NULL;
  return text;
}

static inline bool
text_begins (const char *text, const char *head)
{
  return text_after (text, head) != NULL;
}

static inline bool
text_is (const char *a, const char *b)
{
  const char *const rest = text_after (a, b);
  return rest != NULL && *rest == '\0';
}

/* Return the first C in TEXT, or NULL.  */

static inline char *
text_find (const char *text, char c)
{
  for (; *text != c; text++)
    if (*text == '\0')
      return NULL;
  return (char *) text;
}

static inline char *
text_find_last (const char *text, char c)
{
  const char *found = NULL;
  for (; *text != '\0'; text++)
    if (*text == c)
      found = text;
  return (char *) found;
}

/* Copy as much of FROM as fits to TO, which has BYTES bytes including the
   terminator.  */

static inline void
text_copy (char *to, const char *from, size_t bytes)
{
  size_t n = 0;
  for (; from[n] != '\0' && n + 1 < bytes; n++)
    to[n] = from[n];
  to[n] = '\0';
}

/* The C library's, under a name that no program may define.  */
extern char **__environ;

/* Return the value of the environment variable NAME, or NULL.  */

static inline const char *
environment_value (const char *name)
{
  for (char **each = __environ; each != NULL && *each != NULL; each++)
    {
      const char *const rest = text_after (*each, name);
      if (rest != NULL && *rest == '=')
	return rest + 1;
    }
  return NULL;
}

#endif /* HEAPPROF_TEXT_H */

/* Reading sample profiles as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   The number of leading blanks of a line determines to which of the open
   functions it belongs: 1 is the top-level function.  A line may open one more
   function.  A line with more blanks than necessary belongs to the innermost
   function.  */

#include "sample-text.h"
#include "text-line.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED_HEAD "NAME:TOTAL:HEAD"
#define EXPECTED_ITEM                                                          \
  "LINE[.DISCRIMINATOR]: COUNT [NAME:COUNT]..., or an "                        \
  "inlined NAME:TOTAL"
#define VTABLES "vtables "

struct open_function
{
  struct sample_function *function;
  bool has_metadata; /* nothing else may follow */
};

struct text_reader
{
  struct byte_reader *reader; /* for its bytes and errors */
  struct sample_profile *profile;
  struct text_line line;
  struct open_function open[SAMPLE_DEEPEST + 1];
  uint32_t open_count;
  unsigned int flags;
  uint64_t functions;
  uint64_t functions_with_checksum;
  bool has_checksum; /* of the top-level function that is open */
  bool has_context;  /* the functions so far have contexts */
  uint32_t *seen;    /* malloced; names of a vtables line */
};

/* Part of a line.  */
struct span
{
  const char *text;
  size_t n;
};

static bool
fail (struct text_reader *text, const char *what)
{
  return text_line_fail (text->reader, &text->line, what);
}

/* Fail with *ERR, which has no path.  */
static bool
fail_with (struct text_reader *text, const struct profile_error *err)
{
  return byte_reader_fail (text->reader, text->line.offset, "%s", err->cause);
}

static bool
parse_count (struct span span, uint64_t *value)
{
  return text_parse_number (span.text, span.n, 10, value);
}

/* Split SPAN at the last colon into *BEFORE and the number *VALUE after it.  */
static bool
split_last (struct span span, struct span *before, uint64_t *value)
{
  const char *colon = memrchr (span.text, ':', span.n);
  if (!colon)
    return false;
  size_t n = colon - span.text;
  *before = (struct span){ span.text, n };
  return parse_count ((struct span){ colon + 1, span.n - n - 1 }, value);
}

/* Return the number of NAME; SAMPLE_NO_NAME if TEXT failed.  Binary forms
   terminate names with a NUL byte, so names must not contain one.  */
static uint32_t
add_name (struct text_reader *text, struct span name)
{
  if (memchr (name.text, '\0', name.n))
    {
      fail (text, "a line without NUL bytes");
      return SAMPLE_NO_NAME;
    }
  uint32_t number = sample_profile_add_name (text->profile, name.text, name.n);
  if (number == SAMPLE_NO_NAME)
    byte_reader_fail_memory (text->reader);
  return number;
}

/* Return true if all of SPAN is a location.  Its line has 16 bits.  */
static bool
parse_location (struct span span, struct sample_location *location)
{
  const char *dot = memchr (span.text, '.', span.n);
  size_t n = dot ? (size_t) (dot - span.text) : span.n;
  uint64_t line;
  uint64_t discriminator = 0;
  if (!text_parse_number (span.text, n, 10, &line) || line > UINT32_MAX
      || (!dot && line > 0xffff))
    return false;
  if (dot
      && (!text_parse_number (dot + 1, span.n - n - 1, 10, &discriminator)
	  || discriminator > UINT32_MAX))
    return false;
  location->line = line & 0xffff;
  location->discriminator = discriminator;
  return true;
}

/* ---- Heads.  */

/* Read the caller NAME:LOCATION in SPAN.  */
static bool
take_caller (struct text_reader *text, struct span span,
	     struct sample_frame *frame)
{
  const char *colon = memrchr (span.text, ':', span.n);
  size_t n = colon ? (size_t) (colon - span.text) : 0;
  if (n == 0
      || !parse_location ((struct span){ colon + 1, span.n - n - 1 },
			  &frame->location))
    return fail (text, "[CALLER:LINE[.DISCRIMINATOR] @ ... @ NAME]:TOTAL:HEAD");
  frame->name = add_name (text, (struct span){ span.text, n });
  return !text->reader->failed;
}

/* Return the function of CONTEXT, which is without its brackets.  */
static struct sample_function *
add_context (struct text_reader *text, struct span context)
{
  static const char separator[] = " @ ";
  struct sample_frame *callers
    = calloc (context.n / (sizeof separator - 1) + 1, sizeof *callers);
  struct sample_function *function = NULL;
  uint32_t count = 0;
  bool is_done = callers != NULL;
  const char *at;
  while (is_done
	 && (at = memmem (context.text, context.n, separator,
			  sizeof separator - 1)))
    {
      size_t n = at - context.text;
      is_done = take_caller (text, (struct span){ context.text, n },
			     &callers[count++]);
      context.text += n + sizeof separator - 1;
      context.n -= n + sizeof separator - 1;
    }
  if (is_done && context.n == 0)
    is_done = fail (text, "a context with a function");
  uint32_t name = is_done ? add_name (text, context) : SAMPLE_NO_NAME;
  if (name != SAMPLE_NO_NAME)
    function
      = sample_profile_add_function (text->profile, callers, count, name);
  if (!function)
    byte_reader_fail_memory (text->reader);
  free (callers);
  return function;
}

/* Return the function whose head has NAME.  */
static struct sample_function *
add_function (struct text_reader *text, struct span name)
{
  bool has_context
    = name.n > 2 && name.text[0] == '[' && name.text[name.n - 1] == ']';
  if (text->functions > 0 && has_context != text->has_context)
    {
      byte_reader_fail (text->reader, text->line.offset,
			"functions with and without calling context in "
			"the same file");
      return NULL;
    }
  text->has_context = has_context;
  if (has_context)
    {
      text->flags |= SAMPLE_CONTEXT_SENSITIVE;
      return add_context (text, (struct span){ name.text + 1, name.n - 2 });
    }
  uint32_t number = add_name (text, name);
  if (number == SAMPLE_NO_NAME)
    return NULL;
  struct sample_function *function
    = sample_profile_add_function (text->profile, NULL, 0, number);
  if (!function)
    byte_reader_fail_memory (text->reader);
  return function;
}

static bool
parse_head (struct span line, struct span *name, uint64_t *total,
	    uint64_t *head)
{
  struct span rest;
  return (split_last (line, &rest, head) && split_last (rest, name, total)
	  && name->n > 0);
}

static void
take_head (struct text_reader *text, struct span line)
{
  struct span name;
  uint64_t total;
  uint64_t head;
  if (!parse_head (line, &name, &total, &head))
    {
      fail (text, EXPECTED_HEAD);
      return;
    }
  struct sample_function *function = add_function (text, name);
  if (!function)
    return;
  sample_count_add (&function->total, total);
  sample_count_add (&function->head, head);
  text->open[0] = (struct open_function){ .function = function };
  text->open_count = 1;
  text->has_checksum = false;
  text->functions++;
}

/* ---- Items.  */

/* Remove the first NAME:COUNT from *REST.  A name may contain colons and
   blanks: it ends before a colon and a number that are followed by a blank or
   the end.  No byte is examined more than twice.  */
static bool
take_target (struct span *rest, struct span *name, uint64_t *count)
{
  for (size_t colon = 0; colon < rest->n; colon++)
    {
      if (rest->text[colon] != ':')
	continue;
      size_t end = colon + 1;
      while (end < rest->n && text_is_digit (rest->text[end]))
	end++;
      struct span digits = { rest->text + colon + 1, end - colon - 1 };
      if ((end < rest->n && rest->text[end] != ' ')
	  || !parse_count (digits, count))
	continue;
      *name = (struct span){ rest->text, colon };
      rest->text += end;
      rest->n -= end;
      return colon > 0;
    }
  return false;
}

static void
skip_blanks (struct span *span)
{
  while (span->n > 0 && *span->text == ' ')
    {
      span->text++;
      span->n--;
    }
}

static void
take_body (struct text_reader *text, struct sample_function *function,
	   struct sample_location location, struct span rest)
{
  const char *blank = memchr (rest.text, ' ', rest.n);
  struct span digits
    = { rest.text, blank ? (size_t) (blank - rest.text) : rest.n };
  uint64_t count;
  if (!parse_count (digits, &count))
    {
      fail (text, EXPECTED_ITEM);
      return;
    }
  bool is_done
    = sample_function_add_body (text->profile, function, location, count);
  rest.text += digits.n;
  rest.n -= digits.n;
  while (is_done && rest.n > 0)
    {
      struct span target;
      skip_blanks (&rest);
      if (!take_target (&rest, &target, &count))
	{
	  fail (text, EXPECTED_ITEM);
	  return;
	}
      uint32_t name = add_name (text, target);
      is_done = (name != SAMPLE_NO_NAME
		 && sample_function_add_target (text->profile, function,
						location, name, count));
    }
  if (!is_done)
    byte_reader_fail_memory (text->reader);
}

static int
compare_uint32 (const void *a, const void *b)
{
  uint32_t number1 = *(const uint32_t *) a;
  uint32_t number2 = *(const uint32_t *) b;
  return (number1 > number2) - (number1 < number2);
}

/* Return true if any of the COUNT sorted NAMES occurs twice.  */
static bool
has_duplicate (uint32_t *names, size_t count)
{
  qsort (names, count, sizeof *names, compare_uint32);
  for (size_t i = 1; i < count; i++)
    if (names[i - 1] == names[i])
      return true;
  return false;
}

static void
take_vtables (struct text_reader *text, struct sample_function *function,
	      struct sample_location location, struct span rest)
{
  size_t count = 0;
  /* NAME:COUNT has at least three bytes.  */
  text->seen = calloc (rest.n / 3 + 1, sizeof *text->seen);
  bool is_done = text->seen != NULL;
  skip_blanks (&rest);
  while (is_done && rest.n > 0)
    {
      struct span table;
      uint64_t samples;
      if (!take_target (&rest, &table, &samples)
	  || memchr (table.text, ' ', table.n))
	{
	  fail (text, "LOCATION: vtables NAME:COUNT ...");
	  break;
	}
      skip_blanks (&rest);
      uint32_t name = add_name (text, table);
      is_done = (name != SAMPLE_NO_NAME
		 && sample_function_add_vtable (text->profile, function,
						location, name, samples));
      text->seen[count++] = name;
    }
  if (!is_done)
    byte_reader_fail_memory (text->reader);
  else if (has_duplicate (text->seen, count))
    fail (text, "virtual tables without duplicates");
  free (text->seen);
  text->seen = NULL;
}

static void
take_inlinee (struct text_reader *text, struct sample_function *function,
	      struct sample_location location, struct span rest)
{
  struct span name;
  uint64_t total;
  if (!split_last (rest, &name, &total) || name.n == 0)
    {
      fail (text, EXPECTED_ITEM);
      return;
    }
  if (function->depth == SAMPLE_DEEPEST)
    {
      byte_reader_fail (text->reader, text->line.offset,
			"functions are inlined more than %d levels deep",
			SAMPLE_DEEPEST);
      return;
    }
  uint32_t number = add_name (text, name);
  struct sample_function *inlinee
    = number == SAMPLE_NO_NAME
	? NULL
	: sample_function_need_inlinee (text->profile, function, location,
					number);
  if (!inlinee)
    {
      byte_reader_fail_memory (text->reader);
      return;
    }
  sample_count_add (&inlinee->total, total);
  text->open[text->open_count++]
    = (struct open_function){ .function = inlinee };
}

/* Return true if LINE is KEY and a number of at most GREATEST.  */
static bool
parse_metadata (struct span line, const char *key, uint64_t greatest,
		uint64_t *value)
{
  size_t n = strlen (key);
  return (line.n > n && memcmp (line.text, key, n) == 0
	  && parse_count ((struct span){ line.text + n, line.n - n }, value)
	  && *value <= greatest);
}

static void
take_metadata (struct text_reader *text, struct open_function *open,
	       struct span line)
{
  static const char flat[] = "!Flat";
  struct sample_function *function = open->function;
  struct profile_error err;
  uint64_t value;
  open->has_metadata = true;
  if (parse_metadata (line, "!CFGChecksum: ", UINT64_MAX, &value))
    {
      if (!sample_function_set_checksum (text->profile, function, value, &err))
	fail_with (text, &err);
      if (function->depth == 0 && !text->has_checksum)
	{
	  text->has_checksum = true;
	  text->functions_with_checksum++;
	}
    }
  else if (parse_metadata (line, "!Attributes: ", UINT32_MAX, &value))
    function->attributes |= value;
  else if (line.n != sizeof flat - 1 || memcmp (line.text, flat, line.n) != 0
	   || function->depth > 0)
    fail (text, "!CFGChecksum: NUMBER, !Attributes: NUMBER or !Flat");
}

/* Read LINE, without its DEPTH blanks.  */
static void
take_item (struct text_reader *text, size_t depth, struct span line)
{
  if (text->open_count == 0)
    {
      fail (text, EXPECTED_HEAD);
      return;
    }
  if (text->open_count > depth)
    text->open_count = depth;
  struct open_function *open = &text->open[text->open_count - 1];
  if (line.text[0] == '!')
    {
      take_metadata (text, open, line);
      return;
    }
  if (open->has_metadata)
    {
      fail (text, "more metadata or the next function");
      return;
    }
  const char *colon = memchr (line.text, ':', line.n);
  size_t n = colon ? (size_t) (colon - line.text) : 0;
  struct sample_location location;
  if (!colon || line.n < n + 3 || colon[1] != ' '
      || !parse_location ((struct span){ line.text, n }, &location))
    {
      fail (text, EXPECTED_ITEM);
      return;
    }
  struct span rest = { colon + 2, line.n - n - 2 };
  size_t prefix = strlen (VTABLES);
  if (text_is_digit (rest.text[0]))
    take_body (text, open->function, location, rest);
  else if (rest.n >= prefix && memcmp (rest.text, VTABLES, prefix) == 0)
    take_vtables (text, open->function, location,
		  (struct span){ rest.text + prefix, rest.n - prefix });
  else
    take_inlinee (text, open->function, location, rest);
}

/* Read the next line.  Return false at the end.  */
static bool
take_line (struct text_reader *text)
{
  if (!text_line_take (text->reader, &text->line))
    return false;
  struct span line = { text->line.text, text->line.n };
  skip_blanks (&line);
  size_t depth = text->line.n - line.n;
  if (line.n == 0 || line.text[0] == '#')
    return true;
  if (depth == 0)
    take_head (text, line);
  else
    take_item (text, depth, line);
  return !text->reader->failed;
}

/* Check properties of the complete file.  */
static void
finish (struct text_reader *text)
{
  struct profile_error err;
  if (text->reader->failed)
    return;
  if (text->functions_with_checksum > 0)
    text->flags |= SAMPLE_PROBES;
  if (text->functions == 0)
    byte_reader_fail (text->reader, text->reader->end,
		      "no functions in the file");
  else if (text->functions_with_checksum > 0
	   && text->functions_with_checksum != text->functions)
    byte_reader_fail (text->reader, text->reader->end,
		      "only %" PRIu64 " of %" PRIu64
		      " functions have a checksum",
		      text->functions_with_checksum, text->functions);
  else if (!sample_profile_add_flags (text->profile, text->flags, true, &err))
    byte_reader_fail (text->reader, 0, "%s", err.cause);
}

bool
sample_text_is_possible (const void *data, size_t n)
{
  struct profile_error ignored;
  struct byte_reader reader;
  struct text_line line;
  byte_reader_init (&reader, "", data, n, &ignored);
  while (text_line_take (&reader, &line))
    {
      struct span span = { line.text, line.n };
      struct span name;
      uint64_t total;
      uint64_t head;
      skip_blanks (&span);
      if (span.n == 0 || span.text[0] == '#')
	continue;
      return (span.n == line.n && parse_head (span, &name, &total, &head)
	      && !memchr (name.text, '\0', name.n));
    }
  return false;
}

bool
sample_text_fold (struct sample_profile *profile, const char *path,
		  const void *data, size_t size, struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, path, data, size, err);
  struct text_reader *text = calloc (1, sizeof *text);
  if (!text)
    return byte_reader_fail_memory (&reader);
  text->reader = &reader;
  text->profile = profile;
  while (take_line (text))
    ;
  finish (text);
  free (text);
  return !reader.failed;
}

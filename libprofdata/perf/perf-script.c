/* Branch stacks as printed by `perf script -F ip,brstack --show-mmap-events'.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sample is a line: the address of the instruction, which may be missing,
   then the branches (branch-text.h), newest first:

	 4011e0 0x4012ba/0x4011e0/P/-/-/1/  0x401297/0x4012b0/M/-/-/1/

   It may be preceded by callers, each on a line of its own, indented, innermost
   first; and by a line with a decimal number that is not indented, the number
   of equal samples.  All other lines are ignored.  */

#include "perf-script.h"
#include "branch-text.h"
#include "byte-reader.h"
#include "hex-number.h"
#include "perf-progress.h"
#include "perf-text.h"
#include "text-line.h"
#include <stdlib.h>
#include <string.h>

/* More than any hardware has, which is less than a hundred, and than the
   callers that the kernel records.  */
#define MOST_BRANCHES 4096
#define MOST_CALLERS 4096

struct script
{
  struct byte_reader reader;
  const char *limit; /* end of the text */
  const struct perf_handler *handler;
  uint64_t sample_count;
  uint64_t alike; /* number of equal samples for the next line */
  size_t caller_count;
  uint64_t callers[MOST_CALLERS];
  struct perf_branch branches[MOST_BRANCHES];
  struct branch_texts texts;
};

/* Return AT, or the first character after it that is no blank; END if there is
   none.  */
static inline const char *
skip_blanks (const char *at, const char *end)
{
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

/* Return true if AT is at a branch: the first place where an address is
   followed by a slash.  END is that of the line, LIMIT of the text.  */
static inline bool
is_branch (const char *at, const char *end, const char *limit)
{
  uint64_t address;
  return end - at > 2 && at[0] == '0' && at[1] == 'x'
	 && hex_number_take (&at, limit, &address) && at < end && *at == '/';
}

/* Pass the sample in LINE, whose branches start at AT, to the handler.  */
static bool
handle_sample (struct script *script, const struct text_line *line,
	       const char *at, struct perf_sample *sample)
{
  const char *end = line->text + line->n;
  size_t count = 0;
  script->sample_count++;
  if (!script->handler->sample)
    return true;
  if (!branch_texts_take (&script->texts, at, end, script->limit,
			  script->branches, MOST_BRANCHES, &count))
    return text_line_fail (&script->reader, line, "a stack of branches");
  sample->order = line->offset;
  sample->pid = PERF_NO_PID;
  sample->count = script->alike;
  sample->branches = script->branches;
  sample->branch_count = count;
  sample->callers = script->callers;
  sample->caller_count = script->caller_count;
  sample->caller_limit = PERF_USUAL_CALLERS;
  return script->handler->sample (script->handler->closure, sample,
				  script->reader.err)
	 || perf_text_stop (&script->reader);
}

static void
add_caller (struct script *script, uint64_t caller)
{
  if (script->caller_count < MOST_CALLERS)
    script->callers[script->caller_count++] = caller;
}

/* Read a line with one number: a caller, or the number of equal samples.
   Return false if it is a different line.  */
static bool
take_number_line (struct script *script, const struct text_line *line)
{
  struct perf_text text = { line->text, line->n };
  bool is_indented = line->n > 0 && text_is_space (line->text[0]);
  int64_t alike;
  uint64_t caller;
  perf_text_skip_blanks (&text);
  struct perf_text number = text;
  if (!is_indented && perf_text_decimal (&number, &alike) && number.left == 0
      && alike > 0)
    {
      script->alike = (uint64_t) alike;
      return true;
    }
  if (!perf_text_hex (&text, &caller))
    return false;
  perf_text_skip_blanks (&text);
  if (text.left > 0)
    return false;
  add_caller (script, caller);
  return true;
}

static bool
handle_line (struct script *script, const struct text_line *line)
{
  const char *end = line->text + line->n;
  const char *limit = script->limit;
  const char *at = skip_blanks (line->text, end);
  const char *after = at;
  struct perf_sample sample = { 0 };
  bool is_sample = is_branch (at, end, limit);
  if (!is_sample && at < end && hex_number_take (&after, limit, &sample.ip)
      && after < end && *after == ' ')
    {
      sample.has_ip = true;
      at = skip_blanks (after, end);
      is_sample = is_branch (at, end, limit);
    }
  if (is_sample)
    {
      bool done = handle_sample (script, line, at, &sample);
      script->alike = 1;
      script->caller_count = 0;
      return done;
    }
  if (take_number_line (script, line))
    return true;
  script->caller_count = 0;
  return perf_text_handle (&script->reader, line, script->handler);
}

/* Take lines that are just an indented number without 0x, which most are.  */
static void
take_callers (struct script *script)
{
  const char *start = (const char *) script->reader.data;
  const char *limit = script->limit;
  const char *at = start + script->reader.position;
  while (at < limit && (*at == ' ' || *at == '\t'))
    {
      uint64_t caller;
      const char *here = skip_blanks (at, limit);
      if (limit - here < 2 || here[1] == 'x'
	  || !hex_number_take (&here, limit, &caller) || here == limit
	  || *here != '\n')
	break;
      add_caller (script, caller);
      at = here + 1;
    }
  script->reader.position = (size_t) (at - start);
}

/* Return where an event other than a sample may begin, from AT on; NULL if its
   name is not before STOP.  LIMIT is the end of the text.  */
static const char *
find_event (const char *at, const char *stop, const char *limit)
{
  /* Samples have few underscores.  */
  static const char event[] = PERF_TEXT_EVENT;
  const ptrdiff_t before = strchr (event, '_') - event;
  const size_t bytes = sizeof event - 1;
  for (const char *found = at;
       (found = memchr (found, '_', (size_t) (stop - found))) != NULL; found++)
    if (found - at >= before && (size_t) (limit - found + before) >= bytes
	&& memcmp (found - before, event, bytes) == 0)
      return found - before;
  return NULL;
}

/* There was a sample and no others are wanted: pass over lines up to the next
   one with any other event, but not further than the next report of
   progress.  */
static void
pass_samples (struct script *script)
{
  struct byte_reader *reader = &script->reader;
  const char *at = (const char *) reader->data + reader->position;
  size_t left = byte_reader_left (reader);
  size_t most = left < PERF_PROGRESS_BYTES ? left : PERF_PROGRESS_BYTES;
  const char *found = find_event (at, at + most, script->limit);
  /* The event may begin at the end of what was searched, so the line that this
     is in is left, unless it is the first one, or the last.  */
  const char *end = found != NULL ? found : at + most;
  const char *line = memrchr (at, '\n', (size_t) (end - at));
  if (found == NULL && most == left)
    reader->position += left;
  else if (line != NULL)
    reader->position += (size_t) (line + 1 - at);
}

bool
perf_script_read (const char *path, const void *data, size_t size,
		  const struct perf_handler *handler, struct profile_error *err)
{
  struct script *script = calloc (1, sizeof *script);
  if (!script || !branch_texts_init (&script->texts, size))
    {
      free (script);
      return profile_error_set_memory (err, path);
    }
  byte_reader_init (&script->reader, path, data, size, err);
  script->limit = (const char *) data + size;
  script->handler = handler;
  script->alike = 1;
  struct text_line line;
  bool done = true;
  uint64_t passed = 0;
  while (done)
    {
      if (script->sample_count > 0 && !handler->sample)
	pass_samples (script);
      else
	take_callers (script);
      if (!text_line_take (&script->reader, &line))
	break;
      done = handle_line (script, &line);
      perf_progress (handler, &passed, line.offset);
    }
  if (done && script->sample_count == 0)
    done = profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "no branch stacks found: neither a perf.data "
			      "file nor the output of `perf script -F "
			      "ip,brstack'");
  branch_texts_free (&script->texts);
  free (script);
  return done;
}

/* Branch stacks as printed by `perf script -F ip,brstack --show-mmap-events'.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sample is a line: the address of the instruction, which may be missing,
   then the branches, newest first, each of which ends at a blank:

	 4011e0 0x4012ba/0x4011e0/P/-/-/1/  0x401297/0x4012b0/M/-/-/1/

   Processors that record whether a branch was taken speculatively have this at
   the end; branches on a wrong path did not happen.

   It may be preceded by callers, each on a line of its own, indented, innermost
   first; and by a line with a decimal number that is not indented, the number
   of equal samples.  All other lines are ignored.  */

#include "perf-script.h"
#include "byte-reader.h"
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
  const struct perf_handler *handler;
  uint64_t sample_count;
  uint64_t alike; /* number of equal samples for the next line */
  size_t caller_count;
  uint64_t callers[MOST_CALLERS];
  struct perf_branch branches[MOST_BRANCHES];
};

/* Read a branch: addresses, the first flag, and whether it happened.  */
static bool
take_branch (struct perf_text *text, struct perf_branch *branch,
	     bool *has_happened)
{
  static const char wrong[] = "/SPEC_WRONG_PATH";
  branch->flags = 0;
  if (!perf_text_hex (text, &branch->from) || text->left == 0
      || *text->at != '/')
    return false;
  text->at++;
  text->left--;
  if (!perf_text_hex (text, &branch->to))
    return false;
  if (text->left > 1 && text->at[0] == '/')
    branch->flags = text->at[1] == 'P'	 ? PERF_BRANCH_PREDICTED
		    : text->at[1] == 'M' ? PERF_BRANCH_MISPREDICTED
					 : 0;
  struct perf_text flags = *text;
  while (text->left > 0 && *text->at != ' ')
    {
      text->at++;
      text->left--;
    }
  flags.left -= text->left;
  *has_happened = !perf_text_find (&flags, wrong);
  return true;
}

/* Return true if TEXT is at a branch: the first place where an address is
   followed by a slash.  */
static bool
is_branch (struct perf_text text)
{
  uint64_t address;
  return text.left > 2 && text.at[0] == '0' && text.at[1] == 'x'
	 && perf_text_hex (&text, &address) && perf_text_skip (&text, "/");
}

/* Pass the sample in LINE, whose branches start at TEXT, to the handler.  */
static bool
handle_sample (struct script *script, const struct text_line *line,
	       struct perf_text text, struct perf_sample *sample)
{
  size_t count = 0;
  script->sample_count++;
  if (!script->handler->sample)
    return true;
  perf_text_skip_blanks (&text);
  while (text.left > 0)
    {
      bool has_happened;
      if (count == MOST_BRANCHES
	  || !take_branch (&text, &script->branches[count], &has_happened))
	return text_line_fail (&script->reader, line, "a stack of branches");
      count += has_happened;
      perf_text_skip_blanks (&text);
    }
  sample->order = line->offset;
  sample->pid = PERF_NO_PID;
  sample->count = script->alike;
  sample->branches = script->branches;
  sample->branch_count = count;
  sample->callers = script->callers;
  sample->caller_count = script->caller_count;
  return script->handler->sample (script->handler->closure, sample,
				  script->reader.err)
	 || perf_text_stop (&script->reader);
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
  if (script->caller_count < MOST_CALLERS)
    script->callers[script->caller_count++] = caller;
  return true;
}

static bool
handle_line (struct script *script, const struct text_line *line)
{
  struct perf_text text = { line->text, line->n };
  struct perf_sample sample = { 0 };
  struct perf_text ip = text;
  perf_text_skip_blanks (&text);
  ip = text;
  if (!is_branch (text) && perf_text_hex (&ip, &sample.ip) && ip.left > 0
      && *ip.at == ' ')
    {
      sample.has_ip = true;
      text = ip;
      perf_text_skip_blanks (&text);
    }
  if (is_branch (text))
    {
      bool done = handle_sample (script, line, text, &sample);
      script->alike = 1;
      script->caller_count = 0;
      return done;
    }
  if (take_number_line (script, line))
    return true;
  script->caller_count = 0;
  return perf_text_handle (&script->reader, line, script->handler);
}

bool
perf_script_read (const char *path, const void *data, size_t size,
		  const struct perf_handler *handler, struct profile_error *err)
{
  struct script *script = calloc (1, sizeof *script);
  if (!script)
    return profile_error_set_memory (err, path);
  byte_reader_init (&script->reader, path, data, size, err);
  script->handler = handler;
  script->alike = 1;
  struct text_line line;
  bool done = true;
  uint64_t passed = 0;
  while (done && text_line_take (&script->reader, &line))
    {
      done = handle_line (script, &line);
      perf_progress (handler, &passed, line.offset);
    }
  if (done && script->sample_count == 0)
    done = profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "no branch stacks found: neither a perf.data "
			      "file nor the output of `perf script -F "
			      "ip,brstack'");
  free (script);
  return done;
}

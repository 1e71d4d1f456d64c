/* Samples as printed by `perf report -D'.
   SPDX-License-Identifier: GPL-3.0-or-later

   A record is a line, in which the part before its size may be missing,

     1234 0x138 [0x78]: PERF_RECORD_SAMPLE(IP, 0x4002): 7/7: 0x401136 ...
     ... period: 13 addr: 0x402010

   here shown as two, followed by lines with more details, which are
   skipped.  */

#include "perf-dump.h"
#include "byte-reader.h"
#include "perf-progress.h"
#include "perf-text.h"
#include "text-line.h"
#include <string.h>

bool
perf_dump_is_possible (const void *data, size_t n)
{
  struct perf_text text = { data, n };
  while (perf_text_find (&text, "]: PERF_RECORD_"))
    {
      struct perf_text before = { text.at - strlen ("]: PERF_RECORD_"), 0 };
      /* The size in brackets; a mapping has other brackets further on.  */
      while (before.at > (const char *) data && before.left < 20
	     && before.at[-1] != '[' && before.at[-1] != '\n')
	before.at--, before.left++;
      uint64_t size;
      if (before.at > (const char *) data && before.at[-1] == '['
	  && perf_text_skip (&before, "0x") && perf_text_hex (&before, &size)
	  && before.left == 0)
	return true;
    }
  return memmem (data, n, "PERF_RECORD_SAMPLE(", strlen ("PERF_RECORD_SAMPLE("))
	 != NULL;
}

/* Parse the part of a line after PERF_RECORD_SAMPLE into *SAMPLE.  */
static bool
parse_sample (struct perf_text text, struct perf_sample *sample)
{
  int64_t pid;
  int64_t period;
  if (!perf_text_find (&text, "): ") || !perf_text_decimal (&text, &pid)
      || pid < INT32_MIN || pid > INT32_MAX || !perf_text_find (&text, ": ")
      || !perf_text_hex (&text, &sample->ip)
      || !perf_text_skip (&text, " period: ")
      || !perf_text_decimal (&text, &period)
      || !perf_text_skip (&text, " addr: ")
      || !perf_text_hex (&text, &sample->address))
    return false;
  sample->pid = (int32_t) pid;
  sample->period = (uint64_t) period;
  return true;
}

bool
perf_dump_read (const char *path, const void *data, size_t size,
		const struct perf_handler *handler, struct profile_error *err)
{
  struct byte_reader reader;
  struct text_line line;
  bool has_records = false;
  uint64_t passed = 0;
  byte_reader_init (&reader, path, data, size, err);
  while (text_line_take (&reader, &line))
    {
      struct perf_text text = { line.text, line.n };
      struct perf_sample sample
	= { .order = line.offset, .has_ip = true, .count = 1 };
      perf_progress (handler, &passed, line.offset);
      if (!perf_text_find (&text, "PERF_RECORD_"))
	continue;
      has_records = true;
      if (!perf_text_skip (&text, "SAMPLE"))
	{
	  if (!perf_text_handle (&reader, &line, handler))
	    return false;
	}
      else if (handler->sample && parse_sample (text, &sample)
	       && !handler->sample (handler->closure, &sample, err))
	return perf_text_stop (&reader);
    }
  return has_records
	 || profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			       "no records found: not the output of `perf "
			       "report -D'");
}

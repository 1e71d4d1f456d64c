/* Events other than samples, as printed by perf.
   SPDX-License-Identifier: GPL-3.0-or-later

   `perf script' and `perf report -D' print them alike, each on a line:

     PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 fe:00 12 0]: r-xp /bin/x
     PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0 <build ID>]: r-xp /bin/x
     PERF_RECORD_MMAP 7/7: [0x401000(0x1000) @ 0x1000]: x /bin/x
     PERF_RECORD_FORK(8:8):(7:7)
     PERF_RECORD_COMM exec: name:8/8

   Numbers after @ may be missing the 0x, and any text may come before.  */

#ifndef HEAPPROF_PERF_TEXT_H
#define HEAPPROF_PERF_TEXT_H

#include "perf-events.h"
#include "text-line.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all of them contain.  */
#define PERF_TEXT_EVENT "PERF_RECORD_"

/* The rest of a line.  */
struct perf_text
{
  const char *at;
  size_t left;
};

/* Skip blanks.  */
void perf_text_skip_blanks (struct perf_text *text);

/* Skip WORD if the text starts with it.  Return false if not.  */
bool perf_text_skip (struct perf_text *text, const char *word);

/* Skip everything up to and including WORD.  Return false, and skip nothing, if
   WORD does not occur.  */
bool perf_text_find (struct perf_text *text, const char *word);

/* Read a hexadecimal number, with or without 0x; or a decimal one, which may
   have a sign.  Return false if there is none, or it is too large.  */
bool perf_text_hex (struct perf_text *text, uint64_t *value);
bool perf_text_decimal (struct perf_text *text, int64_t *value);

/* Pass the event of LINE, which contains PERF_TEXT_EVENT, to HANDLER, if it is
   one of the above; otherwise do nothing.  Return false if READER failed.  */
bool perf_text_handle (struct byte_reader *reader, const struct text_line *line,
		       const struct perf_handler *handler);

/* Fail because a handler stops the reading; it has set the error except the
   path.  Return false.  */
bool perf_text_stop (struct byte_reader *reader);

#endif /* HEAPPROF_PERF_TEXT_H */

/* Events other than samples, as perf prints them.
   SPDX-License-Identifier: GPL-3.0-or-later

   `perf script' and `perf report -D' print them alike, each in a line:

     PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 fe:00 12 0]: r-xp /bin/x
     PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0 <build ID>]: r-xp /bin/x
     PERF_RECORD_MMAP 7/7: [0x401000(0x1000) @ 0x1000]: x /bin/x
     PERF_RECORD_FORK(8:8):(7:7)
     PERF_RECORD_COMM exec: name:8/8

   where numbers after @ may lack the 0x, and anything may stand before.  */

#ifndef HEAPPROF_PERF_TEXT_H
#define HEAPPROF_PERF_TEXT_H

#include "perf-events.h"
#include "text-line.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a line.  */
struct perf_text
{
  const char *at;
  size_t left;
};

/* Skip blanks.  */
void perf_text_skip_blanks (struct perf_text *text);

/* Skip WORD if the text begins so.  False if not.  */
bool perf_text_skip (struct perf_text *text, const char *word);

/* Skip all up to WORD and WORD itself.  False, and nothing is skipped, if it is
   nowhere.  */
bool perf_text_find (struct perf_text *text, const char *word);

/* Take a hexadecimal number, with or without 0x; or a decimal one, which may
   have a sign.  False if there is none, or it is too large.  */
bool perf_text_hex (struct perf_text *text, uint64_t *value);
bool perf_text_decimal (struct perf_text *text, int64_t *value);

/* Give the event of LINE, which has "PERF_RECORD_", to HANDLER, if it is one of
   the above; else do nothing.  False if READER failed.  */
bool perf_text_handle (struct byte_reader *reader, const struct text_line *line,
		       const struct perf_handler *handler);

/* Fail because a handler wants no more: it has filled the error but for the
   path.  Return false.  */
bool perf_text_stop (struct byte_reader *reader);

#endif /* HEAPPROF_PERF_TEXT_H */

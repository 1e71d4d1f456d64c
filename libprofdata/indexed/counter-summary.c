/* The summary of an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-summary.h"
#include "indexed-format.h"
#include <inttypes.h>
#include <stdlib.h>

static uint64_t
greater (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* Add counter INDEX of a function.  */
static void
add_counter (struct counter_summary *summary, uint32_t index, uint64_t counter)
{
  uint64_t sum = summary->total + counter;
  summary->total = sum < counter ? UINT64_MAX : sum;
  summary->greatest = greater (summary->greatest, counter);
  uint64_t *kind
    = index == 0 ? &summary->greatest_first : &summary->greatest_inner;
  *kind = greater (*kind, counter);
}

static bool
is_summed_up (const struct counter_function *function, bool context_sensitive,
	      bool sparse)
{
  bool is_second = (function->hash & COUNTER_HASH_CONTEXT_SENSITIVE) != 0;
  return (is_second == context_sensitive && !function->shape.is_pseudo
	  && (!sparse || counter_function_has_counts (function)));
}

bool
counter_summary_make (struct counter_summary *summary,
		      const struct counter_profile *profile,
		      bool context_sensitive, bool sparse)
{
  uint32_t count = counter_profile_function_count (profile);
  *summary = (struct counter_summary){ 0 };
  size_t counters = 0;
  for (uint32_t i = 0; i < count; i++)
    counters += counter_profile_function (profile, i)->shape.counter_count;
  uint64_t *values = malloc ((counters + 1) * sizeof *values);
  if (!values)
    return false;
  size_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_function *function
	= counter_profile_function (profile, i);
      if (!is_summed_up (function, context_sensitive, sparse))
	continue;
      summary->function_count++;
      summary->counter_count += function->shape.counter_count;
      for (uint32_t k = 0; k < function->shape.counter_count; k++)
	{
	  add_counter (summary, k, function->counters[k]);
	  if (function->counters[k] != 0)
	    values[n++] = function->counters[k];
	}
    }
  /* Counters of 0 are reached only after all others.  */
  summary_cutoffs_find (summary->cutoffs, summary->total, values, n);
  free (values);
  return true;
}

void
counter_summary_write (struct byte_writer *writer,
		       const struct counter_summary *summary)
{
  byte_writer_u64 (writer, INDEXED_SUMMARY_FIELDS);
  byte_writer_u64 (writer, SUMMARY_CUTOFFS);
  byte_writer_u64 (writer, summary->function_count);
  byte_writer_u64 (writer, summary->counter_count);
  byte_writer_u64 (writer, summary->greatest_first);
  byte_writer_u64 (writer, summary->greatest);
  byte_writer_u64 (writer, summary->greatest_inner);
  byte_writer_u64 (writer, summary->total);
  for (int i = 0; i < SUMMARY_CUTOFFS; i++)
    {
      byte_writer_u64 (writer, summary->cutoffs[i].cutoff);
      byte_writer_u64 (writer, summary->cutoffs[i].least);
      byte_writer_u64 (writer, summary->cutoffs[i].count);
    }
}

bool
counter_summary_skip (struct byte_reader *reader)
{
  static const char what[] = "the summary";
  size_t start = reader->position;
  uint64_t fields = byte_reader_u64 (reader, what);
  uint64_t entries = byte_reader_u64 (reader, what);
  if (!reader->failed && fields != INDEXED_SUMMARY_FIELDS)
    return byte_reader_fail (reader, start,
			     "unsupported summary with %" PRIu64
			     " fields (expected %d)",
			     fields, INDEXED_SUMMARY_FIELDS);
  byte_reader_bytes (reader, 8 * INDEXED_SUMMARY_FIELDS, what);
  if (byte_reader_need (reader, entries, 24, what))
    byte_reader_bytes (reader, 24 * entries, what);
  return !reader->failed;
}

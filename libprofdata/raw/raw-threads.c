/* Raw profiles: threads, in both forms.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-unpack.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is live is a difference of numbers that other threads may have changed
   meanwhile: return 0 instead of a negative NUMBER.  */
static uint64_t
not_negative (uint64_t number)
{
  return number > INT64_MAX ? 0 : number;
}

/* ---- Mapped files.  */

static void
convert (struct raw_tables *tables, const struct heapprof_raw_thread *from)
{
  uint64_t live_count
    = from->alloc_count - from->free_count - from->other_count;
  uint64_t live_bytes
    = from->alloc_bytes - from->free_bytes - from->other_bytes;
  /* As for MIBs: raw_tables_peak.  */
  bool is_kept
    = !tables->is_peak_now && from->moment_number >= tables->header.peak_number;
  struct raw_thread *thread = &tables->threads[tables->thread_count++];
  *thread = (struct raw_thread){
    .tid = from->tid,
    .threads = from->threads,
    .start_ns = from->start_ns,
    .end_ns = from->end_ns,
    .alloc_count = from->alloc_count,
    .alloc_bytes = from->alloc_bytes,
    .live_count = not_negative (live_count),
    .live_bytes = not_negative (live_bytes),
    .peak_count = is_kept
		    ? not_negative ((uint64_t) (int32_t) from->moment_count)
		    : not_negative (live_count),
    .peak_bytes = not_negative (is_kept ? from->moment_bytes : live_bytes),
    .most_bytes = from->peak_bytes
  };
  if (thread->most_bytes < thread->live_bytes)
    thread->most_bytes = thread->live_bytes;
  memcpy (thread->name, from->name, sizeof from->name);
}

bool
raw_threads_convert (struct raw_tables *tables, struct byte_reader *reader)
{
  if (tables->is_packed)
    return true;
  uint64_t count = tables->mapped_thread_count;
  tables->threads = calloc (count + 1, sizeof *tables->threads);
  if (!tables->threads)
    return byte_reader_fail_memory (reader);
  for (uint64_t i = 0; i < count; i++)
    {
      const struct heapprof_raw_thread *from = &tables->mapped_threads[i];
      if (from->epoch == tables->header.epoch && from->threads > 0
	  && from->alloc_count > 0)
	convert (tables, from);
    }
  return true;
}

/* ---- Packed files.  */

/* Return a new, empty thread; NULL if READER fails.  */
static struct raw_thread *
add_thread (struct raw_tables *tables, struct byte_reader *reader)
{
  if (tables->thread_count == tables->thread_capacity)
    {
      uint64_t capacity = tables->thread_capacity * 2 + 8;
      struct raw_thread *threads
	= realloc (tables->threads, capacity * sizeof *threads);
      if (!threads)
	{
	  byte_reader_fail_memory (reader);
	  return NULL;
	}
      tables->threads = threads;
      tables->thread_capacity = capacity;
    }
  struct raw_thread *thread = &tables->threads[tables->thread_count++];
  *thread = (struct raw_thread){ 0 };
  return thread;
}

static void
read_name (struct raw_thread *thread, struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_uleb128 (reader, "a thread's name");
  if (n >= sizeof thread->name)
    byte_reader_fail (reader, start,
		      "thread: invalid name of %" PRIu64 " bytes", n);
  const char *name = byte_reader_bytes (reader, n, "a thread's name");
  if (name && !reader->failed)
    memcpy (thread->name, name, n);
}

/* Read a number that may be negative.  */
static uint64_t
read_balance (struct byte_reader *reader, const char *what)
{
  return not_negative (raw_unpack_signed (reader, 0, what));
}

bool
raw_unpack_threads (struct raw_tables *tables, struct byte_reader *reader)
{
  static const char what[] = "a thread";
  uint64_t start_ns = 0;
  for (;;)
    {
      uint32_t threads = byte_reader_uleb128_u32 (reader, what);
      if (threads == 0 || reader->failed)
	return !reader->failed;
      struct raw_thread *thread = add_thread (tables, reader);
      if (!thread)
	return false;
      thread->threads = threads;
      thread->tid = byte_reader_uleb128_u32 (reader, what);
      start_ns = raw_unpack_signed (reader, start_ns, what);
      thread->start_ns = start_ns;
      thread->end_ns = byte_reader_uleb128 (reader, what);
      thread->alloc_count = byte_reader_uleb128 (reader, what);
      thread->alloc_bytes = byte_reader_uleb128 (reader, what);
      thread->live_count = read_balance (reader, what);
      thread->live_bytes = read_balance (reader, what);
      thread->most_bytes = byte_reader_uleb128 (reader, what);
      thread->peak_count = read_balance (reader, what);
      thread->peak_bytes = read_balance (reader, what);
      read_name (thread, reader);
      if (reader->failed)
	return false;
    }
}

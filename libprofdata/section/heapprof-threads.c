/* The heapprof section: threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-threads.h"
#include "heap-threads.h"
#include <inttypes.h>
#include <string.h>

/* Least bytes of a thread in the file.  */
#define THREAD_BYTES 12

bool
heapprof_threads_are_there (const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  return heap_details_thread_count (details) > 0
	 || heap_details_other_threads (details);
}

static void
write_thread (struct byte_writer *writer, const struct heap_thread *thread)
{
  size_t n = strlen (thread->name);
  byte_writer_uleb128 (writer, thread->threads);
  byte_writer_uleb128 (writer, thread->tid);
  byte_writer_uleb128 (writer, thread->start_ns);
  byte_writer_uleb128 (writer, thread->end_ns);
  byte_writer_uleb128 (writer, thread->alloc_count);
  byte_writer_uleb128 (writer, thread->alloc_bytes);
  byte_writer_uleb128 (writer, thread->live_count);
  byte_writer_uleb128 (writer, thread->live_bytes);
  byte_writer_uleb128 (writer, thread->peak_count);
  byte_writer_uleb128 (writer, thread->peak_bytes);
  byte_writer_uleb128 (writer, thread->most_bytes);
  byte_writer_uleb128 (writer, n);
  byte_writer_bytes (writer, thread->name, n);
}

void
heapprof_threads_write (struct byte_writer *writer,
			const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  const struct heap_thread *others = heap_details_other_threads (details);
  uint32_t count = heap_details_thread_count (details);
  byte_writer_uleb128 (writer, (uint64_t) count + (others != NULL));
  for (uint32_t i = 0; i < count; i++)
    write_thread (writer, heap_details_thread_at (details, i));
  if (others)
    write_thread (writer, others);
}

static void
read_name (struct byte_reader *reader, struct heap_thread *thread)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_uleb128 (reader, "a thread's name");
  const char *name = byte_reader_bytes (reader, n, "a thread's name");
  if (!name)
    return;
  if (n >= sizeof thread->name || memchr (name, '\0', n))
    byte_reader_fail (reader, start,
		      "thread: invalid name of %" PRIu64 " bytes", n);
  else
    memcpy (thread->name, name, n);
}

void
heapprof_threads_read (struct byte_reader *reader, struct heap_profile *profile)
{
  static const char what[] = "a thread";
  struct heap_details *details = heap_profile_details (profile);
  uint64_t count = byte_reader_uleb128 (reader, "the threads");
  byte_reader_need (reader, count, THREAD_BYTES, "the threads");
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    {
      struct heap_thread thread
	= { .threads = byte_reader_uleb128 (reader, what) };
      thread.tid = byte_reader_uleb128 (reader, what);
      thread.start_ns = byte_reader_uleb128 (reader, what);
      thread.end_ns = byte_reader_uleb128 (reader, what);
      thread.alloc_count = byte_reader_uleb128 (reader, what);
      thread.alloc_bytes = byte_reader_uleb128 (reader, what);
      thread.live_count = byte_reader_uleb128 (reader, what);
      thread.live_bytes = byte_reader_uleb128 (reader, what);
      thread.peak_count = byte_reader_uleb128 (reader, what);
      thread.peak_bytes = byte_reader_uleb128 (reader, what);
      thread.most_bytes = byte_reader_uleb128 (reader, what);
      read_name (reader, &thread);
      if (!reader->failed && !heap_details_add_thread (details, &thread))
	byte_reader_fail_memory (reader);
    }
}

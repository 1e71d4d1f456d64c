/* Histograms: accesses to each 8 bytes of blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "histogram.h"
#include "abi-symbols.h"
#include "bytes.h"
#include "lock.h"
#include "log.h"
#include "pack-output.h"
#include "raw-file.h"
#include "shadow.h"
#include "sys.h"

#define WORD_BYTES 8

/* Addresses that differ only above these bits share counters.  The kernel
   places blocks within a smaller range, below the stack; programs and their
   data are elsewhere modulo this size, too.  */
#define ADDRESS_BITS 44
#define SHADOW_BYTES ((uint64_t) 1 << ADDRESS_BITS)
#define ADDRESS_MASK (SHADOW_BYTES - WORD_BYTES)

/* From this size on, counters are given back rather than cleared.  */
#define DISCARD_BYTES ((size_t) 16 * SYS_PAGE_BYTES)

#define FIRST_SLOTS 1024u

uintptr_t rt_histogram_base;

/* Target of counts before, or without, a mapping.  */
static uint64_t unread_counter;
uintptr_t __heapprof_histogram_base = (uintptr_t) &unread_counter;
uintptr_t __heapprof_histogram_mask = 0;

static struct rt_lock lock;

/* Record numbers plus 1, by context and first word: an open hash table.  */
static struct
{
  uint32_t *slots;
  uint32_t slot_count;
  uint32_t used;
} records;

void
rt_histogram_start (void)
{
  static bool said;
  if (rt_histogram_base != 0)
    return;
  void *const base = sys_map (SHADOW_BYTES);
  if (base == NULL)
    {
      rt_log_once (&said, "memory limit too low for histograms");
      return;
    }
  sys_mark_sparse (base, SHADOW_BYTES);
  rt_histogram_base = (uintptr_t) base;
  rt_shadow_discard_also = rt_histogram_clear;
  __heapprof_histogram_base = rt_histogram_base;
  __heapprof_histogram_mask = ADDRESS_MASK;
}

static uint64_t *
counter_of (uintptr_t address)
{
  return (uint64_t *) (rt_histogram_base + (address & ADDRESS_MASK));
}

void
__heapprof_access_range_histogram (const void *data, size_t size)
{
  __heapprof_access_range (data, size);
  const uintptr_t address = (uintptr_t) data;
  for (size_t at = 0; at < size; at += WORD_BYTES)
    ++*(uint64_t *) (__heapprof_histogram_base
		     + ((address + at) & __heapprof_histogram_mask));
}

/* ---- Records.  */

static struct heapprof_raw_histogram *
record_at (uint32_t number)
{
  return (struct heapprof_raw_histogram *) rt_tables[RT_HISTOGRAMS].records
	 + number;
}

/* Return the slot of CONTEXT and FIRST_WORD, a free one if there is none.  */

static uint32_t *
find_slot (uint32_t context, uint32_t first_word)
{
  uint32_t i = (context * 2654435761u + first_word * 40503u) >> 3;
  for (;; i++)
    {
      uint32_t *const slot = &records.slots[i & (records.slot_count - 1)];
      if (*slot == 0)
	return slot;
      const struct heapprof_raw_histogram *const record = record_at (*slot - 1);
      if (record->context == context && record->first_word == first_word)
	return slot;
    }
}

/* Make space for one more; return false if memory is exhausted.  */

static bool
enlarge (void)
{
  if (records.used < records.slot_count / 2)
    return true;
  uint32_t *const old = records.slots;
  const uint32_t old_count = records.slot_count;
  const uint32_t count = old_count == 0 ? FIRST_SLOTS : old_count * 2;
  uint32_t *const slots = sys_map (count * sizeof *slots);
  if (slots == NULL)
    return false;
  records.slots = slots;
  records.slot_count = count;
  for (uint32_t i = 0; i < old_count; i++)
    if (old[i] != 0)
      {
	const struct heapprof_raw_histogram *const record
	  = record_at (old[i] - 1);
	*find_slot (record->context, record->first_word) = old[i];
      }
  if (old != NULL)
    sys_unmap (old, old_count * sizeof *old);
  return true;
}

/* Return the record of CONTEXT and FIRST_WORD; NULL if there is no space.  */

static struct heapprof_raw_histogram *
find_record (uint32_t context, uint32_t first_word)
{
  if (!enlarge ())
    return NULL;
  uint32_t *const slot = find_slot (context, first_word);
  if (*slot != 0)
    return record_at (*slot - 1);
  rt_lock (&rt_raw_lock);
  struct heapprof_raw_histogram *const record = rt_raw_next (RT_HISTOGRAMS);
  if (record != NULL)
    {
      *slot = rt_tables[RT_HISTOGRAMS].count + 1;
      records.used++;
      record->context = context;
      record->first_word = first_word;
      rt_raw_commit (RT_HISTOGRAMS, 1);
    }
  rt_unlock (&rt_raw_lock);
  return record;
}

/* ---- Blocks.  */

/* Return the number of words of a block of SIZE bytes that have counts in
   histograms.  Blocks start at a word.  */

static uint32_t
words_of (size_t size)
{
  const size_t words = size / WORD_BYTES + (size % WORD_BYTES != 0);
  return words < HEAPPROF_RAW_HISTOGRAM_WORDS ? (uint32_t) words
					      : HEAPPROF_RAW_HISTOGRAM_WORDS;
}

/* Fill COUNTS from the counters at COUNTER, at most COUNT of them, and the rest
   with 0.  Return false if all are 0.  */

static bool
read_counts (const uint64_t *counter, uint32_t count,
	     uint64_t counts[HEAPPROF_RAW_HISTOGRAM_COUNTS])
{
  uint64_t any = 0;
  for (uint32_t i = 0; i < HEAPPROF_RAW_HISTOGRAM_COUNTS; i++)
    any |= counts[i] = i < count ? counter[i] : 0;
  return any != 0;
}

void
rt_histogram_fold (uint32_t context, const void *data, size_t size)
{
  const uint32_t words = words_of (size);
  const uint64_t *const counters = counter_of ((uintptr_t) data);
  uint64_t counts[HEAPPROF_RAW_HISTOGRAM_COUNTS];
  for (uint32_t i = 0; i < words; i += HEAPPROF_RAW_HISTOGRAM_COUNTS)
    {
      if (!read_counts (counters + i, words - i, counts))
	continue;
      rt_lock (&lock);
      struct heapprof_raw_histogram *const record = find_record (context, i);
      for (uint32_t j = 0; record != NULL && j < HEAPPROF_RAW_HISTOGRAM_COUNTS;
	   j++)
	record->counts[j] += counts[j];
      rt_unlock (&lock);
    }
}

void
rt_histogram_clear (const void *data, size_t size)
{
  const uintptr_t page = SYS_PAGE_BYTES;
  char *const start = (char *) counter_of ((uintptr_t) data);
  char *const end = start + (size + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
  if (size < DISCARD_BYTES)
    {
      for (uint64_t *counter = (uint64_t *) start; counter < (uint64_t *) end;
	   counter++)
	if (*counter != 0)
	  *counter = 0;
      return;
    }
  char *const pages = (char *) (((uintptr_t) start + page - 1) & -page);
  char *const pages_end = (char *) ((uintptr_t) end & -page);
  own_memset (start, 0, (size_t) (pages - start));
  sys_discard (pages, (size_t) (pages_end - pages));
  own_memset (pages_end, 0, (size_t) (end - pages_end));
}

void
rt_histogram_forget (void)
{
  rt_lock (&lock);
  for (uint32_t i = 0; i < rt_record_count (RT_HISTOGRAMS); i++)
    own_memset (record_at (i)->counts, 0, sizeof record_at (i)->counts);
  rt_unlock (&lock);
}

void
rt_histogram_reset (void)
{
  rt_reset_lock (&lock);
  if (records.slots != NULL)
    own_memset (records.slots, 0, records.slot_count * sizeof *records.slots);
  records.used = 0;
}

/* ---- The packed file: for each record n context + 1, n first word, n each
   count; n 0 after the last.  */

static void
pack_record (uint32_t context, uint32_t first_word,
	     const uint64_t counts[HEAPPROF_RAW_HISTOGRAM_COUNTS])
{
  uint8_t *next = rt_put (rt_pack_begin (), (uint64_t) context + 1);
  next = rt_put (next, first_word);
  for (unsigned i = 0; i < HEAPPROF_RAW_HISTOGRAM_COUNTS; i++)
    next = rt_put (next, counts[i]);
  rt_pack_end (next);
}

void
rt_histogram_pack (uint32_t contexts)
{
  rt_lock (&lock);
  for (uint32_t i = 0; i < rt_record_count (RT_HISTOGRAMS); i++)
    {
      const struct heapprof_raw_histogram *const record = record_at (i);
      if (record->context < contexts)
	pack_record (record->context, record->first_word, record->counts);
    }
  rt_unlock (&lock);
}

void
rt_histogram_pack_block (uint32_t context, const void *data, size_t size)
{
  const uint32_t words = words_of (size);
  const uint64_t *const counters = counter_of ((uintptr_t) data);
  uint64_t counts[HEAPPROF_RAW_HISTOGRAM_COUNTS];
  for (uint32_t i = 0; i < words; i += HEAPPROF_RAW_HISTOGRAM_COUNTS)
    if (read_counts (counters + i, words - i, counts))
      pack_record (context, i, counts);
}

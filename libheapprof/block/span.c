/* Spans: address space, page table and records.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "span.h"
#include "bytes.h"
#include "debug-log.h"
#include "invariant.h"
#include "own-maps.h"
#include "shadow.h"
#include "sys.h"

#define ENTRY_NONE 0u
#define ENTRY_APART UINT32_MAX
/* Otherwise the number of the span, its index + 1, and above it its class.  */
#define ENTRY_NUMBER (((uint32_t) 1 << RT_SPAN_CLASS_SHIFT) - 1)

#define RECORDS_PER_GROUP 1024u
#define GROUPS 4096u

/* Amount of address space to request at once.  */
#define CHUNK_BYTES ((size_t) 1 << 30)
#define CHUNK_BYTES_LIMITED ((size_t) 1 << 20)

/* A program with much memory loses time whenever the processor looks up the
   address of a page.  From HUGE_LEAST on, huge pages are used; less memory
   would have too many pages that it does not need.  Each step is a system call,
   and as long as the memory whose counters are a huge page: so counters follow
   one step later.  */
#define HUGE_LEAST ((size_t) 10 << 20)
#define HUGE_STEP ((size_t) 16 << 20)

struct rt_lock rt_span_lock;

uint32_t *rt_span_leaves[RT_SPAN_ROOT_ENTRIES];
static struct rt_span *groups[GROUPS];
static uint32_t span_count;
static uint32_t unused_spans; /* index + 1, 0 ends the list */
static char *chunk;
static char *chunk_end;
static char *huge_end;	   /* the chunk has huge pages up to here, if any */
static size_t taken_bytes; /* of all chunks, for spans of a page */
static size_t mapped_bytes;
static size_t most_bytes; /* the maximum so far */

/* Released mappings of large blocks are kept, as mapping and first touch cost
   more than many programs do with such a block.  The most recent one is kept
   unless it is larger than the C library's malloc would keep; older ones are
   kept while all are small compared with the program's memory.  */
#define KEPT_MAX 16u
#define KEPT_NEWEST_MAX ((size_t) 32 << 20)
#define KEPT_OTHERS_MAX ((size_t) 4 << 20)

struct mapping
{
  char *start;
  size_t bytes;
};
static struct mapping kept[KEPT_MAX];
static unsigned kept_count;
static size_t kept_bytes;

/* Return the page table's entry for ADDRESS; with CREATE, create it if missing.
   NULL if there is none.  */

static uint32_t *
page_entry (const void *address, bool create)
{
  const uintptr_t bits = (uintptr_t) address;
  if (bits >> MACHINE_ADDRESS_BITS != 0)
    return NULL;
  uint32_t **const root = &rt_span_leaves[bits >> RT_SPAN_LEAF_SHIFT];
  uint32_t *leaf = __atomic_load_n (root, __ATOMIC_ACQUIRE);
  if (leaf == NULL && create)
    {
      uint32_t *const fresh = sys_map (RT_SPAN_LEAF_ENTRIES * sizeof *fresh);
      if (fresh == NULL)
	return NULL;
      if (__atomic_compare_exchange_n (root, &leaf, fresh, false,
				       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
	leaf = fresh;
      else
	sys_unmap (fresh, RT_SPAN_LEAF_ENTRIES * sizeof *fresh);
    }
  return leaf == NULL
	   ? NULL
	   : &leaf[bits >> RT_SPAN_PAGE_SHIFT & (RT_SPAN_LEAF_ENTRIES - 1)];
}

static bool
set_page (const void *address, uint32_t value)
{
  uint32_t *const entry = page_entry (address, value != ENTRY_NONE);
  if (entry == NULL)
    return false;
  __atomic_store_n (entry, value, __ATOMIC_RELEASE);
  return true;
}

struct rt_span *
rt_span_at (uint32_t index)
{
  if (index >= __atomic_load_n (&span_count, __ATOMIC_ACQUIRE))
    return NULL;
  return &groups[index / RECORDS_PER_GROUP][index % RECORDS_PER_GROUP];
}

/* Take an unused record, and store its index + 1 in *NUMBER; the lock is
   held.  */

static struct rt_span *
take_record (uint32_t *number)
{
  if (unused_spans != 0)
    {
      *number = unused_spans;
      struct rt_span *const span = rt_span_at (unused_spans - 1);
      unused_spans = span->next_unused;
      return span;
    }
  const uint32_t group = span_count / RECORDS_PER_GROUP;
  if (group >= GROUPS)
    return NULL;
  if (groups[group] == NULL)
    groups[group] = sys_map (RECORDS_PER_GROUP * sizeof (struct rt_span));
  if (groups[group] == NULL)
    return NULL;
  *number = span_count + 1;
  __atomic_store_n (&span_count, span_count + 1, __ATOMIC_RELEASE);
  return rt_span_at (*number - 1);
}

static void
give_record (struct rt_span *span, uint32_t number)
{
  span->bytes = 0;
  __atomic_store_n (&span->handed_out, 0, __ATOMIC_RELEASE);
  span->next_unused = unused_spans;
  unused_spans = number;
}

/* The range that spans are kept together in, and larger mappings that are not:
   these are left to the kernel's judgement.  */
#define RANGE_BYTES ((size_t) (RT_SHADOW_BYTES / 16))
#define RANGE_BYTES_MIN ((size_t) 1 << 28)
#define APART_BYTES ((size_t) 4 << 30)

uintptr_t rt_span_lowest = UINTPTR_MAX;

static uintptr_t range_next; /* the first address that was not taken yet */
static uintptr_t range_end;

void
rt_span_keep_together (void)
{
  for (size_t bytes = RANGE_BYTES; bytes >= RANGE_BYTES_MIN; bytes /= 2)
    {
      const uintptr_t start = (uintptr_t) sys_reserve (bytes);
      if (start == 0)
	continue;
      range_next
	= (start + RT_SPAN_PAGE_BYTES - 1) & -(uintptr_t) RT_SPAN_PAGE_BYTES;
      range_end = start + bytes;
      rt_span_lowest = start;
      return;
    }
  rt_span_lowest = 0;
}

void
rt_span_range (uintptr_t *start, uintptr_t *end)
{
  *start = range_end != 0 ? rt_span_lowest : 0;
  *end = range_end;
}

/* Take BYTES bytes from the range, to be accessed unless IS_RESERVED.  NULL if
   it is used up.  */

static char *
take_from_range (size_t bytes, bool is_reserved)
{
  const size_t whole
    = (bytes + RT_SPAN_PAGE_BYTES - 1) & -(size_t) RT_SPAN_PAGE_BYTES;
  if (bytes > APART_BYTES)
    return NULL;
  uintptr_t start = __atomic_load_n (&range_next, __ATOMIC_RELAXED);
  do
    if (range_end - start < whole)
      return NULL;
  while (!__atomic_compare_exchange_n (&range_next, &start, start + whole, true,
				       __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return is_reserved || sys_map_over ((void *) start, bytes) ? (char *) start
							     : NULL;
}

/* Map or reserve BYTES bytes aligned to RT_SPAN_PAGE_BYTES.  */

static char *
map_aligned (size_t bytes, void *(*get) (size_t))
{
  if (bytes > SIZE_MAX / 2)
    return NULL;
  if (range_end != 0)
    {
      char *const taken = take_from_range (bytes, get == sys_reserve);
      if (taken != NULL)
	return taken;
      /* Now blocks may be anywhere.  */
      __atomic_store_n (&rt_span_lowest, 0, __ATOMIC_RELEASE);
    }
  char *const start = get (bytes + RT_SPAN_PAGE_BYTES);
  if (start == NULL)
    return NULL;
  const size_t head = -(uintptr_t) start & (RT_SPAN_PAGE_BYTES - 1);
  if (head != 0)
    sys_unmap (start, head);
  sys_unmap (start + head + bytes, RT_SPAN_PAGE_BYTES - head);
  return start + head;
}

/* Start a new chunk of at least BYTES bytes; the lock is held.  The rest of the
   old one, less than a span, is never used.  */

static bool
replace_chunk (size_t bytes)
{
  size_t size
    = sys_memory_limit () == UINT64_MAX ? CHUNK_BYTES : CHUNK_BYTES_LIMITED;
  if (size < bytes)
    size = bytes;
  char *fresh = map_aligned (size, sys_map);
  while (fresh == NULL && size > bytes)
    {
      size = size / 2 > bytes ? size / 2 : bytes;
      fresh = map_aligned (size, sys_map);
    }
  if (fresh == NULL)
    return false;
  chunk = fresh;
  chunk_end = fresh + size;
  huge_end = size >= HUGE_STEP ? chunk : chunk_end;
  own_map_add (fresh, size);
  rt_shadow_discard (fresh, size);
  return true;
}

/* Count BYTES more mapped bytes, modulo 2^64; the lock is held.  */

static void
add_mapped (size_t bytes)
{
  mapped_bytes += bytes;
  if (mapped_bytes > most_bytes)
    __atomic_store_n (&most_bytes, mapped_bytes, __ATOMIC_RELAXED);
}

/* Use huge pages for the chunk's memory from TAKEN, which was just taken, and
   for its counters, if the program uses much; the lock is held.  */

static void
use_huge_pages (const char *taken)
{
  if (taken_bytes < HUGE_LEAST || chunk <= huge_end)
    return;
  const uintptr_t start = (uintptr_t) (taken > huge_end ? taken : huge_end);
  const uintptr_t end
    = ((uintptr_t) chunk + HUGE_STEP) & -(uintptr_t) SYS_HUGE_PAGE_BYTES;
  huge_end = end < (uintptr_t) chunk_end ? (char *) end : chunk_end;
  sys_use_huge_pages ((char *) start, (uintptr_t) huge_end - start);
  if (taken_bytes >= HUGE_STEP)
    rt_shadow_use_huge_pages (start, (uintptr_t) huge_end);
}

/* Take BYTES bytes, a multiple of RT_SPAN_PAGE_BYTES, from the current chunk;
   the lock is held.  Spans of several pages are at the end of the chunk, where
   pages are small, as many of theirs may never be touched.  */

static char *
take_from_chunk (size_t bytes)
{
  if ((size_t) (chunk_end - chunk) < bytes && !replace_chunk (bytes))
    return NULL;
  add_mapped (bytes);
  if (bytes > RT_SPAN_PAGE_BYTES)
    return chunk_end -= bytes;
  char *const start = chunk;
  chunk += bytes;
  taken_bytes += bytes;
  use_huge_pages (start);
  return start;
}

/* Return the entry for the pages of span NUMBER with SLOTS.  */

static uint32_t
entry_of (const struct rt_slots *slots, uint32_t number)
{
  return number | (uint32_t) slots->size_class << RT_SPAN_CLASS_SHIFT;
}

struct rt_span *
rt_span_create (const struct rt_slots *slots, size_t bytes)
{
  uint32_t number = 0;
  rt_lock (&rt_span_lock);
  struct rt_span *const span = take_record (&number);
  char *const start = span == NULL ? NULL : take_from_chunk (bytes);
  bool entered = start != NULL
		 && RT_HOLDS ((uintptr_t) start % RT_SPAN_PAGE_BYTES == 0)
		 && RT_HOLDS (chunk <= chunk_end);
  for (size_t at = 0; entered && at < bytes; at += RT_SPAN_PAGE_BYTES)
    entered = set_page (start + at, entry_of (slots, number));
  if (entered)
    {
      span->start = start;
      span->bytes = bytes;
      span->slots = *slots;
    }
  else if (span != NULL)
    give_record (span, number);
  RT_DEBUG (2, "span %u: %u slots of %u bytes at 0x%x%s", (uint64_t) number,
	    (uint64_t) slots->count, (uint64_t) slots->bytes,
	    (uint64_t) (uintptr_t) start, entered ? "" : ": no memory");
  rt_unlock (&rt_span_lock);
  return entered ? span : NULL;
}

/* Remove the kept mapping at INDEX from the list; the lock is held.  */

static struct mapping
remove_kept (unsigned index)
{
  const struct mapping found = kept[index];
  own_memmove (&kept[index], &kept[index + 1],
	       (kept_count - index - 1) * sizeof kept[0]);
  kept_count--;
  kept_bytes -= found.bytes;
  return found;
}

/* True if FOUND has at least BYTES bytes, and not many more.  */

static bool
mapping_fits (struct mapping found, size_t bytes)
{
  return found.bytes >= bytes && found.bytes - bytes <= bytes / 4;
}

/* Move *FOUND to a place with BYTES free bytes; return false if nothing
   changed.  */

static bool
move_mapping (struct mapping *found, size_t bytes)
{
  char *const target = map_aligned (bytes, sys_reserve);
  if (target == NULL)
    return false;
  /* So that entering the new place cannot fail.  */
  if (page_entry (target, true) == NULL
      || !sys_move_map (found->start, found->bytes, bytes, target))
    {
      sys_unmap (target, bytes);
      return false;
    }
  *found = (struct mapping){ target, bytes };
  rt_shadow_discard (target, bytes);
  return true;
}

/* Resize *FOUND to BYTES bytes; return false if nothing changed.  */

static bool
resize_mapping (struct mapping *found, size_t bytes)
{
  const size_t old_bytes = found->bytes;
  if (bytes <= old_bytes)
    sys_unmap (found->start + bytes, old_bytes - bytes);
  else if (sys_resize_map (found->start, old_bytes, bytes))
    rt_shadow_discard (found->start + old_bytes, bytes - old_bytes);
  else
    return move_mapping (found, bytes);
  found->bytes = bytes;
  return true;
}

/* Return a kept mapping of at least *BYTES bytes, NULL if there is none; the
   lock is held.  One that fits is used as it is; otherwise the newest is
   resized, because its pages already exist.  */

static char *
take_kept (size_t *bytes)
{
  if (kept_count == 0)
    return NULL;
  unsigned index = kept_count;
  while (index > 0 && !mapping_fits (kept[index - 1], *bytes))
    index--;
  struct mapping found = remove_kept (index > 0 ? index - 1 : kept_count - 1);
  if (index > 0 || resize_mapping (&found, *bytes))
    {
      *bytes = found.bytes;
      return found.start;
    }
  sys_unmap (found.start, found.bytes);
  return NULL;
}

/* Keep a mapping that is no longer used, or unmap it; the lock is held.  */

static void
keep_or_unmap (char *start, size_t bytes)
{
  if (bytes > KEPT_NEWEST_MAX || sys_memory_limit () != UINT64_MAX)
    {
      sys_unmap (start, bytes);
      return;
    }
  const size_t others_max = KEPT_OTHERS_MAX + mapped_bytes / 8;
  while (kept_count == KEPT_MAX
	 || (kept_count > 0 && kept_bytes + bytes > others_max))
    {
      const struct mapping oldest = remove_kept (0);
      sys_unmap (oldest.start, oldest.bytes);
    }
  kept[kept_count++] = (struct mapping){ start, bytes };
  kept_bytes += bytes;
}

/* Record START as a used span of one slot; the lock is held.  */

static struct rt_span *
record_large (const struct rt_slots *slots, char *start, size_t bytes)
{
  uint32_t number;
  struct rt_span *const span = take_record (&number);
  if (span == NULL)
    return NULL;
  span->start = start;
  span->bytes = bytes;
  span->slots = *slots;
  span->slots.bytes = bytes;
  span->next_unused = number; /* its own number while in use */
  __atomic_store_n (&span->handed_out, 1, __ATOMIC_RELEASE);
  add_mapped (bytes);
  return span;
}

struct rt_span *
rt_span_create_large (const struct rt_slots *slots, size_t bytes, bool *zeroed)
{
  rt_lock (&rt_span_lock);
  char *start = take_kept (&bytes);
  *zeroed = start == NULL;
  if (start == NULL)
    start = map_aligned (bytes, sys_map_for_program);
  if (*zeroed && start != NULL)
    rt_shadow_discard (start, bytes);
  struct rt_span *const span
    = start == NULL ? NULL : record_large (slots, start, bytes);
  rt_unlock (&rt_span_lock);
  RT_DEBUG (2, "large span: %u bytes at 0x%x%s", (uint64_t) bytes,
	    (uint64_t) (uintptr_t) start, span != NULL ? "" : ": no memory");
  if (start != NULL && span == NULL)
    sys_unmap (start, bytes);
  return span;
}

bool
rt_span_enter_large (struct rt_span *span, const void *data)
{
  return set_page (data, entry_of (&span->slots, span->next_unused));
}

void
rt_span_destroy_large (struct rt_span *span, const void *data)
{
  char *const start = span->start;
  const size_t bytes = span->bytes;
  rt_lock (&rt_span_lock);
  set_page (data, ENTRY_NONE);
  give_record (span, span->next_unused);
  mapped_bytes -= bytes;
  /* Under the lock, so that no thread is reading the block's header.  */
  keep_or_unmap (start, bytes);
  rt_unlock (&rt_span_lock);
}

bool
rt_span_unmap_kept (void)
{
  rt_lock (&rt_span_lock);
  const bool has_some = kept_count > 0;
  while (kept_count > 0)
    {
      const struct mapping mapping = remove_kept (kept_count - 1);
      sys_unmap (mapping.start, mapping.bytes);
    }
  rt_unlock (&rt_span_lock);
  return has_some;
}

bool
rt_span_resize_large (struct rt_span *span, const void *data, size_t bytes)
{
  struct mapping mapping = { span->start, span->bytes };
  if (bytes == span->bytes)
    return true;
  rt_lock (&rt_span_lock);
  const bool done = resize_mapping (&mapping, bytes);
  if (done)
    {
      set_page (data, ENTRY_NONE);
      set_page (mapping.start + ((const char *) data - span->start),
		entry_of (&span->slots, span->next_unused));
      add_mapped (bytes - span->bytes);
      span->start = mapping.start;
      span->bytes = bytes;
      span->slots.bytes = bytes;
    }
  rt_unlock (&rt_span_lock);
  return done;
}

struct rt_span *
rt_span_find (const void *data, bool *apart)
{
  uint32_t *const entry = page_entry (data, false);
  const uint32_t value
    = entry == NULL ? ENTRY_NONE : __atomic_load_n (entry, __ATOMIC_ACQUIRE);
  *apart = value == ENTRY_APART;
  if (value == ENTRY_NONE || value == ENTRY_APART)
    return NULL;
  return rt_span_at ((value & ENTRY_NUMBER) - 1);
}

void *
rt_span_map_apart (size_t bytes)
{
  return map_aligned (bytes, sys_map_for_program);
}

bool
rt_span_enter_apart (const void *data)
{
  return set_page (data, ENTRY_APART);
}

void
rt_span_unmap_apart (void *start, size_t bytes, const void *data)
{
  set_page (data, ENTRY_NONE);
  sys_unmap (start, bytes);
}

uint32_t
rt_span_number (uintptr_t address)
{
  const uint32_t *const entry = page_entry ((const void *) address, false);
  const uint32_t value
    = entry == NULL ? ENTRY_NONE : __atomic_load_n (entry, __ATOMIC_ACQUIRE);
  return value == ENTRY_APART ? 0 : value & ENTRY_NUMBER;
}

void
rt_span_visit_large (void (*visit) (uintptr_t start, uintptr_t end, void *data),
		     void *data)
{
  const struct rt_span *span;
  for (uint32_t i = 0; (span = rt_span_at (i)) != NULL; i++)
    if (span->slots.count == 1 && span->bytes > 0)
      visit ((uintptr_t) span->start, (uintptr_t) span->start + span->bytes,
	     data);
  for (unsigned i = 0; i < kept_count; i++)
    visit ((uintptr_t) kept[i].start, (uintptr_t) kept[i].start + kept[i].bytes,
	   data);
}

size_t
rt_span_mapped_bytes (void)
{
  return __atomic_load_n (&mapped_bytes, __ATOMIC_RELAXED);
}

size_t
rt_span_most_bytes (void)
{
  return __atomic_load_n (&most_bytes, __ATOMIC_RELAXED);
}

#if HEAPPROF_CHECKING > 0

/* True if the page table leads to the span NUMBER from its slots' pages.  Large
   spans are entered at their blocks' data.  */

static bool
span_is_valid (const struct rt_span *span, uint32_t number)
{
  if (span->bytes == 0)
    return span->handed_out == 0;
  if ((uintptr_t) span->start % RT_SPAN_PAGE_BYTES != 0
      || span->handed_out > span->slots.count
      || span->slots.bytes > span->bytes / span->slots.count)
    return false;
  if (span->slots.count == 1)
    return true;
  for (size_t at = 0; at < span->bytes; at += RT_SPAN_PAGE_BYTES)
    {
      const uint32_t *const entry = page_entry (span->start + at, false);
      if (entry == NULL || *entry != entry_of (&span->slots, number))
	return false;
    }
  return true;
}

bool
rt_span_is_valid (void)
{
  bool is_valid = true;
  rt_lock (&rt_span_lock);
  for (uint32_t i = 0; i < span_count && is_valid; i++)
    is_valid = span_is_valid (rt_span_at (i), i + 1);
  uint32_t unused = 0;
  for (uint32_t number = unused_spans; number != 0 && is_valid;
       number = rt_span_at (number - 1)->next_unused)
    is_valid = number <= span_count && ++unused <= span_count;
  rt_unlock (&rt_span_lock);
  return is_valid;
}

#endif

/* The address space of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "area.h"
#include "bytes.h"
#include "guard.h"
#include "refuse.h"
#include "system.h"

/* Number of chunks made accessible at a time: 4 MiB, and whole pages of their
   records; and of tags that are whole pages.  */
#define STEP 64u
#define TAG_STEP 256u

/* Below this size of each half, pools are not worthwhile.  */
#define HALF_BYTES_LEAST ((size_t) 16 << 20)

/* Bins of free runs: of 1, 2 ... BINS - 1 chunks, and of all longer ones.  */
#define BINS 32u

_Static_assert(STEP * sizeof (struct hint_chunk) % 4096 == 0,
	       "the records of a step are whole pages");
_Static_assert(TAG_STEP * sizeof (struct hint_tag) % 4096 == 0
		 && (HALF_BYTES_LEAST >> HINT_CHUNK_SHIFT) % TAG_STEP == 0,
	       "the tags of a step are whole pages");

/* By kind: free chunks that may keep their pages, at least, and as a part of
   the chunks in use.  Pages that are returned too early cost a fault each;
   those that are kept add little to the peak, as new memory replaces them
   (take_new).  */
static const struct
{
  uint32_t least;
  uint32_t divisor;
} kept_most[HINT_KINDS] = { [HINT_COLD] = { 8, 8 }, [HINT_HOT] = { 32, 2 } };

/* A run with more such chunks is cleared by the system.  */
#define CLEARED_MOST 16u

/* Runs of as many chunks are moved without copying.  This divides the mapping,
   and a process may have just some 65,000.  */
#define MOVED_LEAST 16u

/* The chunks of a kind: from FIRST up to END.  Those from TOP on were never
   taken; see also hint_accessible.  */
struct area
{
  struct hint_guard guard;
  uint32_t first;
  uint32_t end;
  uint32_t top;
  uint32_t used; /* chunks in use */
  uint32_t kept; /* free ones that keep their pages */
  uint32_t bins[BINS];
};

__thread bool hint_guard_holds_all;

uintptr_t hint_range_start;
size_t hint_range_bytes;
struct hint_chunk *hint_chunks;
struct hint_tag *hint_tags;
static struct area areas[HINT_KINDS]
  = { { .guard = HINT_GUARD_INIT }, { .guard = HINT_GUARD_INIT } };
uint32_t hint_half_chunks;
uint32_t hint_accessible[HINT_KINDS];

/* Return the maximum size of a half.  Under an address space limit both
   together take an eighth of it, leaving the rest to the program.  */

static size_t
half_bytes_most (void)
{
  const size_t most = (size_t) 1 << (HINT_RANGE_SHIFT - 1);
  const uint64_t limit = hint_address_limit ();
  size_t half = most;
  while (half > limit / 16)
    half /= 2;
  return half;
}

static char *
reserve (size_t bytes)
{
  return hint_map (bytes, PROT_NONE, MAP_NORESERVE);
}

/* Return the size of the records of two halves of HALF bytes.  The tags follow
   them.  */

static size_t
records_bytes (size_t half)
{
  return 2 * (half >> HINT_CHUNK_SHIFT) * sizeof (struct hint_chunk);
}

/* Reserve two halves of HALF bytes, aligned to a chunk, and space for their
   records and tags.  */

static char *
reserve_range (size_t half)
{
  const size_t records = records_bytes (half);
  const size_t tags = 2 * (half >> HINT_CHUNK_SHIFT) * sizeof (struct hint_tag);
  const size_t bytes = 2 * half + records + tags;
  char *const start = reserve (bytes + HINT_CHUNK_BYTES);
  if (start == NULL)
    return NULL;
  const size_t head = -(uintptr_t) start & (HINT_CHUNK_BYTES - 1);
  if (head != 0)
    hint_unmap (start, head);
  hint_unmap (start + head + bytes, HINT_CHUNK_BYTES - head);
  /* A release looks at the tag of any pointer in the range.  */
  if (!hint_protect (start + head + 2 * half + records, tags, PROT_READ))
    {
      hint_unmap (start + head, bytes);
      return NULL;
    }
  return start + head;
}

static void
start_area (struct area *area, uint32_t first)
{
  area->first = area->top = first;
  hint_accessible[area - areas] = first;
  area->end = first + hint_half_chunks;
  for (unsigned i = 0; i < BINS; i++)
    area->bins[i] = HINT_NO_CHUNK;
}

bool
hint_area_start (bool wanted)
{
  char *range = NULL;
  size_t half = half_bytes_most ();
  for (; wanted && range == NULL && half >= HALF_BYTES_LEAST; half /= 2)
    if ((range = reserve_range (half)) != NULL)
      break;
  if (range == NULL)
    return false;
  hint_half_chunks = (uint32_t) (half >> HINT_CHUNK_SHIFT);
  hint_chunks = (struct hint_chunk *) (void *) (range + 2 * half);
  hint_tags
    = (struct hint_tag *) (void *) (range + 2 * half + records_bytes (half));
  start_area (&areas[HINT_COLD], 0);
  start_area (&areas[HINT_HOT], hint_half_chunks);
  /* So that cold pages can be swapped out individually.  */
  hint_advise (range, half, MADV_NOHUGEPAGE);
  __atomic_store_n (&hint_range_start, (uintptr_t) range, __ATOMIC_RELAXED);
  __atomic_store_n (&hint_range_bytes, 2 * half, __ATOMIC_RELEASE);
  return true;
}

static unsigned
bin_of (uint32_t chunks)
{
  return chunks < BINS ? chunks - 1 : BINS - 1;
}

/* Put the run of CHUNKS chunks from FIRST, KEPT of which keep their pages, in
   its bin.  The caller holds the guard, here and below.  */

static void
add_free (struct area *area, uint32_t first, uint32_t chunks, uint32_t kept)
{
  uint32_t *const bin = &area->bins[bin_of (chunks)];
  struct hint_chunk *const head = &hint_chunks[first];
  struct hint_chunk *const tail = &hint_chunks[first + chunks - 1];
  tail->state = head->state = HINT_CHUNK_FREE;
  tail->run_chunks = head->run_chunks = chunks;
  tail->first = head->first = first;
  head->kept = kept;
  area->kept += kept;
  head->previous = HINT_NO_CHUNK;
  head->next = *bin;
  if (*bin != HINT_NO_CHUNK)
    hint_chunks[*bin].previous = first;
  *bin = first;
}

static void
remove_free (struct area *area, uint32_t first)
{
  struct hint_chunk *const head = &hint_chunks[first];
  area->kept -= head->kept;
  if (head->previous == HINT_NO_CHUNK)
    area->bins[bin_of (head->run_chunks)] = head->next;
  else
    hint_chunks[head->previous].next = head->next;
  if (head->next != HINT_NO_CHUNK)
    hint_chunks[head->next].previous = head->previous;
  hint_chunks[first + head->run_chunks - 1].state = HINT_CHUNK_UNKNOWN;
  head->state = HINT_CHUNK_UNKNOWN;
}

/* Return a free run of at least CHUNKS chunks.  */

static uint32_t
find_free (const struct area *area, uint32_t chunks)
{
  for (unsigned i = bin_of (chunks); i < BINS; i++)
    for (uint32_t at = area->bins[i]; at != HINT_NO_CHUNK;
	 at = hint_chunks[at].next)
      if (hint_chunks[at].run_chunks >= chunks)
	return at;
  return HINT_NO_CHUNK;
}

static bool
make_accessible (char *start, size_t bytes)
{
  return hint_protect (start, bytes, PROT_READ | PROT_WRITE);
}

/* Return the pages of the run of CHUNKS chunks from FIRST to the system; its
   bytes are then 0.  */

static void
return_pages (uint32_t first, uint32_t chunks)
{
  char *const start = hint_chunk_start (first);
  const size_t bytes = (size_t) chunks << HINT_CHUNK_SHIFT;
  /* This fails for locked pages.  */
  if (!hint_advise (start, bytes, MADV_DONTNEED))
    own_memset (start, 0, bytes);
}

/* Return pages of AREA's free runs to the system, beginning with the longest
   runs, until no more than MOST chunks keep theirs.  */

static void
return_kept (struct area *area, uint32_t most)
{
  for (unsigned i = BINS; i-- > 0;)
    for (uint32_t at = area->bins[i]; at != HINT_NO_CHUNK;
	 at = hint_chunks[at].next)
      {
	struct hint_chunk *const run = &hint_chunks[at];
	if (run->kept == 0)
	  continue;
	return_pages (at, run->run_chunks);
	for (uint32_t j = 0; j < run->run_chunks; j++)
	  run[j].keeps_pages = false;
	area->kept -= run->kept;
	run->kept = 0;
	if (area->kept <= most)
	  return;
      }
}

/* Take CHUNKS chunks that were never used.  Free runs, which are too short,
   return as many pages: they would add to the peak.  */

static uint32_t
take_new (struct area *area, uint32_t chunks)
{
  if (area->end - area->top < chunks)
    return HINT_NO_CHUNK;
  const uint32_t end = area->top + chunks;
  uint32_t *const accessible = &hint_accessible[area - areas];
  if (end > *accessible)
    {
      const uint32_t from = *accessible;
      const uint32_t steps = (end - from + STEP - 1) / STEP;
      const uint32_t to = from + steps * STEP;
      const uint32_t first_tag = from & -TAG_STEP;
      const uint32_t end_tag = (to + TAG_STEP - 1) & -TAG_STEP;
      if (!make_accessible (hint_chunk_start (from), (size_t) (to - from)
						       << HINT_CHUNK_SHIFT)
	  || !make_accessible ((char *) &hint_chunks[from],
			       (to - from) * sizeof (struct hint_chunk))
	  || !make_accessible ((char *) &hint_tags[first_tag],
			       (end_tag - first_tag)
				 * sizeof (struct hint_tag)))
	return HINT_NO_CHUNK;
      __atomic_store_n (accessible, to, __ATOMIC_RELEASE);
    }
  if (area->kept > 0)
    return_kept (area, area->kept > chunks ? area->kept - chunks : 0);
  const uint32_t first = area->top;
  __atomic_store_n (&area->top, end, __ATOMIC_RELAXED);
  return first;
}

uint32_t
hint_area_chunks (enum hint_kind kind)
{
  return __atomic_load_n (&areas[kind].top, __ATOMIC_RELAXED)
	 - areas[kind].first;
}

/* Free the chunks from FIRST up to END, KEPT of which keep their pages, merging
   them with free neighbours.  */

static void
give_chunks (struct area *area, uint32_t first, uint32_t end, uint32_t kept)
{
  if (first > area->first && hint_chunks[first - 1].state == HINT_CHUNK_FREE)
    {
      first = hint_chunks[first - 1].first;
      kept += hint_chunks[first].kept;
      remove_free (area, first);
    }
  if (end < area->top && hint_chunks[end].state == HINT_CHUNK_FREE)
    {
      const uint32_t joined = end;
      end += hint_chunks[joined].run_chunks;
      kept += hint_chunks[joined].kept;
      remove_free (area, joined);
    }
  add_free (area, first, end - first, kept);
}

static uint32_t
kept_between (uint32_t first, uint32_t end)
{
  uint32_t kept = 0;
  for (uint32_t i = first; i < end; i++)
    kept += hint_chunks[i].keeps_pages;
  return kept;
}

/* Take the chunks from FIRST up to END of the free run from GOT.  */

static void
take_part (struct area *area, uint32_t got, uint32_t first, uint32_t end)
{
  const uint32_t got_end = got + hint_chunks[got].run_chunks;
  const uint32_t before = kept_between (got, first);
  const uint32_t behind
    = hint_chunks[got].kept - before - kept_between (first, end);
  remove_free (area, got);
  if (first > got)
    give_chunks (area, got, first, before);
  if (got_end > end)
    give_chunks (area, end, got_end, behind);
  area->used += end - first;
}

#if HEAPPROF_CHECKING > 0

/* True if the free run from FIRST, whose record is consistent, is in the list
   that it belongs to.  */

static bool
is_listed (const struct area *area, uint32_t first)
{
  const struct hint_chunk *const head = &hint_chunks[first];
  const uint32_t before = head->previous == HINT_NO_CHUNK
			    ? area->bins[bin_of (head->run_chunks)]
			    : hint_chunks[head->previous].next;
  return before == first
	 && (head->next == HINT_NO_CHUNK
	     || hint_chunks[head->next].previous == first);
}

static bool
free_run_is_valid (const struct area *area, uint32_t first)
{
  const struct hint_chunk *const head = &hint_chunks[first];
  const struct hint_chunk *const tail = head + head->run_chunks - 1;
  return tail->state == HINT_CHUNK_FREE && tail->first == first
	 && head->first == first && tail->run_chunks == head->run_chunks
	 && head->kept == kept_between (first, first + head->run_chunks)
	 && is_listed (area, first);
}

/* Return the number of runs in the lists of AREA, at most MOST + 1.  */

static uint32_t
count_listed (const struct area *area, uint32_t most)
{
  uint32_t count = 0;
  for (unsigned i = 0; i < BINS; i++)
    for (uint32_t at = area->bins[i]; at != HINT_NO_CHUNK && count <= most;
	 at = hint_chunks[at].next)
      count++;
  return count;
}

/* The caller holds the guard.  */

static bool
area_is_valid (const struct area *area)
{
  uint32_t used = 0, kept = 0, free_runs = 0;
  bool was_free = false;
  if (area->top < area->first || area->top > hint_accessible[area - areas]
      || hint_accessible[area - areas] > area->end)
    return false;
  for (uint32_t at = area->first; at < area->top;)
    {
      const struct hint_chunk *const run = &hint_chunks[at];
      const bool is_free = run->state == HINT_CHUNK_FREE;
      if (run->state == HINT_CHUNK_UNKNOWN || run->run_chunks == 0
	  || run->run_chunks > area->top - at || (is_free && was_free)
	  || (is_free && !free_run_is_valid (area, at)))
	return false;
      used += is_free ? 0 : run->run_chunks;
      kept += is_free ? run->kept : 0;
      free_runs += is_free;
      was_free = is_free;
      at += run->run_chunks;
    }
  return used == area->used && kept == area->kept
	 && count_listed (area, free_runs) == free_runs;
}

bool
hint_area_is_valid (void)
{
  bool is_valid = true;
  for (unsigned kind = 0; kind < HINT_KINDS && is_valid; kind++)
    {
      hint_guard_lock (&areas[kind].guard);
      is_valid = area_is_valid (&areas[kind]);
      hint_guard_unlock (&areas[kind].guard);
    }
  return is_valid;
}

#endif

uint32_t
hint_run_take (enum hint_kind kind, size_t chunks, size_t alignment,
	       enum hint_chunk_state state)
{
  struct area *const area = &areas[kind];
  size_t wanted;
  if (__builtin_add_overflow (chunks, alignment - 1, &wanted)
      || wanted > hint_half_chunks)
    return HINT_NO_CHUNK;
  hint_guard_lock (&area->guard);
  uint32_t got = find_free (area, (uint32_t) wanted);
  if (got == HINT_NO_CHUNK)
    {
      got = take_new (area, (uint32_t) wanted);
      if (got != HINT_NO_CHUNK)
	add_free (area, got, (uint32_t) wanted, 0);
    }
  if (got != HINT_NO_CHUNK)
    {
      const uintptr_t number
	= (uintptr_t) hint_chunk_start (got) >> HINT_CHUNK_SHIFT;
      const uint32_t first = got + (uint32_t) (-number & (alignment - 1));
      take_part (area, got, first, first + (uint32_t) chunks);
      got = first;
      hint_chunks[got].run_chunks = (uint32_t) chunks;
      hint_chunks[got].state = state;
      for (uint32_t i = 1; state == HINT_CHUNK_SLOTS && i < chunks; i++)
	hint_chunks[got + i].state = state;
    }
  HINT_CHECK_FULL (area_is_valid (area));
  hint_guard_unlock (&area->guard);
  return got;
}

void
hint_run_clear (uint32_t first, uint32_t chunks)
{
  const uint32_t kept = kept_between (first, first + chunks);
  if (kept > CLEARED_MOST)
    return_pages (first, chunks);
  else
    for (uint32_t i = 0; kept > 0 && i < chunks; i++)
      if (hint_chunks[first + i].keeps_pages)
	own_memset (hint_chunk_start (first + i), 0, HINT_CHUNK_BYTES);
}

/* Free the CHUNKS chunks from FIRST, which are or were the end of a run.  */

static void
give_used (struct area *area, uint32_t first, uint32_t chunks)
{
  for (uint32_t i = 0; i < chunks; i++)
    {
      hint_chunks[first + i].state = HINT_CHUNK_UNKNOWN;
      hint_chunks[first + i].keeps_pages = true;
    }
  area->used -= chunks;
  give_chunks (area, first, first + chunks, chunks);
  const enum hint_kind kind = hint_chunk_kind (first);
  const uint32_t most
    = area->used / kept_most[kind].divisor + kept_most[kind].least;
  if (area->kept > most)
    return_kept (area, most / 2);
  HINT_CHECK_FULL (area_is_valid (area));
}

void
hint_run_give (uint32_t first, uint32_t chunks)
{
  struct area *const area = &areas[hint_chunk_kind (first)];
  hint_guard_lock (&area->guard);
  give_used (area, first, chunks);
  hint_guard_unlock (&area->guard);
}

void
hint_run_shorten (uint32_t first, uint32_t chunks)
{
  struct area *const area = &areas[hint_chunk_kind (first)];
  hint_guard_lock (&area->guard);
  const uint32_t rest = hint_chunks[first].run_chunks - chunks;
  hint_chunks[first].run_chunks = chunks;
  if (rest > 0)
    give_used (area, first + chunks, rest);
  hint_guard_unlock (&area->guard);
}

/* Take the MORE chunks at END, where a run in use ends; return false if they
   are not free.  */

static bool
take_behind (struct area *area, uint32_t end, uint32_t more)
{
  const struct hint_chunk *const behind = &hint_chunks[end];
  if (end == area->top)
    {
      if (take_new (area, more) == HINT_NO_CHUNK)
	return false;
      area->used += more;
      return true;
    }
  if (behind->state != HINT_CHUNK_FREE || behind->run_chunks < more)
    return false;
  take_part (area, end, end, end + more);
  return true;
}

bool
hint_run_extend (uint32_t first, uint32_t chunks)
{
  struct area *const area = &areas[hint_chunk_kind (first)];
  struct hint_chunk *const run = &hint_chunks[first];
  hint_guard_lock (&area->guard);
  const uint32_t end = first + run->run_chunks;
  const bool taken = take_behind (area, end, first + chunks - end);
  if (taken)
    run->run_chunks = chunks;
  HINT_CHECK_FULL (area_is_valid (area));
  hint_guard_unlock (&area->guard);
  return taken;
}

bool
hint_run_move (uint32_t from, uint32_t to, uint32_t chunks)
{
  return chunks >= MOVED_LEAST
	 && hint_move_pages (hint_chunk_start (from), hint_chunk_start (to),
			     (size_t) chunks << HINT_CHUNK_SHIFT);
}

void
hint_area_lock (void)
{
  for (unsigned kind = 0; kind < HINT_KINDS; kind++)
    hint_guard_lock (&areas[kind].guard);
}

void
hint_area_unlock (void)
{
  for (unsigned kind = HINT_KINDS; kind-- > 0;)
    hint_guard_unlock (&areas[kind].guard);
}

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

/* What a huge page usually has.  A program that uses less than HUGE_LEAST bytes
   of hot memory has none, as it would not need much of the last one.  */
#define HUGE_BYTES ((size_t) 2 << 20)
#define HUGE_LEAST ((size_t) 8 << 20)

/* Below this size of each half, pools are not worthwhile.  */
#define HALF_BYTES_LEAST ((size_t) 16 << 20)

/* Bins of free runs: of 1, 2 ... BINS - 1 chunks, and of all longer ones.  */
#define BINS 32u

_Static_assert(HALF_BYTES_LEAST % HUGE_BYTES == 0,
	       "both halves are aligned to huge pages");
_Static_assert(STEP * sizeof (struct hint_chunk) % 4096 == 0,
	       "the records of a step are whole pages");
_Static_assert(TAG_STEP * sizeof (struct hint_tag) % 4096 == 0
		 && (HALF_BYTES_LEAST >> HINT_CHUNK_SHIFT) % TAG_STEP == 0,
	       "the tags of a step are whole pages");

/* Free chunks of a kind that may keep their pages, besides as many as are in
   use.  Pages that are returned too early cost a fault each; those that are
   kept do not add to the peak (limit_to_peak).  */
#define KEPT_LEAST 128u

/* Below this number of chunks in use, 3 MiB, looking for slots that threads do
   not need costs more than they are worth.  */
#define SMALL_CHUNKS 48u

/* A run with more such chunks is cleared by the system.  */
#define CLEARED_MOST 16u

/* Runs of as many chunks are moved without copying.  This divides the mapping,
   and a process may have just some 65,000.  */
#define MOVED_LEAST 16u

/* The chunks of an area: from FIRST up to END.  Those from TOP on were never
   taken; see also hint_accessible.  */
struct area
{
  uint32_t first;
  uint32_t end;
  uint32_t top;
  uint32_t used;	  /* chunks in use */
  uint32_t kept;	  /* free ones that keep their pages */
  uint32_t bins[2][BINS]; /* the second ones of runs that keep pages */
};

__thread bool hint_guard_holds_all;

uintptr_t hint_range_start;
size_t hint_range_bytes;
struct hint_chunk *hint_chunks;
struct hint_tag *hint_tags;
static struct hint_guard guard = HINT_GUARD_INIT; /* of all areas */
static struct area areas[HINT_AREAS];
static uint32_t most_used; /* chunks of all areas together, ever */
uint32_t hint_half_chunks;
uint32_t hint_huge_first;
uint32_t hint_accessible[HINT_AREAS];

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

/* Reserve two halves of HALF bytes, aligned to a huge page, and space for their
   records and tags.  */

static char *
reserve_range (size_t half)
{
  const size_t records = records_bytes (half);
  const size_t tags = 2 * (half >> HINT_CHUNK_SHIFT) * sizeof (struct hint_tag);
  const size_t bytes = 2 * half + records + tags;
  char *const start = reserve (bytes + HUGE_BYTES);
  if (start == NULL)
    return NULL;
  const size_t head = -(uintptr_t) start & (HUGE_BYTES - 1);
  if (head != 0)
    hint_unmap (start, head);
  hint_unmap (start + head + bytes, HUGE_BYTES - head);
  /* A release looks at the tag of any pointer in the range.  */
  if (!hint_protect (start + head + 2 * half + records, tags, PROT_READ))
    {
      hint_unmap (start + head, bytes);
      return NULL;
    }
  return start + head;
}

static void
start_area (struct area *area, uint32_t first, uint32_t end)
{
  area->first = area->top = first;
  hint_accessible[area - areas] = first;
  area->end = end;
  for (unsigned i = 0; i < BINS; i++)
    area->bins[0][i] = area->bins[1][i] = HINT_NO_CHUNK;
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
  const size_t small = half / 8 > HUGE_LEAST ? half / 8 : HUGE_LEAST;
  hint_huge_first = hint_half_chunks + (uint32_t) (small >> HINT_CHUNK_SHIFT);
  start_area (&areas[HINT_AREA_COLD], 0, hint_half_chunks);
  start_area (&areas[HINT_AREA_HOT], hint_half_chunks, hint_huge_first);
  start_area (&areas[HINT_AREA_HUGE], hint_huge_first, 2 * hint_half_chunks);
  /* So that cold pages can be swapped out individually.  */
  hint_advise (range, half, MADV_NOHUGEPAGE);
  hint_advise (range + half + small, half - small, MADV_HUGEPAGE);
  __atomic_store_n (&hint_range_start, (uintptr_t) range, __ATOMIC_RELAXED);
  __atomic_store_n (&hint_range_bytes, 2 * half, __ATOMIC_RELEASE);
  return true;
}

static unsigned
bin_of (uint32_t chunks)
{
  return chunks < BINS ? chunks - 1 : BINS - 1;
}

/* Return the bin of the free run of AREA that RECORD describes.  */

static inline uint32_t *
bin_for (struct area *area, const struct hint_chunk *record)
{
  return &area->bins[record->kept > 0][bin_of (record->run_chunks)];
}

/* Free chunks from FIRST up to END.  KEPT of them keep their pages, all from
   KEPT_FIRST up to KEPT_END.  */
struct free_run
{
  uint32_t first;
  uint32_t end;
  uint32_t kept;
  uint32_t kept_first;
  uint32_t kept_end;
};

/* Make the free run RUN and put it in its bin.  The caller holds the guard,
   here and below.  */

static void
add_free (struct area *area, const struct free_run *run)
{
  struct hint_chunk *const head = &hint_chunks[run->first];
  struct hint_chunk *const tail = &hint_chunks[run->end - 1];
  tail->state = head->state = HINT_CHUNK_FREE;
  tail->run_chunks = head->run_chunks = run->end - run->first;
  tail->first = head->first = run->first;
  head->kept = run->kept;
  head->kept_first = run->kept_first;
  head->kept_end = run->kept_end;
  area->kept += run->kept;
  uint32_t *const bin = bin_for (area, head);
  head->previous = HINT_NO_CHUNK;
  head->next = *bin;
  if (*bin != HINT_NO_CHUNK)
    hint_chunks[*bin].previous = run->first;
  *bin = run->first;
}

/* Take the free run from FIRST out of its bin.  */

static struct free_run
remove_free (struct area *area, uint32_t first)
{
  struct hint_chunk *const head = &hint_chunks[first];
  area->kept -= head->kept;
  if (head->previous == HINT_NO_CHUNK)
    *bin_for (area, head) = head->next;
  else
    hint_chunks[head->previous].next = head->next;
  if (head->next != HINT_NO_CHUNK)
    hint_chunks[head->next].previous = head->previous;
  hint_chunks[first + head->run_chunks - 1].state = HINT_CHUNK_UNKNOWN;
  head->state = HINT_CHUNK_UNKNOWN;
  return (struct free_run){ .first = first,
			    .end = first + head->run_chunks,
			    .kept = head->kept,
			    .kept_first = head->kept_first,
			    .kept_end = head->kept_end };
}

/* Return a free run of at least CHUNKS chunks of AREA, one that keeps pages if
   KEEPS is 1, and none if it is 0.  */

static uint32_t
find_free (const struct area *area, uint32_t chunks, unsigned keeps)
{
  for (unsigned i = bin_of (chunks); i < BINS; i++)
    for (uint32_t at = area->bins[keeps][i]; at != HINT_NO_CHUNK;
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

/* Return the pages of the last chunks of the free run from FIRST of AREA, at
   most of MOST of those that keep theirs.  Return the number of these.  */

static uint32_t
return_last (struct area *area, uint32_t first, uint32_t most)
{
  struct free_run run = remove_free (area, first);
  const uint32_t least = run.kept > most ? run.kept - most : 0;
  const uint32_t returned = run.kept - least;
  const uint32_t end = run.kept_end;
  for (; run.kept > least; run.kept_end--)
    {
      run.kept -= hint_chunks[run.kept_end - 1].keeps_pages;
      hint_chunks[run.kept_end - 1].keeps_pages = false;
    }
  return_pages (run.kept_end, end - run.kept_end);
  add_free (area, &run);
  return returned;
}

/* Return the pages of COUNT of AREA's free chunks to the system, or of all that
   keep theirs, beginning with the longest runs.  Return their number.  */

static uint32_t
return_kept (struct area *area, uint32_t count)
{
  uint32_t returned = 0;
  for (unsigned i = BINS; i-- > 0;)
    while (returned < count && area->bins[1][i] != HINT_NO_CHUNK)
      returned += return_last (area, area->bins[1][i], count - returned);
  return returned;
}

/* Return pages so that the chunks that have some, of all areas, are not more
   than ever were in use: without this, each area would keep its own peak.  */

static void
limit_to_peak (void)
{
  uint32_t kept = 0, used = 0;
  for (unsigned i = 0; i < HINT_AREAS; i++)
    {
      kept += areas[i].kept;
      used += areas[i].used;
    }
  if (used > most_used)
    most_used = used;
  for (unsigned i = 0; i < HINT_AREAS && used + kept > most_used; i++)
    kept -= return_kept (&areas[i], used + kept - most_used);
}

bool
hint_area_is_at_peak (void)
{
  uint32_t used = 0;
  for (unsigned i = 0; i < HINT_AREAS; i++)
    used += __atomic_load_n (&areas[i].used, __ATOMIC_RELAXED);
  return used >= SMALL_CHUNKS
	 && used >= __atomic_load_n (&most_used, __ATOMIC_RELAXED);
}

/* Take CHUNKS chunks that were never used.  */

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
  const uint32_t first = area->top;
  __atomic_store_n (&area->top, end, __ATOMIC_RELAXED);
  return first;
}

/* Join the free run from FIRST, which is a neighbour, to RUN.  */

static void
join (struct area *area, struct free_run *run, uint32_t first)
{
  const struct free_run other = remove_free (area, first);
  if (other.first < run->first)
    run->first = other.first;
  else
    run->end = other.end;
  if (run->kept == 0 || (other.kept > 0 && other.kept_first < run->kept_first))
    run->kept_first = other.kept_first;
  if (run->kept == 0 || (other.kept > 0 && other.kept_end > run->kept_end))
    run->kept_end = other.kept_end;
  run->kept += other.kept;
}

/* Free the chunks of RUN, merging them with free neighbours.  */

static void
give_chunks (struct area *area, struct free_run run)
{
  const struct hint_chunk *const before = &hint_chunks[run.first] - 1;
  if (run.first > area->first && before->state == HINT_CHUNK_FREE)
    join (area, &run, before->first);
  if (run.end < area->top && hint_chunks[run.end].state == HINT_CHUNK_FREE)
    join (area, &run, run.end);
  add_free (area, &run);
}

static uint32_t
kept_between (uint32_t first, uint32_t end)
{
  uint32_t kept = 0;
  for (uint32_t i = first; i < end; i++)
    kept += hint_chunks[i].keeps_pages;
  return kept;
}

/* Return the chunk of the free run from GOT where its chunks with pages begin,
   if CHUNKS follow; or GOT.  */

static uint32_t
first_kept (uint32_t got, uint32_t chunks)
{
  const struct hint_chunk *const run = &hint_chunks[got];
  uint32_t first = run->kept_first;
  if (run->kept == 0)
    return got;
  while (!hint_chunks[first].keeps_pages)
    first++;
  return got + run->run_chunks - first >= chunks ? first : got;
}

/* Take the chunks from FIRST up to END of the free run from GOT.  */

static void
take_part (struct area *area, uint32_t got, uint32_t first, uint32_t end)
{
  struct free_run before = remove_free (area, got);
  struct free_run behind = before;
  before.end = first;
  behind.first = end;
  if (before.kept > 0)
    {
      const uint32_t kept = before.kept;
      before.kept = before.kept_first < first
		      ? kept_between (before.kept_first, first)
		      : 0;
      behind.kept = kept - before.kept - kept_between (first, end);
      before.kept_end = before.kept_end < first ? before.kept_end : first;
      behind.kept_first = behind.kept_first > end ? behind.kept_first : end;
    }
  if (first > got)
    give_chunks (area, before);
  if (behind.end > end)
    give_chunks (area, behind);
  area->used += end - first;
  limit_to_peak ();
}

#if HEAPPROF_CHECKING > 0

/* True if the free run from FIRST, whose record is consistent, is in the list
   that it belongs to.  */

static bool
is_listed (struct area *area, uint32_t first)
{
  const struct hint_chunk *const head = &hint_chunks[first];
  const uint32_t before = head->previous == HINT_NO_CHUNK
			    ? *bin_for (area, head)
			    : hint_chunks[head->previous].next;
  return before == first
	 && (head->next == HINT_NO_CHUNK
	     || hint_chunks[head->next].previous == first);
}

static bool
free_run_is_valid (struct area *area, uint32_t first)
{
  const struct hint_chunk *const head = &hint_chunks[first];
  const struct hint_chunk *const tail = head + head->run_chunks - 1;
  return tail->state == HINT_CHUNK_FREE && tail->first == first
	 && head->first == first && tail->run_chunks == head->run_chunks
	 && head->kept == kept_between (first, first + head->run_chunks)
	 && (head->kept == 0
	     || (head->kept_first >= first && head->kept_end >= head->kept_first
		 && head->kept_end - first <= head->run_chunks
		 && head->kept
		      == kept_between (head->kept_first, head->kept_end)))
	 && is_listed (area, first);
}

/* Return the number of runs in the lists of AREA, at most MOST + 1.  */

static uint32_t
count_listed (const struct area *area, uint32_t most)
{
  uint32_t count = 0;
  for (unsigned i = 0; i < 2 * BINS; i++)
    for (uint32_t at = area->bins[i / BINS][i % BINS];
	 at != HINT_NO_CHUNK && count <= most; at = hint_chunks[at].next)
      count++;
  return count;
}

/* The caller holds the guard.  */

static bool
area_is_valid (struct area *area)
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
  for (unsigned i = 0; i < HINT_AREAS && is_valid; i++)
    {
      hint_guard_lock (&guard);
      is_valid = area_is_valid (&areas[i]);
      hint_guard_unlock (&guard);
    }
  return is_valid;
}

#endif

/* Store the areas for a run of KIND in CHOICE, the better one first; return
   their number.  */

static unsigned
choose_areas (enum hint_kind kind, bool is_full, struct area *choice[2])
{
  struct area *const hot = &areas[HINT_AREA_HOT];
  struct area *const huge = &areas[HINT_AREA_HUGE];
  if (kind == HINT_COLD)
    {
      choice[0] = &areas[HINT_AREA_COLD];
      return 1;
    }
  const bool is_much = hot->top - hot->first >= HUGE_LEAST >> HINT_CHUNK_SHIFT;
  choice[0] = is_full && is_much ? huge : hot;
  choice[1] = choice[0] == hot ? huge : hot;
  return 2;
}

/* Return a free run of at least CHUNKS chunks of one of COUNT areas: if
   possible one that keeps pages, then one that was used, then a new one.  */

static uint32_t
find_or_make_free (struct area *const choice[2], unsigned count,
		   uint32_t chunks)
{
  uint32_t got = HINT_NO_CHUNK;
  for (unsigned keeps = 2; keeps-- > 0;)
    for (unsigned i = 0; i < count && got == HINT_NO_CHUNK; i++)
      got = find_free (choice[i], chunks, keeps);
  if (got != HINT_NO_CHUNK)
    return got;
  for (unsigned i = 0; i < count && got == HINT_NO_CHUNK; i++)
    got = take_new (choice[i], chunks);
  if (got != HINT_NO_CHUNK)
    add_free (&areas[hint_chunk_area (got)],
	      &(struct free_run){ .first = got, .end = got + chunks });
  return got;
}

uint32_t
hint_run_take (enum hint_kind kind, size_t chunks, size_t alignment,
	       enum hint_chunk_state state, bool is_full)
{
  struct area *choice[2];
  size_t wanted;
  if (__builtin_add_overflow (chunks, alignment - 1, &wanted)
      || wanted > hint_half_chunks)
    return HINT_NO_CHUNK;
  hint_guard_lock (&guard);
  const unsigned count = choose_areas (kind, is_full, choice);
  uint32_t got = find_or_make_free (choice, count, (uint32_t) wanted);
  if (got != HINT_NO_CHUNK)
    {
      struct area *const area = &areas[hint_chunk_area (got)];
      const uintptr_t number
	= (uintptr_t) hint_chunk_start (got) >> HINT_CHUNK_SHIFT;
      const uint32_t first = alignment == 1
			       ? first_kept (got, (uint32_t) chunks)
			       : got + (uint32_t) (-number & (alignment - 1));
      take_part (area, got, first, first + (uint32_t) chunks);
      got = first;
      hint_chunks[got].run_chunks = (uint32_t) chunks;
      hint_chunks[got].state = state;
      for (uint32_t i = 1; state == HINT_CHUNK_SLOTS && i < chunks; i++)
	hint_chunks[got + i].state = state;
      HINT_CHECK_FULL (area_is_valid (area));
    }
  hint_guard_unlock (&guard);
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

/* If the kind of AREA, to which chunks were given back, keeps the pages of too
   many, return some: those of AREA, and then of the other area of a hot one. */

static void
limit_kept (struct area *area)
{
  struct area *const hot = &areas[HINT_AREA_HOT];
  struct area *const other = area == hot ? &areas[HINT_AREA_HUGE] : hot;
  const bool is_hot = area != &areas[HINT_AREA_COLD];
  const uint32_t most = area->used + (is_hot ? other->used : 0) + KEPT_LEAST;
  const uint32_t kept = area->kept + (is_hot ? other->kept : 0);
  if (kept <= most)
    return;
  const uint32_t excess = kept - most / 2;
  const uint32_t returned = return_kept (area, excess);
  if (is_hot && returned < excess)
    return_kept (other, excess - returned);
}

/* Free the CHUNKS chunks from FIRST, which are or were the end of a run, and
   have pages if KEEPS_PAGES.  */

static void
give_used (struct area *area, uint32_t first, uint32_t chunks, bool keeps_pages)
{
  for (uint32_t i = 0; i < chunks; i++)
    {
      hint_chunks[first + i].state = HINT_CHUNK_UNKNOWN;
      hint_chunks[first + i].keeps_pages = keeps_pages;
    }
  area->used -= chunks;
  give_chunks (area, (struct free_run){ .first = first,
					.end = first + chunks,
					.kept = keeps_pages ? chunks : 0,
					.kept_first = first,
					.kept_end = first + chunks });
  limit_kept (area);
  HINT_CHECK_FULL (area_is_valid (area));
}

static void
give_run (uint32_t first, uint32_t chunks, bool keeps_pages)
{
  struct area *const area = &areas[hint_chunk_area (first)];
  hint_guard_lock (&guard);
  give_used (area, first, chunks, keeps_pages);
  hint_guard_unlock (&guard);
}

void
hint_run_give (uint32_t first, uint32_t chunks)
{
  give_run (first, chunks, true);
}

void
hint_run_give_empty (uint32_t first, uint32_t chunks)
{
  give_run (first, chunks, false);
}

void
hint_run_shorten (uint32_t first, uint32_t chunks)
{
  struct area *const area = &areas[hint_chunk_area (first)];
  hint_guard_lock (&guard);
  const uint32_t rest = hint_chunks[first].run_chunks - chunks;
  hint_chunks[first].run_chunks = chunks;
  if (rest > 0)
    give_used (area, first + chunks, rest, true);
  hint_guard_unlock (&guard);
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
      limit_to_peak ();
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
  struct area *const area = &areas[hint_chunk_area (first)];
  struct hint_chunk *const run = &hint_chunks[first];
  hint_guard_lock (&guard);
  const uint32_t end = first + run->run_chunks;
  const bool taken = take_behind (area, end, first + chunks - end);
  if (taken)
    run->run_chunks = chunks;
  HINT_CHECK_FULL (area_is_valid (area));
  hint_guard_unlock (&guard);
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
  hint_guard_lock (&guard);
}

void
hint_area_unlock (void)
{
  hint_guard_unlock (&guard);
}

/* The address space of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "area.h"
#include "bytes.h"
#include "guard.h"
#include "system.h"

/* Number of chunks made accessible at a time: 4 MiB, and whole pages of their
   records.  */
#define STEP 64u

/* Below this size of each half, pools are not worthwhile.  */
#define HALF_BYTES_LEAST ((size_t) 16 << 20)

/* Bins of free runs: of 1, 2 ... BINS - 1 chunks, and of all longer ones.  */
#define BINS 32u

_Static_assert(STEP * sizeof (struct hint_chunk) % 4096 == 0,
	       "the records of a step are whole pages");

/* The chunks of a kind: from FIRST up to END.  Those from TOP on were never
   taken; see also hint_accessible.  */
struct area
{
  struct hint_guard guard;
  uint32_t first;
  uint32_t end;
  uint32_t top;
  uint32_t bins[BINS];
};

__thread bool hint_guard_holds_all;

uintptr_t hint_range_start = HINT_RANGE_UNKNOWN;
struct hint_chunk *hint_chunks;
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

/* Reserve two halves of HALF bytes, aligned to a chunk, and space for their
   records.  */

static char *
reserve_range (size_t half)
{
  const size_t records
    = 2 * (half >> HINT_CHUNK_SHIFT) * sizeof (struct hint_chunk);
  const size_t bytes = 2 * half + records;
  char *const start = reserve (bytes + HINT_CHUNK_BYTES);
  if (start == NULL)
    return NULL;
  const size_t head = -(uintptr_t) start & (HINT_CHUNK_BYTES - 1);
  if (head != 0)
    hint_unmap (start, head);
  hint_unmap (start + head + bytes, HINT_CHUNK_BYTES - head);
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
    {
      /* Half the address space away from any pointer.  */
      __atomic_store_n (&hint_range_start, (uintptr_t) 1 << 63,
			__ATOMIC_RELEASE);
      return false;
    }
  hint_half_chunks = (uint32_t) (half >> HINT_CHUNK_SHIFT);
  hint_chunks = (struct hint_chunk *) (void *) (range + 2 * half);
  start_area (&areas[HINT_COLD], 0);
  start_area (&areas[HINT_HOT], hint_half_chunks);
  /* So that cold pages can be swapped out individually.  */
  hint_advise (range, half, MADV_NOHUGEPAGE);
  __atomic_store_n (&hint_range_start, (uintptr_t) range, __ATOMIC_RELEASE);
  return true;
}

static unsigned
bin_of (uint32_t chunks)
{
  return chunks < BINS ? chunks - 1 : BINS - 1;
}

/* Put the run of CHUNKS chunks from FIRST in its bin.  The caller holds the
   guard, here and below.  */

static void
add_free (struct area *area, uint32_t first, uint32_t chunks)
{
  uint32_t *const bin = &area->bins[bin_of (chunks)];
  struct hint_chunk *const head = &hint_chunks[first];
  struct hint_chunk *const tail = &hint_chunks[first + chunks - 1];
  tail->state = head->state = HINT_CHUNK_FREE;
  tail->run_chunks = head->run_chunks = chunks;
  tail->first = head->first = first;
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
      if (!make_accessible (hint_chunk_start (from), (size_t) (to - from)
						       << HINT_CHUNK_SHIFT)
	  || !make_accessible ((char *) &hint_chunks[from],
			       (to - from) * sizeof (struct hint_chunk)))
	return HINT_NO_CHUNK;
      __atomic_store_n (accessible, to, __ATOMIC_RELEASE);
    }
  const uint32_t first = area->top;
  area->top = end;
  return first;
}

/* Free the chunks from FIRST up to END, merging them with free neighbours.  */

static void
give_chunks (struct area *area, uint32_t first, uint32_t end)
{
  if (first > area->first && hint_chunks[first - 1].state == HINT_CHUNK_FREE)
    {
      first = hint_chunks[first - 1].first;
      remove_free (area, first);
    }
  if (end < area->top && hint_chunks[end].state == HINT_CHUNK_FREE)
    {
      const uint32_t joined = end;
      end += hint_chunks[joined].run_chunks;
      remove_free (area, joined);
    }
  add_free (area, first, end - first);
}

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
  uint32_t end = got;
  if (got != HINT_NO_CHUNK)
    {
      end += hint_chunks[got].run_chunks;
      remove_free (area, got);
    }
  else if ((got = take_new (area, (uint32_t) wanted)) != HINT_NO_CHUNK)
    end = got + (uint32_t) wanted;
  if (got != HINT_NO_CHUNK)
    {
      const uintptr_t number
	= (uintptr_t) hint_chunk_start (got) >> HINT_CHUNK_SHIFT;
      const uint32_t first = got + (uint32_t) (-number & (alignment - 1));
      const uint32_t last = first + (uint32_t) chunks;
      if (first > got)
	give_chunks (area, got, first);
      if (end > last)
	give_chunks (area, last, end);
      got = first;
      hint_chunks[got].run_chunks = (uint32_t) chunks;
      hint_chunks[got].state = state;
      for (uint32_t i = 1; state == HINT_CHUNK_SLOTS && i < chunks; i++)
	hint_chunks[got + i].state = state;
    }
  hint_guard_unlock (&area->guard);
  return got;
}

void
hint_run_give (uint32_t first, uint32_t chunks)
{
  struct area *const area = &areas[hint_chunk_kind (first)];
  char *const start = hint_chunk_start (first);
  const size_t bytes = (size_t) chunks << HINT_CHUNK_SHIFT;
  /* This fails for locked pages.  */
  if (!hint_advise (start, bytes, MADV_DONTNEED))
    own_memset (start, 0, bytes);
  hint_guard_lock (&area->guard);
  for (uint32_t i = 0; i < chunks; i++)
    hint_chunks[first + i].state = HINT_CHUNK_UNKNOWN;
  give_chunks (area, first, first + chunks);
  hint_guard_unlock (&area->guard);
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

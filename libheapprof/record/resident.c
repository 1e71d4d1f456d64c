/* How much of the file's records is in the process's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "resident.h"
#include "sys.h"

/* Chunks that are away are given back again when all others have been looked at
   this many times.  */
#define ROUNDS 16u

/* If RETURNS chunks come back to a thread for fewer than USES uses, the number
   of those that may stay is doubled.  To come back takes a chunk as long as
   some hundred blocks.  */
#define RETURNS 64u
#define USES (128 * RETURNS)

uint8_t rt_resident_states[RT_RESIDENT_CHUNKS];

/* Guards what follows.  No one waits for it: what is not done now is done
   later.  */
static struct rt_lock lock;

static size_t present;	 /* chunks that are used or idle */
static unsigned doubled; /* how often their maximum was */

__thread uint32_t rt_resident_uses;

/* Chunks that came back to this thread.  */
static __thread uint32_t returns;

/* The chunk to be looked at next, and how often all have been.  */
static struct
{
  unsigned rounds;
  size_t chunk;
} hand;

static size_t
used_chunks (void)
{
  const size_t bytes
    = (size_t) rt_record_count (RT_BRIEFS) * sizeof (struct heapprof_raw_brief);
  const size_t chunks
    = (bytes + RT_RESIDENT_CHUNK_BYTES - 1) / RT_RESIDENT_CHUNK_BYTES;
  return chunks < RT_RESIDENT_CHUNKS ? chunks : RT_RESIDENT_CHUNKS;
}

/* Give the chunks of TABLE from FIRST up to END back.  The last one's pages may
   not be mapped yet.  */

static void
give_back (const struct rt_table *table, size_t first, size_t end)
{
  const size_t mapped
    = __atomic_load_n (&table->mapped_bytes, __ATOMIC_RELAXED);
  const size_t start = first * RT_RESIDENT_CHUNK_BYTES;
  const size_t bytes = (end - first) * RT_RESIDENT_CHUNK_BYTES;
  if (start < mapped)
    sys_discard (table->records + start,
		 bytes < mapped - start ? bytes : mapped - start);
}

/* Chunks that are away may have come back unnoticed, as the kernel brings
   several pages at once: give them back.  */

static void
sweep (void)
{
  const uint8_t *const states = rt_resident_states;
  const size_t chunks = used_chunks ();
  for (size_t first = 0; first < chunks; first++)
    {
      size_t end = first;
      while (end < chunks && states[end] == RT_RESIDENT_AWAY)
	end++;
      if (end > first)
	give_back (&rt_tables[RT_BRIEFS], first, end);
      first = end;
    }
}

static void
advance_hand (void)
{
  if (++hand.chunk < used_chunks ())
    return;
  if (hand.rounds % ROUNDS == 0)
    sweep ();
  hand.chunk = 0;
  hand.rounds++;
}

/* Return how many chunks may stay.  */

static uint64_t
most_chunks (void)
{
  const uint64_t chunks = rt_options.resident_bytes / RT_RESIDENT_CHUNK_BYTES;
  return (chunks > 0 ? chunks : 1) << doubled;
}

/* Give back chunks that are idle until few enough are there, except KEPT.  Each
   is passed at most twice.  */

static void
make_room (const uint8_t *kept)
{
  const uint64_t most = most_chunks ();
  size_t passes = 2 * used_chunks ();
  for (; present > most && passes > 0; passes--)
    {
      uint8_t *const state = &rt_resident_states[hand.chunk];
      if (*state == RT_RESIDENT_USED && state != kept)
	__atomic_store_n (state, RT_RESIDENT_IDLE, __ATOMIC_RELAXED);
      else if (*state == RT_RESIDENT_IDLE)
	{
	  __atomic_store_n (state, RT_RESIDENT_AWAY, __ATOMIC_RELAXED);
	  give_back (&rt_tables[RT_BRIEFS], hand.chunk, hand.chunk + 1);
	  present--;
	}
      advance_hand ();
    }
}

/* A chunk comes back to this thread.  */

static void
count_return (void)
{
  if (++returns < RETURNS)
    return;
  if (rt_resident_uses < USES && most_chunks () < RT_RESIDENT_CHUNKS)
    doubled++;
  returns = 0;
  rt_resident_uses = 0;
}

void
rt_resident_use_slowly (size_t chunk)
{
  if (!rt_try_lock (&lock))
    return;
  uint8_t *const state = &rt_resident_states[chunk];
  const uint8_t before = *state;
  __atomic_store_n (state, RT_RESIDENT_USED, __ATOMIC_RELAXED);
  if (before == RT_RESIDENT_AWAY)
    count_return ();
  if (before == RT_RESIDENT_AWAY || before == RT_RESIDENT_NEW)
    {
      present++;
      make_room (state);
    }
  rt_unlock (&lock);
}

/* The chunk before END is full.  Pages of earlier ones may have come back one
   by one: when there are an eighth more chunks than the last time, give all
   back again.  */

void
rt_resident_leave_chunk (size_t end)
{
  static size_t next_sweep;
  size_t first = end - 1;
  if (end >= next_sweep)
    {
      first = 0;
      next_sweep = end + end / 8;
    }
  give_back (&rt_tables[RT_CONTEXTS], first, end);
}

/* Uses of origins between two times that all are given back, at least.  */
#define LEAST_ORIGINS RT_RESIDENT_ORIGINS

uint32_t rt_resident_origins;
uint32_t rt_resident_next_origins = LEAST_ORIGINS;

/* Until the next time there are as many uses as a sixteenth of those so far: a
   program may use them in any order, and then each page comes back.  */

void
rt_resident_leave_origins (void)
{
  const uint32_t uses
    = __atomic_load_n (&rt_resident_origins, __ATOMIC_RELAXED);
  const uint32_t more = uses / 16 > LEAST_ORIGINS ? uses / 16 : LEAST_ORIGINS;
  __atomic_store_n (&rt_resident_next_origins,
		    uses < UINT32_MAX - more ? uses + more : UINT32_MAX,
		    __ATOMIC_RELAXED);
  rt_resident_leave_origins_before (rt_record_count (RT_ORIGINS));
}

/* The last chunk ends in a page that has a part of the next one.  */

void
rt_resident_leave_origins_before (uint32_t number)
{
  const size_t bytes = (size_t) number * sizeof (struct heapprof_raw_origin);
  give_back (&rt_tables[RT_ORIGINS], 0, bytes / RT_RESIDENT_CHUNK_BYTES + 1);
}

void
rt_resident_reset_lock (void)
{
  rt_reset_lock (&lock);
}

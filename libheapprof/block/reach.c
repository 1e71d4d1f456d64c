/* Which live blocks the program can still reach.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each slot has one of four states.  Blocks whose words have not been looked at
   yet are on a stack.  */

#include "reach.h"
#include "ranges.h"
#include "slots.h"
#include "span.h"
#include "sys.h"

/* States of a slot: not reached, or not known yet; reached from a root; and
   once all roots are known: the first one of a lost group; led to by that.  */
enum state
{
  UNKNOWN = 0,
  REACHED = 1,
  LEADS = 2,
  FOLLOWS = 3
};

/* A span as it was at the start.  */
struct piece
{
  uintptr_t data;    /* of its first slot */
  uintptr_t headers; /* of its slots, this far from each other */
  uint32_t header_step;
  bool has_granules;   /* of slots with headers outside */
  uint32_t slot_bytes; /* 0: it is one large slot */
  uint32_t slots;      /* that may hold blocks */
  uint64_t first;      /* number of its first slot */
};

#define EXCLUDED_MAX 1024u

static struct
{
  struct piece *pieces; /* by the number of the span */
  uint32_t piece_count;
  struct rt_range *larges; /* the data of large blocks, by the numbers of their
			      spans */
  uint32_t large_count;
  uint8_t *states; /* two bits for each slot */
  const struct rt_block **stack;
  size_t depth;
  uintptr_t lowest; /* address of the spans, and how far they reach */
  uintptr_t extent;
  struct rt_range excluded[EXCLUDED_MAX];
  unsigned excluded_count;
} reach;

static enum state
state_of (uint64_t slot)
{
  return (enum state) (reach.states[slot / 4] >> slot % 4 * 2 & 3);
}

static void
set_state (uint64_t slot, enum state state)
{
  const unsigned shift = slot % 4 * 2;
  uint8_t *const byte = &reach.states[slot / 4];
  *byte = (uint8_t) ((*byte & ~(3u << shift)) | (unsigned) state << shift);
}

/* Return the live block in the slot whose header is at START, or NULL.  */

static const struct rt_block *
block_in (uintptr_t start)
{
  const struct rt_block *block = (const struct rt_block *) start;
  if (block->state == RT_BLOCK_REDIRECT)
    block = (const struct rt_block *) (start + block->mib);
  return rt_block_is_live (block) ? block : NULL;
}

/* ---- The index of blocks.  */

/* Enter the large block of span NUMBER, if it is live.  */

static void
add_large (const struct rt_span *span, uint32_t number)
{
  const struct rt_block *const block
    = block_in ((uintptr_t) rt_span_header (span, 0));
  if (block == NULL)
    return;
  const uintptr_t start = (uintptr_t) rt_block_data (block);
  reach.larges[reach.large_count++]
    = (struct rt_range){ start, start + rt_block_size (block), number };
}

/* Enter all spans; return the number of their slots.  */

static uint64_t
add_spans (void)
{
  uint64_t slots = 0;
  uintptr_t highest = 0;
  reach.lowest = UINTPTR_MAX;
  for (uint32_t i = 0; i < reach.piece_count; i++)
    {
      const struct rt_span *const span = rt_span_at (i);
      const bool is_large = span->slots.count == 1 && span->handed_out == 1;
      const uintptr_t start = (uintptr_t) span->start;
      reach.pieces[i]
	= (struct piece){ .data = start + span->slots.first_data,
			  .headers = (uintptr_t) rt_span_header (span, 0),
			  .header_step = span->slots.header_step,
			  .has_granules = rt_slots_are_granules (&span->slots),
			  .slot_bytes
			  = is_large ? 0 : (uint32_t) span->slots.bytes,
			  .slots = span->bytes == 0 ? 0 : span->handed_out,
			  .first = slots };
      slots += reach.pieces[i].slots;
      if (reach.pieces[i].slots == 0)
	continue;
      if (is_large)
	add_large (span, i + 1);
      if (start < reach.lowest)
	reach.lowest = start;
      if (start + span->bytes > highest)
	highest = start + span->bytes;
    }
  reach.extent = highest > reach.lowest ? highest - reach.lowest : 0;
  return slots;
}

bool
rt_reach_begin (void)
{
  uint32_t spans = 0;
  while (rt_span_at (spans) != NULL)
    spans++;
  reach.piece_count = spans;
  reach.large_count = 0;
  reach.depth = 0;
  reach.excluded_count = 0;
  reach.pieces = sys_map ((spans + 1) * sizeof *reach.pieces);
  reach.larges = sys_map ((spans + 1) * sizeof *reach.larges);
  if (reach.pieces == NULL || reach.larges == NULL)
    return false;
  const uint64_t slots = add_spans ();
  rt_ranges_sort (reach.larges, reach.large_count);
  reach.states = sys_map (slots / 4 + 1);
  reach.stack = sys_map ((slots + 1) * sizeof *reach.stack);
  return reach.states != NULL && reach.stack != NULL;
}

/* Return the number of the span of the large block that ADDRESS is in, 0 if
   there is none.  */

static uint32_t
large_around (uintptr_t address)
{
  const uint32_t i = rt_ranges_find (reach.larges, reach.large_count, address);
  return i < reach.large_count && reach.larges[i].start <= address
	   ? reach.larges[i].number
	   : 0;
}

/* A slot that a word may point into, or a granule of one.  */
struct place
{
  uintptr_t header;
  uint64_t slot;   /* its number */
  uint32_t before; /* granules before it where the slot may start */
  bool is_granule;
};

/* Find the slot that ADDRESS is in; return false if there is none.  */

static inline bool
find_slot (uintptr_t address, struct place *place)
{
  uint32_t number = rt_span_number (address);
  if (number == 0)
    number = large_around (address);
  if (number == 0 || number > reach.piece_count)
    return false;
  const struct piece *const piece = &reach.pieces[number - 1];
  const uint32_t within
    = piece->slot_bytes == 0
	? 0
	: (uint32_t) (address - piece->data) / piece->slot_bytes;
  if (within >= piece->slots)
    return false;
  place->header = piece->headers + (uintptr_t) within * piece->header_step;
  place->slot = piece->first + within;
  place->is_granule = piece->has_granules;
  place->before
    = within < RT_CLASS_OUTSIDE_MAX - 1 ? within : RT_CLASS_OUTSIDE_MAX - 1;
  return true;
}

/* Return the live block that PLACE, a granule, may be in, NULL if there is
   none. Let PLACE be the granule where it starts.  */

static const struct rt_block *
block_around (struct place *place)
{
  for (;; place->header -= RT_BLOCK_HEADER_BYTES, place->slot--)
    {
      const struct rt_block *const block
	= (const struct rt_block *) place->header;
      if (rt_block_is_live (block))
	return block;
      if (place->before-- == 0)
	return NULL;
    }
}

/* Return the live block in the slot of PLACE, if ADDRESS is in the block;
   otherwise NULL.  */

static const struct rt_block *
block_at (struct place *place, uintptr_t address)
{
  const struct rt_block *const block
    = place->is_granule ? block_around (place) : block_in (place->header);
  if (block == NULL)
    return NULL;
  const uintptr_t offset = address - (uintptr_t) rt_block_data (block);
  const uint64_t size = rt_block_size (block);
  return offset < size || (size == 0 && offset == 0) ? block : NULL;
}

/* ---- Words.  */

bool
rt_reach_exclude (uintptr_t start, uintptr_t end)
{
  if (reach.excluded_count == EXCLUDED_MAX)
    return false;
  reach.excluded[reach.excluded_count++]
    = (struct rt_range){ .start = start, .end = end };
  return true;
}

/* Call VISIT with each word from START up to END that may be a pointer to a
   block.  */

static inline void
visit_words (uintptr_t start, uintptr_t end,
	     void (*visit) (uintptr_t word, const struct rt_block *from),
	     const struct rt_block *from)
{
  const uintptr_t *const last = (const uintptr_t *) (end & -sizeof (uintptr_t));
  for (const uintptr_t *at
       = (const uintptr_t *) ((start + sizeof *at - 1) & -sizeof *at);
       at < last; at++)
    if (__builtin_expect (*at - reach.lowest < reach.extent, 0))
      visit (*at, from);
}

/* The same without those that cannot be read.  */

static inline void
visit_readable (uintptr_t start, uintptr_t end,
		void (*visit) (uintptr_t word, const struct rt_block *from),
		const struct rt_block *from)
{
  for (unsigned i = 0; i < reach.excluded_count && start < end; i++)
    {
      const struct rt_range *const range = &reach.excluded[i];
      if (range->end <= start || range->start >= end)
	continue;
      if (start < range->start)
	visit_words (start, range->start, visit, from);
      start = range->end;
    }
  if (start < end)
    visit_words (start, end, visit, from);
}

static inline void
visit_block (const struct rt_block *block,
	     void (*visit) (uintptr_t word, const struct rt_block *from))
{
  const uintptr_t start = (uintptr_t) rt_block_data (block);
  visit_readable (start, start + rt_block_size (block), visit, block);
}

/* Words that point into slots not reached yet.  The slots' headers are on their
   way to the processor's cache; reading them at once would take most of the
   time of a search.  */
#define WAITING 32u

static struct
{
  uintptr_t word;
  struct place place;
} waiting[WAITING];
static unsigned turn;

/* Look at the oldest word, and put the block it points to on the stack.  */

static inline void
reach_oldest (void)
{
  const unsigned i = turn++ % WAITING;
  const uintptr_t word = waiting[i].word;
  struct place place = waiting[i].place;
  waiting[i].word = 0;
  if (word == 0)
    return;
  const struct rt_block *const block = block_at (&place, word);
  if (block == NULL || state_of (place.slot) != UNKNOWN)
    return;
  set_state (place.slot, REACHED);
  reach.stack[reach.depth++] = block;
  __builtin_prefetch (rt_block_data (block));
}

static void
reach_word (uintptr_t word, const struct rt_block *from)
{
  (void) from;
  struct place place;
  if (!find_slot (word, &place) || state_of (place.slot) != UNKNOWN)
    return;
  __builtin_prefetch ((const void *) place.header);
  const unsigned i = turn % WAITING;
  reach_oldest ();
  waiting[i].word = word;
  waiting[i].place = place;
}

/* Look at all words that wait, and at those of the blocks on the stack.  */

static void
reach_all (void)
{
  for (unsigned idle = 0; reach.depth > 0 || idle < WAITING;)
    if (reach.depth > 0)
      {
	visit_block (reach.stack[--reach.depth], reach_word);
	idle = 0;
      }
    else
      {
	reach_oldest ();
	idle++;
      }
}

void
rt_reach_word (uintptr_t word)
{
  if (word - reach.lowest < reach.extent)
    reach_word (word, NULL);
  reach_all ();
}

void
rt_reach_words (uintptr_t start, uintptr_t end)
{
  visit_readable (start, end, reach_word, NULL);
  reach_all ();
}

/* ---- Lost blocks.  */

/* The slot of the block that leads the current group.  */
static uint64_t leader;

static void
follow_word (uintptr_t word, const struct rt_block *from)
{
  (void) from;
  struct place place;
  if (!find_slot (word, &place))
    return;
  const struct rt_block *const block = block_at (&place, word);
  if (block == NULL || place.slot == leader)
    return;
  const enum state state = state_of (place.slot);
  if (state != UNKNOWN && state != LEADS)
    return;
  /* What an earlier leader leads to follows already.  */
  if (state == UNKNOWN)
    reach.stack[reach.depth++] = block;
  set_state (place.slot, FOLLOWS);
}

static void
lead (const struct rt_block *block, uint64_t slot)
{
  leader = slot;
  set_state (slot, LEADS);
  visit_block (block, follow_word);
  while (reach.depth > 0)
    visit_block (reach.stack[--reach.depth], follow_word);
}

/* Call ACT with each live block whose slot's state is FROM to TO.  */

static inline void
visit_slots (enum state from, enum state to,
	     void (*act) (const struct rt_block *block, uint64_t slot,
			  void *data),
	     void *data)
{
  for (uint32_t i = 0; i < reach.piece_count; i++)
    {
      const struct piece *const piece = &reach.pieces[i];
      for (uint32_t within = 0; within < piece->slots; within++)
	{
	  const uint64_t slot = piece->first + within;
	  const enum state state = state_of (slot);
	  if (state < from || state > to)
	    continue;
	  const uintptr_t header
	    = piece->headers + (uintptr_t) within * piece->header_step;
	  /* A redirecting header leads to one that is visited, too.  */
	  const struct rt_block *const block
	    = piece->has_granules
		  && !rt_block_is_live ((const struct rt_block *) header)
		? NULL
		: block_in (header);
	  if (block != NULL)
	    act (block, slot, data);
	}
    }
}

static void
lead_block (const struct rt_block *block, uint64_t slot, void *data)
{
  (void) data;
  lead (block, slot);
}

struct visitor
{
  void (*visit) (const struct rt_block *block, bool is_indirect, void *data);
  void *data;
};

static void
report (const struct rt_block *block, uint64_t slot, void *data)
{
  const struct visitor *const visitor = data;
  visitor->visit (block, state_of (slot) == FOLLOWS, visitor->data);
}

void
rt_reach_end (void (*visit) (const struct rt_block *block, bool is_indirect,
			     void *data),
	      void *data)
{
  struct visitor visitor = { visit, data };
  visit_slots (UNKNOWN, UNKNOWN, lead_block, NULL);
  visit_slots (LEADS, FOLLOWS, report, &visitor);
}

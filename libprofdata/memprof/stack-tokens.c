/* Context tokens: calls that tell ambiguous allocations where blocks belong.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are grouped by their frames, starting at the allocation, one frame a
   round, until all contexts of a group are of one kind.  */

#include "stack-tokens.h"
#include "number-sort.h"
#include "stack-classes.h"
#include <stdlib.h>
#include <string.h>

/* Where blocks go.  Warm blocks go where hot ones do.  Unknown blocks are not
   moved; temporary ones may be anywhere but between cold ones.  */
enum kind
{
  KIND_OTHER,
  KIND_HOT,
  KIND_COLD,
  KIND_TEMPORARY,
  KINDS
};

/* A context that is not in a group of one kind yet.  */
struct cursor
{
  uint64_t group; /* hash of the frames that were passed */
  uint32_t stack;
  uint32_t node; /* of the next frame */
  enum kind kind;
};

struct finder
{
  const struct llvm_records *records;
  const struct placement_facts *facts; /* by stack */
  const struct placement_rules *rules;
  const struct context_node *nodes;
  struct stack_tokens *tokens;
  uint8_t *kinds;	    /* by stack */
  uint32_t *places;	    /* by stack: the node of the frame that decides; 0
			       if there is none */
  uint32_t *same;	    /* by frame: the first one at this place */
  uint64_t (*bytes)[KINDS]; /* by frame: of the contexts it decides */
  double (*weights)[KINDS]; /* the same: see weight_of */
  double hot_accesses;	    /* of all contexts of this kind */
  double hot_memory;	    /* their bytes in memory */
  uint64_t *temporaries;    /* by frame: temporary blocks that it decides */
};

static enum kind kind_of (enum placement_class class)
{
  switch (class)
    {
    case PLACEMENT_HOT:
    case PLACEMENT_WARM:
      return KIND_HOT;
    case PLACEMENT_COLD:
      return KIND_COLD;
    case PLACEMENT_TEMPORARY:
      return KIND_TEMPORARY;
    default:
      return KIND_OTHER;
    }
}

static enum placement_class
class_of (enum kind kind)
{
  static const enum placement_class classes[]
    = { PLACEMENT_TEMPORARY, PLACEMENT_HOT, PLACEMENT_COLD,
	PLACEMENT_TEMPORARY };
  return classes[kind];
}

/* Return the frame of NODE, which is not the root.  */
static uint32_t
frame_of (const struct finder *finder, uint32_t node)
{
  return finder->nodes[node].frame - 1;
}

static bool
has_place (const struct finder *finder, uint32_t node)
{
  return llvm_records_frame (finder->records, frame_of (finder, node))
    ->has_place;
}

/* True if contexts of KIND may have TOKEN, or PLACEMENT_TEMPORARY instead of
   none.  */
static bool
accepts (enum kind kind, enum placement_class token)
{
  return kind == KIND_TEMPORARY ? token != PLACEMENT_COLD
				: token == class_of (kind);
}

/* ---- Frames that differ only in whether they were inlined.  */

struct frame_key
{
  uint64_t hash;
  uint32_t frame;
};

static bool
find_same (struct finder *finder)
{
  const size_t count = llvm_records_frame_count (finder->records);
  struct frame_key *keys = calloc (2 * (count + 1), sizeof *keys);
  if (!keys)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_frame *frame
	= llvm_records_frame (finder->records, (uint32_t) i);
      keys[i]
	= (struct frame_key){ stack_classes_call_hash (frame->function_guid,
						       frame->line_offset,
						       frame->column),
			      (uint32_t) i };
    }
  number_sort (keys, keys + count + 1, count, sizeof *keys);
  for (size_t i = 0; i < count; i++)
    finder->same[keys[i].frame] = i > 0 && keys[i].hash == keys[i - 1].hash
				    ? finder->same[keys[i - 1].frame]
				    : keys[i].frame;
  free (keys);
  return true;
}

/* ---- Groups.  */

/* Let CURSOR pass its next frame.  */
static void
pass_frame (const struct finder *finder, struct cursor *cursor)
{
  const struct llvm_frame *frame
    = llvm_records_frame (finder->records, frame_of (finder, cursor->node));
  cursor->group
    = stack_classes_hash (cursor->group, frame->function_guid,
			  stack_classes_place (frame->line_offset,
					       frame->column, false));
}

/* True if contexts of all KINDS, a bit for each, may be in the same place.  */
static bool
kinds_agree (unsigned int kinds)
{
  const unsigned int others = kinds & ~(1u << KIND_TEMPORARY);
  return kinds == others ? (kinds & (kinds - 1)) == 0
			 : others == 0 || others == 1u << KIND_HOT
			     || others == 1u << KIND_OTHER;
}

/* The N contexts at CURSORS agree from the frame on that they passed last.
   Record the first one from there that has a place.  */
static void
settle (struct finder *finder, const struct cursor *cursors, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      uint32_t node = cursors[i].node;
      while (node != 0 && !has_place (finder, node))
	node = finder->nodes[node].caller;
      finder->places[cursors[i].stack] = node;
    }
}

/* Move the contexts of CURSORS that do not agree with their group to the front,
   past the frame they have in common, and return their number.  SPARE has space
   for as many.  */
static size_t
refine (struct finder *finder, struct cursor *cursors, struct cursor *spare,
	size_t n)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    pass_frame (finder, &cursors[i]);
  number_sort (cursors, spare, n, sizeof *cursors);
  for (size_t first = 0, end; first < n; first = end)
    {
      unsigned int kinds = 0;
      for (end = first; end < n && cursors[end].group == cursors[first].group;
	   end++)
	kinds |= 1u << cursors[end].kind;
      if (kinds_agree (kinds))
	{
	  settle (finder, &cursors[first], end - first);
	  continue;
	}
      for (size_t i = first; i < end; i++)
	{
	  cursors[i].node = finder->nodes[cursors[i].node].caller;
	  if (cursors[i].node != 0)
	    cursors[kept++] = cursors[i];
	}
    }
  return kept;
}

static bool
find_places (struct finder *finder)
{
  const size_t count = llvm_records_stack_count (finder->records);
  struct cursor *cursors = malloc (2 * (count + 1) * sizeof *cursors);
  size_t n = 0;
  if (!cursors)
    return false;
  for (size_t i = 0; i < count; i++)
    if (finder->facts[i].count > 0)
      cursors[n++] = (struct cursor){ 0, (uint32_t) i,
				      llvm_records_stack_node (finder->records,
							       (uint32_t) i),
				      (enum kind) finder->kinds[i] };
  while (n > 0)
    n = refine (finder, cursors, cursors + count + 1, n);
  free (cursors);
  return true;
}

/* ---- Tokens.  */

/* Return the node of STACK's allocation.  */
static uint32_t
allocation_of (const struct finder *finder, size_t stack)
{
  return llvm_records_stack_node (finder->records, (uint32_t) stack);
}

static enum placement_class *
token_of (const struct finder *finder, uint32_t node)
{
  return &finder->tokens->calls[finder->same[frame_of (finder, node)]];
}

/* Return what is gained by placing the context with FACTS: for hot memory its
   shares of accesses and of memory, as warm blocks without a place
   are in the way of others; for cold memory the memory.  */
static double
weight_of (const struct finder *finder, enum kind kind,
	   const struct placement_facts *facts)
{
  const double accesses = (double) facts->accesses;
  const double memory = placement_facts_in_memory (finder->rules, facts);
  if (kind != KIND_HOT)
    return memory;
  return (finder->hot_accesses > 0 ? accesses / finder->hot_accesses : 0)
	 + (finder->hot_memory > 0 ? memory / finder->hot_memory : 0);
}

static void
sum_hot (struct finder *finder)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  for (size_t i = 0; i < stacks; i++)
    if (finder->facts[i].count > 0 && finder->kinds[i] == KIND_HOT)
      {
	finder->hot_accesses += (double) finder->facts[i].accesses;
	finder->hot_memory
	  += placement_facts_in_memory (finder->rules, &finder->facts[i]);
      }
}

/* Return the kind of a call whose contexts have BYTES, by kind: the one with
   most.  Temporary blocks only count against cold.  */
static enum kind
majority (const uint64_t *bytes)
{
  if (bytes[KIND_HOT] > bytes[KIND_OTHER]
      && bytes[KIND_HOT] >= bytes[KIND_COLD])
    return KIND_HOT;
  return bytes[KIND_COLD] > bytes[KIND_HOT]
	     && bytes[KIND_COLD] > bytes[KIND_OTHER] + bytes[KIND_TEMPORARY]
	   ? KIND_COLD
	   : KIND_OTHER;
}

static void
choose_tokens (struct finder *finder)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  const size_t frames = llvm_records_frame_count (finder->records);
  for (size_t i = 0; i < stacks; i++)
    if (finder->places[i] != 0)
      {
	const uint32_t frame
	  = finder->same[frame_of (finder, finder->places[i])];
	/* A context of empty blocks counts, too.  */
	const enum kind kind = (enum kind) finder->kinds[i];
	finder->bytes[frame][kind] += finder->facts[i].bytes + 1;
	finder->weights[frame][kind]
	  += weight_of (finder, kind, &finder->facts[i]);
	if (kind == KIND_TEMPORARY)
	  finder->temporaries[frame] += finder->facts[i].count;
      }
  for (size_t i = 0; i < frames; i++)
    {
      const uint64_t *bytes = finder->bytes[i];
      if (bytes[KIND_OTHER] + bytes[KIND_HOT] + bytes[KIND_COLD]
	    + bytes[KIND_TEMPORARY]
	  > 0)
	finder->tokens->calls[i] = class_of (majority (bytes));
    }
}

/* Return the first node from NODE on, outwards, whose call has a token; 0 if
   there is none.  */
static uint32_t
first_token (const struct finder *finder, uint32_t node)
{
  while (node != 0 && *token_of (finder, node) == PLACEMENT_UNKNOWN)
    node = finder->nodes[node].caller;
  return node;
}

/* Return the class that a context finds whose first call with a token is that
   of NODE.  */
static enum placement_class
class_at (const struct finder *finder, uint32_t node)
{
  return node == 0 ? PLACEMENT_TEMPORARY : *token_of (finder, node);
}

/* Store in SUMS the weight of all contexts, by kind.  */
static void
sum_weights (const struct finder *finder, double *sums)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  for (size_t i = 0; i < stacks; i++)
    if (finder->facts[i].count > 0)
      {
	const enum kind kind = (enum kind) finder->kinds[i];
	sums[kind] += weight_of (finder, kind, &finder->facts[i]);
      }
}

/* Store in *FIRST and *OUTER the nodes of the first two calls with tokens that
   STACK passes; return false if there is none or the allocation decides.  */
static bool
find_tokens (const struct finder *finder, size_t stack, uint32_t *first,
	     uint32_t *outer)
{
  const uint32_t allocation = allocation_of (finder, stack);
  if (finder->facts[stack].count == 0 || finder->places[stack] == allocation)
    return false;
  *first = first_token (finder, finder->nodes[allocation].caller);
  if (*first == 0)
    return false;
  *outer = first_token (finder, finder->nodes[*first].caller);
  return true;
}

/* True if temporary blocks keep a token of their own at FRAME when its token is
   light.  */
static bool
keeps_temporary (const struct finder *finder, size_t frame)
{
  return finder->bytes[frame][KIND_TEMPORARY] > 0;
}

/* For each frame, store in GAINS what its token places and the next token
   outwards would not, less what it keeps that one from placing.  The weight of
   a context is its share in SUMS, the weight of all of its kind.  If IS_LIGHT,
   tokens are replaced as those of light calls are.  */
static void
sum_gains (const struct finder *finder, const double *sums, double *gains,
	   bool is_light)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  uint32_t first;
  uint32_t outer;
  for (size_t i = 0; i < stacks; i++)
    {
      const enum kind kind = (enum kind) finder->kinds[i];
      if (sums[kind] <= 0 || !find_tokens (finder, i, &first, &outer))
	continue;
      const uint32_t frame = finder->same[frame_of (finder, first)];
      const enum placement_class next
	= is_light && keeps_temporary (finder, frame)
	    ? class_of (KIND_TEMPORARY)
	    : class_at (finder, outer);
      gains[frame]
	+= (accepts (kind, class_at (finder, first)) - accepts (kind, next))
	   * weight_of (finder, kind, &finder->facts[i]) / sums[kind];
    }
}

struct light_call
{
  double weight;
  size_t frame;
};

static int
compare_weights (const void *element1, const void *element2)
{
  const struct light_call *call1 = element1;
  const struct light_call *call2 = element2;
  if (call1->weight != call2->weight)
    return call1->weight < call2->weight ? -1 : 1;
  return (call1->frame > call2->frame) - (call1->frame < call2->frame);
}

/* What drop_light works with; each array has an element for each frame.  */
struct light
{
  enum kind kind;
  double sums[KINDS]; /* the weight of all contexts */
  double left;	      /* the share that may still be lost */
  struct light_call *calls;
  double *gains;
  bool *chosen;
  bool *waits;
};

/* Choose the tokens with the least weight, which together have what is left.
   The weight of a token is what its contexts have, or what is lost without it,
   whichever is more: it may also keep others from outer tokens.  Return the
   number of tokens, sorted by weight.  */
static size_t
choose_light (const struct finder *finder, struct light *light)
{
  const size_t frames = llvm_records_frame_count (finder->records);
  double left = light->left;
  size_t count = 0;
  memset (light->gains, 0, (frames + 1) * sizeof *light->gains);
  memset (light->chosen, 0, (frames + 1) * sizeof *light->chosen);
  sum_gains (finder, light->sums, light->gains, true);
  for (size_t i = 0; i < frames; i++)
    if (finder->tokens->calls[i] == class_of (light->kind))
      {
	const double share
	  = finder->weights[i][light->kind] / light->sums[light->kind];
	light->calls[count++] = (struct light_call){
	  share > light->gains[i] ? share : light->gains[i], i
	};
      }
  if (count > 1)
    qsort (light->calls, count, sizeof *light->calls, compare_weights);
  for (size_t i = 0; i < count && (left -= light->calls[i].weight) >= 0; i++)
    light->chosen[light->calls[i].frame] = true;
  return count;
}

/* Let chosen tokens wait whose next token outwards is chosen, too: what is lost
   without them is known only when that one is gone.  */
static void
let_light_wait (const struct finder *finder, struct light *light)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  const size_t frames = llvm_records_frame_count (finder->records);
  uint32_t first;
  uint32_t outer;
  memset (light->waits, 0, (frames + 1) * sizeof *light->waits);
  for (size_t i = 0; i < stacks; i++)
    if (find_tokens (finder, i, &first, &outer) && outer != 0
	&& light->chosen[finder->same[frame_of (finder, outer)]])
      light->waits[finder->same[frame_of (finder, first)]] = true;
}

/* Drop the tokens that are chosen and do not wait.  Where they decide about
   temporary blocks, too, these have the token now.  Return true if there are
   any.  */
static bool
drop_chosen (struct finder *finder, struct light *light, size_t count)
{
  bool any = false;
  for (size_t i = 0; i < count; i++)
    {
      const size_t frame = light->calls[i].frame;
      if (!light->chosen[frame] || light->waits[frame])
	continue;
      finder->tokens->calls[frame] = keeps_temporary (finder, frame)
				       ? class_of (KIND_TEMPORARY)
				       : PLACEMENT_UNKNOWN;
      light->left -= light->calls[i].weight;
      any = true;
    }
  return any;
}

/* Drop light tokens of KIND, without which at most STACK_TOKENS_LIGHT_PERCENT
   of the weight of the contexts of a kind is lost.  */
static bool
drop_light (struct finder *finder, enum kind kind)
{
  const size_t frames = llvm_records_frame_count (finder->records);
  struct light light = { .kind = kind,
			 .left = STACK_TOKENS_LIGHT_PERCENT / 100.0,
			 .calls = calloc (frames + 1, sizeof *light.calls),
			 .gains = calloc (frames + 1, sizeof *light.gains),
			 .chosen = calloc (frames + 1, sizeof *light.chosen),
			 .waits = calloc (frames + 1, sizeof *light.waits) };
  const bool done = light.calls && light.gains && light.chosen && light.waits;
  bool again = done;
  if (done)
    {
      sum_weights (finder, light.sums);
      again = light.sums[kind] > 0;
    }
  while (again)
    {
      const size_t count = choose_light (finder, &light);
      let_light_wait (finder, &light);
      again = drop_chosen (finder, &light, count);
    }
  free (light.calls);
  free (light.gains);
  free (light.chosen);
  free (light.waits);
  return done;
}

/* Let tokens with negative GAINS wait whose next token outwards has them, too:
   when that one is dropped, they may no longer be harmful.  */
static void
let_wait (const struct finder *finder, const double *gains, bool *waits)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  uint32_t first;
  uint32_t outer;
  for (size_t i = 0; i < stacks; i++)
    if (find_tokens (finder, i, &first, &outer) && outer != 0
	&& gains[finder->same[frame_of (finder, outer)]] < 0)
      waits[finder->same[frame_of (finder, first)]] = true;
}

/* Drop the tokens with negative GAINS, except those in WAITS.  Return true if
   there are any.  */
static bool
drop_losses (const struct finder *finder, const double *gains,
	     const bool *waits)
{
  const size_t frames = llvm_records_frame_count (finder->records);
  bool any = false;
  for (size_t i = 0; i < frames; i++)
    if (gains[i] < 0 && !waits[i])
      {
	finder->tokens->calls[i] = PLACEMENT_UNKNOWN;
	any = true;
      }
  return any;
}

/* Drop tokens that keep outer ones from more than they decide themselves.  A
   call's token is that of all calls on its line if columns are unknown.  Each
   round places more; tokens that wait for each other remain.  */
static bool
drop_harmful (struct finder *finder)
{
  const size_t frames = llvm_records_frame_count (finder->records);
  double *gains = calloc (frames + 1, sizeof *gains);
  bool *waits = calloc (frames + 1, sizeof *waits);
  double sums[KINDS] = { 0 };
  bool again = gains && waits;
  const bool done = again;
  sum_weights (finder, sums);
  while (again)
    {
      memset (gains, 0, (frames + 1) * sizeof *gains);
      memset (waits, 0, (frames + 1) * sizeof *waits);
      sum_gains (finder, sums, gains, false);
      let_wait (finder, gains, waits);
      again = drop_losses (finder, gains, waits);
    }
  free (gains);
  free (waits);
  return done;
}

/* Drop tokens of other blocks where no token of an outer call is active that
   these blocks must not have: that is what an allocation finds without a token,
   too.  */
static bool
drop_needless (struct finder *finder)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  const size_t frames = llvm_records_frame_count (finder->records);
  bool *needed = calloc (frames + 1, sizeof *needed);
  if (!needed)
    return false;
  for (size_t i = 0; i < stacks; i++)
    if (finder->places[i] != 0)
      {
	uint32_t node = allocation_of (finder, i);
	if (finder->places[i] != node)
	  node = finder->nodes[node].caller;
	node = first_token (finder, node);
	if (node == 0 || *token_of (finder, node) != PLACEMENT_TEMPORARY)
	  continue;
	uint32_t outer = node;
	do
	  outer = first_token (finder, finder->nodes[outer].caller);
	while (outer != 0 && *token_of (finder, outer) == PLACEMENT_TEMPORARY);
	if (outer != 0
	    && !accepts ((enum kind) finder->kinds[i],
			 *token_of (finder, outer)))
	  needed[finder->same[frame_of (finder, node)]] = true;
      }
  for (size_t i = 0; i < frames; i++)
    if (finder->tokens->calls[i] == PLACEMENT_TEMPORARY && !needed[i])
      finder->tokens->calls[i] = PLACEMENT_UNKNOWN;
  free (needed);
  return true;
}

/* Let the tokens that small temporary blocks need be hot, unless they decide
   about others as well: these blocks belong with hot ones.  */
static void
heat_temporaries (struct finder *finder)
{
  const size_t frames = llvm_records_frame_count (finder->records);
  for (size_t i = 0; i < frames; i++)
    if (finder->tokens->calls[i] == PLACEMENT_TEMPORARY
	&& finder->bytes[i][KIND_OTHER] == 0 && finder->temporaries[i] > 0
	&& finder->bytes[i][KIND_TEMPORARY]
	     <= finder->temporaries[i] * PLACEMENT_SMALL_BYTES)
      finder->tokens->calls[i] = PLACEMENT_HOT;
}

/* Find the contexts whose tokens are right; those whose allocation decides need
   none.  */
static void
find_decided (struct finder *finder)
{
  const size_t stacks = llvm_records_stack_count (finder->records);
  for (size_t i = 0; i < stacks; i++)
    if (finder->places[i] != 0
	&& finder->places[i] != allocation_of (finder, i))
      {
	const uint32_t node = allocation_of (finder, i);
	const uint32_t first = first_token (finder, finder->nodes[node].caller);
	const enum placement_class found
	  = first == 0 ? PLACEMENT_TEMPORARY : *token_of (finder, first);
	finder->tokens->decides[i]
	  = accepts ((enum kind) finder->kinds[i], found);
      }
}

bool
stack_tokens_make (struct stack_tokens *tokens,
		   const struct llvm_records *records,
		   const struct placement_facts *facts,
		   const struct placement_rules *rules)
{
  const size_t stacks = llvm_records_stack_count (records);
  const size_t frames = llvm_records_frame_count (records);
  struct finder finder
    = { .records = records,
	.facts = facts,
	.rules = rules,
	.nodes = llvm_records_nodes (records),
	.tokens = tokens,
	.kinds = calloc (stacks + 1, sizeof *finder.kinds),
	.places = calloc (stacks + 1, sizeof *finder.places),
	.same = calloc (frames + 1, sizeof *finder.same),
	.bytes = calloc (frames + 1, sizeof *finder.bytes),
	.weights = calloc (frames + 1, sizeof *finder.weights),
	.temporaries = calloc (frames + 1, sizeof *finder.temporaries) };
  tokens->decides = calloc (stacks + 1, sizeof *tokens->decides);
  tokens->calls = calloc (frames + 1, sizeof *tokens->calls);
  bool done = (finder.kinds && finder.places && finder.same && finder.bytes
	       && finder.weights && finder.temporaries && tokens->decides
	       && tokens->calls);
  for (size_t i = 0; done && i < stacks; i++)
    finder.kinds[i] = (uint8_t) kind_of (facts[i].its_class);
  done = done && find_same (&finder) && find_places (&finder);
  if (done)
    {
      sum_hot (&finder);
      choose_tokens (&finder);
      done = (drop_light (&finder, KIND_HOT) && drop_light (&finder, KIND_COLD)
	      && drop_harmful (&finder) && drop_needless (&finder));
    }
  if (done)
    {
      heat_temporaries (&finder);
      find_decided (&finder);
    }
  free (finder.kinds);
  free (finder.places);
  free (finder.same);
  free (finder.bytes);
  free (finder.weights);
  free (finder.temporaries);
  return done;
}

void
stack_tokens_free (struct stack_tokens *tokens)
{
  free (tokens->decides);
  free (tokens->calls);
}

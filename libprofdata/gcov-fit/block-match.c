/* The blocks of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "block-match.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY 0
#define EXIT 1
#define FIRST 2 /* block after entry and exit */

/* Changed parts of more pairs of blocks than this are not matched: each takes a
   byte.  */
#define MOST_PAIRS (UINT64_C (1) << 27)

/* How well two blocks fit.  A pair of blocks that have nothing in common is
   worse than leaving both out.  */
enum score
{
  SCORE_ARC_COUNT = 3, /* as many leaving arcs, negative if not */
  SCORE_CALL = 2,      /* both end with a call or none does, negative if not */
  SCORE_ENTERING = 1,  /* as many entering arcs */
  SCORE_TARGETS = 3,   /* arcs lead as far ahead or back */
  SCORE_SOURCES = 3,   /* arcs come from as far */
  SCORE_NO_LINES = 1,  /* both without lines */
  SCORE_OTHER_LINES = -2, /* one without lines */
  SCORE_LINES = 3,	  /* lines are as far from each other, in equal files */
  SCORE_OTHER_FILE = -6,
  SCORE_SAME_MOVE = 4, /* lines moved as far as those of the pair before */
  SCORE_LEFT_OUT = -1  /* a block without partner */
};

/* What a block looks like.  */
struct block_look
{
  uint32_t leaving; /* arcs */
  uint32_t entering;
  uint32_t calls;   /* leaving arcs that a call causes */
  uint64_t targets; /* hash of distances and flags of leaving arcs */
  uint64_t sources; /* the same of entering arcs */
  const char *file; /* of its first line; NULL: no lines */
  uint64_t lines;   /* hash of files, and of distances of lines */
  uint32_t line;    /* its first line, or that of the block before */
};

struct block_looks
{
  struct block_look *looks; /* malloced, by block */
  uint32_t count;
};

static uint64_t
mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Return the last component of PATH: files may be in another folder now.  */
static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

static uint64_t
mix_text (uint64_t hash, const char *text)
{
  for (; *text != '\0'; text++)
    hash = mix (hash, (unsigned char) *text);
  return hash;
}

/* Return HASH continued with ARC, between BLOCK and OTHER.  */
static uint64_t
mix_arc (uint64_t hash, const struct gcov_arc *arc, uint32_t block,
	 uint32_t other)
{
  uint32_t distance = other < FIRST ? other : other - block;
  /* Which arcs are counted depends on all others.  */
  return mix (hash, (uint64_t) distance << 32
		      | (arc->flags & ~(uint32_t) GCOV_ARC_ON_TREE));
}

static void
look_at_arcs (struct block_look *look, const struct block_graph *graph,
	      uint32_t block)
{
  const struct gcov_adjacency *leaving = &graph->flow->leaving;
  const struct gcov_adjacency *entering = &graph->flow->entering;
  look->entering = entering->first[block + 1] - entering->first[block];
  look->leaving = leaving->first[block + 1] - leaving->first[block];
  for (uint32_t i = leaving->first[block]; i < leaving->first[block + 1]; i++)
    {
      const struct gcov_arc *arc = &graph->function->arcs[leaving->arcs[i]];
      look->calls += (arc->flags & GCOV_ARC_FAKE) != 0;
      look->targets = mix_arc (look->targets, arc, block, arc->destination);
    }
  for (uint32_t i = entering->first[block]; i < entering->first[block + 1]; i++)
    {
      const struct gcov_arc *arc = &graph->function->arcs[entering->arcs[i]];
      look->sources = mix_arc (look->sources, arc, block, arc->source);
    }
}

static void
look_at_lines (struct block_looks *looks,
	       const struct gcov_notes_function *function)
{
  for (uint32_t i = 0; i < function->group_count; i++)
    {
      const struct gcov_line_group *group = &function->groups[i];
      struct block_look *look = &looks->looks[group->block];
      const char *file = base_name (group->file);
      if (group->count == 0)
	continue;
      if (look->file == NULL)
	{
	  look->file = file;
	  look->line = function->lines[group->first];
	}
      look->lines = mix_text (look->lines, file);
      for (uint32_t k = 0; k < group->count; k++)
	look->lines
	  = mix (look->lines, function->lines[group->first + k] - look->line);
    }
  for (uint32_t i = 1; i < looks->count; i++)
    if (looks->looks[i].file == NULL)
      looks->looks[i].line = looks->looks[i - 1].line;
}

static bool
look_at (struct block_looks *looks, const struct block_graph *graph)
{
  looks->count = graph->function->block_count;
  looks->looks = calloc (looks->count + (size_t) 1, sizeof *looks->looks);
  if (looks->looks == NULL)
    return false;
  for (uint32_t i = 0; i < looks->count; i++)
    look_at_arcs (&looks->looks[i], graph, i);
  look_at_lines (looks, graph->function);
  return true;
}

static bool
is_alike (const struct block_look *a, const struct block_look *b)
{
  return (a->leaving == b->leaving && a->calls == b->calls
	  && a->targets == b->targets && (a->file == NULL) == (b->file == NULL)
	  && a->lines == b->lines);
}

/* Return how well A and B fit, without their moves.  */
static int
score_pair (const struct block_look *a, const struct block_look *b)
{
  int score = a->leaving == b->leaving ? SCORE_ARC_COUNT : -SCORE_ARC_COUNT;
  score += (a->calls > 0) == (b->calls > 0) ? SCORE_CALL : -SCORE_CALL;
  score += a->entering == b->entering ? SCORE_ENTERING : 0;
  score += a->targets == b->targets ? SCORE_TARGETS : 0;
  score += a->sources == b->sources ? SCORE_SOURCES : 0;
  if (a->file == NULL && b->file == NULL)
    return score + SCORE_NO_LINES;
  if (a->file == NULL || b->file == NULL)
    return score + SCORE_OTHER_LINES;
  if (strcmp (a->file, b->file) != 0)
    return score + SCORE_OTHER_FILE;
  return score + (a->lines == b->lines ? SCORE_LINES : 0);
}

/* Return by how many lines A moved if it is B.  */
static int64_t
move_of (const struct block_look *a, const struct block_look *b)
{
  return (int64_t) b->line - a->line;
}

/* ---- Alignment of the blocks between equal ones at start and end.  */

/* Blocks are aligned step by step.  Two states are kept for each number of
   first blocks of both functions, since the best way to the pair that ends a
   run is not always the best way to there.  */
enum state
{
  STATE_PAIR, /* the last blocks are a pair */
  STATE_OUT   /* the last block of one function is left out */
};

struct best
{
  int score[2];	   /* of each state */
  int64_t move[2]; /* of the last pair */
};

/* What a byte in the table of steps has.  */
enum step
{
  STEP_PAIR_FROM_OUT = 1, /* state before the pair */
  STEP_OUT_FROM_OUT = 2,  /* state before the block that is left out */
  STEP_OUT_AFTER = 4	  /* the block is of the function after */
};

#define IMPOSSIBLE (INT_MIN / 2)

struct alignment
{
  const struct block_look *before; /* N blocks */
  const struct block_look *after;  /* M blocks */
  uint32_t n;
  uint32_t m;
  struct best *rows; /* the row before, and the current one: M + 1 each */
  uint8_t *steps;    /* (N + 1) * (M + 1) */
};

static enum state
better_state (const struct best *best)
{
  return best->score[STATE_OUT] > best->score[STATE_PAIR] ? STATE_OUT
							  : STATE_PAIR;
}

/* Set the state that ends with the pair A and B in HERE, behind BEFORE.  */
static uint8_t
add_pair (struct best *here, const struct best *before,
	  const struct block_look *a, const struct block_look *b)
{
  int64_t move = move_of (a, b);
  int scores[2];
  for (int i = 0; i < 2; i++)
    scores[i]
      = before->score[i] + (move == before->move[i] ? SCORE_SAME_MOVE : 0);
  bool is_out = scores[STATE_OUT] > scores[STATE_PAIR];
  here->score[STATE_PAIR] = scores[is_out] + score_pair (a, b);
  here->move[STATE_PAIR] = move;
  return is_out ? STEP_PAIR_FROM_OUT : 0;
}

/* Set the state in HERE that ends with a block that is left out, the last one
   of the function before, behind ABOVE, or of the other one, behind LEFT; one
   of both may be NULL.  */
static uint8_t
add_left_out (struct best *here, const struct best *above,
	      const struct best *left)
{
  const struct best *from = above;
  if (above == NULL
      || (left != NULL
	  && left->score[better_state (left)]
	       > above->score[better_state (above)]))
    from = left;
  enum state state = better_state (from);
  here->score[STATE_OUT] = from->score[state] + SCORE_LEFT_OUT;
  here->move[STATE_OUT] = from->move[state];
  return (uint8_t) ((state == STATE_OUT ? STEP_OUT_FROM_OUT : 0)
		    | (from == left ? STEP_OUT_AFTER : 0));
}

/* Fill the table.  FIRST_MOVE is that of the pair before all blocks.  Return
   the better state at the end.  */
static enum state
fill (const struct alignment *alignment, int64_t first_move)
{
  size_t width = alignment->m + (size_t) 1;
  for (uint32_t i = 0; i <= alignment->n; i++)
    {
      struct best *here = &alignment->rows[i % 2 * width];
      const struct best *above
	= i > 0 ? &alignment->rows[(i - 1) % 2 * width] : NULL;
      uint8_t *steps = &alignment->steps[i * width];
      for (uint32_t j = 0; j <= alignment->m; j++)
	{
	  here[j] = (struct best){ { IMPOSSIBLE, IMPOSSIBLE }, { 0, 0 } };
	  steps[j] = 0;
	  if (i == 0 && j == 0)
	    here[j] = (struct best){ { 0, IMPOSSIBLE }, { first_move, 0 } };
	  else
	    steps[j] = add_left_out (&here[j], above != NULL ? &above[j] : NULL,
				     j > 0 ? &here[j - 1] : NULL);
	  if (i > 0 && j > 0)
	    steps[j]
	      |= add_pair (&here[j], &above[j - 1], &alignment->before[i - 1],
			   &alignment->after[j - 1]);
	}
    }
  return better_state (&alignment
			  ->rows[alignment->n % 2 * width + alignment->m]);
}

/* Set PARTNERS, for the N blocks, to the places of the M blocks plus BASE.
   STATE is that at the end.  */
static void
walk_back (const struct alignment *alignment, enum state state,
	   uint32_t *partners, uint32_t base)
{
  size_t width = alignment->m + (size_t) 1;
  uint32_t i = alignment->n;
  uint32_t j = alignment->m;
  while (i > 0 || j > 0)
    {
      uint8_t step = alignment->steps[i * width + j];
      if (state == STATE_PAIR)
	{
	  partners[--i] = base + --j;
	  state = step & STEP_PAIR_FROM_OUT ? STATE_OUT : STATE_PAIR;
	  continue;
	}
      if (step & STEP_OUT_AFTER)
	j--;
      else
	i--;
      state = step & STEP_OUT_FROM_OUT ? STATE_OUT : STATE_PAIR;
    }
}

/* Align the blocks of A from START to END_A with those of B from START to
   END_B.  */
static bool
align (struct block_match *match, const struct block_looks *a,
       const struct block_looks *b, uint32_t start, uint32_t end_a,
       uint32_t end_b)
{
  struct alignment alignment = { .before = &a->looks[start],
				 .after = &b->looks[start],
				 .n = end_a - start,
				 .m = end_b - start };
  uint64_t pairs = (alignment.n + UINT64_C (1)) * (alignment.m + UINT64_C (1));
  if (alignment.n == 0 || alignment.m == 0 || pairs > MOST_PAIRS)
    return true;
  alignment.rows
    = calloc (2 * (alignment.m + (size_t) 1), sizeof *alignment.rows);
  alignment.steps = malloc (pairs);
  bool is_done = alignment.rows != NULL && alignment.steps != NULL;
  if (is_done)
    {
      /* The block before the first one is one of the equal blocks, or the exit,
	 which has no lines.  */
      enum state state = fill (&alignment, move_of (&a->looks[start - 1],
						    &b->looks[start - 1]));
      walk_back (&alignment, state, &match->partners[start], start);
    }
  free (alignment.rows);
  free (alignment.steps);
  return is_done;
}

/* Return true if block I of A and J of B can only be partners: they and the
   move of their lines are the same.  */
static bool
is_certain (const struct block_looks *a, uint32_t i,
	    const struct block_looks *b, uint32_t j)
{
  const struct block_look *before = &a->looks[i];
  const struct block_look *after = &b->looks[j];
  return is_alike (before, after) && before->sources == after->sources
	 && (i == FIRST
	     || move_of (before, after) == move_of (before - 1, after - 1));
}

static bool
match_blocks (struct block_match *match, const struct block_looks *a,
	      const struct block_looks *b)
{
  uint32_t start = FIRST;
  uint32_t end_a = a->count;
  uint32_t end_b = b->count;
  if (end_a < FIRST || end_b < FIRST)
    return true;
  while (start < end_a && start < end_b && is_certain (a, start, b, start))
    {
      match->partners[start] = start;
      start++;
    }
  while (end_a > start && end_b > start
	 && is_certain (a, end_a - 1, b, end_b - 1))
    match->partners[--end_a] = --end_b;
  /* Lines of the blocks before may have moved as those of the first pair.  */
  if (end_a < a->count && end_b < b->count)
    {
      end_a++;
      end_b++;
    }
  return align (match, a, b, start, end_a, end_b);
}

bool
block_match_find (struct block_match *match, const struct block_graph *before,
		  const struct block_graph *after)
{
  struct block_looks a = { 0 };
  struct block_looks b = { 0 };
  *match = (struct block_match){ 0 };
  size_t n = before->function->block_count;
  match->partners = malloc ((n + 1) * sizeof *match->partners);
  match->is_alike = calloc (n + 1, sizeof *match->is_alike);
  bool is_done = match->partners != NULL && match->is_alike != NULL
		 && look_at (&a, before) && look_at (&b, after);
  if (is_done)
    {
      memset (match->partners, 0xff, (n + 1) * sizeof *match->partners);
      for (uint32_t i = ENTRY; i <= EXIT && i < a.count && i < b.count; i++)
	match->partners[i] = i;
      is_done = match_blocks (match, &a, &b);
    }
  for (uint32_t i = FIRST; is_done && i < a.count; i++)
    if (match->partners[i] != BLOCK_MATCH_NONE)
      {
	match->is_alike[i]
	  = is_alike (&a.looks[i], &b.looks[match->partners[i]]);
	match->alike += match->is_alike[i];
      }
  free (a.looks);
  free (b.looks);
  return is_done;
}

void
block_match_release (struct block_match *match)
{
  free (match->partners);
  free (match->is_alike);
  *match = (struct block_match){ 0 };
}

static void
forget_partner (struct block_match *match, uint32_t block)
{
  match->partners[block] = BLOCK_MATCH_NONE;
  match->alike -= match->is_alike[block];
  match->is_alike[block] = false;
}

/* Return 1 if BLOCK has a partner in PART only, -1 if in WHOLE only, else 0. */
static int
vote (const struct block_match *whole, const struct block_match *part,
      uint32_t block)
{
  return (part->partners[block] != BLOCK_MATCH_NONE)
	 - (whole->partners[block] != BLOCK_MATCH_NONE);
}

void
block_match_divide (struct block_match *whole, struct block_match *part,
		    const struct block_graph *before)
{
  uint32_t count = before->function->block_count;
  for (uint32_t i = 0; i < FIRST && i < count; i++)
    forget_partner (part, i);
  /* Blocks belong to where those around them do.  */
  for (uint32_t i = FIRST; i < count; i++)
    {
      if (whole->partners[i] == BLOCK_MATCH_NONE
	  || part->partners[i] == BLOCK_MATCH_NONE)
	continue;
      int votes = i > FIRST ? vote (whole, part, i - 1) : 0;
      votes += i + 1 < count ? vote (whole, part, i + 1) : 0;
      forget_partner (votes > 0 ? whole : part, i);
    }
}

double
block_match_similarity (const struct block_match *match,
			const struct block_graph *before,
			const struct block_graph *after)
{
  uint64_t blocks
    = (uint64_t) before->function->block_count + after->function->block_count;
  return blocks > 2 * FIRST ? 2.0 * match->alike / (double) (blocks - 2 * FIRST)
			    : 1.0;
}

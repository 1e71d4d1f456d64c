/* The blocks of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "block-match.h"
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
  SCORE_NO_LINES = 1,  /* both without lines */
  SCORE_OTHER_LINES = -2, /* one without lines */
  SCORE_LINES = 3,	  /* lines are as far from each other, in equal files */
  SCORE_OTHER_FILE = -6,
  SCORE_SAME_MOVE = 4, /* lines moved as far as those of the pair before */
  SCORE_LEFT_OUT = -1  /* a block without partner */
};

enum step
{
  STEP_PAIR,
  STEP_ONLY_BEFORE,
  STEP_ONLY_AFTER
};

/* What a block looks like.  */
struct block_look
{
  uint32_t leaving; /* arcs */
  uint32_t entering;
  uint32_t calls;   /* leaving arcs that a call causes */
  uint64_t targets; /* hash of distances and flags of leaving arcs */
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

static void
look_at_arcs (struct block_look *look, const struct block_graph *graph,
	      uint32_t block)
{
  const struct gcov_flow *flow = graph->flow;
  look->entering
    = flow->entering.first[block + 1] - flow->entering.first[block];
  look->leaving = flow->leaving.first[block + 1] - flow->leaving.first[block];
  for (uint32_t i = flow->leaving.first[block];
       i < flow->leaving.first[block + 1]; i++)
    {
      const struct gcov_arc *arc
	= &graph->function->arcs[flow->leaving.arcs[i]];
      uint32_t distance = arc->destination < FIRST ? arc->destination
						   : arc->destination - block;
      look->calls += (arc->flags & GCOV_ARC_FAKE) != 0;
      /* Which arcs are counted depends on all others.  */
      look->targets = mix (look->targets, (uint64_t) distance << 32
					    | (arc->flags & ~GCOV_ARC_ON_TREE));
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
  if (a->file == NULL && b->file == NULL)
    return score + SCORE_NO_LINES;
  if (a->file == NULL || b->file == NULL)
    return score + SCORE_OTHER_LINES;
  if (strcmp (a->file, b->file) != 0)
    return score + SCORE_OTHER_FILE;
  return score + (a->lines == b->lines ? SCORE_LINES : 0);
}

static bool
has_same_move (const struct block_look *a, const struct block_look *b)
{
  return a[0].line - a[-1].line == b[0].line - b[-1].line;
}

/* ---- Alignment of the blocks between equal ones at start and end.  */

struct alignment
{
  const struct block_look *before; /* N blocks */
  const struct block_look *after;  /* M blocks */
  uint32_t n;
  uint32_t m;
  int *scores;	  /* of the row before, and of the current one: M + 1 each */
  uint8_t *steps; /* (N + 1) * (M + 1) */
};

static int
best_step (const struct alignment *alignment, uint32_t i, uint32_t j,
	   const int *above, const int *here, uint8_t *step)
{
  const struct block_look *a = &alignment->before[i - 1];
  const struct block_look *b = &alignment->after[j - 1];
  /* The block before the first one is one of the equal blocks, or the exit,
     whose line is 0.  */
  int best = above[j - 1] + score_pair (a, b)
	     + (has_same_move (a, b) ? SCORE_SAME_MOVE : 0);
  *step = STEP_PAIR;
  if (above[j] + SCORE_LEFT_OUT > best)
    {
      best = above[j] + SCORE_LEFT_OUT;
      *step = STEP_ONLY_BEFORE;
    }
  if (here[j - 1] + SCORE_LEFT_OUT > best)
    {
      best = here[j - 1] + SCORE_LEFT_OUT;
      *step = STEP_ONLY_AFTER;
    }
  return best;
}

static void
fill (struct alignment *alignment)
{
  size_t width = alignment->m + (size_t) 1;
  for (uint32_t j = 0; j <= alignment->m; j++)
    {
      alignment->scores[j] = (int) j * SCORE_LEFT_OUT;
      alignment->steps[j] = STEP_ONLY_AFTER;
    }
  for (uint32_t i = 1; i <= alignment->n; i++)
    {
      const int *above = &alignment->scores[(i - 1) % 2 * width];
      int *here = &alignment->scores[i % 2 * width];
      uint8_t *steps = &alignment->steps[i * width];
      here[0] = (int) i * SCORE_LEFT_OUT;
      steps[0] = STEP_ONLY_BEFORE;
      for (uint32_t j = 1; j <= alignment->m; j++)
	here[j] = best_step (alignment, i, j, above, here, &steps[j]);
    }
}

/* Set PARTNERS, for the N blocks, to the places of the M blocks plus BASE.  */
static void
walk_back (const struct alignment *alignment, uint32_t *partners, uint32_t base)
{
  size_t width = alignment->m + (size_t) 1;
  uint32_t i = alignment->n;
  uint32_t j = alignment->m;
  while (i > 0 || j > 0)
    switch (alignment->steps[i * width + j])
      {
      case STEP_PAIR:
	partners[--i] = base + --j;
	break;
      case STEP_ONLY_BEFORE:
	i--;
	break;
      default:
	j--;
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
  alignment.scores
    = calloc (2 * (alignment.m + (size_t) 1), sizeof *alignment.scores);
  alignment.steps = malloc (pairs);
  bool is_done = alignment.scores != NULL && alignment.steps != NULL;
  if (is_done)
    {
      fill (&alignment);
      walk_back (&alignment, &match->partners[start], start);
    }
  free (alignment.scores);
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
  return is_alike (before, after) && before->entering == after->entering
	 && (i == FIRST || has_same_move (before, after));
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

/* The best common subsequence of the calls of a function before and after its
   source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   Pairs of equal calls are visited by their number in A.  The best chain that
   ends in a pair extends either the best one that ends before it in both
   sequences, from a tree of maxima by number in B, or the best one whose last
   pair moved by as many lines, from a table.  Each call of A has a bounded
   number of pairs, so the time is n log n.  */

#include "common-subsequence.h"
#include <stdlib.h>

/* Most calls of B that one of A is compared with.  */
#define MOST_EQUAL 64

/* What a chain is worth.  How well the lines around all calls of a function fit
   (MOVED_LINES_BEST for each), and how near all pairs are, together count less
   than anything else.  */
#define MATCH_SCORE (UINT64_C (4) << 32)
#define SHIFT_SCORE (UINT64_C (2) << 32)
#define DISCRIMINATOR_SCORE (UINT64_C (1) << 32)
#define NEAR_SCORE 16

/* A call of B with its number.  */
struct place
{
  uint32_t name;
  uint32_t number;
};

/* The last pair of a chain.  */
struct link
{
  uint32_t a;
  uint32_t b;
  uint32_t before; /* the pair before it; SUBSEQUENCE_NONE: first */
  uint32_t length;
  uint64_t score;
};

/* The best chain whose last pair moved by SHIFT lines.  */
struct shift
{
  int shift;
  uint32_t link; /* plus 1; 0: free slot */
};

struct search
{
  const struct subsequence_call *a;
  const struct subsequence_call *b;
  size_t n;
  size_t m;
  const struct moved_lines *lines;
  struct place *places; /* of B, by name, then by number */
  uint32_t *tree;	/* M + 1 links plus 1: the best of a range of B */
  struct shift *shifts; /* hash table */
  uint32_t shift_mask;
  struct link *links;
  size_t link_count;
};

static int
compare_places (const void *element1, const void *element2)
{
  const struct place *x = element1;
  const struct place *y = element2;
  if (x->name != y->name)
    return x->name < y->name ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Return the number of the first place that is not before NAME, NUMBER.  */
static size_t
find_place (const struct search *search, uint32_t name, uint32_t number)
{
  const struct place wanted = { name, number };
  size_t low = 0;
  size_t high = search->m;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_places (&search->places[middle], &wanted) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Return the better of two links plus 1; X if they are equal.  */
static uint32_t
better (const struct search *search, uint32_t x, uint32_t y)
{
  if (x == 0 || y == 0)
    return x != 0 ? x : y;
  return search->links[y - 1].score > search->links[x - 1].score ? y : x;
}

/* Return the best link, plus 1, that ends before number B.  */
static uint32_t
best_before (const struct search *search, uint32_t b)
{
  uint32_t best = 0;
  for (uint32_t i = b; i > 0; i &= i - 1)
    best = better (search, best, search->tree[i]);
  return best;
}

static struct shift *
find_shift (const struct search *search, int shift)
{
  uint32_t slot = (uint32_t) shift * 0x9e3779b1u >> 7 & search->shift_mask;
  while (search->shifts[slot].link != 0 && search->shifts[slot].shift != shift)
    slot = (slot + 1) & search->shift_mask;
  return &search->shifts[slot];
}

static int
shift_of (const struct search *search, uint32_t a, uint32_t b)
{
  return search->b[b].line - search->a[a].line;
}

/* Return what a pair that moved by SHIFT lines adds behind one, or the start of
   the function, that moved by BEFORE lines.  */
static uint64_t
shift_score (int before, int shift)
{
  long long distance = llabs ((long long) shift - before);
  if (distance == 0)
    return SHIFT_SCORE + NEAR_SCORE;
  return distance < NEAR_SCORE ? NEAR_SCORE - (uint64_t) distance : 0;
}

/* Add the pair of calls A and B with the best chain before it.  */
static void
add_pair (struct search *search, uint32_t a, uint32_t b)
{
  struct link *made = &search->links[search->link_count++];
  int shift = shift_of (search, a, b);
  uint32_t before = best_before (search, b);
  uint32_t same = find_shift (search, shift)->link;
  *made = (struct link){ a, b, SUBSEQUENCE_NONE, 1, MATCH_SCORE };
  if (search->a[a].discriminator == search->b[b].discriminator)
    made->score += DISCRIMINATOR_SCORE;
  made->score += moved_lines_fit (search->lines, search->a[a].line, shift);
  /* The start of the function is as good as a call that did not move.  */
  uint64_t best = before != 0 ? search->links[before - 1].score : 0;
  uint64_t bonus
    = shift_score (before != 0 ? shift_of (search, search->links[before - 1].a,
					   search->links[before - 1].b)
			       : 0,
		   shift);
  uint64_t same_bonus = shift_score (shift, shift);
  if (same != 0 && search->links[same - 1].b < b
      && search->links[same - 1].score + same_bonus > best + bonus)
    {
      before = same;
      best = search->links[same - 1].score;
      bonus = same_bonus;
    }
  made->score += best + bonus;
  if (before != 0)
    {
      made->before = before - 1;
      made->length = search->links[before - 1].length + 1;
    }
}

/* Let later calls of A extend link NUMBER.  */
static void
publish (struct search *search, uint32_t number)
{
  const struct link *link = &search->links[number];
  for (size_t i = (size_t) link->b + 1; i <= search->m; i += i & -i)
    search->tree[i] = better (search, search->tree[i], number + 1);
  struct shift *shift
    = find_shift (search, shift_of (search, link->a, link->b));
  *shift = (struct shift){ shift_of (search, link->a, link->b),
			   better (search, shift->link, number + 1) };
}

/* Add the pairs of call number I of A.  */
static void
add_call (struct search *search, uint32_t i)
{
  uint32_t name = search->a[i].name;
  size_t first = find_place (search, name, 0);
  size_t end = find_place (search, name, UINT32_MAX);
  size_t old = search->link_count;
  if (end - first > MOST_EQUAL)
    {
      /* The place in B in proportion to that in A.  */
      size_t nearest
	= find_place (search, name,
		      (uint32_t) ((uint64_t) i * search->m / search->n));
      size_t low
	= nearest - first > MOST_EQUAL / 2 ? nearest - MOST_EQUAL / 2 : first;
      first = low + MOST_EQUAL > end ? end - MOST_EQUAL : low;
      end = first + MOST_EQUAL;
    }
  for (size_t k = first; k < end; k++)
    add_pair (search, i, search->places[k].number);
  for (size_t k = old; k < search->link_count; k++)
    publish (search, (uint32_t) k);
}

/* Return the greatest number of pairs.  */
static size_t
count_pairs (const struct search *search)
{
  size_t count = 0;
  for (size_t i = 0; i < search->n; i++)
    {
      size_t equal = find_place (search, search->a[i].name, UINT32_MAX)
		     - find_place (search, search->a[i].name, 0);
      count += equal < MOST_EQUAL ? equal : MOST_EQUAL;
    }
  return count;
}

static bool
start_search (struct search *search)
{
  search->places = calloc (search->m + 1, sizeof *search->places);
  search->tree = calloc (search->m + 1, sizeof *search->tree);
  if (search->places == NULL || search->tree == NULL)
    return false;
  for (size_t i = 0; i < search->m; i++)
    search->places[i] = (struct place){ search->b[i].name, (uint32_t) i };
  if (search->m > 0)
    qsort (search->places, search->m, sizeof *search->places, compare_places);
  size_t pairs = count_pairs (search);
  size_t slots = 16;
  while (slots < 2 * pairs)
    slots *= 2;
  search->shift_mask = (uint32_t) slots - 1;
  search->shifts = calloc (slots, sizeof *search->shifts);
  search->links = calloc (pairs + 1, sizeof *search->links);
  return search->shifts != NULL && search->links != NULL;
}

bool
common_subsequence (const struct subsequence_call *a, size_t n,
		    const struct subsequence_call *b, size_t m,
		    const struct moved_lines *lines, uint32_t *partners,
		    size_t *length)
{
  struct search search = { .a = a, .b = b, .n = n, .m = m, .lines = lines };
  bool is_done = start_search (&search);
  for (size_t i = 0; i < n; i++)
    {
      partners[i] = SUBSEQUENCE_NONE;
      if (is_done)
	add_call (&search, (uint32_t) i);
    }
  uint32_t last = is_done ? best_before (&search, (uint32_t) m) : 0;
  *length = last != 0 ? search.links[last - 1].length : 0;
  for (uint32_t i = last != 0 ? last - 1 : SUBSEQUENCE_NONE;
       i != SUBSEQUENCE_NONE; i = search.links[i].before)
    partners[search.links[i].a] = search.links[i].b;
  free (search.places);
  free (search.tree);
  free (search.shifts);
  free (search.links);
  return is_done;
}

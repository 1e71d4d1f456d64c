/* Execution counts of lines, exactly as computed by gcov.
   SPDX-License-Identifier: GPL-3.0-or-later

   A block with several lines of a file is located at the greatest of them; the
   first and the last block of a function have no location.  A line with located
   blocks was executed as often as control reached these; a line that blocks
   only mention, as often as these blocks were executed.

   Functions that start at the same line of the same file are instances of a
   template.  Their own lines are counted for each instance and then added; all
   other lines are counted for all functions together.  */

#include "gcov-lines.h"
#include "gcov-cycles.h"
#include "gcov-flow.h"
#include <stdlib.h>
#include <string.h>

/* A line mentioned by a block.  */
struct mention
{
  const char *file;
  uint32_t line;
  uint32_t block;
  bool is_place;    /* the block is located at this line */
  bool is_repeated; /* only a repetition of the location */
};

/* Contribution of a function to a line.  */
struct share
{
  const char *file;
  uint32_t line;
  bool is_own; /* of an instance of a template */
  bool has_blocks;
  bool has_unexecuted_block;
  bool is_exceptional;
  int64_t block_sum; /* of the blocks that mention the line */
  int64_t visits;    /* to the blocks located at it */
};

struct line_counter
{
  const struct gcov_notes *notes;
  const struct gcov_unit *unit;
  bool *is_instance; /* by function */
  struct share *shares;
  size_t share_count;
  size_t share_capacity;
};

/* State for counting the lines of a function.  */
struct counted_function
{
  const struct gcov_notes_function *function;
  struct gcov_flow flow;
  struct gcov_cycles cycles;
  struct mention *mentions;
  uint32_t mention_count;
  uint32_t *blocks;   /* located at a line */
  bool *is_reachable; /* without exceptions; by block */
  bool is_instance;
};

static int
compare_places (const char *file1, uint32_t line1, const char *file2,
		uint32_t line2)
{
  int order = file1 == file2 ? 0 : strcmp (file1, file2);
  return order != 0 ? order : (line1 > line2) - (line1 < line2);
}

static int
compare_mentions (const void *element1, const void *element2)
{
  const struct mention *a = element1;
  const struct mention *b = element2;
  int order = compare_places (a->file, a->line, b->file, b->line);
  return order != 0 ? order : (a->block > b->block) - (a->block < b->block);
}

static int
compare_shares (const void *element1, const void *element2)
{
  const struct share *a = element1;
  const struct share *b = element2;
  int order = compare_places (a->file, a->line, b->file, b->line);
  return order != 0 ? order : a->is_own - b->is_own;
}

static int
compare_starts (const void *element1, const void *element2)
{
  const struct gcov_notes_function *a
    = *(const struct gcov_notes_function *const *) element1;
  const struct gcov_notes_function *b
    = *(const struct gcov_notes_function *const *) element2;
  return compare_places (a->file, a->start_line, b->file, b->start_line);
}

/* Determine which functions are instances.  */
static bool
find_instances (struct line_counter *counter)
{
  const struct gcov_notes *notes = counter->notes;
  const struct gcov_notes_function **order
    = calloc (notes->function_count + (size_t) 1, sizeof *order);
  counter->is_instance
    = calloc (notes->function_count + (size_t) 1, sizeof *counter->is_instance);
  uint32_t count = 0;
  for (uint32_t i = 0; order && i < notes->function_count; i++)
    if (!notes->functions[i].is_artificial)
      order[count++] = &notes->functions[i];
  if (order)
    qsort (order, count, sizeof *order, compare_starts);
  for (uint32_t i = 1; counter->is_instance && i < count; i++)
    if (compare_starts (&order[i - 1], &order[i]) == 0)
      {
	counter->is_instance[order[i - 1] - notes->functions] = true;
	counter->is_instance[order[i] - notes->functions] = true;
      }
  free (order);
  return order && counter->is_instance;
}

/* Return true if LINE of FILE is one of the function's own lines as an instance
   of a template.  */
static bool
is_own_line (const struct counted_function *counted, const char *file,
	     uint32_t line)
{
  const struct gcov_notes_function *function = counted->function;
  return (counted->is_instance && line >= function->start_line
	  && line <= function->end_line && strcmp (file, function->file) == 0);
}

/* Return true if the block of FUNCTION has a location.  */
static bool
has_place (const struct gcov_notes_function *function, uint32_t block)
{
  return block != 0 && block + 1 != function->block_count;
}

/* List the lines of GROUP.  BEFORE is the location of the same block in the
   previous group, NULL if there is none; return the location in GROUP.  If the
   group has no lines, gcov uses the previous location again and adds the block
   to it once more.  */
static const struct mention *
list_group (struct counted_function *counted,
	    const struct gcov_line_group *group, const struct mention *before)
{
  const struct gcov_notes_function *function = counted->function;
  struct mention *greatest = NULL;
  for (uint32_t i = 0; i < group->count; i++)
    {
      struct mention *mention = &counted->mentions[counted->mention_count++];
      mention->file = group->file;
      mention->line = function->lines[group->first + i];
      mention->block = group->block;
      if (!greatest || mention->line > greatest->line)
	greatest = mention;
    }
  if (!greatest && before)
    {
      greatest = &counted->mentions[counted->mention_count++];
      *greatest = *before;
      greatest->is_repeated = true;
    }
  if (greatest)
    greatest->is_place = has_place (function, group->block);
  return greatest;
}

/* List the lines of all blocks.  */
static bool
list_mentions (struct counted_function *counted)
{
  const struct gcov_notes_function *function = counted->function;
  size_t most = function->line_count + (size_t) function->group_count + 1;
  counted->mentions = calloc (most, sizeof *counted->mentions);
  counted->blocks = calloc (most, sizeof *counted->blocks);
  if (!counted->mentions || !counted->blocks)
    return false;
  const struct mention *before = NULL;
  for (uint32_t i = 0; i < function->group_count; i++)
    {
      const struct gcov_line_group *group = &function->groups[i];
      if (before && before->block != group->block)
	before = NULL;
      before = list_group (counted, group, before);
    }
  qsort (counted->mentions, counted->mention_count, sizeof *counted->mentions,
	 compare_mentions);
  return true;
}

/* Find the arcs that lead to handlers: for a block that a fake arc leaves,
   which is a call that may throw, all arcs except this one and the one to the
   return point.  */
static bool
find_throwing (const struct gcov_notes_function *function, bool *is_throwing,
	       bool *is_call)
{
  bool found = false;
  for (uint32_t i = 0; i < function->arc_count; i++)
    if (function->arcs[i].flags & GCOV_ARC_FAKE)
      is_call[function->arcs[i].source] = function->arcs[i].source != 0;
  for (uint32_t i = 0; i < function->arc_count; i++)
    {
      const struct gcov_arc *arc = &function->arcs[i];
      is_throwing[i]
	= (is_call[arc->source]
	   && !(arc->flags & (GCOV_ARC_FAKE | GCOV_ARC_FALL_THROUGH)));
      found |= is_throwing[i];
    }
  return found;
}

/* Set IS_REACHABLE of the blocks that are reachable over arcs that are neither
   fake nor throwing.  STACK has room for all blocks.  */
static void
mark_reachable (const struct counted_function *counted, const bool *is_throwing,
		uint32_t *stack)
{
  const struct gcov_notes_function *function = counted->function;
  const struct gcov_adjacency *leaving = &counted->flow.leaving;
  uint32_t depth = 1;
  stack[0] = 0;
  counted->is_reachable[0] = true;
  while (depth > 0)
    {
      uint32_t block = stack[--depth];
      for (uint32_t i = leaving->first[block]; i < leaving->first[block + 1];
	   i++)
	{
	  uint32_t arc = leaving->arcs[i];
	  uint32_t next = function->arcs[arc].destination;
	  if (is_throwing[arc] || (function->arcs[arc].flags & GCOV_ARC_FAKE)
	      || counted->is_reachable[next])
	    continue;
	  counted->is_reachable[next] = true;
	  stack[depth++] = next;
	}
    }
}

/* Find the blocks that control can reach without exceptions; all of them if the
   function has no handlers.  */
static bool
find_reachable (struct counted_function *counted)
{
  const struct gcov_notes_function *function = counted->function;
  size_t blocks = function->block_count + (size_t) 1;
  bool *is_throwing
    = calloc (function->arc_count + (size_t) 1, sizeof *is_throwing);
  bool *is_call = calloc (blocks, sizeof *is_call);
  uint32_t *stack = calloc (blocks, sizeof *stack);
  counted->is_reachable = calloc (blocks, sizeof *counted->is_reachable);
  bool done = is_throwing && is_call && stack && counted->is_reachable;
  if (done && find_throwing (function, is_throwing, is_call))
    mark_reachable (counted, is_throwing, stack);
  else if (done)
    memset (counted->is_reachable, true, blocks);
  free (is_throwing);
  free (is_call);
  free (stack);
  return done;
}

static struct share *
add_share (struct line_counter *counter)
{
  if (counter->share_count == counter->share_capacity)
    {
      size_t capacity = counter->share_count * 2 + 64;
      struct share *shares
	= realloc (counter->shares, capacity * sizeof *shares);
      if (!shares)
	return NULL;
      counter->shares = shares;
      counter->share_capacity = capacity;
    }
  struct share *share = &counter->shares[counter->share_count++];
  *share = (struct share){ 0 };
  return share;
}

/* Add the contribution of the N mentions at MENTIONS, all of one line.  */
static bool
count_line (struct line_counter *counter, struct counted_function *counted,
	    const struct mention *mentions, uint32_t n)
{
  struct share *share = add_share (counter);
  if (!share)
    return false;
  share->file = mentions[0].file;
  share->line = mentions[0].line;
  share->is_own = is_own_line (counted, share->file, share->line);
  share->is_exceptional = true;
  uint64_t sum = 0;
  size_t block_count = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t block = mentions[i].block;
      int64_t count = counted->flow.block_counts[block];
      if (mentions[i].is_place)
	counted->blocks[block_count++] = block;
      if (mentions[i].is_repeated)
	continue;
      sum += (uint64_t) count;
      if (!counted->is_reachable[block])
	continue;
      share->is_exceptional = false;
      share->has_unexecuted_block |= count == 0;
    }
  share->block_sum = (int64_t) sum;
  share->has_blocks = block_count > 0;
  share->visits
    = gcov_cycles_count (&counted->cycles, counted->blocks, block_count);
  return true;
}

static bool
count_mentions (struct line_counter *counter, struct counted_function *counted)
{
  uint32_t end;
  for (uint32_t i = 0; i < counted->mention_count; i = end)
    {
      const struct mention *first = &counted->mentions[i];
      for (end = i + 1; end < counted->mention_count; end++)
	if (compare_places (first->file, first->line,
			    counted->mentions[end].file,
			    counted->mentions[end].line)
	    != 0)
	  break;
      if (!count_line (counter, counted, first, end - i))
	return false;
    }
  return true;
}

/* Count the lines of FUNCTION with COUNTERS, NULL for zeros.  */
static bool
count_function (struct line_counter *counter,
		const struct gcov_notes_function *function,
		const int64_t *counters)
{
  struct counted_function counted = { .function = function };
  counted.is_instance
    = counter->is_instance[function - counter->notes->functions];
  bool done = gcov_flow_solve (&counted.flow, function, counters);
  done = (done && list_mentions (&counted) && find_reachable (&counted)
	  && gcov_cycles_init (&counted.cycles, function, &counted.flow)
	  && count_mentions (counter, &counted));
  gcov_cycles_free (&counted.cycles);
  gcov_flow_free (&counted.flow);
  free (counted.mentions);
  free (counted.blocks);
  free (counted.is_reachable);
  return done;
}

/* Count the lines of the functions that have counters.  */
static bool
count_functions (struct line_counter *counter)
{
  const struct gcov_notes *notes = counter->notes;
  const struct gcov_unit *unit = counter->unit;
  uint32_t hint = 0;
  for (uint32_t i = 0; unit && i < unit->function_count; i++)
    {
      const struct gcov_function *counted = &unit->functions[i];
      const struct gcov_vector *vector
	= gcov_function_vector (counted, GCOV_KIND_ARCS);
      const struct gcov_notes_function *function
	= gcov_notes_find (notes, counted->ident, counted->lineno_checksum,
			   counted->cfg_checksum, &hint);
      if (!function || !vector || vector->count != function->counter_count
	  || function->is_artificial)
	continue;
      if (!count_function (counter, function, vector->counters))
	return false;
    }
  for (uint32_t i = 0; !unit && i < notes->function_count; i++)
    if (!notes->functions[i].is_artificial
	&& !count_function (counter, &notes->functions[i], NULL))
      return false;
  return true;
}

/* Set *LINE to the sum of the N shares at SHARES, of one line, those of
   instances last.  */
static void
add_shares (struct gcov_line *line, const struct share *shares, size_t n)
{
  uint64_t sum = 0;
  uint64_t visits = 0;
  uint64_t own = 0;
  bool has_blocks = false;
  *line = (struct gcov_line){ .line = shares[0].line, .is_exceptional = true };
  for (size_t i = 0; i < n; i++)
    {
      const struct share *share = &shares[i];
      line->has_unexecuted_block |= share->has_unexecuted_block;
      line->is_exceptional &= share->is_exceptional;
      if (share->is_own)
	own
	  += (uint64_t) (share->has_blocks ? share->visits : share->block_sum);
      else
	{
	  has_blocks |= share->has_blocks;
	  visits += (uint64_t) share->visits;
	  sum += (uint64_t) share->block_sum;
	}
    }
  line->count = (int64_t) ((has_blocks ? visits : sum) + own);
}

/* Add the shares up into LINES.  */
static bool
fold_shares (struct line_counter *counter, struct gcov_lines *lines)
{
  size_t n = counter->share_count;
  if (n > 0)
    qsort (counter->shares, n, sizeof *counter->shares, compare_shares);
  lines->lines = calloc (n + 1, sizeof *lines->lines);
  lines->sources = calloc (n + 1, sizeof *lines->sources);
  if (!lines->lines || !lines->sources)
    return false;
  struct gcov_line *line = lines->lines;
  struct gcov_source *source = NULL;
  size_t end;
  for (size_t i = 0; i < n; i = end)
    {
      const struct share *first = &counter->shares[i];
      for (end = i + 1; end < n; end++)
	if (compare_places (first->file, first->line, counter->shares[end].file,
			    counter->shares[end].line)
	    != 0)
	  break;
      if (!source || strcmp (source->path, first->file) != 0)
	{
	  source = &lines->sources[lines->source_count++];
	  source->path = first->file;
	  source->lines = line;
	}
      add_shares (line++, first, end - i);
      source->line_count++;
    }
  return true;
}

struct gcov_lines *
gcov_lines_count (const struct gcov_notes *notes, const struct gcov_unit *unit)
{
  struct line_counter counter = { .notes = notes, .unit = unit };
  struct gcov_lines *lines = calloc (1, sizeof *lines);
  bool done = (lines && find_instances (&counter) && count_functions (&counter)
	       && fold_shares (&counter, lines));
  free (counter.is_instance);
  free (counter.shares);
  if (done)
    return lines;
  gcov_lines_free (lines);
  return NULL;
}

void
gcov_lines_free (struct gcov_lines *lines)
{
  if (!lines)
    return;
  free (lines->sources);
  free (lines->lines);
  free (lines);
}

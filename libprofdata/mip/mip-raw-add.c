/* Adding images of raw files to a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-raw.h"
#include "heapprof/mip-format.h"
#include "mip-profile-calls.h"
#include "mip-profile-edges.h"
#include "mip-trace.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

/* State of a block while rules are followed.  */
enum block_state
{
  BLOCK_UNKNOWN,
  BLOCK_FOLLOWED, /* in progress; an invalid map can have cycles */
  BLOCK_COVERED,
  BLOCK_NOT_COVERED
};

/* Only an invalid map has longer chains of rules.  */
#define MAX_RULE_DEPTH 5000

/* The image being added, and the function.  */
struct image_adding
{
  struct mip_profile *profile;
  const struct mip_raw_image *image;
  uint64_t weight;
  uint8_t *states; /* of one function's blocks; malloced */
  struct mip_call_counts counts;
  const struct mip_raw_chunk *chunk;
  uint64_t slot;      /* of the function, in the chunk */
  const uint8_t *row; /* of a chunk with rows */
};

/* Return true if what byte NUMBER of the function's slot stands for was
   reached.  */
static bool
is_marked (const struct image_adding *adding, uint32_t number)
{
  const struct mip_raw_chunk *chunk = adding->chunk;
  uint64_t slot = adding->slot + number;
  if (chunk->encoding == HEAPPROF_MIP_ROWS)
    {
      const uint8_t *words = adding->row + sizeof (struct heapprof_mip_row);
      uint64_t word
	= mip_raw_u64 (adding->image, words + slot / 64 * sizeof word);
      return (word >> slot % 64 & 1) != 0;
    }
  if (chunk->encoding == HEAPPROF_MIP_SUMS)
    return mip_raw_u32 (adding->image, chunk->data + slot * sizeof (uint32_t))
	   != 0;
  uint8_t unmarked
    = chunk->encoding == HEAPPROF_MIP_REACHED_CLEARS ? UINT8_MAX : 0;
  return ((chunk->data[slot] ^ unmarked) & HEAPPROF_MIP_MARKS) != 0;
}

/* Return true if block NUMBER of FUNCTION is covered.  DEPTH blocks led
   here.  */
static bool
is_covered (const struct image_adding *adding,
	    const struct mip_function *function, uint32_t number,
	    uint32_t depth)
{
  const struct mip_block *block
    = &adding->profile->blocks[function->first_block + number];
  uint8_t *state = &adding->states[number];
  if (block->slot != UINT32_MAX)
    return is_marked (adding, block->slot);
  if (*state != BLOCK_UNKNOWN || block->rule == UINT32_MAX
      || depth > MAX_RULE_DEPTH)
    return *state == BLOCK_COVERED;
  *state = BLOCK_FOLLOWED;
  const uint32_t *rule = adding->profile->rules + block->rule;
  bool result = false;
  for (uint32_t i = 1; i <= rule[0] && !result; i++)
    result = is_covered (adding, function, rule[i], depth + 1);
  *state = result ? BLOCK_COVERED : BLOCK_NOT_COVERED;
  return result;
}

/* Return true if COPY, inlined into FUNCTION, is known to have run.  If blocks
   have no bytes, all that is known is whether FUNCTION, and with it some of its
   copies, ran: IS_ENTERED.  */
static bool
copy_ran (const struct image_adding *adding,
	  const struct mip_function *function, const struct mip_copy *copy,
	  bool is_entered)
{
  if (copy->rule == UINT32_MAX || function->kind != HEAPPROF_MIP_COVERAGE)
    return is_entered && (copy->flags & HEAPPROF_MIP_COPY_ALWAYS) != 0;
  const uint32_t *rule = adding->profile->rules + copy->rule;
  for (uint32_t i = 1; i <= rule[0]; i++)
    if (is_covered (adding, function, rule[i], 0))
      return true;
  return false;
}

/* Add what is known about the inlined copies in FUNCTION, RUNS times.  */
static void
add_copies (const struct image_adding *adding,
	    const struct mip_function *function, bool is_entered, uint64_t runs)
{
  struct mip_copy *copies = adding->profile->copies + function->first_copy;
  for (uint32_t i = 0; i < function->copy_count; i++)
    if (copy_ran (adding, function, &copies[i], is_entered))
      copies[i].runs = saturating_add (copies[i].runs, runs);
}

/* Add what is known about the blocks of FUNCTION, RUNS times.  Return true if
   the first one, the entry, ran.  */
static bool
add_blocks (const struct image_adding *adding,
	    const struct mip_function *function, uint64_t runs)
{
  memset (adding->states, BLOCK_UNKNOWN, function->block_count);
  for (uint32_t i = 0; i < function->block_count; i++)
    if (is_covered (adding, function, i, 0))
      {
	struct mip_block *block
	  = &adding->profile->blocks[function->first_block + i];
	block->runs = saturating_add (block->runs, runs);
      }
  return is_covered (adding, function, 0, 0);
}

/* Add RUNS runs that marked the same bytes of FUNCTION.  */
static void
add_coverage (const struct image_adding *adding, struct mip_function *function,
	      uint64_t runs)
{
  runs = saturating_multiply (runs, adding->weight);
  bool is_entered = function->block_count > 0
		      ? add_blocks (adding, function, runs)
		      : is_marked (adding, 0);
  if (is_entered)
    function->runs = saturating_add (function->runs, runs);
  add_copies (adding, function, is_entered, runs);
}

/* Add the runs of each row.  */
static void
add_rows (struct image_adding *adding, struct mip_function *function)
{
  const struct mip_raw_chunk *chunk = adding->chunk;
  uint64_t bytes = mip_raw_row_bytes (chunk);
  for (uint64_t at = 0; at < chunk->stored; at += bytes)
    {
      adding->row = chunk->data + at;
      add_coverage (adding, function, mip_raw_u32 (adding->image, adding->row));
    }
}

/* Add the sum of coverage of FUNCTION.  For a function with blocks it is
   unknown in which runs the blocks without bytes ran, so all runs are treated
   as one.  */
static void
add_marks (const struct image_adding *adding, struct mip_function *function)
{
  const uint8_t *sum = adding->chunk->data + adding->slot * sizeof (uint32_t);
  add_coverage (adding, function,
		function->block_count > 0 ? 1
					  : mip_raw_u32 (adding->image, sum));
}

/* Read the counters of a function whose calls were counted, or that has a place
   in the order.  */
static struct heapprof_mip_sum
read_sum (const struct image_adding *adding,
	  const struct mip_function *function)
{
  const struct mip_raw_image *image = adding->image;
  bool is_counted = function->kind == HEAPPROF_MIP_COUNT;
  size_t bytes
    = is_counted ? sizeof (struct heapprof_mip_count) : sizeof (uint32_t);
  const uint8_t *data = adding->chunk->data;
  struct heapprof_mip_sum sum = { 0 };
  if (adding->chunk->encoding == HEAPPROF_MIP_SUMS)
    {
      data += adding->slot / bytes * sizeof sum;
      sum.calls = mip_raw_u64 (image, data);
      sum.orders
	= mip_raw_u64 (image,
		       data + offsetof (struct heapprof_mip_sum, orders));
      sum.runs
	= mip_raw_u32 (image, data + offsetof (struct heapprof_mip_sum, runs));
      sum.order
	= mip_raw_u32 (image, data + offsetof (struct heapprof_mip_sum, order));
      return sum;
    }
  data += adding->slot + bytes - sizeof sum.order;
  sum.order = mip_raw_u32 (image, data);
  sum.orders = sum.order & HEAPPROF_MIP_ORDER_MASK;
  sum.runs = sum.order != 0;
  if (is_counted && sum.runs != 0)
    {
      /* 2^32 calls wrap to 0.  */
      uint32_t calls = -mip_raw_u32 (image, data - sizeof calls);
      sum.calls = calls != 0 ? calls : UINT32_MAX;
    }
  return sum;
}

/* Read the number of calls of FUNCTION, which has no order.  */
static struct heapprof_mip_sum
read_calls (const struct image_adding *adding,
	    const struct mip_function *function)
{
  const struct mip_profile *profile = adding->profile;
  size_t number = (size_t) (function - profile->functions)
		  - profile->modules[function->module].first_function;
  struct heapprof_mip_sum sum
    = { .calls = saturating_add (mip_raw_u64 (adding->image, adding->chunk->data
							       + adding->slot),
				 adding->counts.skipping[number]) };
  sum.runs = sum.calls != 0;
  return sum;
}

/* Add SUM to FUNCTION.  */
static void
add_sum (const struct image_adding *adding, struct mip_function *function,
	 const struct heapprof_mip_sum *sum)
{
  uint64_t weight = adding->weight;
  uint32_t order = sum->order & HEAPPROF_MIP_ORDER_MASK;
  if (sum->runs == 0)
    return;
  uint64_t runs = saturating_multiply (sum->runs, weight);
  function->runs = saturating_add (function->runs, runs);
  add_copies (adding, function, true, runs);
  if (function->kind != HEAPPROF_MIP_ORDER)
    function->calls = saturating_add (function->calls,
				      saturating_multiply (sum->calls, weight));
  function->order_sum
    = saturating_add (function->order_sum,
		      saturating_multiply (sum->orders, weight));
  if (function->order_least == 0
      || (order != 0 && order < function->order_least))
    function->order_least = order;
}

/* Add the content of the slot of FUNCTION.  Return its least order, 0 if there
   is none or it did not run.  */
static uint32_t
add_function (struct image_adding *adding, struct mip_function *function)
{
  const struct mip_raw_chunk *chunk = adding->chunk
    = mip_raw_find_chunk (adding->image, function->kind, function->slot, 1);
  adding->slot = function->slot - chunk->address;
  if (function->kind != HEAPPROF_MIP_COVERAGE)
    {
      struct heapprof_mip_sum sum = function->kind == HEAPPROF_MIP_CALLS
				      ? read_calls (adding, function)
				      : read_sum (adding, function);
      add_sum (adding, function, &sum);
      return sum.runs != 0 ? sum.order & HEAPPROF_MIP_ORDER_MASK : 0;
    }
  if (chunk->encoding == HEAPPROF_MIP_ROWS)
    add_rows (adding, function);
  else if (chunk->encoding == HEAPPROF_MIP_SUMS)
    add_marks (adding, function);
  else
    add_coverage (adding, function, 1);
  return 0;
}

/* Add the edges of IMAGE to module NUMBER.  Return false if memory is
   exhausted.  */
static bool
add_edges (struct mip_profile *profile, size_t number,
	   const struct mip_raw_image *image, uint64_t weight)
{
  bool is_done = true;
  for (uint32_t i = 0; i < image->chunk_count && is_done; i++)
    {
      const struct mip_raw_chunk *chunk = &image->chunks[i];
      const struct mip_edge_chunk edges
	= { chunk->data, chunk->bytes, chunk->address, image->bias,
	    image->big_endian };
      if (chunk->kind == HEAPPROF_MIP_EDGES)
	is_done = mip_edges_add_chunk (profile, number, &edges, weight);
    }
  return is_done;
}

bool
mip_raw_add (struct mip_profile *profile, size_t number,
	     const struct mip_raw_image *image, uint64_t weight)
{
  struct mip_module *module = &profile->modules[number];
  struct mip_trace_maker trace = { 0 };
  uint32_t blocks = 1;
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      const struct mip_function *function
	= &profile->functions[module->first_function + i];
      if (function->block_count > blocks)
	blocks = function->block_count;
    }
  struct image_adding adding = { .profile = profile,
				 .image = image,
				 .weight = weight,
				 .states = malloc (blocks) };
  bool is_done
    = adding.states != NULL && add_edges (profile, number, image, weight)
      && mip_call_counts_read (&adding.counts, profile, module, image);
  for (uint32_t i = 0; i < module->function_count && is_done; i++)
    {
      uint32_t index = module->first_function + i;
      uint32_t order = add_function (&adding, &profile->functions[index]);
      if (order != 0)
	is_done = mip_trace_maker_add (&trace, order, index);
    }
  is_done = is_done
	    && mip_trace_maker_finish (&trace, profile, image->time_ns, weight);
  is_done
    = is_done
      && mip_calls_add_image (profile, module, image, &adding.counts, weight);
  mip_trace_maker_release (&trace);
  mip_call_counts_release (&adding.counts);
  free (adding.states);
  uint64_t runs = saturating_multiply (image->runs, weight);
  module->images = saturating_add (module->images, runs);
  profile->images = saturating_add (profile->images, runs);
  return is_done;
}

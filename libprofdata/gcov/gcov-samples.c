/* Converting GCC's own counters to a sample profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-samples.h"
#include "function-id.h"
#include "gcov-block-order.h"
#include "gcov-call-places.h"
#include "gcov-callees.h"
#include "gcov-flow.h"
#include <stdlib.h>
#include <string.h>

/* LLVM has no room for greater ones next to the other information in its
   discriminators.  */
#define GREATEST_DISCRIMINATOR 0xfff

struct gcov_samples
{
  struct sample_profile *into;
  struct gcov_callees callees;
  enum gcov_samples_reader reader;
  struct gcov_samples_losses losses;
};

/* A line of a block.  */
struct line_block
{
  uint32_t line;
  uint32_t place; /* of the block, as in gcov_block_order */
  uint64_t count; /* of the block */
};

/* State for converting a function.  */
struct sampled_function
{
  const struct gcov_notes_function *notes;
  const struct gcov_function *counted;
  struct gcov_flow flow;
  uint32_t *places; /* of the blocks */
  struct line_block *lines;
  uint32_t line_count;
  struct sample_function *into;
};

static uint64_t
take_count (int64_t count)
{
  return count < 0 ? 0 : (uint64_t) count;
}

static int
compare_line_blocks (const void *element1, const void *element2)
{
  const struct line_block *a = element1;
  const struct line_block *b = element2;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

/* Return true if LINE of FILE is between the start and the end of FUNCTION.  */
static bool
is_own_line (const struct gcov_notes_function *function, const char *file,
	     uint32_t line)
{
  return (line >= function->start_line && line <= function->end_line
	  && strcmp (file, function->file) == 0);
}

/* List the function's own lines of all blocks, by line and place.  */
static bool
list_lines (struct gcov_samples *samples, struct sampled_function *sampled)
{
  const struct gcov_notes_function *function = sampled->notes;
  sampled->lines
    = calloc (function->line_count + (size_t) 1, sizeof *sampled->lines);
  if (!sampled->lines)
    return false;
  for (uint32_t i = 0; i < function->group_count; i++)
    {
      const struct gcov_line_group *group = &function->groups[i];
      uint64_t count = take_count (sampled->flow.block_counts[group->block]);
      for (uint32_t k = 0; k < group->count; k++)
	{
	  uint32_t line = function->lines[group->first + k];
	  if (is_own_line (function, group->file, line))
	    sampled->lines[sampled->line_count++]
	      = (struct line_block){ line, sampled->places[group->block],
				     count };
	  else
	    samples->losses.lines += count > 0;
	}
    }
  qsort (sampled->lines, sampled->line_count, sizeof *sampled->lines,
	 compare_line_blocks);
  return true;
}

static struct sample_location
make_location (const struct sampled_function *sampled, uint32_t line,
	       uint32_t discriminator)
{
  return (struct sample_location){ (line - sampled->notes->start_line) & 0xffff,
				   discriminator };
}

/* Add a body sample for each block of the N elements at LINES, all of one line.
   Counts of parts of one block differ if a call between them did not
   return.  */
static bool
add_blocks (struct gcov_samples *samples, struct sampled_function *sampled,
	    const struct line_block *lines, uint32_t n)
{
  uint32_t discriminator = 0;
  uint64_t greatest = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      if (lines[i].count > greatest)
	greatest = lines[i].count;
      if (i + 1 < n && lines[i + 1].place == lines[i].place)
	continue;
      if (!sample_function_add_body (samples->into, sampled->into,
				     make_location (sampled, lines[0].line,
						    discriminator),
				     greatest))
	return false;
      greatest = 0;
      if (discriminator++ == GREATEST_DISCRIMINATOR)
	break;
    }
  return true;
}

/* Add one body sample for the N elements at LINES, all of one line.  */
static bool
add_least (struct gcov_samples *samples, struct sampled_function *sampled,
	   const struct line_block *lines, uint32_t n)
{
  uint64_t least = lines[0].count;
  for (uint32_t i = 1; i < n; i++)
    if (lines[i].count < least)
      least = lines[i].count;
  return sample_function_add_body (samples->into, sampled->into,
				   make_location (sampled, lines[0].line, 0),
				   least);
}

static bool
add_lines (struct gcov_samples *samples, struct sampled_function *sampled)
{
  uint32_t end;
  for (uint32_t i = 0; i < sampled->line_count; i = end)
    {
      for (end = i + 1; end < sampled->line_count; end++)
	if (sampled->lines[end].line != sampled->lines[i].line)
	  break;
      bool done = samples->reader == GCOV_SAMPLES_LLVM
		    ? add_blocks (samples, sampled, &sampled->lines[i], end - i)
		    : add_least (samples, sampled, &sampled->lines[i], end - i);
      if (!done)
	return false;
    }
  return true;
}

/* Return the number in SAMPLES of the assembler name NAME without compiler
   suffixes; SAMPLE_NO_NAME if memory is exhausted.  */
static uint32_t
add_name (struct gcov_samples *samples, const char *name)
{
  /* An asterisk means that the assembler uses the rest unchanged.  */
  name += *name == '*';
  return sample_profile_add_name (samples->into, name,
				  function_canonical_bytes (name,
							    strlen (name)));
}

/* Return the discriminator of the block with PLACE among those that have
   LINE.  */
static uint32_t
find_discriminator (const struct gcov_samples *samples,
		    const struct sampled_function *sampled, uint32_t line,
		    uint32_t place)
{
  uint32_t discriminator = 0;
  const struct line_block *before = NULL;
  for (uint32_t i = 0; i < sampled->line_count; i++)
    {
      const struct line_block *here = &sampled->lines[i];
      if (here->line != line || here->place > place
	  || samples->reader != GCOV_SAMPLES_LLVM)
	continue;
      discriminator += before && before->place != here->place;
      before = here;
    }
  return discriminator;
}

/* Add the targets of SITE, which is at PLACE.  */
static bool
add_targets (struct gcov_samples *samples, struct sampled_function *sampled,
	     const struct gcov_site *site, const struct gcov_call_place *place)
{
  uint32_t discriminator = find_discriminator (samples, sampled, place->line,
					       sampled->places[place->block]);
  if (discriminator > GREATEST_DISCRIMINATOR)
    return true;
  struct sample_location location
    = make_location (sampled, place->line, discriminator);
  for (uint32_t i = 0; i < site->target_count; i++)
    {
      const struct gcov_target *target = &site->targets[i];
      const struct gcov_callee *callee
	= gcov_callees_find (&samples->callees, target->value);
      if (!callee || !callee->name || target->count <= 0)
	continue;
      uint32_t name = add_name (samples, callee->name);
      if (name == SAMPLE_NO_NAME
	  || !sample_function_add_target (samples->into, sampled->into,
					  location, name,
					  (uint64_t) target->count))
	return false;
    }
  return true;
}

/* Add the targets of the function's indirect calls.  */
static bool
add_calls (struct gcov_samples *samples, struct sampled_function *sampled)
{
  const struct gcov_vector *calls
    = gcov_function_vector (sampled->counted, GCOV_KIND_CALL);
  if (!calls || calls->count == 0)
    return true;
  struct gcov_call_place *places = calloc (calls->count, sizeof *places);
  bool done
    = (places
       && gcov_call_places_find (places, sampled->notes, &sampled->flow,
				 sampled->places, calls->sites, calls->count));
  for (uint32_t i = 0; done && i < calls->count; i++)
    if (places[i].block == UINT32_MAX)
      samples->losses.calls += calls->sites[i].target_count > 0;
    else
      done = add_targets (samples, sampled, &calls->sites[i], &places[i]);
  free (places);
  return done;
}

/* Record in the sample function when SAMPLED first ran.  */
static void
add_first_run (struct sampled_function *sampled)
{
  const struct gcov_vector *times
    = gcov_function_vector (sampled->counted, GCOV_KIND_TIME);
  if (!times || times->count == 0 || !times->counters)
    return;
  uint64_t first = take_count (times->counters[0]);
  uint64_t *kept = &sampled->into->first_run;
  if (first != 0 && (*kept == 0 || first < *kept))
    *kept = first;
}

/* Return how often the function was entered.  Fake arcs lead from its entry to
   places where calls may return again, as after setjmp.  */
static uint64_t
count_entries (const struct sampled_function *sampled)
{
  const struct gcov_flow *flow = &sampled->flow;
  uint64_t entries = 0;
  for (uint32_t i = flow->leaving.first[0]; i < flow->leaving.first[1]; i++)
    {
      uint32_t arc = flow->leaving.arcs[i];
      if (!(sampled->notes->arcs[arc].flags & GCOV_ARC_FAKE))
	sample_count_add (&entries, take_count (flow->arc_counts[arc]));
    }
  return entries;
}

static bool
has_run (const struct sampled_function *sampled)
{
  for (uint32_t i = 0; i < sampled->notes->block_count; i++)
    if (sampled->flow.block_counts[i] > 0)
      return true;
  return false;
}

/* Add the function SAMPLED, whose flow is solved.  */
static bool
add_solved (struct gcov_samples *samples, struct sampled_function *sampled)
{
  uint32_t name = add_name (samples, sampled->notes->name);
  if (name == SAMPLE_NO_NAME)
    return false;
  if (samples->reader == GCOV_SAMPLES_LLVM && !has_run (sampled))
    {
      sample_profile_set_listed (samples->into, name);
      return true;
    }
  sampled->into = sample_profile_add_function (samples->into, NULL, 0, name);
  if (!sampled->into || !list_lines (samples, sampled)
      || !add_lines (samples, sampled) || !add_calls (samples, sampled))
    return false;
  sample_count_add (&sampled->into->head, count_entries (sampled));
  add_first_run (sampled);
  sample_function_sum (sampled->into);
  return true;
}

static bool
add_function (struct gcov_samples *samples,
	      const struct gcov_notes_function *notes,
	      const struct gcov_function *counted, const int64_t *counters)
{
  struct sampled_function sampled = { .notes = notes, .counted = counted };
  sampled.places
    = calloc (notes->block_count + (size_t) 1, sizeof *sampled.places);
  bool done
    = (sampled.places && gcov_flow_solve (&sampled.flow, notes, counters)
       && gcov_block_order (notes, &sampled.flow, sampled.places)
       && add_solved (samples, &sampled));
  gcov_flow_free (&sampled.flow);
  free (sampled.places);
  free (sampled.lines);
  return done;
}

bool
gcov_samples_add (struct gcov_samples *samples, const struct gcov_unit *unit,
		  const struct gcov_notes *notes)
{
  uint32_t hint = 0;
  for (uint32_t i = 0; i < unit->function_count; i++)
    {
      const struct gcov_function *counted = &unit->functions[i];
      const struct gcov_vector *arcs
	= gcov_function_vector (counted, GCOV_KIND_ARCS);
      const struct gcov_notes_function *function
	= gcov_notes_find (notes, counted->ident, counted->lineno_checksum,
			   counted->cfg_checksum, &hint);
      bool fits = (function && arcs && *function->name != '\0'
		   && arcs->count == function->counter_count);
      if (!fits)
	samples->losses.functions++;
      else if (!function->is_artificial
	       && !add_function (samples, function, counted, arcs->counters))
	return false;
    }
  return true;
}

struct gcov_samples *
gcov_samples_new (struct sample_profile *into, const struct gcov_profile *gcov,
		  enum gcov_samples_reader reader)
{
  struct gcov_samples *samples = calloc (1, sizeof *samples);
  if (!samples)
    return NULL;
  samples->into = into;
  samples->reader = reader;
  if (gcov_callees_make (&samples->callees, gcov))
    return samples;
  gcov_samples_free (samples);
  return NULL;
}

void
gcov_samples_free (struct gcov_samples *samples)
{
  if (!samples)
    return;
  gcov_callees_free (&samples->callees);
  free (samples);
}

struct gcov_samples_losses
gcov_samples_lost (const struct gcov_samples *samples)
{
  return samples->losses;
}

/* The frames of calling contexts by pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program has some thousand calls, but its contexts consist of a hundred
   times as many, so what a call leads through is found once.  */

#include "context-frames.h"
#include <stdlib.h>

#define FIRST_SLOTS 1024

/* What the stack passes through from the call at FROM to the function at TO:
   the call, with those around it that are inlined, and jumps between.  */
struct step
{
  uint64_t from;
  uint64_t to;
  size_t first; /* of its frames among those of all steps */
  uint32_t count;
  bool hides; /* what is around it is of no use */
  bool is_used;
};

struct context_frames
{
  struct probe_frames *probes;
  struct tail_calls *tails;
  const struct call_contexts *contexts;
  struct step *steps; /* a hash table of SLOT_COUNT, a power of two */
  uint32_t slot_count;
  uint32_t step_count;
  struct frame_list all;   /* of all steps */
  uint32_t context;	   /* whose frames OUTER has */
  struct frame_list outer; /* of all calls but the last */
  struct frame_list found;
};

struct context_frames *
context_frames_open (struct probe_frames *frames, struct tail_calls *tails,
		     const struct call_contexts *contexts)
{
  struct context_frames *made = calloc (1, sizeof *made);
  if (made == NULL)
    return NULL;
  *made = (struct context_frames){ .probes = frames,
				   .tails = tails,
				   .contexts = contexts,
				   .context = CALL_CONTEXT_NONE,
				   .slot_count = FIRST_SLOTS };
  made->steps = calloc (FIRST_SLOTS, sizeof *made->steps);
  if (made->steps != NULL)
    return made;
  free (made);
  return NULL;
}

void
context_frames_close (struct context_frames *frames)
{
  if (frames == NULL)
    return;
  free (frames->steps);
  free (frames->all.frames);
  free (frames->outer.frames);
  free (frames->found.frames);
  free (frames);
}

/* ---- Frames of probes.  */

/* Append the function of COPY, which goes on at LINE, to LIST.  */
static bool
add_frame (const struct context_frames *frames, struct frame_list *list,
	   uint32_t copy, uint32_t line)
{
  const struct sample_frame frame
    = { probe_frames_name (frames->probes, copy), { line, 0 } };
  return frame.name != SAMPLE_NO_NAME && frame_list_append (list, &frame, 1);
}

/* Append the calls that COPY is inlined through to LIST.  A call whose probe is
   unknown makes what is around it useless: set *HIDES, and keep in LIST only
   what it had up to FIRST.  */
static bool
add_inlined (const struct context_frames *frames, struct frame_list *list,
	     uint32_t copy, uint32_t first, bool *hides)
{
  uint32_t inner[SAMPLE_DEEPEST];
  uint32_t depth = 0;
  const struct pseudo_probe_copy *copies = frames->probes->probes->copies;
  for (; copies[copy].caller != PSEUDO_PROBE_NO_COPY;
       copy = copies[copy].caller)
    inner[depth++] = copy;
  while (depth-- > 0)
    {
      const struct pseudo_probe_copy *inlined = &copies[inner[depth]];
      if (inlined->site == 0)
	{
	  *hides = true;
	  list->count = first;
	}
      else if (!add_frame (frames, list, inlined->caller, inlined->site))
	return false;
    }
  return true;
}

/* ---- Steps.  */

/* Add what the call or jump at ADDRESS passes through to STEP, the newest.  */
static bool
add_call (struct context_frames *frames, struct step *step, uint64_t address)
{
  struct frame_list *all = &frames->all;
  const struct pseudo_probe *call
    = pseudo_probes_call (frames->probes->probes, address);
  if (call == NULL)
    {
      /* A call without a probe hides what is around it.  */
      step->hides = true;
      all->count = (uint32_t) step->first;
      return true;
    }
  return add_inlined (frames, all, call->copy, (uint32_t) step->first,
		      &step->hides)
	 && add_frame (frames, all, call->copy, call->number);
}

static bool
fill_step (struct context_frames *frames, struct step *step)
{
  struct tail_path path;
  step->first = frames->all.count;
  tail_calls_find (frames->tails, step->from, step->to, &path);
  bool is_done = add_call (frames, step, step->from);
  for (size_t i = 0; i < path.count && is_done; i++)
    is_done = add_call (frames, step, path.jumps[i]);
  step->count = frames->all.count - (uint32_t) step->first;
  return is_done;
}

/* Return the step from FROM to TO, or the free slot for it.  */
static struct step *
find_slot (const struct context_frames *frames, uint64_t from, uint64_t to)
{
  uint64_t key = (from ^ (to << 31 | to >> 33)) * UINT64_C (0x9e3779b97f4a7c15);
  uint32_t mask = frames->slot_count - 1;
  for (uint32_t slot = (uint32_t) (key >> 32) & mask;; slot = (slot + 1) & mask)
    {
      struct step *step = &frames->steps[slot];
      if (!step->is_used || (step->from == from && step->to == to))
	return step;
    }
}

static bool
grow (struct context_frames *frames)
{
  struct step *old = frames->steps;
  uint32_t count = frames->slot_count;
  struct step *steps = calloc (2 * (size_t) count, sizeof *steps);
  if (steps == NULL)
    return false;
  frames->steps = steps;
  frames->slot_count = 2 * count;
  for (uint32_t i = 0; i < count; i++)
    if (old[i].is_used)
      *find_slot (frames, old[i].from, old[i].to) = old[i];
  free (old);
  return true;
}

/* Return the step from the call at FROM to the code at ADDRESS, NULL if memory
   is exhausted.  */
static const struct step *
find_step (struct context_frames *frames, uint64_t from, uint64_t address)
{
  uint64_t to;
  if (!tail_calls_function (frames->tails, address, &to)
      || (frames->step_count >= frames->slot_count / 2 && !grow (frames)))
    return NULL;
  struct step *step = find_slot (frames, from, to);
  if (step->is_used)
    return step;
  *step = (struct step){ .from = from, .to = to };
  if (!fill_step (frames, step))
    return NULL;
  step->is_used = true;
  frames->step_count++;
  return step;
}

/* Append the frames of the step from FROM to the code at ADDRESS to LIST.  */
static bool
add_step (struct context_frames *frames, struct frame_list *list, uint64_t from,
	  uint64_t address)
{
  const struct step *step = find_step (frames, from, address);
  if (step == NULL)
    return false;
  if (step->hides)
    list->count = 0;
  return step->count == 0
	 || frame_list_append (list, &frames->all.frames[step->first],
			       step->count);
}

/* ---- Contexts.  */

/* Make the outer frames those of CONTEXT.  */
static bool
enter_context (struct context_frames *frames, uint32_t context)
{
  const struct call_context *found = &frames->contexts->contexts[context];
  const uint64_t *calls = &frames->contexts->addresses[found->first];
  bool is_done = true;
  if (frames->context == context)
    return true;
  frames->context = CALL_CONTEXT_NONE;
  frames->outer.count = 0;
  for (uint32_t i = 0; i + 1 < found->count && is_done; i++)
    is_done = add_step (frames, &frames->outer, calls[i], calls[i + 1]);
  if (is_done)
    frames->context = context;
  return is_done;
}

const struct frame_list *
context_frames_find (struct context_frames *frames, uint32_t context,
		     const struct pseudo_probe *probe)
{
  const struct call_context *found = &frames->contexts->contexts[context];
  const uint64_t *calls = &frames->contexts->addresses[found->first];
  struct frame_list *list = &frames->found;
  bool hides = false;
  list->count = 0;
  if (!enter_context (frames, context)
      || !frame_list_append (list, frames->outer.frames, frames->outer.count)
      || (found->count > 0
	  && !add_step (frames, list, calls[found->count - 1], probe->address))
      || !add_inlined (frames, list, probe->copy, 0, &hides))
    return NULL;
  frame_list_trim (list, frames->contexts);
  return list;
}

/* Which file was mapped where in which process, and when.
   SPDX-License-Identifier: GPL-3.0-or-later

   The events of all processes are in a list sorted by process and order; a
   moment is the number of the last event that has happened.  An address is
   looked up backwards from there, and then in the parent, from the start of the
   process.  */

#include "perf-processes.h"
#include <stdlib.h>
#include <string.h>

/* Bounds chains of parents; damaged recordings may have cycles.  */
#define MOST_PARENTS 100

enum kind
{
  KIND_AREA,
  KIND_FORK,
  KIND_EXEC
};

struct event
{
  int32_t pid;
  enum kind kind;
  uint64_t order;
  uint32_t number; /* position in the file */
  int32_t parent;  /* of a fork */
  struct perf_area area;
};

struct range
{
  uint64_t start;
  uint64_t end;
};

struct perf_processes
{
  const struct perf_images *images;
  int32_t pid;	    /* the only relevant process, or PERF_NO_PID */
  bool is_one;	    /* all processes are treated as one */
  int32_t sole_pid; /* of all relevant files; PERF_NO_PID: none or several */
  bool has_images;
  struct event *events;
  uint32_t count;
  uint32_t capacity;
  uint32_t last_moment; /* last query */
  int32_t last_pid;
  bool has_last;
  uint64_t last_from; /* range of order with the same answer */
  uint64_t last_to;
};

void
perf_processes_free (struct perf_processes *processes)
{
  if (!processes)
    return;
  free (processes->events);
  free (processes);
}

bool
perf_processes_has_images (const struct perf_processes *processes)
{
  return processes->has_images;
}

static struct event *
add_event (struct perf_processes *processes, struct profile_error *err)
{
  if (processes->count == processes->capacity)
    {
      uint32_t capacity = processes->capacity ? 2 * processes->capacity : 64;
      void *grown
	= capacity > processes->capacity
	    ? realloc (processes->events, capacity * sizeof *processes->events)
	    : NULL;
      if (!grown)
	{
	  profile_error_set_memory (err, NULL);
	  return NULL;
	}
      processes->events = grown;
      processes->capacity = capacity;
    }
  struct event *event = &processes->events[processes->count];
  *event = (struct event){ .number = processes->count++ };
  return event;
}

static bool
matters (const struct perf_processes *processes, int32_t pid)
{
  return processes->pid == PERF_NO_PID || processes->pid == pid;
}

static bool
add_mapping (void *closure, const struct perf_mapping *mapping,
	     struct profile_error *err)
{
  struct perf_processes *processes = closure;
  if (mapping->bytes == 0 || mapping->bytes > UINT64_MAX - mapping->start)
    return true;
  /* Mappings of the parents of PID are relevant, too, unless all processes are
     treated as one.  */
  if (processes->is_one && !matters (processes, mapping->pid))
    return true;
  struct event *event = add_event (processes, err);
  if (!event)
    return false;
  event->pid = processes->is_one ? 0 : mapping->pid;
  event->kind = KIND_AREA;
  event->order = mapping->order;
  event->area = (struct perf_area){
    .image = processes->images->find (processes->images->closure, mapping),
    .protection = mapping->protection,
    .start = mapping->start,
    .bytes = mapping->bytes,
    .file_offset = mapping->file_offset
  };
  processes->has_images |= event->area.image != PERF_NO_IMAGE;
  return true;
}

static bool
add_process (void *closure, const struct perf_process *process,
	     struct profile_error *err)
{
  struct perf_processes *processes = closure;
  if (processes->is_one)
    return true;
  struct event *event = add_event (processes, err);
  if (!event)
    return false;
  event->pid = process->pid;
  event->kind = process->parent != PERF_NO_PID ? KIND_FORK : KIND_EXEC;
  event->order = process->order;
  event->parent = process->parent;
  return true;
}

static bool
pass_build_id (void *closure, const struct perf_build_id *build_id,
	       struct profile_error *err)
{
  struct perf_processes *processes = closure;
  return processes->images->build_id (processes->images->closure, build_id,
				      err);
}

static int
compare_ranges (const void *a, const void *b)
{
  const struct range *x = a;
  const struct range *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* Return the address ranges at which relevant files are mapped in any process,
   malloced, *COUNT disjoint ranges sorted by address.  NULL if memory is
   exhausted.  */
static struct range *
collect_ranges (const struct perf_processes *processes, uint32_t *count)
{
  struct range *ranges = malloc ((processes->count + 1) * sizeof *ranges);
  if (!ranges)
    return NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < processes->count; i++)
    {
      const struct event *event = &processes->events[i];
      if (event->kind == KIND_AREA && event->area.image != PERF_NO_IMAGE)
	ranges[n++] = (struct range){ event->area.start,
				      event->area.start + event->area.bytes };
    }
  qsort (ranges, n, sizeof *ranges, compare_ranges);
  *count = 0;
  for (uint32_t i = 0; i < n; i++)
    if (*count > 0 && ranges[i].start <= ranges[*count - 1].end)
      {
	if (ranges[i].end > ranges[*count - 1].end)
	  ranges[*count - 1].end = ranges[i].end;
      }
    else
      ranges[(*count)++] = ranges[i];
  return ranges;
}

/* Return true if any of the COUNT RANGES overlaps AREA.  */
static bool
overlaps (const struct range *ranges, uint32_t count,
	  const struct perf_area *area)
{
  uint32_t low = 0;
  uint32_t high = count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (ranges[middle].end <= area->start)
	low = middle + 1;
      else
	high = middle;
    }
  return low < count && ranges[low].start < area->start + area->bytes;
}

static int
compare_events (const void *a, const void *b)
{
  const struct event *x = a;
  const struct event *y = b;
  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Return the only process that maps relevant files; PERF_NO_PID if there are
   none or several.  */
static int32_t
find_sole_pid (const struct perf_processes *processes)
{
  int32_t pid = PERF_NO_PID;
  for (uint32_t i = 0; i < processes->count; i++)
    {
      const struct event *event = &processes->events[i];
      if (event->kind != KIND_AREA || event->area.image == PERF_NO_IMAGE)
	continue;
      if (pid != PERF_NO_PID && pid != event->pid)
	return PERF_NO_PID;
      pid = event->pid;
    }
  return pid;
}

/* Drop mappings that have no influence on relevant files, since each would be a
   moment.  Return false if memory is exhausted.  */
static bool
finish (struct perf_processes *processes)
{
  uint32_t range_count;
  uint32_t kept = 0;
  struct range *ranges = collect_ranges (processes, &range_count);
  if (!ranges)
    return false;
  for (uint32_t i = 0; i < processes->count; i++)
    {
      struct event *event = &processes->events[i];
      if (event->kind != KIND_AREA
	  || overlaps (ranges, range_count, &event->area))
	processes->events[kept++] = *event;
    }
  free (ranges);
  processes->count = kept;
  processes->sole_pid = find_sole_pid (processes);
  if (kept > 0)
    qsort (processes->events, kept, sizeof *processes->events, compare_events);
  return true;
}

struct perf_processes *
perf_processes_read (struct perf_recording *recording,
		     const struct perf_images *images, int32_t pid,
		     struct profile_error *err)
{
  struct perf_processes *processes = calloc (1, sizeof *processes);
  if (!processes)
    {
      profile_error_set_memory (err, perf_recording_path (recording));
      return NULL;
    }
  processes->images = images;
  processes->pid = pid;
  processes->is_one = perf_recording_form (recording) == PERF_FORM_SCRIPT;
  const struct perf_handler handler
    = { .closure = processes,
	.mapping = add_mapping,
	.process = add_process,
	.build_id = images->build_id ? pass_build_id : NULL };
  bool done = perf_recording_read (recording, &handler, err);
  if (done && !finish (processes))
    done = profile_error_set_memory (err, perf_recording_path (recording));
  if (done)
    return processes;
  perf_processes_free (processes);
  return NULL;
}

/* Return the number of events before the first of PID that is later than
   ORDER.  */
static uint32_t
find_event (const struct perf_processes *processes, int32_t pid, uint64_t order)
{
  uint32_t low = 0;
  uint32_t high = processes->count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      const struct event *event = &processes->events[middle];
      if (event->pid < pid || (event->pid == pid && event->order <= order))
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

uint32_t
perf_processes_moment (struct perf_processes *processes, int32_t pid,
		       uint64_t order)
{
  if (pid == PERF_NO_PID)
    pid = processes->sole_pid;
  if (processes->is_one)
    pid = 0;
  else if (!matters (processes, pid))
    return PERF_NO_MOMENT;
  if (processes->has_last && processes->last_pid == pid
      && order >= processes->last_from && order < processes->last_to)
    return processes->last_moment;
  uint32_t next = find_event (processes, pid, order);
  bool has_event = next > 0 && processes->events[next - 1].pid == pid;
  bool is_last = next == processes->count || processes->events[next].pid != pid;
  processes->has_last = true;
  processes->last_pid = pid;
  processes->last_moment = has_event ? next - 1 : PERF_NO_MOMENT;
  processes->last_from = has_event ? processes->events[next - 1].order : 0;
  processes->last_to = is_last ? UINT64_MAX : processes->events[next].order;
  return processes->last_moment;
}

/* Return the event before number MOMENT, in the same process or its parent;
   PERF_NO_MOMENT if there is none.  */
static uint32_t
event_before (const struct perf_processes *processes, uint32_t moment,
	      unsigned int *parents)
{
  const struct event *event = &processes->events[moment];
  int32_t pid = event->pid;
  if (event->kind == KIND_EXEC)
    return PERF_NO_MOMENT;
  if (event->kind == KIND_FORK)
    {
      if (++*parents > MOST_PARENTS)
	return PERF_NO_MOMENT;
      pid = event->parent;
      moment = find_event (processes, pid, event->order);
    }
  if (moment == 0 || processes->events[moment - 1].pid != pid)
    return PERF_NO_MOMENT;
  return moment - 1;
}

const struct perf_area *
perf_processes_find (const struct perf_processes *processes, uint32_t moment,
		     uint64_t address)
{
  unsigned int parents = 0;
  for (; moment != PERF_NO_MOMENT;
       moment = event_before (processes, moment, &parents))
    {
      const struct event *event = &processes->events[moment];
      if (event->kind == KIND_AREA && address >= event->area.start
	  && address - event->area.start < event->area.bytes)
	return event->area.image != PERF_NO_IMAGE ? &event->area : NULL;
    }
  return NULL;
}

const struct perf_area *
perf_processes_area (const struct perf_processes *processes, uint32_t moment,
		     uint32_t index)
{
  unsigned int parents = 0;
  for (; moment != PERF_NO_MOMENT;
       moment = event_before (processes, moment, &parents))
    {
      const struct event *event = &processes->events[moment];
      if (event->kind == KIND_AREA && event->area.image != PERF_NO_IMAGE
	  && index-- == 0)
	return &event->area;
    }
  return NULL;
}

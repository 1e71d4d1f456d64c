/* Massif's form, which ms_print and massif-visualizer show.
   SPDX-License-Identifier: GPL-3.0-or-later

     desc:, cmd:, time_unit:      lines about the run
     #-----------, snapshot=N     each snapshot: time=, mem_heap_B=,
				  mem_heap_extra_B=, mem_stacks_B=, heap_tree=
     heap_tree=                   empty, detailed or peak; the last two are
				  followed by a tree: allocations below their
				  callers, `nCHILDREN: BYTES ADDRESS: NAME',
				  each level one space further right

   There is a snapshot for the end of each interval of time, and one each, with
   a tree, for the peak and for marks.  As in Massif's own files, callers with
   less than a hundredth of the bytes are one line.  */

#include "export.h"
#include "frame-text.h"
#include "heap-moments.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000
#define THRESHOLD_SHARE 100

/* Bytes of a context, and the node of it that the tree has reached.  */
struct walker
{
  uint32_t node;
  uint32_t frame; /* of the node */
  uint64_t bytes;
};

/* Walkers with the same frame.  */
struct group
{
  size_t first;
  size_t count;
  uint64_t bytes;
};

struct writer
{
  const struct export_input *input;
  FILE *out;
  uint64_t least; /* bytes of a line of its own */
  uint32_t snapshots;
};

static int
compare_frames (const void *element1, const void *element2)
{
  const struct walker *walker1 = element1;
  const struct walker *walker2 = element2;
  return (walker1->frame > walker2->frame) - (walker1->frame < walker2->frame);
}

/* Most bytes first.  */
static int
compare_groups (const void *element1, const void *element2)
{
  const struct group *group1 = element1;
  const struct group *group2 = element2;
  if (group1->bytes != group2->bytes)
    return group1->bytes > group2->bytes ? -1 : 1;
  return (group1->first > group2->first) - (group1->first < group2->first);
}

/* Sort the COUNT WALKERS, without those that have reached the root, into
   groups. Return these, malloced, and set *GROUP_COUNT; NULL if memory is
   exhausted.  */
static struct group *
make_groups (struct walker *walkers, size_t count, size_t *group_count)
{
  struct group *groups = calloc (count + 1, sizeof *groups);
  size_t n = 0;
  if (groups == NULL)
    return NULL;
  qsort (walkers, count, sizeof *walkers, compare_frames);
  for (size_t i = 0; i < count; i++)
    {
      if (walkers[i].node == 0)
	continue;
      if (n == 0 || walkers[groups[n - 1].first].frame != walkers[i].frame)
	groups[n++].first = i;
      groups[n - 1].count++;
      groups[n - 1].bytes += walkers[i].bytes;
    }
  qsort (groups, n, sizeof *groups, compare_groups);
  *group_count = n;
  return groups;
}

/* Move the COUNT WALKERS to their callers.  */
static void
climb (const struct export_input *input, struct walker *walkers, size_t count)
{
  const struct heap_profile *profile = input->report->profile;
  for (size_t i = 0; i < count; i++)
    {
      walkers[i].node = export_caller (input, walkers[i].node);
      walkers[i].frame = heap_profile_context_frame (profile, walkers[i].node);
    }
}

static void
indent (struct writer *writer, unsigned int depth)
{
  fprintf (writer->out, "%*s", (int) depth, "");
}

static bool write_level (struct writer *writer, struct walker *walkers,
			 size_t count, const char *name, uint64_t bytes,
			 unsigned int depth);

static bool
write_group (struct writer *writer, struct walker *walkers,
	     const struct group *group, unsigned int depth)
{
  const struct export_input *input = writer->input;
  uint32_t frame = walkers[group->first].frame;
  char *label = site_text (input->report, frame);
  char *name = NULL;
  size_t size = 0;
  FILE *text = label != NULL ? open_memstream (&name, &size) : NULL;
  if (text != NULL)
    {
      fprintf (text, "0x%" PRIx64 ": ",
	       heap_profile_frame (input->report->profile, frame)->address);
      write_text_bytes (label, strlen (label), "", text);
    }
  bool is_done = text != NULL && fclose (text) == 0;
  if (is_done)
    {
      climb (input, walkers + group->first, group->count);
      is_done = write_level (writer, walkers + group->first, group->count, name,
			     group->bytes, depth);
    }
  free (name);
  free (label);
  return is_done;
}

/* Write the line of NAME, of BYTES, and its callers, where the COUNT WALKERS
   are.  */
static bool
write_level (struct writer *writer, struct walker *walkers, size_t count,
	     const char *name, uint64_t bytes, unsigned int depth)
{
  size_t group_count;
  struct group *groups = make_groups (walkers, count, &group_count);
  if (groups == NULL)
    return false;
  size_t large = 0;
  uint64_t rest = 0;
  while (large < group_count && groups[large].bytes >= writer->least)
    large++;
  for (size_t i = large; i < group_count; i++)
    rest += groups[i].bytes;
  indent (writer, depth);
  fprintf (writer->out, "n%zu: %" PRIu64 " %s\n", large + (large < group_count),
	   bytes, name);
  bool is_done = true;
  for (size_t i = 0; i < large && is_done; i++)
    is_done = write_group (writer, walkers, &groups[i], depth + 1);
  if (large < group_count)
    {
      indent (writer, depth + 1);
      fprintf (writer->out,
	       "n0: %" PRIu64 " in %zu place%s, all below massif's threshold"
	       " (1.00%%)\n",
	       rest, group_count - large, group_count - large > 1 ? "s" : "");
    }
  free (groups);
  return is_done;
}

static void
write_snapshot (struct writer *writer, uint64_t ns, uint64_t bytes,
		const char *tree)
{
  fprintf (writer->out,
	   "#-----------\nsnapshot=%" PRIu32 "\n#-----------\ntime=%" PRIu64
	   "\nmem_heap_B=%" PRIu64
	   "\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n",
	   writer->snapshots++, ns / NS_PER_MS, bytes, tree);
}

/* Write a snapshot whose tree has the bytes of each context in BYTES_OF.  */
static bool
write_tree (struct writer *writer, uint64_t ns, const uint64_t *bytes_of,
	    const char *tree)
{
  const struct heap_report *report = writer->input->report;
  const struct heap_profile *profile = report->profile;
  uint32_t contexts = heap_profile_context_count (profile);
  struct walker *walkers = calloc ((size_t) contexts + 1, sizeof *walkers);
  size_t count = 0;
  uint64_t bytes = 0;
  if (walkers == NULL)
    return false;
  for (uint32_t i = 0; i < contexts; i++)
    if (bytes_of[i] != 0)
      {
	uint32_t node = allocation_wrappers_site (&report->wrappers, i);
	walkers[count++]
	  = (struct walker){ node, heap_profile_context_frame (profile, node),
			     bytes_of[i] };
	bytes += bytes_of[i];
      }
  writer->least = bytes / THRESHOLD_SHARE;
  write_snapshot (writer, ns, bytes, tree);
  bool is_done = write_level (
    writer, walkers, count,
    "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.", bytes,
    0);
  free (walkers);
  return is_done;
}

static bool
write_peak (struct writer *writer, const struct heap_timeline *timeline,
	    uint64_t *bytes_of)
{
  const struct heap_profile *profile = writer->input->report->profile;
  uint32_t contexts = heap_profile_context_count (profile);
  for (uint32_t i = 0; i < contexts; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      bytes_of[i] = info != NULL ? info->peak_bytes : 0;
    }
  return write_tree (writer, timeline->peak_ns, bytes_of, "peak");
}

/* Write the snapshot of a mark: with a tree, if its label was used once.  */
static bool
write_mark (struct writer *writer, const struct heap_timeline_mark *mark,
	    uint64_t *bytes_of)
{
  const struct heap_profile *profile = writer->input->report->profile;
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t number = heap_details_find_mark (details, mark->label);
  if (number == UINT32_MAX || heap_details_mark_at (details, number)->count > 1)
    {
      write_snapshot (writer, mark->time_ns, mark->bytes, "empty");
      return true;
    }
  memset (bytes_of, 0, heap_profile_context_count (profile) * sizeof *bytes_of);
  for (uint32_t i = 0; i < heap_details_marked_count (details); i++)
    {
      const struct heap_marked *marked = heap_details_marked_at (details, i);
      if (marked->mark == number)
	bytes_of[marked->context] = marked->bytes;
    }
  return write_tree (writer, mark->time_ns, bytes_of, "detailed");
}

/* Write the snapshots of TIMELINE up to NS, that of the peak included unless
 *PEAK_IS_WRITTEN, and the marks from *NEXT_MARK on.  */
static bool
write_trees_until (struct writer *writer, const struct heap_timeline *timeline,
		   uint64_t ns, bool *peak_is_written, uint32_t *next_mark,
		   uint64_t *bytes_of)
{
  for (;;)
    {
      bool has_mark = *next_mark < timeline->mark_count
		      && timeline->marks[*next_mark].time_ns <= ns;
      bool has_peak = !*peak_is_written && timeline->peak_ns <= ns;
      if (!has_mark && !has_peak)
	return true;
      if (has_peak
	  && (!has_mark
	      || timeline->peak_ns <= timeline->marks[*next_mark].time_ns))
	{
	  *peak_is_written = true;
	  if (!write_peak (writer, timeline, bytes_of))
	    return false;
	}
      else if (!write_mark (writer, &timeline->marks[(*next_mark)++], bytes_of))
	return false;
    }
}

static bool
write_timeline (struct writer *writer, const struct heap_timeline *timeline,
		uint64_t *bytes_of)
{
  bool peak_is_written = false;
  uint32_t next_mark = 0;
  write_snapshot (writer, 0, 0, "empty");
  for (uint32_t i = 0; i < timeline->count; i++)
    {
      uint64_t ns = (uint64_t) (i + 1) << timeline->shift;
      if (i + 1 == timeline->count)
	ns = UINT64_MAX;
      if (!write_trees_until (writer, timeline, ns, &peak_is_written,
			      &next_mark, bytes_of))
	return false;
      write_snapshot (writer, ns == UINT64_MAX ? timeline->end_ns : ns,
		      timeline->samples[i].end, "empty");
    }
  return true;
}

bool
export_massif (const struct export_input *input, FILE *out)
{
  const struct heap_profile *profile = input->report->profile;
  const struct heap_details *details = heap_profile_read_details (profile);
  struct writer writer = { .input = input, .out = out };
  uint64_t *bytes_of
    = calloc ((size_t) heap_profile_context_count (profile) + 1,
	      sizeof *bytes_of);
  if (bytes_of == NULL)
    return false;
  char margins[EXPORT_MARGINS_BYTES];
  const bool has_margins = export_margins (input, margins);
  fprintf (out, "desc: heapprof%s%s\ncmd: ", has_margins ? ", " : "",
	   has_margins ? margins : "");
  write_text_bytes (input->program, strlen (input->program), "", out);
  fputs ("\ntime_unit: ms\n", out);
  bool is_done
    = write_timeline (&writer, heap_details_timeline_at (details, 0), bytes_of);
  free (bytes_of);
  return is_done;
}

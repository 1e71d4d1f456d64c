/* A heap profile as text, and random profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-text.h"
#include "function-id.h"
#include "heap-images.h"
#include "heap-modules.h"
#include "heap-moments.h"
#include "heap-threads.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_range (FILE *out, const char *name, const struct memory_info_range *range)
{
  fprintf (out, " %s %" PRIu64 "/%" PRIu64 "/%" PRIu64, name, range->total,
	   range->min, range->max);
}

static void
print_info (FILE *out, const struct memory_info *info)
{
  fprintf (out, "count %" PRIu64, info->alloc_count);
  print_range (out, "accesses", &info->access_count);
  print_range (out, "size", &info->size_bytes);
  print_range (out, "lifetime", &info->lifetime_ns);
  print_range (out, "utilization", &info->utilization_percent);
  print_range (out, "density", &info->access_density);
  print_range (out, "lifetime density", &info->lifetime_access_density);
  fprintf (out, " times %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
	   info->first_alloc_ns, info->last_alloc_ns, info->first_dealloc_ns,
	   info->last_dealloc_ns);
  fprintf (out,
	   " cpus %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64,
	   info->alloc_cpu, info->dealloc_cpu, info->migrated_cpu,
	   info->lifetime_overlaps, info->same_alloc_cpu,
	   info->same_dealloc_cpu);
  fprintf (out,
	   " type %" PRIu64 " live %" PRIu64 " %" PRIu64 " unfinished %" PRIu64
	   " %" PRIu64 " peak %" PRIu64 " %" PRIu64 " temporary %" PRIu64
	   " lost %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " lifetimes %" PRIu64 " %" PRIu64,
	   info->data_type_id, info->live_count, info->live_bytes,
	   info->unfinished_count, info->unfinished_bytes, info->peak_count,
	   info->peak_bytes, info->temporary_count, info->lost_count,
	   info->lost_bytes, info->indirect_count, info->indirect_bytes,
	   info->lifetime_bytes, info->first_alloc_bytes);
  fprintf (out,
	   " variances %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64,
	   info->count_variance.low, info->count_variance.high,
	   info->bytes_variance.low, info->bytes_variance.high,
	   info->access_variance.low, info->access_variance.high);
}

static void
print_context (FILE *out, const struct heap_profile *profile, uint32_t context)
{
  for (; context != 0; context = heap_profile_context_caller (profile, context))
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile,
			      heap_profile_context_frame (profile, context));
      fprintf (out,
	       "%s(%" PRIx64 ") %s %s %" PRIu32 ":%" PRIu32 " from %" PRIu32
	       " +%" PRIu32 " .%" PRIu32 "%s%s; ",
	       heap_profile_string (profile, frame->function_name),
	       frame->function_guid, heap_profile_string (profile, frame->file),
	       heap_profile_string (profile, frame->module), frame->line,
	       frame->column, frame->start_line, frame->line_offset,
	       frame->discriminator, frame->is_inline ? " inline" : "",
	       frame->drop_column ? " drop" : "");
      if (heap_frame_has_address (frame))
	fprintf (out, "%" PRIx64 " in %s at %s; ", frame->address,
		 heap_profile_string (profile, frame->build_id),
		 heap_profile_string (profile,
				      heap_profile_image_path (profile,
							       frame)));
    }
}

static int
compare_lines (const void *element1, const void *element2)
{
  return strcmp (*(char *const *) element1, *(char *const *) element2);
}

/* Return the line of CONTEXT, malloced.  */
static char *
context_line (const struct heap_profile *profile, uint32_t context)
{
  char *line;
  size_t n;
  FILE *out = open_memstream (&line, &n);
  print_context (out, profile, context);
  print_info (out, heap_profile_info (profile, context));
  fclose (out);
  return line;
}

static void
print_totals (FILE *out, const struct heap_profile *profile)
{
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  fprintf (out,
	   "totals %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 "\n",
	   totals->runs, totals->incomplete_runs, totals->dropped_contexts,
	   totals->truncated_contexts, totals->unprofiled_allocations,
	   totals->foreign_frees, totals->ended_walks, totals->folded_contexts,
	   totals->pruned_contexts, totals->duration_ns, totals->peak_bytes,
	   totals->memory_bytes, totals->table_bytes, totals->timed_runs,
	   totals->peak_sum, totals->searched_runs, totals->attached_runs,
	   totals->missed_frees, totals->refused_runs, totals->sampled_runs,
	   totals->sample_bytes, totals->totals_only_runs, totals->watched_runs,
	   totals->counted_runs, totals->counted_bytes, totals->overall_runs,
	   totals->overall_accesses);
}

/* Return the line of MODULE, malloced.  */
static char *
module_line (const struct heap_profile *profile,
	     const struct heap_module *module)
{
  char *line;
  size_t n;
  FILE *out = open_memstream (&line, &n);
  fprintf (out, "module %s %s %d %s",
	   heap_profile_string (profile, module->name),
	   heap_profile_string (profile, module->build_id), module->problem,
	   heap_profile_string (profile, module->cause));
  fclose (out);
  return line;
}

/* Print the marks, with the blocks of each context, sorted.  */
static void
print_marks (FILE *out, const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t marks = heap_details_mark_count (details);
  uint32_t marked = heap_details_marked_count (details);
  char **lines = calloc (marks + marked + 1, sizeof *lines);
  for (uint32_t i = 0; i < marks + marked; i++)
    {
      size_t n;
      FILE *line = open_memstream (&lines[i], &n);
      if (i < marks)
	{
	  const struct heap_mark *mark = heap_details_mark_at (details, i);
	  fprintf (line, "mark %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
		   mark->label, mark->count, mark->first_ns, mark->blocks,
		   mark->bytes);
	}
      else
	{
	  const struct heap_marked *at
	    = heap_details_marked_at (details, i - marks);
	  fprintf (line, "at %s %" PRIu64 " %" PRIu64 " ",
		   heap_details_mark_at (details, at->mark)->label, at->blocks,
		   at->bytes);
	  print_context (line, profile, at->context);
	}
      fclose (line);
    }
  qsort (lines, marks + marked, sizeof *lines, compare_lines);
  for (uint32_t i = 0; i < marks + marked; i++)
    {
      fprintf (out, "%s\n", lines[i]);
      free (lines[i]);
    }
  free (lines);
}

static void
print_timelines (FILE *out, const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  for (uint32_t i = 0; i < heap_details_timeline_count (details); i++)
    {
      const struct heap_timeline *timeline
	= heap_details_timeline_at (details, i);
      fprintf (out, "timeline %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32,
	       timeline->peak_bytes, timeline->peak_ns, timeline->end_ns,
	       timeline->shift);
      for (uint32_t j = 0; j < timeline->count; j++)
	fprintf (out, " %" PRIu64 ",%" PRIu64 ",%" PRIu64,
		 timeline->samples[j].max, timeline->samples[j].end,
		 timeline->samples[j].mean);
      for (uint32_t j = 0; j < timeline->mark_count; j++)
	fprintf (out, " %s@%" PRIu64 "=%" PRIu64, timeline->marks[j].label,
		 timeline->marks[j].time_ns, timeline->marks[j].bytes);
      fputc ('\n', out);
    }
}

static void
print_thread (FILE *out, const struct heap_thread *thread)
{
  fprintf (out,
	   "thread %s %" PRIu64 " of %" PRIu64 ": %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	   " %" PRIu64 " %" PRIu64 "\n",
	   thread->name, thread->tid, thread->threads, thread->start_ns,
	   thread->end_ns, thread->alloc_count, thread->alloc_bytes,
	   thread->live_count, thread->live_bytes, thread->peak_count,
	   thread->peak_bytes, thread->most_bytes);
}

static void
print_threads (FILE *out, const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  for (uint32_t i = 0; i < heap_details_thread_count (details); i++)
    print_thread (out, heap_details_thread_at (details, i));
  if (heap_details_other_threads (details))
    print_thread (out, heap_details_other_threads (details));
}

char *
profile_text (const struct heap_profile *profile)
{
  uint32_t count = heap_profile_context_count (profile);
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t modules = heap_details_module_count (details);
  char **lines = calloc (count + modules, sizeof *lines);
  uint32_t n = 0;
  for (uint32_t i = 0; i < modules; i++)
    lines[n++] = module_line (profile, heap_details_module_at (details, i));
  for (uint32_t i = 0; i < count; i++)
    if (heap_profile_info (profile, i))
      lines[n++] = context_line (profile, i);
  qsort (lines, n, sizeof *lines, compare_lines);
  char *text;
  size_t bytes;
  FILE *out = open_memstream (&text, &bytes);
  print_totals (out, profile);
  print_timelines (out, profile);
  print_marks (out, profile);
  print_threads (out, profile);
  for (uint32_t i = 0; i < n; i++)
    {
      fprintf (out, "%s\n", lines[i]);
      free (lines[i]);
    }
  fclose (out);
  free (lines);
  return text;
}

uint64_t
next_random (uint64_t *state)
{
  uint64_t value = *state += UINT64_C (0x9e3779b97f4a7c15);
  value = (value ^ value >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C (0x94d049bb133111eb);
  return value ^ value >> 31;
}

/* Return a random number of random magnitude.  */
static uint64_t
random_number (uint64_t *state)
{
  uint64_t bits = next_random (state) % 65;
  return bits == 0 ? 0 : next_random (state) >> (64 - bits);
}

static struct memory_info_range
random_range (uint64_t *state)
{
  uint64_t a = random_number (state);
  uint64_t b = random_number (state);
  return (struct memory_info_range){ random_number (state), a < b ? a : b,
				     a < b ? b : a };
}

static struct memory_info
random_info (uint64_t *state)
{
  struct memory_info info
    = { .alloc_count
	= next_random (state) % 4 == 0 ? 1 : random_number (state) >> 8 | 1,
	.access_count = random_range (state),
	.size_bytes = random_range (state),
	.lifetime_ns = random_range (state),
	.utilization_percent = random_range (state),
	.access_density = random_range (state),
	.lifetime_access_density = random_range (state),
	.first_alloc_ns = random_number (state),
	.last_alloc_ns = random_number (state),
	.first_dealloc_ns = random_number (state),
	.last_dealloc_ns = random_number (state),
	.alloc_cpu = random_number (state),
	.dealloc_cpu = random_number (state),
	.migrated_cpu = random_number (state),
	.lifetime_overlaps = random_number (state),
	.same_alloc_cpu = random_number (state),
	.same_dealloc_cpu = random_number (state),
	.data_type_id = random_number (state),
	.live_count = random_number (state),
	.live_bytes = random_number (state),
	.unfinished_count = random_number (state),
	.unfinished_bytes = random_number (state) };
  /* Some blocks were allocated but not finished.  */
  if (next_random (state) % 8 == 0)
    info = (struct memory_info){ .unfinished_count = info.unfinished_count,
				 .unfinished_bytes = info.unfinished_bytes };
  return info;
}

static uint32_t
random_frame (struct heap_profile *profile, uint64_t *state)
{
  char name[32];
  struct heap_frame frame = { 0 };
  frame.line = next_random (state) % 1000;
  frame.column = next_random (state) % 3 * 7;
  frame.discriminator = next_random (state) % 3;
  frame.start_line = next_random (state) % 600;
  frame.line_offset = (frame.line - frame.start_line) & 0xffff;
  frame.is_inline = next_random (state) % 3 == 0;
  frame.drop_column = next_random (state) % 20 == 0;
  unsigned int which = next_random (state) % 60;
  int n = snprintf (name, sizeof name, "_Z%ufunction%uv", which % 7, which);
  if (which % 15 != 0)
    {
      frame.function_name = heap_profile_add_string (profile, name, n);
      frame.function_guid = function_canonical_guid (name);
    }
  else if (which % 2 != 0)
    frame.function_guid = next_random (state);
  n = snprintf (name, sizeof name, "source%u.cc", which % 5);
  frame.file = which % 9 == 0 ? 0 : heap_profile_add_string (profile, name, n);
  n = snprintf (name, sizeof name, "/lib/module%u.so", which % 3);
  frame.module = heap_profile_add_string (profile, name, n);
  return heap_profile_add_frame (profile, &frame);
}

/* Add timelines, and marks of contexts with MIBs.  */
static void
random_moments (struct heap_profile *profile, uint64_t *state)
{
  struct heap_details *details = heap_profile_details (profile);
  for (uint64_t i = next_random (state) % 6; i > 0; i--)
    {
      struct heap_sample samples[9];
      struct heap_timeline_mark mark
	= { .label = "phase", .time_ns = next_random (state), .bytes = i };
      struct heap_timeline timeline = { .peak_bytes = next_random (state) % 4,
					.end_ns = next_random (state) % 3,
					.shift = 20,
					.count = next_random (state) % 10,
					.mark_count = next_random (state) % 2,
					.samples = samples,
					.marks = &mark };
      for (uint32_t j = 0; j < timeline.count; j++)
	samples[j] = (struct heap_sample){ .max = next_random (state),
					   .end = next_random (state) % 3,
					   .mean = next_random (state) };
      if (!heap_details_add_timeline (details, &timeline))
	abort ();
    }
  static const char *const labels[] = { "phase", "", "start of the end" };
  uint32_t count = heap_profile_context_count (profile);
  for (uint64_t i = next_random (state) % 20; i > 0; i--)
    {
      struct heap_marked marked
	= { .mark
	    = heap_details_add_mark (details, labels[next_random (state) % 3],
				     1, next_random (state)),
	    .context = next_random (state) % count,
	    .blocks = next_random (state) % 9,
	    .bytes = next_random (state) };
      if (marked.mark == UINT32_MAX
	  || (heap_profile_info (profile, marked.context)
	      && !heap_details_add_marked (details, &marked)))
	abort ();
    }
}

/* Let some contexts with MIBs have lost blocks.  */
static void
random_leaks (struct heap_profile *profile, uint64_t *state)
{
  uint32_t count = heap_profile_context_count (profile);
  heap_profile_totals (profile)->searched_runs = 1 + next_random (state) % 3;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info info
	= { .lost_count = next_random (state) % 5,
	    .lost_bytes = next_random (state) % 9,
	    .indirect_count = next_random (state) % 3,
	    .indirect_bytes = random_number (state),
	    .count_variance = { random_number (state), 0 },
	    .bytes_variance = { random_number (state), i % 3 },
	    .access_variance = { i % 5, random_number (state) } };
      if (heap_profile_info (profile, i) && next_random (state) % 4 == 0
	  && !heap_profile_add_info (profile, i, &info))
	abort ();
    }
}

/* Add threads, some of them equal; more than are kept of a few profiles.  */
static void
random_threads (struct heap_profile *profile, uint64_t *state)
{
  struct heap_details *details = heap_profile_details (profile);
  for (uint64_t i = next_random (state) % 200; i > 0; i--)
    {
      struct heap_thread thread
	= { .tid = next_random (state) % 9,
	    .threads = next_random (state) % 8 == 0 ? 7 : 1,
	    .start_ns = next_random (state) % 3,
	    .end_ns = next_random (state) % 3,
	    .alloc_count = next_random (state) % 3,
	    .alloc_bytes = next_random (state) % 100,
	    .live_count = next_random (state) % 3,
	    .live_bytes = next_random (state) % 3,
	    .peak_count = next_random (state) % 3,
	    .peak_bytes = random_number (state),
	    .most_bytes = next_random (state) % 9 };
      if (thread.threads == 1)
	thread.name[0] = (char) ('a' + next_random (state) % 3);
      else
	thread.tid = 0;
      if (!heap_details_add_thread (details, &thread))
	abort ();
    }
}

/* Let most contexts with MIBs have lifetimes in bytes; but not in all runs, as
   classes would depend on them, and LLVM's part does not have them.  */
static void
random_lifetimes (struct heap_profile *profile, uint64_t *state)
{
  uint32_t count = heap_profile_context_count (profile);
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->counted_runs = totals->runs++;
  totals->counted_bytes = next_random (state);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info info
	= { .lifetime_bytes = random_number (state),
	    .first_alloc_bytes = next_random (state) % 3 };
      if (heap_profile_info (profile, i)
	  && !heap_profile_add_info (profile, i, &info))
	abort ();
    }
}

struct heap_profile *
random_profile (uint64_t seed, unsigned int contexts)
{
  struct heap_profile *profile = heap_profile_new ();
  uint64_t state = seed;
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->runs = 1 + next_random (&state) % 9;
  totals->duration_ns = next_random (&state);
  totals->ended_walks = next_random (&state) % 3;
  totals->attached_runs = seed % 2;
  totals->missed_frees = totals->attached_runs * (seed % 7);
  totals->refused_runs = seed % 3;
  totals->sampled_runs = seed % 3;
  totals->sample_bytes = totals->sampled_runs * 1000;
  totals->totals_only_runs = seed % 4;
  totals->watched_runs = seed % 2;
  totals->overall_runs = seed % 5;
  totals->overall_accesses = totals->overall_runs * 1234567;
  totals->folded_contexts = next_random (&state) % 3;
  totals->pruned_contexts = next_random (&state) % 3;
  totals->peak_bytes = next_random (&state);
  totals->table_bytes = next_random (&state) % 3;
  totals->timed_runs = next_random (&state) % totals->runs;
  for (unsigned int i = 0; i < contexts; i++)
    {
      uint32_t count = heap_profile_context_count (profile);
      uint32_t caller
	= next_random (&state) % 4 == 0 ? 0 : next_random (&state) % count;
      uint32_t frame
	= next_random (&state) % 4 == 0
	    ? next_random (&state) % heap_profile_frame_count (profile)
	    : random_frame (profile, &state);
      uint32_t context = heap_profile_add_context (profile, caller, frame);
      if (next_random (&state) % 2 == 0)
	{
	  struct memory_info info = random_info (&state);
	  heap_profile_add_info (profile, context, &info);
	}
    }
  random_moments (profile, &state);
  random_leaks (profile, &state);
  random_threads (profile, &state);
  random_lifetimes (profile, &state);
  return profile;
}

void
add_random_modules (struct heap_profile *profile, uint64_t seed)
{
  uint64_t state = seed;
  for (uint64_t i = next_random (&state) % 20; i > 0; i--)
    {
      char text[32];
      struct heap_module module
	= { .problem = next_random (&state) % HEAP_MODULE_PROBLEMS };
      uint32_t *const strings[]
	= { &module.name, &module.build_id, &module.cause };
      for (int k = 0; k < 3; k++)
	{
	  int n = snprintf (text, sizeof text, "%d of %d", k,
			    (int) (next_random (&state) % 4));
	  *strings[k] = next_random (&state) % 4 == 0
			  ? 0
			  : heap_profile_add_string (profile, text, n);
	}
      heap_details_add_module (heap_profile_details (profile), &module);
    }
}

void
add_random_addresses (struct heap_profile *profile, uint64_t seed)
{
  static const char *const ids[] = { "", "00", "0123456789abcdef" };
  uint64_t state = seed;
  for (uint64_t i = next_random (&state) % 40; i > 0; i--)
    {
      char text[32];
      const char *id = ids[next_random (&state) % 3];
      int n = snprintf (text, sizeof text, "module%u",
			(unsigned int) (next_random (&state) % 2));
      struct heap_image image
	= { .module = heap_profile_add_string (profile, text, n),
	    .build_id = heap_profile_add_string (profile, id, strlen (id)) };
      n = snprintf (text, sizeof text, "/at/%u",
		    (unsigned int) (next_random (&state) % 4));
      image.path = heap_profile_add_string (profile, text, n);
      if (*id != '\0' && next_random (&state) % 2 == 0)
	heap_profile_add_image (profile, &image);
      const struct heap_frame frame
	= { .module = image.module,
	    .build_id = image.build_id,
	    .path = *id != '\0' ? 0 : image.path,
	    .address = next_random (&state) % 8 == 0
			 ? next_random (&state)
			 : next_random (&state) % 9 };
      struct memory_info info = random_info (&state);
      uint32_t context
	= heap_profile_add_context (profile,
				    next_random (&state)
				      % heap_profile_context_count (profile),
				    heap_profile_add_frame (profile, &frame));
      heap_profile_add_info (profile, context, &info);
    }
}

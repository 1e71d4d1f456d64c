/* The contexts in LLVM's YAML form of an allocation profile, as
   `llvm-profdata show --memory' of LLVM 21 and 22 prints an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show.h"
#include "llvm-records.h"
#include "memprof-summary.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool
print_summary (const struct llvm_records *records)
{
  struct memprof_summary summary;
  if (!memprof_summary_make (&summary, records))
    return false;
  printf ("---\n"
	  "# MemProfSummary:\n"
	  "#   Total contexts: %" PRIu64 "\n"
	  "#   Total cold contexts: %" PRIu64 "\n"
	  "#   Total hot contexts: 0\n"
	  "#   Maximum cold context total size: %" PRIu64 "\n"
	  "#   Maximum warm context total size: %" PRIu64 "\n"
	  "#   Maximum hot context total size: 0\n",
	  summary.contexts, summary.cold_contexts, summary.greatest_cold_bytes,
	  summary.greatest_warm_bytes);
  return true;
}

static void
print_stack (const struct llvm_records *records, uint32_t stack)
{
  size_t count;
  const uint32_t *frames = llvm_records_stack_frames (records, stack, &count);
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_frame *frame = llvm_records_frame (records, frames[i]);
      printf ("          - { Function: 0x%" PRIx64 ", LineOffset: %" PRIu32
	      ", Column: %" PRIu32 ", IsInlineFrame: %s }\n",
	      frame->function_guid, frame->line_offset, frame->column,
	      frame->is_inline ? "true" : "false");
    }
}

/* Print the fields of INFO, their values beginning in one column.  */
static void
print_info (const struct memory_info *info, bool full_schema)
{
  puts ("        MemInfoBlock:");
  for (unsigned int tag = 1; tag < MEMORY_INFO_TAG_END; tag++)
    {
      if (!full_schema && tag != MEMORY_INFO_ALLOC_COUNT
	  && tag != MEMORY_INFO_TOTAL_SIZE
	  && tag != MEMORY_INFO_TOTAL_LIFETIME
	  && tag != MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY)
	continue;
      const char *name = memory_info_field_name (tag);
      int bytes = printf ("          %s:", name);
      printf ("%*s%" PRIu64 "\n", bytes < 26 ? 27 - bytes : 1, "",
	      memory_info_get (info, tag));
    }
}

static void
print_record (const struct llvm_records *records,
	      const struct llvm_record *record, bool full_schema)
{
  printf ("  - GUID:            0x%" PRIx64 "\n", record->function_guid);
  if (record->alloc_site_count > 0)
    puts ("    AllocSites:");
  for (size_t i = 0; i < record->alloc_site_count; i++)
    {
      puts ("      - Callstack:");
      print_stack (records, record->alloc_sites[i].stack);
      print_info (record->alloc_sites[i].info, full_schema);
    }
  if (record->call_site_count > 0)
    puts ("    CallSites:");
  for (size_t i = 0; i < record->call_site_count; i++)
    {
      puts ("      - Frames:");
      print_stack (records, record->call_sites[i].stack);
    }
}

/* Buckets of a hash table with COUNT entries in LLVM's format.  */
static uint64_t
bucket_count (uint64_t count)
{
  uint64_t wanted = count * 4 / 3 + 1;
  uint64_t buckets = 1;
  while (count > 2 && buckets < wanted)
    buckets *= 2;
  return buckets;
}

/* A record and the bucket it is in.  */
struct place
{
  uint64_t bucket;
  size_t record;
};

static int
compare_places (const void *a, const void *b)
{
  const struct place *x = a;
  const struct place *y = b;
  if (x->bucket != y->bucket)
    return x->bucket < y->bucket ? -1 : 1;
  return x->record < y->record ? -1 : x->record > y->record;
}

/* Print the records in the order in which an indexed profile has them: by
   bucket, then by GUID.  */
static bool
print_records (const struct llvm_records *records, bool full_schema)
{
  size_t count = llvm_records_count (records);
  struct place *places = calloc (count + 1, sizeof *places);
  if (places == NULL)
    return false;
  uint64_t mask = bucket_count (count) - 1;
  for (size_t i = 0; i < count; i++)
    {
      places[i].record = i;
      places[i].bucket = llvm_records_get (records, i)->function_guid & mask;
    }
  qsort (places, count, sizeof *places, compare_places);
  puts ("---\nHeapProfileRecords:");
  for (size_t i = 0; i < count; i++)
    print_record (records, llvm_records_get (records, places[i].record),
		  full_schema);
  puts ("...");
  free (places);
  return true;
}

/* Add the context NODE of SOURCE with INFO to PROFILE.  */
static bool
copy_context (struct heap_profile *profile, const struct heap_profile *source,
	      uint32_t node, const struct memory_info *info)
{
  uint32_t depth = 0;
  for (uint32_t i = node; i != 0; i = heap_profile_context_caller (source, i))
    depth++;
  uint32_t *frames = calloc (depth + 1u, sizeof *frames);
  if (frames == NULL)
    return false;
  for (uint32_t i = 0; i < depth; i++)
    {
      frames[i] = heap_profile_context_frame (source, node);
      node = heap_profile_context_caller (source, node);
    }
  uint32_t copy = 0;
  for (uint32_t i = depth; i-- > 0 && copy != UINT32_MAX;)
    {
      struct heap_frame frame = *heap_profile_frame (source, frames[i]);
      /* LLVM's form has no strings.  */
      frame.function_name = frame.file = frame.module = 0;
      uint32_t id = heap_profile_add_frame (profile, &frame);
      copy = id == UINT32_MAX ? UINT32_MAX
			      : heap_profile_add_context (profile, copy, id);
    }
  free (frames);
  return copy != UINT32_MAX && heap_profile_add_info (profile, copy, info);
}

/* A profile with the contexts of REPORT alone.  */
static struct heap_profile *
copy_chosen (const struct heap_report *report)
{
  struct heap_profile *profile = heap_profile_new ();
  for (size_t i = 0; i < report->context_count && profile != NULL; i++)
    if (!copy_context (profile, report->profile, report->contexts[i].context,
		       &report->contexts[i].info))
      {
	heap_profile_free (profile);
	return NULL;
      }
  return profile;
}

bool
show_yaml (const struct heap_report *report,
	   const struct yaml_options *options)
{
  bool is_whole = report->context_count == report->total_contexts;
  struct heap_profile *chosen = is_whole ? NULL : copy_chosen (report);
  struct llvm_records *records = NULL;
  if (is_whole || chosen != NULL)
    records = llvm_records_make (is_whole ? report->profile : chosen,
				 options->keep_columns);
  bool is_done = records != NULL && print_summary (records)
		 && print_records (records, options->full_schema);
  llvm_records_free (records);
  heap_profile_free (chosen);
  return is_done;
}

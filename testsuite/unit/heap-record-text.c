/* Heap records of functions as text, obtained in two ways: from the profile, or
   by looking them up in the file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-record-text.h"
#include "llvm-records.h"
#include "memprof-builder.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void
print_frame (FILE *out, uint64_t guid, uint32_t line_offset, uint32_t column,
	     bool is_inline)
{
  fprintf (out, " %" PRIx64 ":%" PRIu32 ":%" PRIu32 ":%d", guid, line_offset,
	   column, is_inline);
}

static void
print_info (FILE *out, const struct memory_info *info, uint32_t schema)
{
  for (unsigned int tag = 1; tag < MEMORY_INFO_TAG_END; tag++)
    if (schema & UINT32_C (1) << tag)
      fprintf (out, " %u=%" PRIu64, tag, memory_info_get (info, tag));
  fprintf (out, "\n");
}

static void
print_callees (FILE *out, const uint64_t *callees, size_t n)
{
  for (size_t i = 0; i < n; i++)
    fprintf (out, "%s %" PRIx64, i == 0 ? " ->" : "", callees[i]);
  fprintf (out, "\n");
}

/* ---- Records of a profile.  */

static struct llvm_records *
make_records (const struct heap_profile *profile)
{
  struct llvm_records *records = llvm_records_make (profile, true);
  if (!records)
    abort ();
  return records;
}

uint64_t *
heap_record_guids (const struct heap_profile *profile, size_t *count)
{
  struct llvm_records *records = make_records (profile);
  *count = llvm_records_count (records);
  uint64_t *guids = malloc ((*count + 1) * sizeof *guids);
  for (size_t i = 0; i < *count; i++)
    guids[i] = llvm_records_get (records, i)->function_guid;
  llvm_records_free (records);
  return guids;
}

static void
print_stack (FILE *out, const struct llvm_records *records, uint32_t stack)
{
  size_t n;
  const uint32_t *frames = llvm_records_stack_frames (records, stack, &n);
  for (size_t i = 0; i < n; i++)
    {
      const struct llvm_frame *frame = llvm_records_frame (records, frames[i]);
      print_frame (out, frame->function_guid, frame->line_offset, frame->column,
		   frame->is_inline);
    }
}

static void
print_record (FILE *out, const struct llvm_records *records,
	      const struct llvm_record *record, uint32_t schema)
{
  for (size_t i = 0; i < record->alloc_site_count; i++)
    {
      fprintf (out, "%" PRIx64 " allocates at", record->function_guid);
      print_stack (out, records, record->alloc_sites[i].stack);
      struct memory_info room;
      print_info (out, info_place_read (record->alloc_sites[i].info, &room),
		  schema);
    }
  for (size_t i = 0; i < record->call_site_count; i++)
    {
      const struct llvm_call_site *site = &record->call_sites[i];
      fprintf (out, "%" PRIx64 " calls at", record->function_guid);
      print_stack (out, records, site->stack);
      print_callees (out, site->callees, site->callee_count);
    }
}

char *
heap_record_text (const struct heap_profile *profile, uint32_t schema)
{
  struct llvm_records *records = make_records (profile);
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  for (size_t i = 0; i < llvm_records_count (records); i++)
    print_record (out, records, llvm_records_get (records, i), schema);
  fclose (out);
  llvm_records_free (records);
  sort_lines (text);
  return text;
}

/* ---- Records that are looked up.  */

static void
print_found_stack (FILE *out, const struct heap_lookup_stack *stack)
{
  for (size_t i = 0; i < stack->count; i++)
    print_frame (out, stack->frames[i].function, stack->frames[i].line_offset,
		 stack->frames[i].column, stack->frames[i].is_inline);
}

static void
print_found (FILE *out, uint64_t guid, const struct heap_lookup_record *record,
	     uint32_t schema)
{
  for (size_t i = 0; i < record->allocation_count; i++)
    {
      fprintf (out, "%" PRIx64 " allocates at", guid);
      print_found_stack (out, &record->allocations[i].stack);
      print_info (out, &record->allocations[i].info, schema);
    }
  for (size_t i = 0; i < record->call_site_count; i++)
    {
      const struct heap_lookup_call_site *site = &record->call_sites[i];
      fprintf (out, "%" PRIx64 " calls at", guid);
      print_found_stack (out, &site->stack);
      print_callees (out, site->callees, site->callee_count);
    }
}

char *
heap_lookup_text (struct heap_lookup *lookup, const uint64_t *guids, size_t n,
		  struct profile_error *err)
{
  char *text;
  size_t bytes;
  FILE *out = open_memstream (&text, &bytes);
  bool done = true;
  for (size_t i = 0; i < n && done; i++)
    {
      struct heap_lookup_record record;
      enum indexed_result result
	= heap_lookup_find (lookup, guids[i], &record, err);
      done = result == INDEXED_FOUND;
      if (done)
	print_found (out, guids[i], &record, heap_lookup_schema (lookup));
      else if (result == INDEXED_NO_NAME)
	profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			   "0x%" PRIx64 " is not found", guids[i]);
    }
  fclose (out);
  if (!done)
    {
      free (text);
      return NULL;
    }
  sort_lines (text);
  return text;
}

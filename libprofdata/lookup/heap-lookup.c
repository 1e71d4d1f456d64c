/* Looking up heap records of single functions in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The frames of all stacks of a record are in one array, and so are callees.
   Both arrays may move while a record is read, so pointers into them are set at
   the end.  */

#include "heap-lookup.h"
#include "file-map.h"
#include "function-id.h"
#include "heap-lookup-calls.h"
#include "heap-lookup-files.h"
#include "heap-lookup-stacks.h"
#include "heapprof-places.h"
#include "heapprof-section.h"
#include "indexed-header.h"
#include "indexed-format.h"
#include "memprof-section.h"
#include "ondisk-hash.h"
#include "stack-classes.h"
#include "stack-groups.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct heap_lookup
{
  const char *path;
  struct file_map file;
  struct memprof_section section;
  struct byte_reader places;	/* of functions; empty: the file has none */
  struct heap_profile *files;	/* in this case, frames with their source files;
				   NULL until first used */
  struct stack_classes classes; /* empty: the file has none */
  struct byte_reader groups;	/* the same */

  /* Of the last record found.  */
  struct heap_lookup_stacks stacks;
  struct heap_lookup_allocation *allocations;
  size_t allocation_count;
  size_t allocation_capacity;
  struct heap_lookup_call_site *call_sites;
  size_t call_site_count;
  size_t call_site_capacity;
  uint64_t *callees; /* as read, then sorted */
  size_t callee_count;
  size_t callee_capacity;

  struct heap_lookup_calls calls; /* found last */
};

/* ---- Opening.  */

static bool
read_headers (struct heap_lookup *lookup, struct profile_error *err)
{
  struct byte_reader reader;
  struct indexed_header header;
  byte_reader_init (&reader, lookup->path, lookup->file.data, lookup->file.size,
		    err);
  if (!indexed_header_read (&reader, &header))
    return false;
  if (header.memprof == 0)
    return byte_reader_fail (&reader, INDEXED_OFFSET_MEMPROF,
			     "no heap profile in this file");
  return memprof_section_read_header (&lookup->section, &reader,
				      header.memprof);
}

/* A damaged section is not an error: LLVM's parts are sufficient.  */
static void
find_classes (struct heap_lookup *lookup)
{
  struct profile_error ignored;
  struct byte_reader file, block;
  byte_reader_init (&file, lookup->path, lookup->file.data, lookup->file.size,
		    &ignored);
  if (heapprof_section_find (&file, HEAPPROF_SECTION_CLASSES, &block))
    stack_classes_read (&lookup->classes, &block);
  if (!heapprof_section_find (&file, HEAPPROF_SECTION_GROUPS, &lookup->groups))
    lookup->groups = (struct byte_reader){ 0 };
  if (!heapprof_section_find (&file, HEAPPROF_SECTION_PLACES, &lookup->places))
    lookup->places = (struct byte_reader){ 0 };
}

struct heap_lookup *
heap_lookup_open (const char *path, struct profile_error *err)
{
  struct heap_lookup *lookup = calloc (1, sizeof *lookup);
  if (!lookup)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  lookup->path = path;
  if (file_map_open (&lookup->file, path, err) && read_headers (lookup, err))
    {
      find_classes (lookup);
      return lookup;
    }
  heap_lookup_close (lookup);
  return NULL;
}

void
heap_lookup_close (struct heap_lookup *lookup)
{
  if (!lookup)
    return;
  file_map_close (&lookup->file);
  heap_profile_free (lookup->files);
  free (lookup->stacks.frames);
  free (lookup->allocations);
  free (lookup->call_sites);
  free (lookup->callees);
  heap_lookup_calls_release (&lookup->calls);
  free (lookup);
}

uint32_t
heap_lookup_schema (const struct heap_lookup *lookup)
{
  uint32_t bits = 0;
  for (size_t i = 0; i < lookup->section.schema_count; i++)
    bits |= UINT32_C (1) << lookup->section.schema[i];
  return bits;
}

uint64_t
heap_lookup_mean_run_ns (const struct heap_lookup *lookup)
{
  struct profile_error ignored;
  struct byte_reader file, block;
  struct heap_totals totals = { 0 };
  byte_reader_init (&file, lookup->path, lookup->file.data, lookup->file.size,
		    &ignored);
  if (!heapprof_section_find (&file, HEAPPROF_SECTION_TOTALS, &block)
      || byte_reader_left (&block) == 0)
    return 0;
  heapprof_section_read_totals (&block, &totals);
  return block.failed || totals.runs == 0 ? 0
					  : totals.duration_ns / totals.runs;
}

enum heap_lookup_where
heap_lookup_find_place (struct heap_lookup *lookup,
			const struct heap_lookup_place *place)
{
  struct profile_error ignored;
  struct byte_reader file;
  byte_reader_init (&file, lookup->path, lookup->file.data, lookup->file.size,
		    &ignored);
  if (byte_reader_left (&lookup->places) > 0)
    {
      struct byte_reader places = lookup->places;
      places.err = &ignored;
      return heap_lookup_files_find (&places, place, &lookup->calls.moved);
    }
  if (lookup->files == NULL)
    lookup->files = heap_lookup_files_read (&file);
  return lookup->files == NULL
	   ? HEAP_LOOKUP_UNKNOWN
	   : heap_lookup_files_find_frame (lookup->files, place);
}

/* Open the block of places into *BLOCK, which refers to *IGNORED.  */
static bool
open_places (const struct heap_lookup *lookup,
	     struct heapprof_places_block *block, struct profile_error *ignored)
{
  struct byte_reader places = lookup->places;
  places.err = ignored;
  return byte_reader_left (&places) > 0
	 && heapprof_places_open (block, &places);
}

bool
heap_lookup_has_function (const struct heap_lookup *lookup, uint64_t guid)
{
  struct profile_error ignored;
  struct heapprof_places_block block;
  return open_places (lookup, &block, &ignored)
	 && heapprof_places_have (&block, guid);
}

size_t
heap_lookup_find_calls (struct heap_lookup *lookup,
			const struct heap_lookup_place *place,
			const struct heap_lookup_call **calls)
{
  struct profile_error ignored;
  struct heapprof_places_block block;
  const size_t count
    = open_places (lookup, &block, &ignored)
	? heap_lookup_calls_read (&lookup->calls, &block, place)
	: 0;
  *calls = lookup->calls.calls;
  return count;
}

size_t
heap_lookup_find_functions (struct heap_lookup *lookup, const char *path,
			    const uint64_t **guids)
{
  struct profile_error ignored;
  struct heapprof_places_block block;
  const size_t count
    = open_places (lookup, &block, &ignored)
	? heap_lookup_calls_read_functions (&lookup->calls, &block, path)
	: 0;
  *guids = lookup->calls.functions;
  return count;
}

uint64_t
heap_lookup_guid (const char *name, size_t n)
{
  return function_canonical_guid_n (name, n);
}

/* ---- Reading a record.  */

/* Return how often the function GUID lists an allocation with the N frames at
   FRAMES: once for each of its frames up to the first that is not inlined.  */
static size_t
count_listings (const struct heap_lookup_frame *frames, size_t n, uint64_t guid)
{
  size_t count = 0;
  bool is_inline = true;
  for (size_t i = 0; i < n && is_inline; i++)
    {
      count += frames[i].function == guid;
      is_inline = frames[i].is_inline;
    }
  return count;
}

/* Return everything in FRAME except the function.  */
static uint64_t
place_of (const struct heap_lookup_frame *frame)
{
  return stack_classes_place (frame->line_offset, frame->column,
			      frame->is_inline);
}

/* Compare N and M for qsort.  */
static int
compare_numbers (uint64_t n, uint64_t m)
{
  return (n > m) - (n < m);
}

static int
compare_stacks (const struct heap_lookup_stack *a,
		const struct heap_lookup_stack *b)
{
  int order = 0;
  for (size_t i = 0; i < a->count && i < b->count && order == 0; i++)
    {
      order = compare_numbers (a->frames[i].function, b->frames[i].function);
      if (order == 0)
	order = compare_numbers (place_of (&a->frames[i]),
				 place_of (&b->frames[i]));
    }
  return order != 0 ? order : compare_numbers (a->count, b->count);
}

/* Return true if the allocation that was just read, after the others, repeats
   the last of these.  */
static bool
is_listed_again (const struct heap_lookup *lookup)
{
  size_t n = lookup->allocation_count;
  if (n == 0)
    return false;
  struct heap_lookup_allocation *last = &lookup->allocations[n - 1];
  struct heap_lookup_allocation *next = &lookup->allocations[n];
  const struct heap_lookup_frame *end
    = lookup->stacks.frames + lookup->stacks.count;
  next->stack.frames = end - next->stack.count;
  last->stack.frames = next->stack.frames - last->stack.count;
  return (compare_stacks (&last->stack, &next->stack) == 0
	  && memcmp (&last->info, &next->info, sizeof last->info) == 0);
}

/* Read an allocation of RECORD, which belongs to the function GUID, and append
   it.  Return how often the function lists it; 0 if RECORD failed.  */
static size_t
read_allocation (struct heap_lookup *lookup, struct byte_reader *record,
		 uint64_t guid)
{
  const struct heap_lookup_stacks *stacks = &lookup->stacks;
  lookup->allocations = heap_lookup_need (record, lookup->allocations,
					  &lookup->allocation_capacity,
					  lookup->allocation_count + 1,
					  sizeof *lookup->allocations);
  size_t n = heap_lookup_stacks_read (&lookup->stacks, record);
  size_t offset = record->position;
  if (record->failed)
    return 0;
  struct heap_lookup_allocation *allocation
    = &lookup->allocations[lookup->allocation_count];
  allocation->stack.count = n;
  memprof_section_read_info (&lookup->section, record, &allocation->info);
  size_t listings
    = count_listings (stacks->frames + stacks->count - n, n, guid);
  if (allocation->info.alloc_count == 0)
    byte_reader_fail (record, offset, "MIB without allocations");
  if (listings == 0)
    byte_reader_fail (record, offset,
		      "record of function 0x%" PRIx64
		      ": stack of an allocation does not contain the "
		      "function",
		      guid);
  return record->failed ? 0 : listings;
}

/* Read the allocations of RECORD, which belongs to the function GUID.  LLVM
   lists an allocation as often as the function is inlined into itself
   there.  */
static void
read_allocations (struct heap_lookup *lookup, struct byte_reader *record,
		  uint64_t guid)
{
  uint64_t left = byte_reader_u64 (record, "a record");
  byte_reader_need (record, left,
		    (lookup->section.info_bytes
		     + memprof_section_stack_bytes (&lookup->section)),
		    "the allocations of a record");
  size_t listings_left = 0;
  for (; left > 0 && !record->failed; left--)
    {
      size_t listings = read_allocation (lookup, record, guid);
      if (listings > 0 && listings_left > 0 && is_listed_again (lookup))
	{
	  listings_left--;
	  size_t n = lookup->allocation_count;
	  lookup->stacks.count -= lookup->allocations[n].stack.count;
	}
      else if (listings > 0)
	{
	  listings_left = listings - 1;
	  lookup->allocation_count++;
	}
    }
}

/* Read the callees of SITE from RECORD and append them.  */
static void
read_callees (struct heap_lookup *lookup, struct byte_reader *record,
	      struct heap_lookup_call_site *site)
{
  static const char what[] = "the callees of a call site";
  if (lookup->section.version < 4)
    return;
  uint64_t count = byte_reader_u64 (record, what);
  if (!byte_reader_need (record, count, 8, what))
    return;
  lookup->callees
    = heap_lookup_need (record, lookup->callees, &lookup->callee_capacity,
			lookup->callee_count + count, sizeof *lookup->callees);
  site->callee_count = count;
  for (; count > 0 && !record->failed; count--)
    lookup->callees[lookup->callee_count++] = byte_reader_u64 (record, what);
}

static void
read_call_sites (struct heap_lookup *lookup, struct byte_reader *record)
{
  uint64_t left = byte_reader_u64 (record, "a record");
  byte_reader_need (record, left,
		    memprof_section_stack_bytes (&lookup->section),
		    "the call sites of a record");
  for (; left > 0 && !record->failed; left--)
    {
      struct heap_lookup_call_site site
	= { .stack
	    = { .count = heap_lookup_stacks_read (&lookup->stacks, record) } };
      if (!record->failed)
	read_callees (lookup, record, &site);
      lookup->call_sites = heap_lookup_need (record, lookup->call_sites,
					     &lookup->call_site_capacity,
					     lookup->call_site_count + 1,
					     sizeof *lookup->call_sites);
      if (!record->failed)
	lookup->call_sites[lookup->call_site_count++] = site;
    }
}

/* ---- Equal stacks.  */

/* Set the pointers of the lists into frames and callees.  */
static void
set_pointers (struct heap_lookup *lookup)
{
  const struct heap_lookup_frame *frames = lookup->stacks.frames;
  const uint64_t *callees = lookup->callees;
  for (size_t i = 0; i < lookup->allocation_count; i++)
    {
      lookup->allocations[i].stack.frames = frames;
      frames += lookup->allocations[i].stack.count;
    }
  for (size_t i = 0; i < lookup->call_site_count; i++)
    {
      lookup->call_sites[i].stack.frames = frames;
      frames += lookup->call_sites[i].stack.count;
      lookup->call_sites[i].callees = callees;
      callees += lookup->call_sites[i].callee_count;
    }
}

static int
compare_allocations (const void *element1, const void *element2)
{
  const struct heap_lookup_allocation *allocation1 = element1;
  const struct heap_lookup_allocation *allocation2 = element2;
  return compare_stacks (&allocation1->stack, &allocation2->stack);
}

static void
join_allocations (struct heap_lookup *lookup)
{
  struct heap_lookup_allocation *allocations = lookup->allocations;
  size_t kept = 0;
  if (lookup->allocation_count > 1)
    qsort (allocations, lookup->allocation_count, sizeof *allocations,
	   compare_allocations);
  for (size_t i = 0; i < lookup->allocation_count; i++)
    if (kept > 0
	&& compare_allocations (&allocations[kept - 1], &allocations[i]) == 0)
      memory_info_add (&allocations[kept - 1].info, &allocations[i].info);
    else
      allocations[kept++] = allocations[i];
  lookup->allocation_count = kept;
}

static int
compare_call_sites (const void *element1, const void *element2)
{
  const struct heap_lookup_call_site *site1 = element1;
  const struct heap_lookup_call_site *site2 = element2;
  return compare_stacks (&site1->stack, &site2->stack);
}

static int
compare_guids (const void *element1, const void *element2)
{
  return compare_numbers (*(const uint64_t *) element1,
			  *(const uint64_t *) element2);
}

/* Give SITE the N callees at CALLEES, sorted and without duplicates.  Return
   the address after them.  */
static uint64_t *
set_callees (struct heap_lookup_call_site *site, uint64_t *callees, size_t n)
{
  size_t kept = 0;
  if (n > 1)
    qsort (callees, n, sizeof *callees, compare_guids);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || callees[i] != callees[kept - 1])
      callees[kept++] = callees[i];
  site->callees = kept > 0 ? callees : NULL;
  site->callee_count = kept;
  return callees + kept;
}

/* The array has room for a second copy of all callees.  */
static void
join_call_sites (struct heap_lookup *lookup)
{
  struct heap_lookup_call_site *sites = lookup->call_sites;
  uint64_t *callees = lookup->callees + lookup->callee_count;
  size_t kept = 0;
  if (lookup->call_site_count > 1)
    qsort (sites, lookup->call_site_count, sizeof *sites, compare_call_sites);
  for (size_t i = 0; i < lookup->call_site_count; kept++)
    {
      struct heap_lookup_call_site site = sites[i];
      size_t n = 0;
      for (; (i < lookup->call_site_count
	      && compare_call_sites (&site, &sites[i]) == 0);
	   i++)
	{
	  if (sites[i].callee_count > 0)
	    memcpy (callees + n, sites[i].callees,
		    sites[i].callee_count * sizeof *callees);
	  n += sites[i].callee_count;
	}
      callees = set_callees (&site, callees, n);
      sites[kept] = site;
    }
  lookup->call_site_count = kept;
}

/* ---- Lookup.  */

bool
heap_lookup_has_classes (const struct heap_lookup *lookup)
{
  return byte_reader_left (&lookup->classes.stacks) > 0;
}

enum placement_class
heap_lookup_class (const struct heap_lookup *lookup,
		   const struct heap_lookup_stack *stack, bool *by_token)
{
  uint64_t hash = 0;
  for (size_t i = stack->count; i-- > 0;)
    hash = stack_classes_hash (hash, stack->frames[i].function,
			       place_of (&stack->frames[i]));
  return stack_classes_find (&lookup->classes, hash, by_token);
}

enum placement_class
heap_lookup_token (const struct heap_lookup *lookup,
		   const struct heap_lookup_frame *frame)
{
  return stack_classes_find_token (&lookup->classes,
				   stack_classes_call_hash (frame->function,
							    frame->line_offset,
							    frame->column));
}

_Static_assert(HEAP_LOOKUP_GROUP_PHASE == STACK_GROUP_PHASE,
	       "the number is the same in the file");

unsigned int
heap_lookup_group (const struct heap_lookup *lookup,
		   const struct heap_lookup_frame *frame)
{
  return stack_groups_find (&lookup->groups,
			    stack_classes_call_hash (frame->function,
						     frame->line_offset,
						     frame->column));
}

static bool
read_record (struct heap_lookup *lookup, struct byte_reader *record,
	     uint64_t guid)
{
  lookup->allocation_count = 0;
  lookup->call_site_count = 0;
  lookup->callee_count = 0;
  read_allocations (lookup, record, guid);
  read_call_sites (lookup, record);
  lookup->callees
    = heap_lookup_need (record, lookup->callees, &lookup->callee_capacity,
			2 * lookup->callee_count + 1, sizeof *lookup->callees);
  return !record->failed;
}

enum indexed_result
heap_lookup_find (struct heap_lookup *lookup, uint64_t guid,
		  struct heap_lookup_record *found, struct profile_error *err)
{
  struct byte_reader reader;
  struct ondisk_hash_entry entry;
  byte_reader_init (&reader, lookup->path, lookup->file.data, lookup->file.size,
		    err);
  heap_lookup_stacks_begin (&lookup->stacks, &reader, &lookup->section);
  if (!ondisk_hash_look_up_key (&reader, lookup->section.record_table, true,
				"the records", guid, &lookup->stacks.steps,
				&entry))
    return reader.failed ? INDEXED_FAILED : INDEXED_NO_NAME;
  byte_reader_seek (&reader, entry.data_offset, "a record");
  struct byte_reader record
    = byte_reader_part (&reader, entry.data_bytes, "a record");
  read_record (lookup, &record, guid);
  if (!byte_reader_join (&reader, &record, "a record"))
    return INDEXED_FAILED;
  set_pointers (lookup);
  join_allocations (lookup);
  join_call_sites (lookup);
  *found
    = (struct heap_lookup_record){ .allocations = lookup->allocations,
				   .allocation_count = lookup->allocation_count,
				   .call_sites = lookup->call_sites,
				   .call_site_count = lookup->call_site_count };
  return INDEXED_FOUND;
}

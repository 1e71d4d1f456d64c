/* Look up functions in an indexed profile: LLVM's counters, gcc's counters, and
   heap records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-data.h"
#include "gcov-lookup.h"
#include "heap-lookup.h"
#include "indexed-lookup.h"
#include "memprof-builder.h"
#include "reader.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Write the SIZE bytes at DATA to a file.  Return its path.  */
static const char *
make_file (const unsigned char *data, size_t size)
{
  static int fd = -1;
  static char path[64];
  if (fd < 0)
    {
      fd = memfd_create (READER_PATH, 0);
      snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  if (ftruncate (fd, 0) != 0 || pwrite (fd, data, size, 0) != (ssize_t) size)
    abort ();
  return path;
}

static bool
read_lookup (const unsigned char *data, size_t size, struct profile_error *err)
{
  const char *path = make_file (data, size);
  struct indexed_lookup *lookup = indexed_lookup_open (path, err);
  struct counter_profile *profile = lookup ? counter_profile_new () : NULL;
  bool done = lookup != NULL && profile != NULL;
  if (lookup && !profile)
    profile_error_set_memory (err, path);
  for (unsigned int i = 0; i < 50 && done; i++)
    {
      struct indexed_counters found;
      char name[40];
      size_t n = snprintf (name, sizeof name, "x.c;function%u", i);
      done = (indexed_lookup_counters (lookup, name, n, i % 3, &found, err)
		!= INDEXED_FAILED
	      && indexed_lookup_fold (lookup, name, n, profile, err)
		   != INDEXED_FAILED);
    }
  reader_has_read ();
  counter_profile_free (profile);
  indexed_lookup_close (lookup);
  err->path = READER_PATH;
  return done;
}

const struct reader reader_lookup
  = { .name = "lookup", .read = read_lookup, .bounds = { 600000, 300 } };

/* ---- gcc's counters.  */

/* Make a data file from FOUND.  */
static bool
make_data (const struct gcov_lookup_found *found, struct profile_error *err)
{
  static const struct gcov_unit head = { .version = 0x4232322a };
  const struct gcov_lookup_part part
    = { .records = found->records, .count = found->count, .ident = 1 };
  struct byte_writer writer = { 0 };
  bool done = gcov_lookup_make_data (&writer, &part, 1, &head, err);
  byte_writer_free (&writer);
  return done;
}

/* Look up the function of KEY, and make a data file from it.  */
static bool
find_function (struct gcov_lookup *lookup, const struct gcov_lookup_key *key,
	       struct profile_error *err)
{
  struct gcov_lookup_found found;
  enum gcov_lookup_result result = gcov_lookup_find (lookup, key, &found, err);
  if (result == GCOV_LOOKUP_FAILED)
    return false;
  if ((result == GCOV_LOOKUP_FOUND) != (found.count > 0))
    reader_fail ("found, but without a function");
  return result != GCOV_LOOKUP_FOUND || make_data (&found, err);
}

/* Look up public and local functions by the names in the sample, by its idents
   or by file and unit, even after one that is damaged.  */
static bool
find_functions (struct gcov_lookup *lookup, struct profile_error *err)
{
  static const char *const files[] = { NULL, "file.c", "other/file.c" };
  bool done = true;
  for (unsigned int i = 0; i < 80; i++)
    {
      unsigned int number = i % 8;
      unsigned int shape = i / 8 % 5;
      char name[40];
      snprintf (name, sizeof name, "function%u_%u", shape, number);
      const struct gcov_lookup_key key
	= { .name = name,
	    .file = files[i % 3],
	    .object = i % 5 == 0 ? NULL : "b/dir/unit1",
	    .ident = i < 40 ? shape * 1000 + number : 1,
	    .lineno_checksum = number,
	    .major = 12,
	    .is_public = i % 2,
	    .is_shared = i % 4 == 0 };
      done &= find_function (lookup, &key, err);
    }
  return done;
}

static bool
read_gcov_lookup (const unsigned char *data, size_t size,
		  struct profile_error *err)
{
  uint32_t runs;
  uint32_t sum_max;
  struct gcov_lookup *lookup = gcov_lookup_open (make_file (data, size), err);
  if (lookup)
    gcov_lookup_summary (lookup, &runs, &sum_max);
  bool done = lookup && find_functions (lookup, err);
  reader_has_read ();
  gcov_lookup_close (lookup);
  err->path = READER_PATH;
  return done;
}

/* Both the file and the data file made from it may have up to
   GCOV_DATA_MOST_COUNTERS counters.  */
const struct reader reader_gcov_lookup
  = { .name = "gcov-lookup",
      .read = read_gcov_lookup,
      .bounds
      = { 500000 + 3 * 8 * GCOV_DATA_MOST_COUNTERS (0), 3 * 64 * 8 + 500 } };

/* ---- Heap records.  */

/* Read all frames of STACK, and what LOOKUP has about them as calls.  */
static void
check_stack (const struct heap_lookup *lookup,
	     const struct heap_lookup_stack *stack)
{
  if (stack->count == 0)
    reader_fail ("a stack without frames");
  for (size_t i = 0; i < stack->count; i++)
    {
      if (stack->frames[i].line_offset > UINT16_MAX)
	reader_fail ("a line offset of more than 16 bits");
      if (heap_lookup_token (lookup, &stack->frames[i]) > PLACEMENT_COLD)
	reader_fail ("a token that is no class");
      if (heap_lookup_group (lookup, &stack->frames[i]) > 255)
	reader_fail ("a group of more than 4 bits");
    }
}

static void
check_record (const struct heap_lookup *lookup,
	      const struct heap_lookup_record *record)
{
  for (size_t i = 0; i < record->allocation_count; i++)
    {
      check_stack (lookup, &record->allocations[i].stack);
      if (record->allocations[i].info.alloc_count == 0)
	reader_fail ("an allocation of nothing");
    }
  for (size_t i = 0; i < record->call_site_count; i++)
    {
      const struct heap_lookup_call_site *site = &record->call_sites[i];
      check_stack (lookup, &site->stack);
      for (size_t j = 1; j < site->callee_count; j++)
	if (site->callees[j - 1] >= site->callees[j])
	  reader_fail ("callees out of order");
    }
}

/* Return the GUID of function I, first of those in files made by hand, then of
   random ones.  */
static uint64_t
guid_of (unsigned int i)
{
  static const uint64_t guids[]
    = { MEMPROF_BUILDER_LEAF, MEMPROF_BUILDER_MAKE, MEMPROF_BUILDER_LANE,
	MEMPROF_BUILDER_MAIN, 0x77 };
  const unsigned int built = sizeof guids / sizeof *guids;
  if (i < built)
    return guids[i];
  char name[40];
  i -= built;
  int n = snprintf (name, sizeof name, "_Z%ufunction%uv", i % 7, i);
  return heap_lookup_guid (name, n);
}

static bool
read_heap_lookup (const unsigned char *data, size_t size,
		  struct profile_error *err)
{
  struct heap_lookup *lookup = heap_lookup_open (make_file (data, size), err);
  bool done = lookup != NULL;
  for (unsigned int i = 0; i < 65 && lookup; i++)
    {
      struct heap_lookup_record record;
      enum indexed_result result
	= heap_lookup_find (lookup, guid_of (i), &record, err);
      if (result == INDEXED_FOUND)
	check_record (lookup, &record);
      done &= result != INDEXED_FAILED;
    }
  reader_has_read ();
  heap_lookup_close (lookup);
  err->path = READER_PATH;
  return done;
}

/* A frame takes 24 bytes here, and a record may refer to 32 of them for each
   byte of the file; arrays grow by half.  */
const struct reader reader_heap_lookup = { .name = "heap-lookup",
					   .read = read_heap_lookup,
					   .bounds = { 20000, 2000 } };

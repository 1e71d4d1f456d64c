/* Measure the time to open an indexed profile and to find a function in it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Makes a profile of many functions with gcc's counters, which are in LLVM's
   table as well, and with a heap profile in which each function allocates; then
   opens it and finds every function, in random order, with all lookups.  The
   results are compared with the original data.  */

#include "function-id.h"
#include "gcov-ident.h"
#include "gcov-lookup.h"
#include "heap-lookup.h"
#include "indexed-lookup.h"
#include "indexed-profile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS_OF_UNIT 100
#define COUNTERS 8
#define ALLOCATIONS 2
#define OPENINGS 200
#define GRAPH 0x1234567
#define VERSION_12 0x4232322a /* B22* */

static void
stop (const char *what)
{
  fprintf (stderr, "time-lookup: %s\n", what);
  exit (1);
}

static double
now_us (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void
name_function (char *name, size_t size, unsigned int i)
{
  snprintf (name, size, "_ZN5space%uC10function%uEPKc", i % 977, i);
}

static int64_t
count_of (unsigned int i, unsigned int counter)
{
  return (i * 7919u + counter * 31u) % 100000 + 1;
}

static void
fill_function (struct gcov_function *function, unsigned int i)
{
  char name[80];
  name_function (name, sizeof name, i);
  function->position = i % FUNCTIONS_OF_UNIT;
  function->name = strdup (name);
  function->file = strdup ("source.cc");
  function->ident = gcov_ident_public (name);
  function->lineno_checksum = i;
  function->cfg_checksum = GRAPH;
  function->vectors = calloc (1, sizeof *function->vectors);
  function->vector_count = 1;
  struct gcov_vector *arcs = function->vectors;
  arcs->count = COUNTERS;
  arcs->counters = calloc (COUNTERS, sizeof *arcs->counters);
  for (unsigned int j = 0; j < COUNTERS; j++)
    arcs->counters[j] = count_of (i, j);
}

static void
add_unit (struct gcov_profile *profile, unsigned int first)
{
  char path[40];
  struct gcov_unit *unit = calloc (1, sizeof *unit);
  snprintf (path, sizeof path, "objects/unit%u.gcda", first);
  unit->path = strdup (path);
  unit->version = VERSION_12;
  unit->has_summary = true;
  unit->runs = 1;
  unit->sum_max = 100000;
  unit->position_count = unit->function_count = FUNCTIONS_OF_UNIT;
  unit->functions = calloc (FUNCTIONS_OF_UNIT, sizeof *unit->functions);
  for (unsigned int i = 0; i < FUNCTIONS_OF_UNIT; i++)
    fill_function (&unit->functions[i], first + i);
  if (!gcov_profile_add (profile, unit))
    stop ("memory exhausted");
}

/* The frame of a call in function I at LINE.  */
static uint32_t
add_frame (struct heap_profile *heap, unsigned int i, uint32_t line)
{
  char name[80];
  name_function (name, sizeof name, i);
  const struct heap_frame frame
    = { .function_guid = function_canonical_guid (name),
	.function_name = heap_profile_add_string (heap, name, strlen (name)),
	.line = 10 + line,
	.start_line = 10,
	.line_offset = line,
	.column = 3 };
  return heap_profile_add_frame (heap, &frame);
}

/* Functions 0 to N call each other as a tree in which I / 3 calls I; each
   allocates there, and where I / 2 calls it.  */
static void
fill_heap (struct heap_profile *heap, unsigned int n)
{
  uint32_t *contexts = calloc (n, sizeof *contexts);
  for (unsigned int i = 0; i < n; i++)
    {
      uint32_t callers[] = { contexts[i / 3], contexts[i / 2] };
      uint64_t count = count_of (i, COUNTERS - 1);
      const struct memory_info info
	= { .alloc_count = count, .size_bytes = { count * 32, 32, 32 } };
      for (unsigned int j = 0; j < ALLOCATIONS; j++)
	if (!heap_profile_add_info (
	      heap,
	      heap_profile_add_context (heap, callers[j],
					add_frame (heap, i, 7 + j)),
	      &info))
	  stop ("memory exhausted");
      contexts[i]
	= heap_profile_add_context (heap, callers[0], add_frame (heap, i, 5));
    }
  free (contexts);
}

static void
write_profile (const char *path, unsigned int n)
{
  const struct indexed_profile_options options = { 0 };
  struct profile_error err;
  struct profile *profile = profile_new ();
  for (unsigned int i = 0; i < n; i += FUNCTIONS_OF_UNIT)
    add_unit (profile_need_gcov (profile), i);
  fill_heap (profile_need_heap (profile), n);
  if (!indexed_profile_write (path, profile, &options, &err))
    stop (err.cause);
  profile_free (profile);
}

/* ---- The lookups.  */

static void
open_gcov (const char *path)
{
  struct profile_error err;
  struct gcov_lookup *lookup = gcov_lookup_open (path, &err);
  if (!lookup)
    stop (err.cause);
  gcov_lookup_close (lookup);
}

static void
open_counters (const char *path)
{
  struct profile_error err;
  struct indexed_lookup *lookup = indexed_lookup_open (path, &err);
  if (!lookup)
    stop (err.cause);
  indexed_lookup_close (lookup);
}

static void
open_heap (const char *path)
{
  struct profile_error err;
  struct heap_lookup *lookup = heap_lookup_open (path, &err);
  if (!lookup)
    stop (err.cause);
  heap_lookup_close (lookup);
}

static int64_t
find_gcov (void *lookup, const char *name, unsigned int i)
{
  const struct gcov_lookup_key key = { .name = name,
				       .file = "source.cc",
				       .object = "objects/unit0",
				       .ident = gcov_ident_public (name),
				       .lineno_checksum = i,
				       .major = 12,
				       .is_public = true };
  struct gcov_lookup_found found;
  struct profile_error err;
  if (gcov_lookup_find (lookup, &key, &found, &err) != GCOV_LOOKUP_FOUND
      || found.count != 1)
    stop ("a function of gcc's is not found");
  return found.records[0]->vectors[0].counters[COUNTERS - 1];
}

static int64_t
find_counters (void *lookup, const char *name, unsigned int i)
{
  struct indexed_counters found;
  struct profile_error err;
  uint64_t hash = (uint64_t) GRAPH << 32 | i;
  if (indexed_lookup_counters (lookup, name, strlen (name), hash, &found, &err)
      != INDEXED_FOUND)
    stop ("a function is not found");
  return found.counters[COUNTERS - 1];
}

static int64_t
find_heap (void *lookup, const char *name, unsigned int i)
{
  struct heap_lookup_record found;
  struct profile_error err;
  uint64_t guid = heap_lookup_guid (name, strlen (name));
  if (heap_lookup_find (lookup, guid, &found, &err) != INDEXED_FOUND
      || found.allocation_count != ALLOCATIONS
      || found.allocations[0].stack.frames[0].function != guid
      || (i > 0 && found.allocations[0].stack.count < 2))
    stop ("a heap record is not found");
  return found.allocations[ALLOCATIONS - 1].info.alloc_count;
}

/* ---- Timing.  */

static int
compare_times (const void *element1, const void *element2)
{
  const double *a = element1;
  const double *b = element2;
  return (*a > *b) - (*a < *b);
}

/* The median time to open and close the profile, in microseconds.  */
static double
time_opening (void (*open) (const char *), const char *path)
{
  double times[OPENINGS];
  for (int i = 0; i < OPENINGS; i++)
    {
      double start = now_us ();
      open (path);
      times[i] = now_us () - start;
    }
  qsort (times, OPENINGS, sizeof *times, compare_times);
  return times[OPENINGS / 2];
}

/* The mean time of FIND for each of N functions, in microseconds, including the
   time to make its name.  */
static double
time_finding (int64_t (*find) (void *, const char *, unsigned int),
	      void *lookup, unsigned int n)
{
  double start = now_us ();
  for (unsigned int i = 0; i < n; i++)
    {
      unsigned int chosen = i * UINT64_C (2654435761) % n;
      char name[80];
      name_function (name, sizeof name, chosen);
      if (find (lookup, name, chosen) != count_of (chosen, COUNTERS - 1))
	stop ("a count is wrong");
    }
  return (now_us () - start) / n;
}

int
main (int argc, char **argv)
{
  unsigned int n = argc > 1 ? atoi (argv[1]) : 100000;
  char path[] = "/tmp/time-lookup-XXXXXX";
  struct profile_error err;
  int fd = mkstemp (path);
  if (fd < 0)
    stop ("cannot make a temporary file");
  if (n == 0 || n % FUNCTIONS_OF_UNIT != 0)
    stop ("the number of functions must be a multiple of 100");
  close (fd);
  write_profile (path, n);
  struct gcov_lookup *gcov = gcov_lookup_open (path, &err);
  struct indexed_lookup *counters = indexed_lookup_open (path, &err);
  struct heap_lookup *heap = heap_lookup_open (path, &err);
  printf ("| %u functions | open, us | find, us |\n|---|---:|---:|\n", n);
  printf ("| gcc's counters | %.1f |", time_opening (open_gcov, path));
  printf (" %.2f |\n", time_finding (find_gcov, gcov, n));
  printf ("| counters | %.1f |", time_opening (open_counters, path));
  printf (" %.2f |\n", time_finding (find_counters, counters, n));
  printf ("| heap records | %.1f |", time_opening (open_heap, path));
  printf (" %.2f |\n", time_finding (find_heap, heap, n));
  heap_lookup_close (heap);
  gcov_lookup_close (gcov);
  indexed_lookup_close (counters);
  unlink (path);
  return 0;
}

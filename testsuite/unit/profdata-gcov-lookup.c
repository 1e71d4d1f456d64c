/* Unit tests of function lookup in gcc's own counters, and of data files made
   from them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-data.h"
#include "gcov-ident.h"
#include "gcov-lookup.h"
#include "indexed-profile.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERSION_12 0x4232322a /* B22* */
#define VERSION_11 0x4231332a /* B13* */

static char path[] = "/tmp/profdata-gcov-lookup-XXXXXX";

static void
make_file (void)
{
  int fd = mkstemp (path);
  ck_assert_int_ge (fd, 0);
  close (fd);
}

static void
remove_file (void)
{
  unlink (path);
  memcpy (strchr (path, '\0') - 6, "XXXXXX", 6);
}

/* The properties of a function of the profile.  */
struct sample
{
  const char *unit;
  const char *name; /* NULL: unknown */
  const char *file;
  bool is_public;
  uint32_t line;
  uint32_t graph;
  int64_t count;
  bool has_empty;  /* an empty vector of call sites */
  uint32_t callee; /* 0: no calls */
};

static uint32_t
ident_of (const struct sample *sample, const char *name, const char *object)
{
  return sample->is_public ? gcov_ident_public (name)
			   : gcov_ident_local (name, sample->file, object);
}

static char *
copy (const char *text)
{
  char *result = text ? strdup (text) : NULL;
  ck_assert (result || !text);
  return result;
}

/* Set FUNCTION to that of SAMPLE.  NAME is its name, even if SAMPLE has
   none.  */
static void
fill_function (struct gcov_function *function, const struct sample *sample,
	       const char *name)
{
  *function = (struct gcov_function){
    .ident = ident_of (sample, name, sample->unit),
    .lineno_checksum = gcov_lineno_checksum (name, sample->file, sample->line),
    .cfg_checksum = sample->graph,
    .name = copy (sample->name),
    .file = copy (sample->name ? sample->file : NULL),
    .vector_count = 1 + (sample->has_empty || sample->callee)
  };
  function->vectors = calloc (2, sizeof *function->vectors);
  struct gcov_vector *arcs = &function->vectors[0];
  arcs->count = 2;
  arcs->counters = calloc (2, sizeof *arcs->counters);
  arcs->counters[0] = sample->count;
  arcs->counters[1] = 1;
  struct gcov_vector *calls = &function->vectors[1];
  calls->kind = GCOV_KIND_CALL;
  if (!sample->callee)
    return;
  calls->count = 1;
  calls->sites = calloc (1, sizeof *calls->sites);
  calls->sites->total = 5;
  calls->sites->target_count = 1;
  calls->sites->targets = calloc (1, sizeof *calls->sites->targets);
  calls->sites->targets[0] = (struct gcov_target){ sample->callee, 5 };
}

/* Add a unit of VERSION whose only function is SAMPLE's, at POSITION of
   many.  */
static void
add_sample (struct gcov_profile *profile, const struct sample *sample,
	    const char *name, uint32_t version, uint32_t position)
{
  struct gcov_unit *unit = calloc (1, sizeof *unit);
  unit->path = copy (sample->unit);
  unit->version = version;
  unit->stamp = 1;
  unit->has_summary = true;
  unit->runs = 1;
  unit->sum_max = sample->count;
  unit->position_count = 1000;
  unit->function_count = 1;
  unit->functions = calloc (1, sizeof *unit->functions);
  fill_function (unit->functions, sample, name);
  unit->functions->position = position;
  ck_assert (gcov_profile_add (profile, unit));
}

static struct profile *
new_profile (void)
{
  struct profile *profile = profile_new ();
  ck_assert_ptr_nonnull (profile_need_gcov (profile));
  return profile;
}

/* Write PROFILE, free it, and open the file.  */
static struct gcov_lookup *
open_profile (struct profile *profile)
{
  const struct indexed_profile_options options = { 0 };
  struct profile_error err;
  ck_assert_msg (indexed_profile_write (path, profile, &options, &err), "%s",
		 err.cause);
  profile_free (profile);
  struct gcov_lookup *lookup = gcov_lookup_open (path, &err);
  ck_assert_msg (lookup != NULL, "%s", err.cause);
  return lookup;
}

/* Look up SAMPLE, called NAME, for the unit of OBJECT.  Return the sum of the
   first counters found, or minus the result of the lookup.  */
static int64_t
find (struct gcov_lookup *lookup, const struct sample *sample, const char *name,
      const char *object, bool is_shared)
{
  struct gcov_lookup_key key
    = { .name = name,
	.file = sample->file,
	.object = object,
	.ident = ident_of (sample, name, object),
	.lineno_checksum
	= gcov_lineno_checksum (name, sample->file, sample->line),
	.major = 12,
	.is_public = sample->is_public,
	.is_shared = is_shared };
  struct gcov_lookup_found found = { 0 };
  struct profile_error err;
  enum gcov_lookup_result result
    = gcov_lookup_find (lookup, &key, &found, &err);
  ck_assert_msg (result != GCOV_LOOKUP_FAILED, "%s", err.cause);
  int64_t sum = -(int64_t) result;
  for (size_t i = 0; i < found.count; i++)
    sum += found.records[i]->vectors[0].counters[0];
  return sum;
}

/* Each of many functions is found, with and without a name, and no other.  */
START_TEST (many)
{
  struct profile *profile = new_profile ();
  struct sample sample = {
    .unit = "o/a.gcda", .file = "a.c", .is_public = true, .line = 3, .graph = 7
  };
  char name[30];
  for (int i = 0; i < 700; i++)
    {
      snprintf (name, sizeof name, "f%d", i);
      sample.name = _i ? NULL : name;
      sample.count = 1000 + i;
      add_sample (profile->gcov, &sample, name, VERSION_12, i);
    }
  struct gcov_lookup *lookup = open_profile (profile);
  for (int i = 0; i < 700; i++)
    {
      snprintf (name, sizeof name, "f%d", i);
      ck_assert_int_eq (find (lookup, &sample, name, "o/a", false), 1000 + i);
      snprintf (name, sizeof name, "f%dx", i);
      ck_assert_int_eq (find (lookup, &sample, name, "o/a", false),
			-GCOV_LOOKUP_NOT_FOUND);
    }
  uint32_t runs;
  uint32_t sum_max;
  gcov_lookup_summary (lookup, &runs, &sum_max);
  ck_assert_uint_eq (runs, 700);
  gcov_lookup_close (lookup);
}
END_TEST

static const struct sample samples[]
  = { { "o/a.gcda", "local", "s/a.c", false, 1, 7, 1, false, 0 },
      { "o/b.gcda", "local", "s/b.c", false, 1, 7, 20, false, 0 },
      { "o/a.gcda", "both", "s/x.h", true, 1, 7, 300, true, 0 },
      { "o/b.gcda", "both", "s/x.h", true, 1, 7, 4000, false, 0 },
      { "o/b.gcda", "both", "s/x.h", true, 1, 8, 50000, false, 0 },
      { "p/a.gcda", "main", "a.c", true, 1, 7, 600000, false, 0 },
      { "q/a.gcda", "main", "a.c", true, 2, 7, 7000000, false, 0 } };

static struct gcov_lookup *
open_samples (void)
{
  struct profile *profile = new_profile ();
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    add_sample (profile->gcov, &samples[i], samples[i].name, VERSION_12, i);
  return open_profile (profile);
}

START_TEST (choice)
{
  struct gcov_lookup *lookup = open_samples ();
  /* A local function is found by its source file, wherever its object is.  */
  ck_assert_int_eq (find (lookup, &samples[0], "local", "z/a", false), 1);
  ck_assert_int_eq (find (lookup, &samples[1], "local", "z/c", false), 20);
  struct sample moved = samples[1];
  moved.file = "../s/b.c";
  ck_assert_int_eq (find (lookup, &moved, "local", "z/b", false), 20);
  ck_assert_int_eq (find (lookup, &moved, "local", "z/c", false),
		    -GCOV_LOOKUP_NOT_FOUND);
  moved.is_public = true;
  ck_assert_int_eq (find (lookup, &moved, "local", "z/b", false),
		    -GCOV_LOOKUP_NOT_FOUND);
  /* Among copies with one graph, the requesting unit's copy is found, otherwise
     the one that ran most.  */
  ck_assert_int_eq (find (lookup, &samples[2], "both", "o/a", true), 4300);
  ck_assert_int_eq (find (lookup, &samples[2], "both", "o/c", true), 50000);
  ck_assert_int_eq (find (lookup, &samples[2], "both", "o/a", false), 300);
  /* Two programs with a main each.  */
  ck_assert_int_eq (find (lookup, &samples[5], "main", "/w/p/a", false),
		    600000);
  ck_assert_int_eq (find (lookup, &samples[6], "main", "/w/q/a", false),
		    7000000);
  ck_assert_int_eq (find (lookup, &samples[6], "main", "/w/c", false), 7000000);
  gcov_lookup_close (lookup);
}
END_TEST

START_TEST (other_compiler)
{
  struct profile *profile = new_profile ();
  add_sample (profile->gcov, &samples[5], "main", VERSION_11, 0);
  struct gcov_lookup *lookup = open_profile (profile);
  ck_assert_int_eq (find (lookup, &samples[5], "main", "p/a", false),
		    -GCOV_LOOKUP_OTHER_COMPILER);
  gcov_lookup_close (lookup);
}
END_TEST

/* Callees get the idents of the parts; empty vectors are ignored.  */
START_TEST (data_file)
{
  struct gcov_function callee, first, second;
  struct sample sample = { "o/a.gcda", "g", "a.c", false, 1, 7, 8, false, 0 };
  fill_function (&callee, &sample, "g");
  sample = (struct sample){ "o/a.gcda", "f", "a.c", true,	 1,
			    7,		10,  false, callee.ident };
  fill_function (&first, &sample, "f");
  fill_function (&second, &sample, "f");
  const struct gcov_function *callees[] = { &callee };
  const struct gcov_function *records[] = { &first, &second };
  const struct gcov_lookup_part parts[]
    = { { callees, 1, 1234, 56 }, { records, 2, 78, 90 } };
  const struct gcov_unit head
    = { .version = VERSION_12, .has_summary = true, .runs = 3, .sum_max = 4 };
  struct byte_writer writer = { 0 };
  struct profile_error err;
  ck_assert (gcov_lookup_make_data (&writer, parts, 2, &head, &err));
  struct gcov_profile *profile = gcov_profile_new ();
  ck_assert_msg (gcov_data_parse (profile, "file", "unit", writer.data,
				  writer.size, &err),
		 "%s", err.cause);
  const struct gcov_unit *unit = profile->units[0];
  ck_assert_uint_eq (unit->runs, 3);
  ck_assert_uint_eq (unit->function_count, 2);
  ck_assert_uint_eq (unit->functions[0].ident, 1234);
  ck_assert_uint_eq (unit->functions[0].lineno_checksum, 56);
  ck_assert_uint_eq (unit->functions[1].ident, 78);
  ck_assert_uint_eq (unit->functions[1].cfg_checksum, 7);
  ck_assert_int_eq (unit->functions[1].vectors[0].counters[0], 20);
  const struct gcov_site *site = unit->functions[1].vectors[1].sites;
  ck_assert_uint_eq (site->target_count, 1);
  ck_assert_int_eq (site->targets[0].value, 1234);
  ck_assert_int_eq (site->targets[0].count, 10);
  gcov_profile_free (profile);
  byte_writer_free (&writer);
  struct gcov_unit owner
    = { .functions = calloc (3, sizeof first), .function_count = 3 };
  struct gcov_unit *freed = malloc (sizeof *freed);
  owner.functions[0] = callee;
  owner.functions[1] = first;
  owner.functions[2] = second;
  *freed = owner;
  gcov_unit_free (freed);
}
END_TEST

/* With any damaged byte, the lookup terminates with a result or an error.  */
START_TEST (damage)
{
  gcov_lookup_close (open_samples ());
  FILE *file = fopen (path, "r+b");
  ck_assert_ptr_nonnull (file);
  fseek (file, 0, SEEK_END);
  long size = ftell (file);
  for (long place = 0; place < size; place++)
    {
      struct profile_error err;
      fseek (file, place, SEEK_SET);
      int byte = fgetc (file);
      fseek (file, place, SEEK_SET);
      fputc (byte ^ (_i ? 0x80 : 0x01), file);
      fflush (file);
      struct gcov_lookup *lookup = gcov_lookup_open (path, &err);
      for (size_t i = 0; lookup && i < sizeof samples / sizeof *samples; i++)
	{
	  struct gcov_lookup_found found;
	  const struct gcov_lookup_key key
	    = { .name = samples[i].name,
		.file = samples[i].file,
		.object = samples[i].unit,
		.major = 12,
		.is_public = samples[i].is_public };
	  gcov_lookup_find (lookup, &key, &found, &err);
	}
      gcov_lookup_close (lookup);
      fseek (file, place, SEEK_SET);
      fputc (byte, file);
    }
  fclose (file);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov-lookup");
  TCase *tcase = tcase_create ("lookup");
  tcase_add_checked_fixture (tcase, make_file, remove_file);
  tcase_add_loop_test (tcase, many, 0, 2);
  tcase_add_test (tcase, choice);
  tcase_add_test (tcase, other_compiler);
  tcase_add_test (tcase, data_file);
  tcase_add_loop_test (tcase, damage, 0, 2);
  tcase_set_timeout (tcase, 120);
  suite_add_tcase (suite, tcase);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}

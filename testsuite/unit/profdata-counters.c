/* Unit tests of function counters: the model, and indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-text.h"
#include "function-id.h"
#include "indexed-lookup.h"
#include "indexed-profile.h"
#include "pgo-text.h"
#include "profile-text.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct profile_error err;

struct bytes
{
  unsigned char *data;
  size_t size;
};

static struct bytes
serialize (const struct counter_profile *counters, unsigned int version,
	   bool sparse)
{
  const struct indexed_profile_options options
    = { .file_version = version, .sparse = sparse };
  const struct profile profile
    = { .counters = (struct counter_profile *) counters };
  void *data;
  struct bytes bytes;
  ck_assert_msg (indexed_profile_serialize (&profile, &options, &data,
					    &bytes.size, &err),
		 "%s", err.cause);
  bytes.data = data;
  return bytes;
}

/* Return the counters of the file in BYTES; NULL and the error if it is
   rejected.  */
static struct counter_profile *
parse (const struct bytes *bytes)
{
  err = (struct profile_error){ 0 };
  struct profile *profile
    = indexed_profile_parse ("made", bytes->data, bytes->size, &err);
  if (!profile)
    return NULL;
  struct counter_profile *counters = profile->counters;
  profile->counters = NULL;
  profile_free (profile);
  return counters;
}

static void
expect_equal (const struct counter_profile *a, const struct counter_profile *b)
{
  char *text_a = counter_text (a);
  char *text_b = counter_text (b);
  ck_assert_str_eq (text_a, text_b);
  free (text_a);
  free (text_b);
}

static void
expect_equal_files (const struct counter_profile *a,
		    const struct counter_profile *b)
{
  struct bytes bytes_a = serialize (a, 12, false);
  struct bytes bytes_b = serialize (b, 12, false);
  ck_assert_uint_eq (bytes_a.size, bytes_b.size);
  ck_assert (memcmp (bytes_a.data, bytes_b.data, bytes_a.size) == 0);
  free (bytes_a.data);
  free (bytes_b.data);
}

/* Merge SOURCE into *PROFILE through a file.  */
static void
fold_file (struct counter_profile **profile,
	   const struct counter_profile *source)
{
  struct bytes bytes = serialize (source, 12, false);
  struct profile whole = { .counters = *profile };
  ck_assert_msg (indexed_profile_fold (&whole, "made", bytes.data, bytes.size,
				       &err),
		 "%s", err.cause);
  *profile = whole.counters;
  free (bytes.data);
}

/* Add a record of NAME with HASH and COUNT counters.  */
static struct counter_function *
add_function (struct counter_profile *profile, const char *name, uint64_t hash,
	      uint32_t count)
{
  const struct counter_shape shape = { .counter_count = count };
  uint32_t number = counter_profile_add_name (profile, name, strlen (name));
  return counter_profile_add_function (profile, number, hash, &shape);
}

/* ---- Round trips.  */

START_TEST (round_trip)
{
  struct counter_profile *profile = random_counters (_i, _i * 7, false);
  for (unsigned int version = 12; version <= 13; version++)
    {
      struct bytes bytes = serialize (profile, version, false);
      ck_assert_uint_eq (bytes.data[8], version);
      struct counter_profile *again = parse (&bytes);
      ck_assert_msg (again != NULL, "%s", err.cause);
      expect_equal (profile, again);
      expect_equal_files (profile, again);
      counter_profile_free (again);
      free (bytes.data);
    }
  counter_profile_free (profile);
}
END_TEST

START_TEST (version_11_has_no_vtable_names)
{
  struct counter_profile *profile = random_counters (5, 100, false);
  struct bytes bytes = serialize (profile, 11, false);
  struct counter_profile *again = parse (&bytes);
  ck_assert_uint_eq (counter_profile_function_count (profile),
		     counter_profile_function_count (again));
  for (uint32_t i = 0; i < counter_profile_name_count (again); i++)
    ck_assert (!counter_profile_is_vtable (again, i));
  counter_profile_free (again);
  counter_profile_free (profile);
  free (bytes.data);
}
END_TEST

START_TEST (sparse_leaves_out_what_is_0)
{
  struct counter_profile *profile = counter_profile_new ();
  const uint64_t counts[] = { 0, 7 };
  ck_assert (counter_profile_add_flags (profile, COUNTER_IR, true, &err));
  counter_function_add_counters (add_function (profile, "ran", 1, 2), counts,
				 1);
  add_function (profile, "slept", 1, 2);
  struct bytes bytes = serialize (profile, 12, true);
  struct counter_profile *again = parse (&bytes);
  ck_assert_uint_eq (counter_profile_function_count (again), 1);
  ck_assert_uint_eq (counter_profile_function (again, 0)->counters[1], 7);
  counter_profile_free (again);
  counter_profile_free (profile);
  free (bytes.data);
}
END_TEST

START_TEST (text_round_trip)
{
  struct counter_profile *profile = random_counters (_i, _i * 7, true);
  struct counter_profile *again = counter_profile_new ();
  struct pgo_text_losses losses;
  void *text;
  size_t size;
  ck_assert (pgo_text_serialize (profile, false, &text, &size, &losses, &err));
  ck_assert_uint_eq (losses.unknown_targets + losses.unknown_steps
		       + losses.binary_ids + losses.names,
		     0);
  ck_assert_msg (pgo_text_fold (again, "text", text, size, &err),
		 "offset %" PRIu64 ": %s", err.offset, err.cause);
  expect_equal (profile, again);
  free (text);
  counter_profile_free (again);
  counter_profile_free (profile);
}
END_TEST

/* ---- Merging.  */

START_TEST (merging_commutes)
{
  struct counter_profile *a = random_counters (_i, 60, false);
  struct counter_profile *b = random_counters (_i + 1000, 60, false);
  struct counter_profile *ab = counter_profile_new ();
  struct counter_profile *ba = counter_profile_new ();
  ck_assert (counter_profile_merge (ab, a, 1, &err));
  ck_assert (counter_profile_merge (ab, b, 1, &err));
  ck_assert (counter_profile_merge (ba, b, 1, &err));
  ck_assert (counter_profile_merge (ba, a, 1, &err));
  expect_equal (ab, ba);
  expect_equal_files (ab, ba);
  counter_profile_free (a);
  counter_profile_free (b);
  counter_profile_free (ab);
  counter_profile_free (ba);
}
END_TEST

/* (a + b) + c = a + (b + c), where every sum is written to a file and read
   back.  */
START_TEST (merging_associates_through_files)
{
  struct counter_profile *parts[3];
  for (int i = 0; i < 3; i++)
    parts[i] = random_counters (_i * 3 + i, 80, false);
  struct counter_profile *left = NULL;
  struct counter_profile *right = NULL;
  struct counter_profile *whole = NULL;
  fold_file (&left, parts[0]);
  fold_file (&left, parts[1]);
  fold_file (&right, parts[1]);
  fold_file (&right, parts[2]);
  fold_file (&whole, left);
  fold_file (&whole, parts[2]);
  fold_file (&right, parts[0]);
  expect_equal (whole, right);
  expect_equal_files (whole, right);
  for (int i = 0; i < 3; i++)
    counter_profile_free (parts[i]);
  counter_profile_free (left);
  counter_profile_free (right);
  counter_profile_free (whole);
}
END_TEST

START_TEST (a_weight_is_repetition)
{
  struct counter_profile *part = random_counters (_i, 60, false);
  struct counter_profile *thrice = counter_profile_new ();
  struct counter_profile *weighted = counter_profile_new ();
  for (int i = 0; i < 3; i++)
    ck_assert (counter_profile_merge (thrice, part, 1, &err));
  ck_assert (counter_profile_merge (weighted, part, 3, &err));
  for (uint32_t i = 0; i < counter_profile_name_count (part); i++)
    {
      const struct counter_function *a
	= counter_profile_functions_of (thrice, i);
      const struct counter_function *b
	= counter_profile_functions_of (weighted, i);
      ck_assert_int_eq (a != NULL, b != NULL);
      for (uint32_t k = 0; a && k < a->shape.counter_count; k++)
	ck_assert_uint_eq (a->counters[k], b->counters[k]);
    }
  counter_profile_free (part);
  counter_profile_free (thrice);
  counter_profile_free (weighted);
}
END_TEST

START_TEST (counts_stop_at_the_greatest)
{
  /* Odd and even positions and small and great values, for the vectorized
     code.  */
  const uint64_t a[] = { 1, UINT64_C (1) << 62, COUNTER_GREATEST, 5, 6 };
  const uint64_t b[] = { 2, UINT64_C (3) << 62, 1, COUNTER_GREATEST - 5, 1 };
  const uint64_t sum[]
    = { 3, COUNTER_GREATEST, COUNTER_GREATEST, COUNTER_GREATEST, 7 };
  for (uint32_t n = 1; n <= 5; n++)
    {
      struct counter_profile *profile = counter_profile_new ();
      struct counter_notes notes;
      struct counter_function *function = add_function (profile, "f", 1, n);
      counter_function_add_counters (function, a, 1);
      counter_function_add_counters (function, b, 1);
      for (uint32_t i = 0; i < n; i++)
	ck_assert_uint_eq (function->counters[i], sum[i]);
      ck_assert (counter_profile_find_notes (profile, &notes));
      ck_assert_int_eq (notes.saturated, n > 1);
      counter_profile_free (profile);
    }
}
END_TEST

START_TEST (weighted_counts_stop_too)
{
  struct counter_profile *profile = counter_profile_new ();
  struct counter_function *function = add_function (profile, "f", 1, 2);
  const uint64_t counts[] = { UINT64_C (1) << 40, 3 };
  counter_function_add_counters (function, counts, UINT64_C (1) << 30);
  ck_assert_uint_eq (function->counters[0], COUNTER_GREATEST);
  ck_assert_uint_eq (function->counters[1], UINT64_C (3) << 30);
  counter_profile_free (profile);
}
END_TEST

START_TEST (other_hashes_and_shapes_stay)
{
  struct counter_profile *profile = counter_profile_new ();
  struct counter_notes notes;
  add_function (profile, "f", 1, 2);
  add_function (profile, "f", 1 | COUNTER_HASH_CONTEXT_SENSITIVE, 2);
  ck_assert (counter_profile_find_notes (profile, &notes));
  ck_assert_uint_eq (notes.mismatched_names, 0);
  add_function (profile, "f", 2, 2);
  add_function (profile, "g", 1, 2);
  const uint64_t counts[] = { 9, 9, 9 };
  counter_function_add_counters (add_function (profile, "g", 1, 3), counts, 1);
  ck_assert (counter_profile_find_notes (profile, &notes));
  ck_assert_uint_eq (notes.mismatched_names, 1);
  ck_assert_uint_eq (notes.conflicting_names, 1);
  ck_assert_uint_eq (counter_profile_function_count (profile), 5);
  /* Among equal hashes the record with the greatest counts comes first.  */
  uint32_t *order = counter_profile_order (profile);
  ck_assert_uint_eq (counter_profile_function (profile, order[3])
		       ->shape.counter_count,
		     3);
  free (order);
  counter_profile_free (profile);
}
END_TEST

START_TEST (equal_values_are_added_rank_by_rank)
{
  struct counter_profile *profile = counter_profile_new ();
  const struct counter_shape shape = { 1, 0, { 1, 0, 0 }, false };
  uint32_t name = counter_profile_add_name (profile, "f", 1);
  struct counter_function *function
    = counter_profile_add_function (profile, name, 1, &shape);
  const struct counter_value a[] = { { 0, 5 }, { 7, 1 }, { 0, 9 } };
  const struct counter_value b[] = { { 0, 1 }, { 0, 2 }, { 0, 3 } };
  const struct counter_value sum[]
    = { { 0, 12 }, { 0, 7 }, { 0, 1 }, { 7, 1 } };
  ck_assert (counter_profile_add_values (profile, function, 0, 0, a, 3, 1));
  ck_assert (counter_profile_add_values (profile, function, 0, 0, b, 3, 1));
  const struct counter_value_site *site = &function->sites[0][0];
  ck_assert_uint_eq (site->count, 4);
  ck_assert_mem_eq (site->values, sum, sizeof sum);
  counter_profile_free (profile);
}
END_TEST

START_TEST (incompatible_flags)
{
  static const struct
  {
    unsigned int first;
    unsigned int second;
    bool go_together;
  } cases[] = { { COUNTER_IR, 0, false },
		{ COUNTER_IR, COUNTER_IR | COUNTER_SINGLE_BYTE, false },
		{ COUNTER_IR, COUNTER_IR | COUNTER_ENTRY_ONLY, false },
		{ COUNTER_IR, COUNTER_IR | COUNTER_CONTEXT_SENSITIVE, true },
		{ COUNTER_IR,
		  COUNTER_IR | COUNTER_ENTRY_FIRST | COUNTER_TEMPORAL, true },
		{ 0, 0, true } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int has_functions = 0; has_functions < 2; has_functions++)
      {
	struct counter_profile *profile = counter_profile_new ();
	ck_assert (counter_profile_add_flags (profile, cases[i].first, true,
					      &err));
	ck_assert_int_eq (counter_profile_add_flags (profile, cases[i].second,
						     has_functions, &err),
			  cases[i].go_together || !has_functions);
	counter_profile_free (profile);
      }
}
END_TEST

/* ---- Lookup.  */

/* Write a file of COUNT functions `function0', `function1'...  Each has the
   hash 3 and one counter, its number.  */
static void
write_numbered (const char *path, unsigned int count)
{
  struct profile profile = { .counters = counter_profile_new () };
  const struct indexed_profile_options options = { 0 };
  ck_assert (counter_profile_add_flags (profile.counters, COUNTER_IR, true,
					&err));
  for (uint64_t i = 0; i < count; i++)
    {
      char name[40];
      snprintf (name, sizeof name, "function%" PRIu64, i);
      counter_function_add_counters (add_function (profile.counters, name, 3,
						   1),
				     &i, 1);
    }
  ck_assert (indexed_profile_write (path, &profile, &options, &err));
  counter_profile_free (profile.counters);
}

START_TEST (lookup_finds_functions)
{
  static const char path[] = "lookup.profdata";
  write_numbered (path, 1000);
  struct indexed_lookup *lookup = indexed_lookup_open (path, &err);
  ck_assert_ptr_nonnull (lookup);
  ck_assert_uint_eq (indexed_lookup_flags (lookup), COUNTER_IR);
  struct counter_profile *profile = counter_profile_new ();
  for (unsigned int i = 0; i < 1000; i++)
    {
      struct indexed_counters found;
      char name[40];
      size_t n = snprintf (name, sizeof name, "function%u", i);
      ck_assert_int_eq (indexed_lookup_counters (lookup, name, n, 3, &found,
						 &err),
			INDEXED_FOUND);
      ck_assert_uint_eq (found.count, 1);
      ck_assert_uint_eq (found.counters[0], i);
      ck_assert_int_eq (indexed_lookup_counters (lookup, name, n, 4, &found,
						 &err),
			INDEXED_OTHER_HASH);
      ck_assert_int_eq (indexed_lookup_fold (lookup, name, n, profile, &err),
			INDEXED_FOUND);
    }
  ck_assert_uint_eq (counter_profile_function_count (profile), 1000);
  ck_assert_int_eq (indexed_lookup_fold (lookup, "other", 5, profile, &err),
		    INDEXED_NO_NAME);
  counter_profile_free (profile);
  indexed_lookup_close (lookup);
  unlink (path);
}
END_TEST

START_TEST (lookup_fails)
{
  ck_assert_ptr_null (indexed_lookup_open ("no/such/file", &err));
  ck_assert_str_eq (err.cause, "cannot open: No such file or directory");
  ck_assert_ptr_null (indexed_lookup_open ("/", &err));
  ck_assert_str_eq (err.cause, "not a regular file");
  FILE *file = fopen ("bad.profdata", "w");
  fputs ("nothing that is a profile", file);
  fclose (file);
  ck_assert_ptr_null (indexed_lookup_open ("bad.profdata", &err));
  ck_assert_str_eq (err.cause, "not an indexed profile");
  write_numbered ("bad.profdata", 100);
  ck_assert_int_eq (truncate ("bad.profdata", 2000), 0);
  struct indexed_lookup *lookup = indexed_lookup_open ("bad.profdata", &err);
  struct indexed_counters found;
  ck_assert_int_eq (indexed_lookup_counters (lookup, "function1", 9, 3, &found,
					     &err),
		    INDEXED_FAILED);
  ck_assert_str_eq (err.path, "bad.profdata");
  indexed_lookup_close (lookup);
  unlink ("bad.profdata");
}
END_TEST

/* ---- Damage.  */

/* Return a file of one function `f' with values, a vtable name, a build ID and
   a trace.  */
static struct bytes
small_file (void)
{
  struct counter_profile *profile = counter_profile_new ();
  const struct counter_shape shape = { 1, 1, { 1, 0, 0 }, false };
  const struct counter_value values[] = { { 5, 6 } };
  const uint64_t count = 3;
  uint32_t name = counter_profile_add_name (profile, "f", 1);
  ck_assert (counter_profile_add_flags (profile, COUNTER_IR | COUNTER_TEMPORAL,
					true, &err));
  struct counter_function *function
    = counter_profile_add_function (profile, name, 1, &shape);
  counter_function_add_counters (function, &count, 1);
  counter_profile_add_values (profile, function, 0, 0, values, 1, 1);
  counter_profile_set_vtable (profile,
			      counter_profile_add_name (profile, "_ZTV1A", 6));
  counter_profile_add_binary_id (profile, "abc", 3);
  counter_profile_add_trace (profile, 1, &count, 1);
  counter_profile_add_stream (profile, 1);
  struct bytes bytes = serialize (profile, 12, false);
  counter_profile_free (profile);
  return bytes;
}

static uint64_t
get_u64 (const unsigned char *data)
{
  uint64_t value;
  memcpy (&value, data, sizeof value);
  return value;
}

/* Replace the number at OFFSET of the small file with VALUE: it must be
   rejected at ERROR_OFFSET because of CAUSE.  */
static void
expect_patched_error (size_t offset, uint64_t value, uint64_t error_offset,
		      const char *cause)
{
  struct bytes bytes = small_file ();
  memcpy (bytes.data + offset, &value, sizeof value);
  struct counter_profile *profile = parse (&bytes);
  ck_assert_msg (profile == NULL, "expected: %s", cause);
  ck_assert_str_eq (err.cause, cause);
  ck_assert_uint_eq (err.offset, error_offset);
  free (bytes.data);
}

START_TEST (bad_numbers)
{
  struct bytes bytes = small_file ();
  size_t table = get_u64 (bytes.data + 32);
  size_t ids = get_u64 (bytes.data + 48);
  size_t vtables = get_u64 (bytes.data + 64);
  uint64_t hash = get_u64 (bytes.data + 522);
  free (bytes.data);
  ck_assert_uint_eq (hash, function_guid ("f", 1));
  size_t record = 520 + 2 + 24 + 1;
  char cause[100];
  snprintf (cause, sizeof cause, "invalid function name hash 0x%" PRIx64,
	    hash ^ 2);
  expect_patched_error (522, hash ^ 2, record, cause);
  expect_patched_error (72, 7, 72,
			"unsupported summary with 7 fields (expected 6)");
  expect_patched_error (record + 8, 1 << 20, record + 16,
			"the record of a function: need 1048576 * 8 "
			"bytes, 64 left");
  expect_patched_error (record + 32, 256, record + 32,
			"bitmap byte 0: invalid value 256 (expected 0 "
			"to 255)");
  expect_patched_error (record + 40, 7, record + 40,
			"invalid size of function values: 7 bytes");
  expect_patched_error (record + 40, 32 | UINT64_C (4) << 32, record + 44,
			"invalid number of value kinds 4");
  expect_patched_error (record + 48, 3 | UINT64_C (1) << 32, record + 48,
			"unknown value kind 3");
  expect_patched_error (table + 8, 2, table + 8,
			"the table of functions: invalid entry count 2 "
			"(buckets hold 1)");
  expect_patched_error (table + 16, 521, table + 16,
			"the table of functions: bucket 0 starts at "
			"0x209, but the previous one ends at 0x208");
  expect_patched_error (ids + 8, 0, ids + 8, "invalid binary ID size: 0 bytes");
  expect_patched_error (vtables, UINT64_C (1) << 40, vtables + 8,
			"the vtable names: need 1099511627776 bytes, 56 "
			"left");
}
END_TEST

START_TEST (bytes_behind_the_end)
{
  struct bytes bytes = small_file ();
  struct bytes longer = { calloc (1, bytes.size + 16), bytes.size + 16 };
  memcpy (longer.data, bytes.data, bytes.size);
  ck_assert_ptr_null (parse (&longer));
  ck_assert_str_eq (err.cause, "16 extra bytes at the end of the file");
  free (longer.data);
  free (bytes.data);
}
END_TEST

START_TEST (every_cut_is_noticed)
{
  struct bytes bytes = small_file ();
  for (size_t n = 0; n < bytes.size; n++)
    {
      const struct bytes cut = { bytes.data, n };
      ck_assert_msg (parse (&cut) == NULL, "%zu bytes", n);
    }
  free (bytes.data);
}
END_TEST

/* ---- Invalid text.  */

START_TEST (bad_text)
{
  static const struct
  {
    const char *text;
    const char *cause;
    uint64_t offset;
  } cases[]
    = { { ":nonsense\n",
	  "invalid line ':nonsense' (expected a known "
	  "flag)",
	  0 },
	{ "f\n",
	  "unexpected end of file (expected the hash of a "
	  "function)",
	  2 },
	{ "f\nx\n",
	  "invalid line 'x' (expected the hash of a "
	  "function)",
	  2 },
	{ "f\n1\n0\n", "function without counters", 4 },
	{ "f\n1\n1\n-1\n", "invalid line '-1' (expected a count)", 6 },
	{ "f\n1\n1\n0x1\n", "invalid line '0x1' (expected a count)", 6 },
	{ "f\n1\n1\n18446744073709551616\n",
	  "invalid line '18446744073709551616' (expected "
	  "a count)",
	  6 },
	{ "f\n1\n999\n1\n",
	  "invalid number of counters 999 (more than the "
	  "file can hold)",
	  4 },
	{ "f\n1\n1\n1\n$1\n256\n",
	  "invalid bitmap byte 256 (expected 0 to 255)", 11 },
	{ "f\n1\n1\n1\n4\n", "invalid number of value kinds 4", 8 },
	{ "f\n1\n1\n1\n1\n3\n0\n", "unknown value kind 3", 10 },
	{ "f\n1\n1\n1\n1\n0\n1\n1\nx\n",
	  "invalid line 'x' (expected VALUE:COUNT)", 16 },
	{ "f\n1\n1\n1\n1\n1\n1\n1\nx:1\n",
	  "invalid line 'x:1' (expected SIZE:COUNT)", 16 },
	{ ":temporal_prof_traces\n1\n1\n1\n",
	  "unexpected end of file (expected the functions "
	  "of a trace)",
	  28 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct counter_profile *profile = counter_profile_new ();
      ck_assert (!pgo_text_fold (profile, "text", cases[i].text,
				 strlen (cases[i].text), &err));
      ck_assert_str_eq (err.cause, cases[i].cause);
      ck_assert_uint_eq (err.offset, cases[i].offset);
      counter_profile_free (profile);
    }
}
END_TEST

START_TEST (text_is_recognized)
{
  static const struct
  {
    const char *text;
    bool is_possible;
  } cases[] = { { ":ir\n", true },
		{ "# comment\n:ir\n", true },
		{ "f\n# Func Hash:\n0x1234\n1\n1\n", true },
		{ "f\r\n1\r\n1\r\n1\r\n", true },
		{ "", false },
		{ "f\n", false },
		{ "not a profile\n", false },
		{ "#!/bin/sh\nexec true\n:\n", false },
		{ "int x;\nint y;\n", false } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_int_eq (pgo_text_is_possible (cases[i].text,
					    strlen (cases[i].text)),
		      cases[i].is_possible);
}
END_TEST

/* Text that LLVM's writer does not write but its reader accepts.  */
START_TEST (text_of_other_hands)
{
  static const char text[]
    = "\n\n:IR\n:entry_first\n:not_entry_first\n"
      "# a comment\r\nf\r\n\n017\n2\n1\n# between\n2\n$0\n2\n0\n1\n1\n"
      "** External Symbol **:3\n1\n0\ng\n0b101\n1\n1";
  struct counter_profile *profile = counter_profile_new ();
  ck_assert_msg (pgo_text_fold (profile, "text", text, strlen (text), &err),
		 "offset %" PRIu64 ": %s", err.offset, err.cause);
  char *found = counter_text (profile);
  ck_assert_str_eq (found, "flags 1 stream 0\n"
			   "function f f 0: 1 2 bitmap 0.0 0=3\n"
			   "function g 5 0: 1 bitmap\n");
  free (found);
  counter_profile_free (profile);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("profdata-counters");
  TCase *trips = tcase_create ("round trips");
  tcase_add_loop_test (trips, round_trip, 0, 30);
  tcase_add_test (trips, version_11_has_no_vtable_names);
  tcase_add_test (trips, sparse_leaves_out_what_is_0);
  tcase_add_loop_test (trips, text_round_trip, 0, 30);
  suite_add_tcase (suite, trips);
  TCase *merging = tcase_create ("merging");
  tcase_add_loop_test (merging, merging_commutes, 0, 20);
  tcase_add_loop_test (merging, merging_associates_through_files, 0, 20);
  tcase_add_loop_test (merging, a_weight_is_repetition, 0, 10);
  tcase_add_test (merging, counts_stop_at_the_greatest);
  tcase_add_test (merging, weighted_counts_stop_too);
  tcase_add_test (merging, other_hashes_and_shapes_stay);
  tcase_add_test (merging, equal_values_are_added_rank_by_rank);
  tcase_add_test (merging, incompatible_flags);
  suite_add_tcase (suite, merging);
  TCase *lookup = tcase_create ("lookup");
  tcase_add_test (lookup, lookup_finds_functions);
  tcase_add_test (lookup, lookup_fails);
  suite_add_tcase (suite, lookup);
  TCase *damage = tcase_create ("damage");
  tcase_add_test (damage, bad_numbers);
  tcase_add_test (damage, bytes_behind_the_end);
  tcase_add_test (damage, every_cut_is_noticed);
  suite_add_tcase (suite, damage);
  TCase *text = tcase_create ("text");
  tcase_add_test (text, bad_text);
  tcase_add_test (text, text_is_recognized);
  tcase_add_test (text, text_of_other_hands);
  suite_add_tcase (suite, text);
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (make_suite ());
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

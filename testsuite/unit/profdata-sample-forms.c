/* Unit tests of sample profiles as text and in LLVM's binary forms.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-binary.h"
#include "sample-forms.h"
#include "sample-text.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

struct bytes
{
  unsigned char *data;
  size_t size;
};

/* ---- Text.  */

START_TEST (text_stays_as_it_is)
{
  sample_expect_text (sample_of_text (sample_nested), sample_nested);
  sample_expect_text (sample_of_text (sample_contexts), sample_contexts);
  sample_expect_text (sample_of_text (sample_probes), sample_probes);
}
END_TEST

/* Text that our writer would not write, and its meaning.  */
static const char *const free_forms[][2]
  = { { "# comment\n\nf:1:1\n  # more\n 1: 1", "f:1:1\n 1: 1\n" },
      { "f:1:1\n 1: 1  g:1   h:2\n", "f:1:1\n 1: 1 h:2 g:1\n" },
      { "f:1:1\n 1: 1\n 1: 2 g:1\n 1: 3 g:4\n", "f:1:1\n 1: 6 g:5\n" },
      { "f:1:1\nf:2:3\n 1: 1\n", "f:3:4\n 1: 1\n" },
      { "f:1:1\n 1: g:1\n   2: 1\n", "f:1:1\n 1: g:1\n  2: 1\n" },
      { "a:1:1\n 1: 1\nb:2:0\n", "b:2:0\na:1:1\n 1: 1\n" },
      { "f:1:1\n 65537.1: 1\n", "f:1:1\n 1.1: 1\n" },
      { "f:1:1\n 1: 1\n !Flat\n", "f:1:1\n 1: 1\n" },
      { "f:1:1\n 1: vtables \n", "f:1:1\n" },
      { "f:1:1\n 1: 1\n 2: vtables b:1 a:2\n",
	"f:1:1\n 1: 1\n 2: vtables a:2 b:1 \n" },
      { "a<b>::c:1:1\n 1: 1 x y:z:5 d::e:6\n",
	"a<b>::c:1:1\n 1: 1 d::e:6 x y:z:5\n" },
      { "f:18446744073709551615:1\nf:1:1\n", "f:18446744073709551615:2\n" },
      { "f:1:1\n 2: g:1\n 1: h:1\n  1: 1\n 1: g:2\n",
	"f:1:1\n 1: g:2\n 1: h:1\n  1: 1\n 2: g:1\n" } };

START_TEST (text_of_other_hands)
{
  sample_expect_text (sample_of_text (free_forms[_i][0]), free_forms[_i][1]);
}
END_TEST

/* Text that is rejected, and a part of the error.  */
static const char *const bad_texts[][2]
  = { { "", "no functions in the file" },
      { "f\n", "NAME:TOTAL:HEAD" },
      { "f:1\n", "NAME:TOTAL:HEAD" },
      { ":1:1\n", "NAME:TOTAL:HEAD" },
      { "f:1:x\n", "NAME:TOTAL:HEAD" },
      { " 1: 1\n", "NAME:TOTAL:HEAD" },
      { "f:1:18446744073709551616\n", "NAME:TOTAL:HEAD" },
      { "f:1:1\n\t1: 1\n", "NAME:TOTAL:HEAD" },
      { "f:1:1\n 1: 1 \n", "COUNT" },
      { "f:1:1\n 1: 1 g\n", "COUNT" },
      { "f:1:1\n 1: 1 :2\n", "COUNT" },
      { "f:1:1\n 1:1\n", "COUNT" },
      { "f:1:1\n 1:\n", "COUNT" },
      { "f:1:1\n 1: \n", "COUNT" },
      { "f:1:1\n 65536: 1\n", "COUNT" },
      { "f:1:1\n -1: 1\n", "COUNT" },
      { "f:1:1\n 1.: 1\n", "COUNT" },
      { "f:1:1\n 1.4294967296: 1\n", "COUNT" },
      { "f:1:1\n 1: 18446744073709551616\n", "COUNT" },
      { "f:1:1\n 1: g\n", "COUNT" },
      { "f:1:1\n 1: vtables a\n", "vtables" },
      { "f:1:1\n 1: vtables a:x\n", "vtables" },
      { "f:1:1\n 1: vtables a:1 b:2 a:2\n", "without duplicates" },
      { "f:1:1\n !CFGChecksum: 1\n 1: 1\n", "metadata" },
      { "f:1:1\n !Unknown: 1\n", "!Flat" },
      { "f:1:1\n !Attributes: 4294967296\n", "!Flat" },
      { "f:1:1\n 1: g:1\n  !Flat\n", "!Flat" },
      { "f:1:1\n !CFGChecksum: 1\ng:1:1\n", "only 1 of 2 functions" },
      { "f:1:1\n !CFGChecksum: 1\n !CFGChecksum: 2\n", "different versions" },
      { "[f]:1:1\ng:1:1\n", "with and without" },
      { "[main @ f]:1:1\n", "CALLER" },
      { "[main:x @ f]:1:1\n", "CALLER" },
      { "[main:1 @ ]:1:1\n", "context" } };

START_TEST (bad_text)
{
  struct sample_profile *profile = sample_of_text (bad_texts[_i][0]);
  ck_assert_msg (profile == NULL, "'%s' was read", bad_texts[_i][0]);
  ck_assert_msg (strstr (sample_error.cause, bad_texts[_i][1]), "'%s'",
		 sample_error.cause);
  ck_assert_str_eq (sample_error.path, "text");
}
END_TEST

static bool
is_text (const char *text)
{
  return sample_text_is_possible (text, strlen (text));
}

START_TEST (text_is_recognized)
{
  ck_assert (is_text (sample_nested));
  ck_assert (is_text (sample_contexts));
  ck_assert (is_text ("\n# x\nf:1:1"));
  ck_assert (!is_text (""));
  ck_assert (!is_text (" f:1:1\n"));
  ck_assert (!is_text (":ir\nmain\n1\n"));
  ck_assert (!is_text ("main\n12\n1\n1\n"));
  ck_assert (!is_text ("---\nHeapProfileRecords:\n"));
}
END_TEST

/* Write names that are not possible in text.  */
START_TEST (names_that_text_cannot_have)
{
  static const char *const names[]
    = { "",    "7up",  " f",	"#f",	 "!f",
	"[f]", "f\ng", "a:1 b", "a @ b", "vtables x" };
  const struct sample_text_options options = { 0 };
  void *data;
  size_t size;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      struct sample_profile *profile = sample_profile_new ();
      uint32_t name
	= sample_profile_add_name (profile, names[i], strlen (names[i]));
      ck_assert_ptr_nonnull (sample_profile_add_function (profile, NULL, 0,
							  name));
      ck_assert_msg (!sample_text_serialize (profile, &options, &data, &size,
					     &sample_error),
		     "'%s'", names[i]);
      sample_profile_free (profile);
    }
  struct sample_profile *profile = sample_profile_new ();
  uint32_t name = sample_profile_add_guid (profile, 5);
  ck_assert_ptr_nonnull (sample_profile_add_function (profile, NULL, 0, name));
  ck_assert (!sample_text_serialize (profile, &options, &data, &size,
				     &sample_error));
  ck_assert_ptr_nonnull (strstr (sample_error.cause, "GUID 5"));
  sample_profile_free (profile);
}
END_TEST

/* ---- Binary forms.  */

static struct bytes
serialize (const struct sample_profile *profile,
	   const struct sample_binary_options *options)
{
  struct bytes bytes;
  void *data;
  ck_assert_msg (sample_binary_serialize (profile, options, &data, &bytes.size,
					  &sample_error),
		 "%s", sample_error.cause);
  bytes.data = data;
  return bytes;
}

static struct bytes
serialize_text (const char *text, const struct sample_binary_options *options)
{
  struct sample_profile *profile = sample_of_text (text);
  ck_assert_msg (profile != NULL, "%s", sample_error.cause);
  struct bytes bytes = serialize (profile, options);
  sample_profile_free (profile);
  return bytes;
}

/* Return the profile of BYTES; NULL and the error if it is rejected.  */
static struct sample_profile *
parse (const struct bytes *bytes)
{
  struct sample_profile *profile = sample_profile_new ();
  sample_error = (struct profile_error){ 0 };
  ck_assert (sample_binary_has_magic (bytes->data, bytes->size));
  if (sample_binary_fold (profile, "bytes", bytes->data, bytes->size,
			  &sample_error))
    return profile;
  sample_profile_free (profile);
  return NULL;
}

/* Convert TEXT to the form of OPTIONS and back.  */
static void
expect_round_trip (const char *text,
		   const struct sample_binary_options *options)
{
  struct bytes bytes = serialize_text (text, options);
  sample_expect_text (parse (&bytes), text);
  free (bytes.data);
}

START_TEST (all_of_it_comes_back)
{
  const struct sample_binary_options options
    = { .keep_vtables = true, .compress = _i & 1, .split = _i & 2 };
  expect_round_trip (sample_nested, &options);
  expect_round_trip (sample_probes, &options);
  if (!options.split)
    expect_round_trip (sample_contexts, &options);
}
END_TEST

START_TEST (guids_get_their_names_back)
{
  const struct sample_binary_options options
    = { .keep_vtables = true, .md5_names = true };
  struct bytes bytes = serialize_text (sample_nested, &options);
  struct sample_profile *profile = parse (&bytes);
  ck_assert_msg (profile != NULL, "%s", sample_error.cause);
  uint32_t names = sample_profile_name_count (profile);
  struct sample_profile *known = sample_of_text (sample_nested);
  for (uint32_t i = 0; i < sample_profile_name_count (known); i++)
    {
      const char *name = sample_profile_name (known, i);
      sample_profile_add_name (profile, name, strlen (name));
    }
  ck_assert_uint_eq (sample_profile_name_count (profile), names);
  sample_profile_free (known);
  sample_expect_text (profile, sample_nested);
  free (bytes.data);
}
END_TEST

/* The bytes of the raw form, encoded by hand.  */
START_TEST (raw_form_by_hand)
{
  static const unsigned char head[]
    = { 0xff, 0xe5, 0xd0, 0xb1, 0xf4, 0xc9, 0x94, 0xa8, 0x53, 103,
	/* Sum, greatest count and head, 3 counts, 1 function, 16 cutoffs.  */
	0x8e, 0x02, 200, 1, 3, 3, 1, 16,
	/* 1 % of 270 is 2; the count 200 suffices up to 70 %, then 66 up to 98
	   %.  */
	0x90, 0x4e, 200, 1, 1 };
  static const unsigned char rest[]
    = { /* 99.9999 % of 270 is 269.  */
	0xbf, 0x84, 0x3d, 4, 3,
	/* Names: f, g, h.  */
	3, 'f', 0, 'g', 0, 'h', 0,
	/* Head 3 of f, total 300, two bodies.  */
	3, 0, 0xac, 0x02, 2,
	/* 1: 200 h:7 g:5  */
	1, 0, 200, 1, 2, 2, 7, 1, 5,
	/* 65535.128: 66 */
	0xff, 0xff, 3, 0x80, 1, 66, 0,
	/* 2: g with total 4, a body 0: 4, nothing inlined.  */
	1, 2, 0, 1, 4, 1, 0, 0, 4, 0, 0
      };
  const struct sample_binary_options options = { .is_raw = true };
  struct bytes bytes = serialize_text ("f:300:3\n 1: 200 h:7 g:5\n"
				       " 65535.128: 66\n 2: g:4\n  0: 4\n",
				       &options);
  ck_assert_uint_gt (bytes.size, sizeof head + sizeof rest);
  ck_assert_mem_eq (bytes.data, head, sizeof head);
  ck_assert_mem_eq (bytes.data + bytes.size - sizeof rest, rest, sizeof rest);
  free (bytes.data);
}
END_TEST

START_TEST (forms_have_no_place_for_all)
{
  static const struct
  {
    const char *text;
    struct sample_binary_options options;
    const char *cause;
  } cases[]
    = { { sample_contexts, { .split = true }, "split" },
	{ sample_contexts, { .is_raw = true }, "contexts" },
	{ sample_probes, { .is_raw = true }, "checksums" },
	{ sample_nested, { .is_raw = true, .split = true }, "sections" },
	{ sample_nested, { .is_raw = true, .compress = true }, "sections" } };
  void *data;
  size_t size;
  struct sample_profile *profile = sample_of_text (cases[_i].text);
  ck_assert (!sample_binary_serialize (profile, &cases[_i].options, &data,
				       &size, &sample_error));
  ck_assert_ptr_nonnull (strstr (sample_error.cause, cases[_i].cause));
  sample_profile_free (profile);
}
END_TEST

/* The list of functions and the flags, which text does not have.  */
START_TEST (list_and_flags_come_back)
{
  const struct sample_binary_options options = { .compress = _i };
  struct sample_profile *profile = sample_of_text ("f:1:1\n 1: 1\n");
  uint32_t cold = sample_profile_add_name (profile, "cold", 4);
  sample_profile_set_listed (profile, cold);
  ck_assert (sample_profile_add_flags (profile,
				       SAMPLE_PARTIAL | SAMPLE_FLOW_SENSITIVE,
				       false, &sample_error));
  struct bytes bytes = serialize (profile, &options);
  sample_profile_free (profile);
  profile = parse (&bytes);
  free (bytes.data);
  ck_assert_msg (profile != NULL, "%s", sample_error.cause);
  ck_assert_uint_eq (sample_profile_flags (profile),
		     SAMPLE_PARTIAL | SAMPLE_FLOW_SENSITIVE);
  cold = sample_profile_add_name (profile, "cold", 4);
  ck_assert (sample_profile_is_listed (profile, cold));
  ck_assert (!sample_profile_is_listed (profile,
					sample_profile_add_name (profile, "f",
								 1)));
  sample_profile_free (profile);
}
END_TEST

START_TEST (every_cut_is_noticed)
{
  const struct sample_binary_options options
    = { .is_raw = _i == 0, .keep_vtables = _i == 1, .compress = _i == 2 };
  struct bytes bytes = serialize_text (sample_nested, &options);
  struct bytes cut = { .data = bytes.data };
  int read = 0;
  for (cut.size = 9; cut.size < bytes.size; cut.size++)
    {
      struct sample_profile *profile = parse (&cut);
      read += profile != NULL;
      sample_profile_free (profile);
    }
  /* The raw form ends with its 3 functions, and is valid with 0 to 2 of them,
     too.  */
  ck_assert_int_eq (read, _i == 0 ? 3 : 0);
  free (bytes.data);
}
END_TEST

/* A byte of the extended form to change, and a part of the error.  */
static const struct
{
  size_t offset;
  unsigned char value;
  const char *cause;
} changes[] = { { 9, 104, "version 104" },
		{ 10, 200, "table of sections" },
		{ 18, 77, "unknown section type 77" },
		{ 18 + 8 + 4, 8, "unknown flags" },
		{ 18 + 8 + 5, 1, "unknown flags" },
		{ 18 + 32 + 16 + 3, 1, "a section: invalid offset" },
		{ 18 + 32 + 24 + 3, 1, "a section: need" } };

START_TEST (changed_bytes)
{
  const struct sample_binary_options options = { 0 };
  struct bytes bytes = serialize_text ("f:1:1\n 1: 1\n", &options);
  bytes.data[changes[_i].offset] = changes[_i].value;
  ck_assert_ptr_null (parse (&bytes));
  ck_assert_msg (strstr (sample_error.cause, changes[_i].cause), "'%s'",
		 sample_error.cause);
  free (bytes.data);
}
END_TEST

#define COUNT_OF(array) (sizeof (array) / sizeof *(array))

int
main (void)
{
  Suite *suite = suite_create ("sample formats");
  TCase *text = tcase_create ("text");
  tcase_add_test (text, text_stays_as_it_is);
  tcase_add_loop_test (text, text_of_other_hands, 0, COUNT_OF (free_forms));
  tcase_add_loop_test (text, bad_text, 0, COUNT_OF (bad_texts));
  tcase_add_test (text, text_is_recognized);
  tcase_add_test (text, names_that_text_cannot_have);
  suite_add_tcase (suite, text);
  TCase *binary = tcase_create ("binary");
  tcase_add_loop_test (binary, all_of_it_comes_back, 0, 4);
  tcase_add_test (binary, guids_get_their_names_back);
  tcase_add_test (binary, raw_form_by_hand);
  tcase_add_loop_test (binary, forms_have_no_place_for_all, 0, 5);
  tcase_add_loop_test (binary, list_and_flags_come_back, 0, 2);
  suite_add_tcase (suite, binary);
  TCase *damage = tcase_create ("damage");
  tcase_add_loop_test (damage, every_cut_is_noticed, 0, 3);
  tcase_add_loop_test (damage, changed_bytes, 0, COUNT_OF (changes));
  suite_add_tcase (suite, damage);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

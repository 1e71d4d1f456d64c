/* Unit tests of the heap profile in memory: interning, merging, memory-info
   blocks, names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-id.h"
#include "heap-profile.h"
#include "local-marks.h"
#include "profile-text.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names.  */

static const struct
{
  const char *name;
  const char *canonical;
} names[] = {
  { "main", "main" },
  { "_Z8makeNodem", "_Z8makeNodem" },
  { "foo.llvm.44", "foo" },
  { "foo.part.3", "foo" },
  { "foo.part.3.llvm.44", "foo" },
  { "foo.llvm.1.2", "foo.llvm.1.2" },
  { "foo.__uniq.5566", "foo.__uniq.5566" },
  { "foo.constprop.0", "foo" },
  { "foo.heapprof.1", "foo" },
  { "foo.heapprof.1.heapprof.2", "foo" },
  { "foo.heapprof", "foo.heapprof" },
  { "foo.isra.0", "foo" },
  { "foo.cold", "foo" },
  { "foo.cold.12", "foo" },
  { "foo.localalias", "foo" },
  { "foo.localalias.7", "foo" },
  { "foo.lto_priv.0", "foo" },
  { "foo.constprop.0.isra.0.part.0.cold", "foo" },
  { "foo.isra.0.lto_priv.3.constprop.2", "foo" },
  { "foo.isra", "foo.isra" },
  { "foo.isra.", "foo.isra." },
  { "foo.isra.x", "foo.isra.x" },
  { "foo.llvm.", "foo.llvm." },
  { "foo.coldest", "foo.coldest" },
  { "foocold", "foocold" },
  { "foo.bar.cold", "foo.bar" },
  { ".cold", ".cold" },
  { ".isra.0", ".isra.0" },
  { ".", "." },
  { "", "" },
};

START_TEST (canonical_names)
{
  const char *name = names[_i].name;
  size_t n = function_canonical_bytes (name, strlen (name));
  ck_assert_uint_eq (n, strlen (names[_i].canonical));
  ck_assert (memcmp (name, names[_i].canonical, n) == 0);
}
END_TEST

/* What GCC 16 writes, and what clang does.  */
static const struct
{
  const char *marked;
  const char *plain;
} marks[] = {
  { "_ZN12_GLOBAL__N_1L4makeEi", "_ZN12_GLOBAL__N_14makeEi" },
  { "_ZN12_GLOBAL__N_13subL4deepEi", "_ZN12_GLOBAL__N_13sub4deepEi" },
  { "_ZN5named12_GLOBAL__N_1L8in_namedEi",
    "_ZN5named12_GLOBAL__N_18in_namedEi" },
  { "_ZN12_GLOBAL__N_1L2enILNS_1EE1EEEPvv",
    "_ZN12_GLOBAL__N_12enILNS_1EE1EEEPvv" },
  { "_ZN12_GLOBAL__N_1L5applyIXadL_ZNS_L4makeEiEEEEPvi",
    "_ZN12_GLOBAL__N_15applyIXadL_ZNS_4makeEiEEEEPvi" },
  { "_ZN12_GLOBAL__N_1L5applyIXadL_ZNS_3subL4deepEiEEEEPvi",
    "_ZN12_GLOBAL__N_15applyIXadL_ZNS_3sub4deepEiEEEEPvi" },
  { "_ZN5named12_GLOBAL__N_1L5applyIXadL_ZNS0_L4makeEiEEEEPvi",
    "_ZN5named12_GLOBAL__N_15applyIXadL_ZNS0_4makeEiEEEEPvi" },
  { "_Z3pubIXadL_ZN12_GLOBAL__N_1L4makeEiEEEPvi",
    "_Z3pubIXadL_ZN12_GLOBAL__N_14makeEiEEEPvi" },
  { "_ZZN12_GLOBAL__N_1L3lamEvENKUliE_clEi",
    "_ZZN12_GLOBAL__N_13lamEvENKUliE_clEi" },
  { "_ZN12_GLOBAL__N_1L3tagB2v1Ei", "_ZN12_GLOBAL__N_13tagB2v1Ei" },
  /* No marks: a member; static functions of named namespaces; operators,
     literals, identifiers, and what is no linkage name.  */
  { "_ZN12_GLOBAL__N_11S6memberEv", "_ZN12_GLOBAL__N_11S6memberEv" },
  { "_ZN5namedL3st2Ei", "_ZN5namedL3st2Ei" },
  { "_ZN5named5applyIXadL_ZNS_L3st2EiEEEEPvi",
    "_ZN5named5applyIXadL_ZNS_L3st2EiEEEEPvi" },
  { "_ZN5named12_GLOBAL__N_15applyIXadL_ZNS_L4makeEiEEEEPvi",
    "_ZN5named12_GLOBAL__N_15applyIXadL_ZNS_L4makeEiEEEEPvi" },
  { "_ZN12_GLOBAL__N_1plENS_1XES0_", "_ZN12_GLOBAL__N_1plENS_1XES0_" },
  { "_ZN12_GLOBAL__N_11fILi5EEEvv", "_ZN12_GLOBAL__N_11fILi5EEEvv" },
  { "_Z20x12_GLOBAL__N_1Llmnov", "_Z20x12_GLOBAL__N_1Llmnov" },
  { "_ZN112_GLOBAL__N_1L4make", "_ZN112_GLOBAL__N_1L4make" },
  { "12_GLOBAL__N_1L4make", "12_GLOBAL__N_1L4make" },
  { "_ZN12_GLOBAL__N_1L", "_ZN12_GLOBAL__N_1L" },
  { "_ZN12_GLOBAL__N_1", "_ZN12_GLOBAL__N_1" },
  { "_ZN12_GLOBAL__N_1999999999999999999999L4make",
    "_ZN12_GLOBAL__N_1999999999999999999999L4make" },
  { "_ZN12_GLOBAL__N_1L1fINS", "_ZN12_GLOBAL__N_11fINS" },
  { "_ZN12_GLOBAL__N_1L1fINSZZZZZZZZZZZZZZZZZZZZZZZZ_L1g",
    "_ZN12_GLOBAL__N_11fINSZZZZZZZZZZZZZZZZZZZZZZZZ_L1g" },
};

START_TEST (marks_of_local_functions)
{
  size_t n = strlen (marks[_i].marked);
  /* Exactly as many bytes as needed, so that a sanitizer sees more.  */
  char *exact = malloc (n);
  ck_assert_ptr_nonnull (exact);
  memcpy (exact, marks[_i].marked, n);
  char *name = local_marks_remove (exact, &n);
  free (exact);
  ck_assert_ptr_nonnull (name);
  ck_assert_uint_eq (n, strlen (marks[_i].plain));
  ck_assert (memcmp (name, marks[_i].plain, n) == 0);
  free (name);
  ck_assert_uint_eq (function_canonical_guid (marks[_i].marked),
		     function_guid (marks[_i].plain, n));
}
END_TEST

START_TEST (guids)
{
  /* As printed by llvm-profdata.  */
  ck_assert_uint_eq (function_guid ("main", 4), 0xdb956436e78dd5fa);
  ck_assert_uint_eq (function_canonical_guid ("_Z8makeNodem"),
		     0x3645519cc68426db);
  ck_assert_uint_eq (function_canonical_guid ("_Z8makeNodem.isra.0.cold"),
		     0x3645519cc68426db);
  ck_assert_uint_eq (function_canonical_guid (""), 0);
}
END_TEST

/* ---- Memory-info blocks.  */

static struct memory_info
block (uint64_t size, uint64_t accesses, uint64_t alloc_ns, uint64_t dealloc_ns,
       uint32_t cpu)
{
  uint64_t lifetime = dealloc_ns - alloc_ns;
  return (struct memory_info){ .alloc_count = 1,
			       .access_count = { accesses, accesses, accesses },
			       .size_bytes = { size, size, size },
			       .lifetime_ns = { lifetime, lifetime, lifetime },
			       .first_alloc_ns = alloc_ns,
			       .last_alloc_ns = alloc_ns,
			       .first_dealloc_ns = dealloc_ns,
			       .last_dealloc_ns = dealloc_ns,
			       .alloc_cpu = cpu,
			       .dealloc_cpu = cpu };
}

START_TEST (add_keeps_every_field)
{
  struct memory_info a = block (10, 5, 100, 200, 1);
  struct memory_info b = block (30, 1, 50, 900, 7);
  a.lifetime_overlaps = 3;
  b.lifetime_overlaps = 4;
  a.same_alloc_cpu = b.same_alloc_cpu = 2;
  b.migrated_cpu = 1;
  a.live_count = 1;
  b.live_bytes = 30;
  a.unfinished_count = 2;
  b.unfinished_count = 5;
  memory_info_add (&a, &b);
  ck_assert_uint_eq (a.alloc_count, 2);
  ck_assert_uint_eq (a.size_bytes.total, 40);
  ck_assert_uint_eq (a.size_bytes.min, 10);
  ck_assert_uint_eq (a.size_bytes.max, 30);
  ck_assert_uint_eq (a.access_count.min, 1);
  ck_assert_uint_eq (a.lifetime_ns.total, 950);
  ck_assert_uint_eq (a.first_alloc_ns, 50);
  ck_assert_uint_eq (a.last_alloc_ns, 50);
  ck_assert_uint_eq (a.first_dealloc_ns, 200);
  ck_assert_uint_eq (a.last_dealloc_ns, 900);
  ck_assert_uint_eq (a.alloc_cpu, 7);
  ck_assert_uint_eq (a.lifetime_overlaps, 7);
  ck_assert_uint_eq (a.same_alloc_cpu, 4);
  ck_assert_uint_eq (a.migrated_cpu, 1);
  ck_assert_uint_eq (a.live_count, 1);
  ck_assert_uint_eq (a.live_bytes, 30);
  ck_assert_uint_eq (a.unfinished_count, 7);
}
END_TEST

START_TEST (add_to_nothing)
{
  struct memory_info none
    = { .unfinished_count = 1, .unfinished_bytes = 8, .data_type_id = 5 };
  struct memory_info one = block (16, 0, 5, 6, 2);
  struct memory_info sum = none;
  memory_info_add (&sum, &one);
  ck_assert_uint_eq (sum.size_bytes.min, 16);
  ck_assert_uint_eq (sum.unfinished_count, 1);
  ck_assert_uint_eq (sum.data_type_id, 5);
  struct memory_info other = one;
  memory_info_add (&other, &none);
  ck_assert_mem_eq (&sum, &other, sizeof sum);
}
END_TEST

START_TEST (add_saturates)
{
  struct memory_info a = block (1, UINT64_MAX - 1, 0, 0, 0);
  struct memory_info b = block (1, 5, 0, 0, 0);
  a.live_bytes = b.live_bytes = UINT64_MAX;
  memory_info_add (&a, &b);
  ck_assert_uint_eq (a.access_count.total, UINT64_MAX);
  ck_assert_uint_eq (a.live_bytes, UINT64_MAX);
  ck_assert_uint_eq (a.access_count.min, 5);
}
END_TEST

/* Return the next random MIB of PROFILE, possibly an empty one.  */
static struct memory_info
nth_info (const struct heap_profile *profile, uint64_t *state)
{
  for (;;)
    {
      uint32_t context
	= next_random (state) % heap_profile_context_count (profile);
      const struct memory_info *info = heap_profile_info (profile, context);
      if (info)
	return *info;
    }
}

START_TEST (add_is_associative_and_commutative)
{
  struct heap_profile *profile = random_profile (_i, 60);
  uint64_t state = _i;
  for (int round = 0; round < 200; round++)
    {
      const struct memory_info a = nth_info (profile, &state);
      const struct memory_info b = nth_info (profile, &state);
      const struct memory_info c = nth_info (profile, &state);
      struct memory_info ab = a, ba = b, ab_c, bc = b, a_bc = a;
      memory_info_add (&ab, &b);
      memory_info_add (&ba, &a);
      ck_assert_mem_eq (&ab, &ba, sizeof ab);
      ab_c = ab;
      memory_info_add (&ab_c, &c);
      memory_info_add (&bc, &c);
      memory_info_add (&a_bc, &bc);
      ck_assert_mem_eq (&ab_c, &a_bc, sizeof ab_c);
    }
  heap_profile_free (profile);
}
END_TEST

START_TEST (llvm_fields)
{
  /* Field sizes of LLVM's MIB: 144 bytes in total.  */
  size_t bytes = 0;
  for (unsigned int tag = 1; tag < MEMORY_INFO_TAG_END; tag++)
    {
      bytes += memory_info_field_bytes (tag);
      ck_assert_ptr_nonnull (memory_info_field_name (tag));
    }
  ck_assert_uint_eq (bytes, 144);
  ck_assert_uint_eq (memory_info_field_bytes (0), 0);
  ck_assert_uint_eq (memory_info_field_bytes (28), 0);
  ck_assert_ptr_null (memory_info_field_name (0));
  ck_assert_str_eq (memory_info_field_name (23), "TotalLifetimeAccessDensity");

  for (unsigned int tag = 1; tag < 26; tag++)
    {
      struct memory_info info = { 0 };
      memory_info_set (&info, tag, 1000 + tag);
      ck_assert_uint_eq (memory_info_get (&info, tag), 1000 + tag);
      for (unsigned int other = 1; other < 26; other++)
	if (other != tag)
	  ck_assert_uint_eq (memory_info_get (&info, other), 0);
    }
}
END_TEST

START_TEST (llvm_units)
{
  struct memory_info info
    = { .alloc_count = UINT64_C (1) << 40,
	.lifetime_ns = { 7999999, 999999, UINT64_MAX },
	.size_bytes = { UINT64_MAX, 1, UINT64_C (1) << 33 } };
  ck_assert_uint_eq (memory_info_get (&info, 1), UINT32_MAX);
  ck_assert_uint_eq (memory_info_get (&info, 10), 7);
  ck_assert_uint_eq (memory_info_get (&info, 11), 0);
  ck_assert_uint_eq (memory_info_get (&info, 12), UINT32_MAX);
  ck_assert_uint_eq (memory_info_get (&info, 5), UINT64_MAX);
  ck_assert_uint_eq (memory_info_get (&info, 7), UINT32_MAX);
  memory_info_set (&info, 10, UINT64_MAX / 2);
  ck_assert_uint_eq (info.lifetime_ns.total, UINT64_MAX);
}
END_TEST

/* ---- Interning and merging.  */

START_TEST (interning)
{
  struct heap_profile *profile = heap_profile_new ();
  uint32_t name = heap_profile_add_string (profile, "name!", 4);
  ck_assert_uint_eq (name, heap_profile_add_string (profile, "name", 4));
  ck_assert_str_eq (heap_profile_string (profile, name), "name");
  ck_assert_uint_eq (heap_profile_add_string (profile, NULL, 0), 0);
  ck_assert_uint_eq (heap_profile_string_count (profile), 2);

  struct heap_frame frame = { .function_name = name, .line = 3 };
  uint32_t id = heap_profile_add_frame (profile, &frame);
  ck_assert_uint_eq (id, heap_profile_add_frame (profile, &frame));
  frame.drop_column = true;
  ck_assert_uint_ne (id, heap_profile_add_frame (profile, &frame));
  ck_assert_uint_eq (heap_profile_frame_count (profile), 3);

  uint32_t outer = heap_profile_add_context (profile, 0, id);
  uint32_t inner = heap_profile_add_context (profile, outer, id);
  ck_assert_uint_gt (inner, outer);
  ck_assert_uint_eq (inner, heap_profile_add_context (profile, outer, id));
  ck_assert_uint_eq (heap_profile_context_caller (profile, inner), outer);
  ck_assert_ptr_null (heap_profile_info (profile, inner));
  heap_profile_free (profile);
}
END_TEST

START_TEST (many_contexts)
{
  struct heap_profile *profile = heap_profile_new ();
  uint32_t caller = 0;
  for (uint32_t i = 0; i < 300000; i++)
    {
      struct heap_frame frame = { .line = i % 1000 + 1 };
      uint32_t id = heap_profile_add_frame (profile, &frame);
      caller = heap_profile_add_context (profile, i % 7 ? caller : 0, id);
    }
  ck_assert_uint_eq (heap_profile_frame_count (profile), 1001);
  ck_assert_uint_eq (heap_profile_context_count (profile), 7001);
  heap_profile_free (profile);
}
END_TEST

/* Contexts that were appended without an index are found when the index is
   rebuilt: very many callees of one caller, so that they are spread over the
   index, and a path.  */
START_TEST (appended_contexts)
{
  enum
  {
    CALLEES = 50000
  };
  struct heap_profile *profile = heap_profile_new ();
  uint32_t caller = heap_profile_append_context (profile, 0, 1);
  for (uint32_t i = 0; i < CALLEES; i++)
    heap_profile_append_context (profile, caller, i);
  for (uint32_t i = 0; i < CALLEES; i++)
    heap_profile_append_context (profile, caller + CALLEES + i, 7);
  uint32_t count = heap_profile_context_count (profile);
  ck_assert_uint_eq (count, 2 + 2 * CALLEES);
  heap_profile_drop_index (profile);
  ck_assert_uint_eq (heap_profile_add_context (profile, 0, 1), caller);
  for (uint32_t i = 0; i < CALLEES; i++)
    {
      ck_assert_uint_eq (heap_profile_add_context (profile, caller, i),
			 caller + 1 + i);
      ck_assert_uint_eq (heap_profile_add_context (profile,
						   caller + CALLEES + i, 7),
			 caller + 1 + CALLEES + i);
    }
  ck_assert_uint_eq (heap_profile_context_count (profile), count);
  ck_assert_uint_eq (heap_profile_add_context (profile, caller, CALLEES),
		     count);
  heap_profile_free (profile);
}
END_TEST

/* Each field is a sum or a peak, except the last one, the ID of the only
   running process.  */

START_TEST (totals)
{
  enum
  {
    FIELDS = sizeof (struct heap_totals) / sizeof (uint64_t)
  };
  enum
  {
    PEAKS = 4
  };
  union
  {
    struct heap_totals totals;
    uint64_t fields[FIELDS];
  } a, b, ab, ba;
  for (unsigned i = 0; i < FIELDS; i++)
    {
      a.fields[i] = 100 + i;
      b.fields[i] = i % 2 == 0 ? i : 1000 + i;
    }
  ab = a;
  ba = b;
  heap_totals_add (&ab.totals, &b.totals);
  heap_totals_add (&ba.totals, &a.totals);
  for (unsigned i = 0; i < FIELDS; i++)
    {
      const uint64_t greater
	= a.fields[i] > b.fields[i] ? a.fields[i] : b.fields[i];
      if (i == FIELDS - 1)
	continue;
      ck_assert_uint_eq (ab.fields[i], i < FIELDS - 1 - PEAKS
					 ? a.fields[i] + b.fields[i]
					 : greater);
      ck_assert_uint_eq (ba.fields[i], ab.fields[i]);
    }
  ck_assert_uint_eq (ab.totals.running_pid, 0);
  ck_assert_uint_eq (ba.totals.running_pid, 0);
  b.totals.running_runs = b.totals.running_pid = 0;
  ab = a;
  ba = b;
  heap_totals_add (&ab.totals, &b.totals);
  heap_totals_add (&ba.totals, &a.totals);
  ck_assert_uint_eq (ab.totals.running_pid, a.totals.running_pid);
  ck_assert_uint_eq (ba.totals.running_pid, a.totals.running_pid);
  a.totals.duration_ns = UINT64_MAX - 1;
  heap_totals_add (&a.totals, &b.totals);
  ck_assert_uint_eq (a.totals.duration_ns, UINT64_MAX);
}
END_TEST

START_TEST (merging_any_order)
{
  struct heap_profile *a = random_profile (_i, 50);
  struct heap_profile *b = random_profile (_i + 1000, 80);
  struct heap_profile *ab = heap_profile_new ();
  struct heap_profile *ba = heap_profile_new ();
  ck_assert (heap_profile_merge (ab, a));
  char *text_a = profile_text (a);
  char *text_copy = profile_text (ab);
  ck_assert_str_eq (text_a, text_copy);
  ck_assert (heap_profile_merge (ab, b));
  ck_assert (heap_profile_merge (ba, b));
  ck_assert (heap_profile_merge (ba, a));
  char *text_ab = profile_text (ab);
  char *text_ba = profile_text (ba);
  ck_assert_str_eq (text_ab, text_ba);
  ck_assert_str_ne (text_ab, text_a);
  free (text_a);
  free (text_copy);
  free (text_ab);
  free (text_ba);
  heap_profile_free (a);
  heap_profile_free (b);
  heap_profile_free (ab);
  heap_profile_free (ba);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-model");
  TCase *names_case = tcase_create ("names");
  tcase_add_loop_test (names_case, canonical_names, 0,
		       sizeof names / sizeof names[0]);
  tcase_add_loop_test (names_case, marks_of_local_functions, 0,
		       sizeof marks / sizeof marks[0]);
  tcase_add_test (names_case, guids);
  suite_add_tcase (suite, names_case);
  TCase *info_case = tcase_create ("memory info");
  tcase_add_test (info_case, add_keeps_every_field);
  tcase_add_test (info_case, add_to_nothing);
  tcase_add_test (info_case, add_saturates);
  tcase_add_loop_test (info_case, add_is_associative_and_commutative, 0, 10);
  tcase_add_test (info_case, llvm_fields);
  tcase_add_test (info_case, llvm_units);
  suite_add_tcase (suite, info_case);
  TCase *model_case = tcase_create ("model");
  tcase_add_test (model_case, interning);
  tcase_add_test (model_case, many_contexts);
  tcase_add_test (model_case, appended_contexts);
  tcase_add_test (model_case, totals);
  tcase_add_loop_test (model_case, merging_any_order, 0, 10);
  suite_add_tcase (suite, model_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

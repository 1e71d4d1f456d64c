/* Unit tests of the validity checks of profile models: each model is damaged in
   several places, and the check must detect it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-valid.h"
#include "mip-check.h"
#include "heapprof/mip-format.h"
#include "seen-damage.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SEES(is_valid, word, damage)                                           \
  SEEN_DAMAGE (is_valid, is_valid, word, damage)

START_TEST (heap)
{
  struct heap_profile *profile = heap_profile_new ();
  uint32_t name = heap_profile_add_string (profile, "main", 4);
  struct heap_frame frame = { .function_guid = 1, .function_name = name };
  uint32_t id = heap_profile_add_frame (profile, &frame);
  uint32_t outer = heap_profile_add_context (profile, 0, id);
  uint32_t inner = heap_profile_add_context (profile, outer, id);
  struct context_node *nodes
    = (struct context_node *) heap_profile_nodes (profile);
  struct heap_frame *kept
    = (struct heap_frame *) heap_profile_frame (profile, id);
  SEES (heap_profile_is_valid (profile), nodes[inner].caller, 1);
  SEES (heap_profile_is_valid (profile), nodes[outer].frame, 1);
  SEES (heap_profile_is_valid (profile), kept->function_name, 1);
  SEES (heap_profile_is_valid (profile), kept->build_id, 99);
  heap_profile_free (profile);
}
END_TEST

START_TEST (counters)
{
  static const uint64_t counts[] = { 10, 5 };
  static const struct counter_value values[] = { { 7, 1 }, { 9, 2 } };
  struct counter_profile *profile = counter_profile_new ();
  uint32_t name = counter_profile_add_name (profile, "main", 4);
  struct counter_shape shape = { .counter_count = 2, .site_counts = { 1 } };
  struct counter_function *function
    = counter_profile_add_function (profile, name, 1234, &shape);
  counter_function_add_counters (function, counts, 1);
  ck_assert (counter_profile_add_values (profile, function, COUNTER_CALL_TARGET,
					 0, values, 2, 1));
  struct counter_value_site *site = &function->sites[COUNTER_CALL_TARGET][0];
  SEES (counter_profile_is_valid (profile), function->name, 1);
  SEES (counter_profile_is_valid (profile), function->next, 2);
  SEES (counter_profile_is_valid (profile), function->counters[1],
	COUNTER_WARM - 5);
  SEES (counter_profile_is_valid (profile), site->values[0].value, 3);
  SEES (counter_profile_is_valid (profile), site->capacity, -site->capacity);
  counter_profile_free (profile);
}
END_TEST

/* A unit with two functions.  */
static struct gcov_unit *
make_unit (void)
{
  struct gcov_unit *unit = calloc (1, sizeof *unit);
  unit->path = strdup ("unit.gcda");
  unit->version = 12;
  unit->position_count = unit->function_count = 2;
  unit->functions = calloc (2, sizeof *unit->functions);
  for (uint32_t i = 0; i < 2; i++)
    {
      struct gcov_function *function = &unit->functions[i];
      function->position = function->ident = i + 1;
      function->vector_count = 2;
      function->vectors = calloc (2, sizeof *function->vectors);
      function->vectors[0].kind = GCOV_KIND_ARCS;
      function->vectors[1].kind = GCOV_KIND_TIME;
    }
  return unit;
}

START_TEST (gcov)
{
  struct gcov_profile *profile = gcov_profile_new ();
  ck_assert (gcov_profile_add (profile, make_unit ()));
  struct gcov_function *functions = profile->units[0]->functions;
  SEES (gcov_profile_is_valid (profile), functions[0].position, 7);
  SEES (gcov_profile_is_valid (profile), functions[1].vectors[1].kind,
	GCOV_KINDS);
  SEES (gcov_profile_is_valid (profile), functions[0].vectors[0].kind,
	GCOV_KIND_TIME);
  SEES (gcov_profile_is_valid (profile), profile->unit_count,
	profile->capacity);
  gcov_profile_free (profile);
}
END_TEST

START_TEST (samples)
{
  struct sample_profile *profile = sample_profile_new ();
  uint32_t name = sample_profile_add_name (profile, "main", 4);
  uint32_t other = sample_profile_add_name (profile, "other", 5);
  struct sample_function *function
    = sample_profile_add_function (profile, NULL, 0, name);
  for (uint32_t line = 1; line <= 2; line++)
    {
      struct sample_location at = { line, 0 };
      ck_assert (sample_function_add_target (profile, function, at, name, 3));
      ck_assert (sample_function_add_target (profile, function, at, other, 4));
      ck_assert (sample_function_add_vtable (profile, function, at, other, 5));
      ck_assert_ptr_nonnull (sample_function_need_inlinee (profile, function,
							   at, other));
    }
  struct sample_counts *targets = &function->bodies[0].targets;
  SEES (sample_profile_is_valid (profile), function->name, 2);
  SEES (sample_profile_is_valid (profile), function->bodies[0].location.line,
	1);
  SEES (sample_profile_is_valid (profile), targets->counts[0].name, 1);
  SEES (sample_profile_is_valid (profile), targets->counts[1].name, 1);
  SEES (sample_profile_is_valid (profile),
	function->vtables[1].tables.counts[0].name, 9);
  SEES (sample_profile_is_valid (profile),
	function->call_sites[1].location.line, -1);
  SEES (sample_profile_is_valid (profile),
	function->call_sites[0].inlinee->depth, 1);
  sample_profile_free (profile);
}
END_TEST

/* Two functions, the second with a block and two copies, ran in one order, and
   one called the other.  */
static struct mip_profile *
make_machine_level (void)
{
  struct mip_profile *profile = mip_profile_new ();
  profile->module_count = profile->module_capacity = 1;
  profile->modules = calloc (1, sizeof *profile->modules);
  profile->modules->function_count = 2;
  profile->function_count = profile->function_capacity = 2;
  profile->functions = calloc (2, sizeof *profile->functions);
  for (uint32_t i = 0; i < 2; i++)
    profile->functions[i].kind = HEAPPROF_MIP_ORDER;
  profile->functions[1].name = mip_profile_add_string (profile, "main", 4);
  profile->functions[1].block_count = 1;
  profile->block_count = profile->block_capacity = 1;
  profile->blocks = calloc (1, sizeof *profile->blocks);
  profile->functions[1].copy_count = 2;
  profile->copy_count = profile->copy_capacity = 2;
  profile->copies = calloc (2, sizeof *profile->copies);
  profile->copies[0].parent = profile->copies[0].rule = UINT32_MAX;
  profile->copies[1].rule = 2;
  profile->rule_count = profile->rule_capacity = 4;
  profile->rules = calloc (4, sizeof *profile->rules);
  profile->rules[0] = profile->rules[2] = 1;
  profile->trace_count = profile->trace_capacity = 1;
  profile->traces = calloc (1, sizeof *profile->traces);
  profile->traces->count = 2;
  profile->trace_data_count = profile->trace_data_capacity = 2;
  profile->trace_data = calloc (2, sizeof *profile->trace_data);
  profile->edge_count = profile->edge_capacity = 1;
  profile->edges = calloc (1, sizeof *profile->edges);
  profile->edges->caller = 1;
  profile->flow_count = profile->flow_capacity = 1;
  profile->flows = calloc (1, sizeof *profile->flows);
  profile->flows->caller = profile->flows->from = 1;
  return profile;
}

START_TEST (machine_level)
{
  struct mip_profile *profile = make_machine_level ();
  struct mip_function *functions = profile->functions;
  SEES (mip_profile_is_valid (profile), profile->modules->function_count, -1);
  SEES (mip_profile_is_valid (profile), functions[0].module, 1);
  SEES (mip_profile_is_valid (profile), functions[1].name, 5);
  SEES (mip_profile_is_valid (profile), functions[1].first_block, 1);
  SEES (mip_profile_is_valid (profile), functions[1].first_copy, 1);
  SEES (mip_profile_is_valid (profile), profile->copies[1].parent, 1);
  SEES (mip_profile_is_valid (profile), profile->copies[1].file, 99);
  SEES (mip_profile_is_valid (profile), profile->copies[1].rule, 4);
  SEES (mip_profile_is_valid (profile), profile->copy_capacity, -1);
  SEES (mip_profile_is_valid (profile), profile->blocks->rule, 4);
  SEES (mip_profile_is_valid (profile), profile->rules[1], 1);
  SEES (mip_profile_is_valid (profile), profile->traces->count, 1);
  SEES (mip_profile_is_valid (profile), profile->trace_data[1], 2);
  SEES (mip_profile_is_valid (profile), profile->edges->caller, 1);
  SEES (mip_profile_is_valid (profile), profile->edge_capacity, -1);
  SEES (mip_profile_is_valid (profile), profile->flows->caller, 2);
  SEES (mip_profile_is_valid (profile), profile->flow_capacity, -1);
  mip_profile_free (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-valid");
  TCase *cases = tcase_create ("all");
  tcase_add_test (cases, heap);
  tcase_add_test (cases, counters);
  tcase_add_test (cases, gcov);
  tcase_add_test (cases, samples);
  tcase_add_test (cases, machine_level);
  suite_add_tcase (suite, cases);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

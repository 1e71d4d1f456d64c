/* Variants of a program compared, as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-json.h"
#include "prove.h"
#include <math.h>
#include <stdio.h>

/* Version of the form described in heapprof-gcov-prove(1).  */
#define JSON_FORM_VERSION 1

/* Set KEY to NUMBER if IS_KNOWN, else to null.  */
static bool
set_real (json_t *object, const char *key, double number, bool is_known)
{
  is_known = is_known && isfinite (number);
  return json_object_set_new (object, key,
			      is_known ? json_real (number) : json_null ())
	 == 0;
}

static json_t *
make_values (const struct prove_result *result)
{
  json_t *values = json_array ();
  for (size_t i = 0; i < result->count && values != NULL; i++)
    if (json_array_append_new (values, json_real (result->values[i])) != 0)
      {
	json_decref (values);
	values = NULL;
      }
  return values;
}

/* Return RESULT, whose ratio is left out if IS_BASE.  */
static json_t *
make_result (const struct prove_result *result, bool is_base)
{
  if (result->count == 0)
    return json_null ();
  const struct ratio_interval *ratio = &result->ratio;
  json_t *object = json_object ();
  if (set_real (object, "median", result->median, true)
      && set_real (object, "ratio", ratio->ratio, !is_base && ratio->is_known)
      && set_real (object, "low", ratio->low, !is_base && ratio->has_bounds)
      && set_real (object, "high", ratio->high, !is_base && ratio->has_bounds)
      && json_object_set_new (object, "values", make_values (result)) == 0)
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
make_results (const struct prove_variant *variant, bool is_base)
{
  json_t *object = json_object ();
  for (int i = 0; i < PROVE_MEASURES && object != NULL; i++)
    if (json_object_set_new (object, prove_measure_name (i),
			     make_result (&variant->results[i], is_base))
	!= 0)
      {
	json_decref (object);
	object = NULL;
      }
  return object;
}

/* Return WORDS, NULL-terminated, as an array.  */
static json_t *
make_words (char **words)
{
  json_t *array = json_array ();
  for (; *words != NULL && array != NULL; words++)
    if (json_array_append_new (array, json_text (*words)) != 0)
      {
	json_decref (array);
	array = NULL;
      }
  return array;
}

/* Return variant NUMBER of PROVE.  */
static json_t *
make_variant (const struct prove *prove, size_t number)
{
  const struct prove_variant *variant = &prove->variants[number];
  const char *base = prove->variants[variant->base].name;
  bool is_base = variant->base == number;
  json_t *object = json_object ();
  if (json_object_set_new (object, "name", json_text (variant->name)) == 0
      && json_object_set_new (object, "environment",
			      make_words (variant->settings))
	   == 0
      && json_object_set_new (object, "command", make_words (variant->command))
	   == 0
      && json_object_set_new (object, "allocator",
			      variant->allocator != NULL
				? json_text (variant->allocator)
				: json_null ())
	   == 0
      && json_object_set_new (object, "base",
			      is_base ? json_null () : json_text (base))
	   == 0
      && json_object_set_new (object, "measures",
			      make_results (variant, is_base))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
make_variants (const struct prove *prove)
{
  json_t *variants = json_array ();
  for (size_t i = 0; i < prove->variant_count && variants != NULL; i++)
    if (json_array_append_new (variants, make_variant (prove, i)) != 0)
      {
	json_decref (variants);
	variants = NULL;
      }
  return variants;
}

/* Return how the runs were made.  */
static json_t *
make_runs (const struct prove *prove)
{
  static const char *const outputs[]
    = { [PROVE_OUTPUT_NOT_COMPARED] = "not compared",
	[PROVE_OUTPUT_SAME] = "same",
	[PROVE_OUTPUT_VARIES] = "varies" };
  char seed[24];
  snprintf (seed, sizeof seed, "%llu", (unsigned long long) prove->seed);
  json_t *object = json_object ();
  if (json_set_number (object, "rounds", prove->rounds)
      && json_set_number (object, "warm_up", prove->warm_up)
      && json_set_text (object, "seed", seed)
      && json_set_number (object, "exit_status", (uint64_t) prove->exit_status)
      && json_set_text (object, "output", outputs[prove->output])
      && json_set_known (object, "output_bytes", prove->output_bytes,
			 prove->output == PROVE_OUTPUT_SAME)
      && set_real (object, "load_average", prove->load, true)
      && json_set_number (object, "processors", (uint64_t) prove->processors)
      && (!prove->has_pages || prove->phase.begin == NULL
	  || json_object_set_new (object, "phase_begin",
				  json_text (prove->phase.begin))
	       == 0)
      && (!prove->has_pages || prove->phase.end == NULL
	  || json_object_set_new (object, "phase_end",
				  json_text (prove->phase.end))
	       == 0)
      && (!prove->has_simulation
	  || (json_object_set_new (object, "d1", json_text (prove->caches.d1))
		== 0
	      && json_object_set_new (object, "ll",
				      json_text (prove->caches.ll))
		   == 0)))
    return object;
  json_decref (object);
  return NULL;
}

bool
prove_print_json (const struct prove *prove)
{
  printf ("{\"version\":%d,\"confidence\":%g", JSON_FORM_VERSION,
	  RATIO_CONFIDENCE);
  bool is_done = json_print (",\n\"runs\":", make_runs (prove))
		 && json_print (",\n\"variants\":", make_variants (prove));
  puts ("}");
  return is_done;
}

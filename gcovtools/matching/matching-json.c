/* Use of a heap profile by the compiler, as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-json.h"
#include "matching.h"
#include <inttypes.h>
#include <stdio.h>

/* Version of the form described in heapprof-gcov-matching(1).  */
#define JSON_FORM_VERSION 1

/* Return SUM as an object; NULL if memory is exhausted.  */
static json_t *
make_sum (const struct matching_sum *sum)
{
  json_t *object = json_object ();
  if (json_set_number (object, "calls", sum->calls)
      && json_set_number (object, "contexts", sum->contexts)
      && json_set_number (object, "allocations", sum->allocations)
      && json_set_number (object, "bytes", sum->bytes))
    return object;
  json_decref (object);
  return NULL;
}

/* Return the calls of REASON.  */
static json_t *
make_reason (const struct matching_reason *reason)
{
  json_t *object = make_sum (&reason->sum);
  if (object != NULL && json_set_text (object, "reason", reason->text)
      && json_object_set_new (object, "matched",
			      json_boolean (reason->is_matched))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

/* Add the reasons of calls with OUTCOME to OBJECT.  Return false if memory is
   exhausted.  */
static bool
add_reasons (json_t *object, const struct matching *matching,
	     enum remark_outcome outcome)
{
  json_t *reasons = json_array ();
  bool is_done = json_object_set_new (object, "reasons", reasons) == 0;
  for (size_t i = 0; i < matching->reason_count && is_done; i++)
    if (matching->reasons[i].outcome == outcome)
      is_done
	= json_array_append_new (reasons, make_reason (&matching->reasons[i]))
	  == 0;
  return is_done;
}

/* Return the sums of OUTCOME, including those of each hint that occurs, and the
   reasons of ambiguous ones and of lost calls.  */
static json_t *
make_outcome (const struct matching *matching, enum remark_outcome outcome)
{
  json_t *object = make_sum (&matching->outcomes[outcome]);
  for (int hint = 0; hint < REMARK_HINTS && object != NULL; hint++)
    {
      const struct matching_sum *sum = &matching->hints[outcome][hint];
      if (sum->calls > 0
	  && json_object_set_new (object, remark_hint_name (hint),
				  make_sum (sum))
	       != 0)
	{
	  json_decref (object);
	  return NULL;
	}
    }
  if (object != NULL && add_reasons (object, matching, outcome))
    return object;
  json_decref (object);
  return NULL;
}

/* Return the sum of allocations that were not matched, with reasons for those
   in functions without remarks.  */
static json_t *
make_unmatched (const struct matching *matching)
{
  json_t *object = make_sum (&matching->unmatched);
  json_t *reasons = json_array ();
  bool is_done
    = object != NULL && json_object_set_new (object, "reasons", reasons) == 0;
  for (int absent = 0; absent < MATCHING_ABSENTS && is_done; absent++)
    {
      const struct matching_reason reason
	= { .text = matching_absent_reason (absent),
	    .sum = matching->absent[absent] };
      if (reason.sum.contexts > 0)
	is_done = json_array_append_new (reasons, make_reason (&reason)) == 0;
    }
  if (is_done)
    return object;
  json_decref (object);
  return NULL;
}

bool
matching_print_json (const struct matching *matching)
{
  printf ("{\"version\":%d", JSON_FORM_VERSION);
  if (!json_print (",\n\"path\":", json_text (matching->path)))
    return false;
  printf (",\n\"files\":%zu,\"remarks\":%zu,\"token_calls\":%" PRIu64,
	  matching->files, matching->remarks, matching->token_calls);
  bool is_done
    = (json_print (",\n\"profile\":", make_sum (&matching->profile))
       && json_print (",\n\"placed\":", make_sum (&matching->placed))
       && json_print (",\n\"matched\":", make_sum (&matching->matched))
       && json_print (",\n\"libraries\":", make_sum (&matching->libraries))
       && json_print (",\n\"unmatched\":", make_unmatched (matching))
       && json_print (",\n\"hinted\":", make_outcome (matching, REMARK_HINTED))
       && json_print (",\n\"cloned\":", make_outcome (matching, REMARK_CLONED))
       && json_print (",\n\"lost\":", make_outcome (matching, REMARK_LOST)));
  puts ("}");
  return is_done;
}

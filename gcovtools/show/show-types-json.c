/* Data types as JSON, for `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-types.h"
#include "heap-json.h"
#include "member-order.h"
#include "type-sums.h"

static bool
set_accesses (json_t *object, const struct type_sum *sum, uint32_t number)
{
  if (sum->words == NULL)
    return true;
  struct member_accesses accesses = type_sum_member (sum, number);
  return json_set_number (object, "accesses", accesses.own)
	 && json_set_number (object, "shared_accesses", accesses.shared);
}

/* Set KEY to STRING of REPORT's profile, unless it is empty; escaped as plain
   text if AS_SHOWN.  */
static bool
set_string (json_t *object, const char *key, const struct heap_report *report,
	    uint32_t string, bool as_shown)
{
  const char *text = heap_profile_string (report->profile, string);
  return *text == '\0'
	 || json_object_set_new (object, key,
				 as_shown ? json_plain_text (text)
					  : json_text (text))
	      == 0;
}

static json_t *
member_json (const struct heap_report *report, const struct type_sum *sum,
	     uint32_t number, bool as_shown)
{
  static const char *const kinds[] = { [HEAP_MEMBER_DATA] = "",
				       [HEAP_MEMBER_BITS] = "bit-field",
				       [HEAP_MEMBER_MADE] = "compiler" };
  const struct heap_member *member = &sum->type->members[number];
  json_t *object = json_object ();
  if (object != NULL
      && set_string (object, "name", report, member->name, as_shown)
      && set_string (object, "type", report, member->type_name, as_shown)
      && json_set_number (object, "offset", member->offset)
      && json_set_number (object, "size", member->size)
      && (!heap_member_is_open (member)
	  || json_object_set_new (object, "goes_on", json_true ()) == 0)
      && json_set_text (object, "made_by", kinds[member->kind])
      && set_accesses (object, sum, number))
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
members_json (const struct heap_report *report, const struct type_sum *sum,
	      bool as_shown)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < sum->type->member_count && array != NULL; i++)
    if (json_array_append_new (array, member_json (report, sum, i, as_shown))
	!= 0)
      {
	json_decref (array);
	return NULL;
      }
  return array;
}

static json_t *
numbers_json (const uint32_t *numbers, uint32_t count)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < count && array != NULL; i++)
    if (json_array_append_new (array, json_integer (numbers[i])) != 0)
      {
	json_decref (array);
	return NULL;
      }
  return array;
}

/* Set what is known about the order of members.  */
static bool
set_order (json_t *object, const struct type_sum *sum)
{
  if (sum->placed == 0 || sum->type->kind != HEAP_TYPE_CLASS)
    return true;
  struct member_order order;
  bool is_done = member_order_find (&order, sum)
		 && json_set_number (object, "cache_lines", order.lines_before);
  if (is_done && order.is_better)
    is_done
      = json_object_set_new (object, "better_order",
			     numbers_json (order.members, order.count))
	  == 0
	&& json_set_number (object, "better_cache_lines", order.lines_after)
	&& (order.size == 0
	    || json_set_number (object, "better_size", order.size));
  member_order_release (&order);
  return is_done;
}

static bool
set_type (json_t *object, const struct heap_report *report,
	  const struct type_sum *sum, bool as_shown)
{
  const struct heap_type *type = sum->type;
  return type == NULL
	 || (set_string (object, "name", report, type->name, as_shown)
	     && json_set_number (object, "data_type_id", type->number)
	     && json_set_number (object, "size", type->size)
	     && json_set_number (object, "start", type->start)
	     && json_set_number (object, "hole_bytes",
				 heap_type_hole_bytes (type))
	     && json_object_set_new (object, "members",
				     members_json (report, sum, as_shown))
		  == 0
	     && set_order (object, sum));
}

static json_t *
type_json (const struct heap_report *report, const struct type_sum *sum,
	   bool as_shown)
{
  json_t *object = json_object ();
  if (object != NULL && set_type (object, report, sum, as_shown)
      && json_set_number (object, "contexts", sum->context_count)
      && (sum->words == NULL
	  || json_set_number (object, "elsewhere_accesses", sum->elsewhere))
      && json_object_set_new (object, "info",
			      heap_json_info (&sum->info, &report->known))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

bool
show_types_json (const struct heap_report *report, bool as_shown, FILE *out)
{
  struct type_sums sums;
  if (heap_details_type_count (heap_profile_read_details (report->profile))
      == 0)
    return true;
  bool is_done = type_sums_make (&sums, report);
  if (is_done)
    fputs (",\n\"types\":[", out);
  for (size_t i = 0; i < sums.count && is_done; i++)
    is_done = json_write (out, i == 0 ? "\n" : ",\n",
			  type_json (report, &sums.sums[i], as_shown));
  if (is_done)
    fputs ("\n]", out);
  type_sums_release (&sums);
  return is_done;
}

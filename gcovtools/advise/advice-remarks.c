/* Advice on allocations that the compiler could not place.
   SPDX-License-Identifier: GPL-3.0-or-later

   All calls with the same reason are one advice, at the call with most
   bytes.  */

#include "advice-make.h"
#include "table.h"
#include <stdlib.h>
#include <string.h>

/* What removes a reason, or part of one: the compiler's reasons are short
   sentences, to which versions may add.  */
static const struct
{
  const char *reason;
  const char *action;
} remedies[] = {
  { "another unit or call through a pointer",
    "Build with -flto, so that the compiler sees callers in other units. "
    "Calls through pointers remain." },
  { "called through a pointer",
    "Call the function directly where the pointer is always the same." },
  { "in a library that has no remarks",
    "Build the library with the profile, too, or link it statically." },
  { "in a library",
    "Build the library with the profile, too, or link it statically." },
  { "in a unit that has no remarks",
    "Build this unit with -fplugin-arg-heapprof-use and "
    "-fplugin-arg-heapprof-use-remarks, too." },
  { "no call at this line",
    "Make a new profile: the source or the compiler has changed." },
  { "no call can be reached", "Make a new profile: the callers have changed." },
  { "would grow too much",
    "Allow more clones with -fplugin-arg-heapprof-use-max-growth." },
  { "contexts end before they differ",
    "Make a profile with deeper calling contexts: HEAPPROF_OPTIONS with a "
    "larger max_depth." },
  { "may call another definition",
    "Build with -fvisibility=hidden or -fno-semantic-interposition, so that "
    "no other definition can replace the function." },
  { "a function on the way",
    "Remove what keeps the compiler from cloning this function." }
};

static const char *
remedy_of (const char *reason)
{
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
    if (strstr (reason, remedies[i].reason) != NULL)
      return remedies[i].action;
  return advice_kind_facts (ADVICE_PLACEMENT)->help;
}

/* Fill the sentences of ITEM.  */
static bool
word (struct advice *item, const char *reason, const struct matching_sum *sum,
      bool is_placed)
{
  struct advice_text text;
  char number[NUMBER_TEXT_BYTES];
  if (!advice_text_start (&text, &item->evidence))
    return false;
  fprintf (text.out, "%s blocks", number_text (number, sum->allocations));
  fprintf (text.out, ", %s, ", bytes_text (number, (double) sum->bytes));
  fputs (is_placed ? "have an ambiguous hint" : "have no hint", text.out);
  if (sum->calls > 0)
    fprintf (text.out, ", at %s call%s", number_text (number, sum->calls),
	     sum->calls != 1 ? "s" : "");
  fprintf (text.out, ": %s.", reason);
  if (!advice_text_end (&text))
    return false;
  item->action = strdup (remedy_of (reason));
  return item->action != NULL;
}

/* Return new advice on SUM; NULL if memory is exhausted.  */
static struct advice *
add_item (struct advice_list *advice, const char *reason,
	  const struct matching_sum *sum, bool is_placed)
{
  struct advice *item = advice_add (advice, ADVICE_PLACEMENT);
  if (item == NULL)
    return NULL;
  item->info.alloc_count = sum->allocations;
  item->info.size_bytes.total = sum->bytes;
  item->contexts = sum->contexts;
  advice_set_gain (advice, &item->gain, ADVICE_ALLOCATED_BYTES,
		   (double) sum->bytes);
  return word (item, reason, sum, is_placed) ? item : NULL;
}

/* Return the remark with REASON that has most bytes; NULL if there is none.  */
static const struct remark *
largest_remark (const struct remarks *remarks,
		const struct matching_reason *reason)
{
  const struct remark *largest = NULL;
  for (size_t i = 0; i < remarks->count; i++)
    {
      const struct remark *remark = &remarks->list[i];
      if (remark->reason != NULL && strcmp (remark->reason, reason->text) == 0
	  && remark->outcome == reason->outcome
	  && remark->is_matched == reason->is_matched
	  && (largest == NULL || remark->bytes > largest->bytes))
	largest = remark;
    }
  return largest;
}

static bool
add_reason (struct advice_list *advice, const struct remarks *remarks,
	    const struct matching_reason *reason)
{
  struct advice *item = add_item (advice, reason->text, &reason->sum,
				  reason->outcome != REMARK_LOST);
  const struct remark *remark = largest_remark (remarks, reason);
  if (item == NULL || remark == NULL)
    return item != NULL;
  const char *file
    = json_string_value (json_object_get (remark->object, "file"));
  item->function
    = json_string_value (json_object_get (remark->object, "function"));
  item->file = file != NULL ? file : "";
  item->line
    = (uint32_t) json_integer_value (json_object_get (remark->object, "line"));
  return true;
}

static bool
add_absent (struct advice_list *advice, const struct matching *matching,
	    enum matching_absent absent)
{
  const struct matching_sum *sum = &matching->absent[absent];
  uint32_t context = matching->absent_context[absent];
  if (sum->bytes == 0 || context == 0)
    return true;
  struct advice *item
    = add_item (advice, matching_absent_reason (absent), sum, false);
  if (item == NULL)
    return false;
  advice_set_site (advice, item, context, context);
  return true;
}

bool
advice_add_remarks (struct advice_list *advice)
{
  const struct remarks *remarks = advice->options.remarks;
  struct matching matching = { .path = advice->options.path,
			       .files = remarks->files,
			       .remarks = remarks->count };
  bool is_done = matching_make (&matching, advice->report->profile, remarks);
  for (size_t i = 0; i < matching.reason_count && is_done; i++)
    is_done = add_reason (advice, remarks, &matching.reasons[i]);
  for (int absent = 0; absent < MATCHING_ABSENTS && is_done; absent++)
    is_done = add_absent (advice, &matching, absent);
  matching_release (&matching);
  return is_done;
}

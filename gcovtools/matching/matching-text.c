/* Use of a heap profile by the compiler, as a table.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "matching.h"
#include "table.h"
#include "text-output.h"
#include <stdio.h>
#include <stdlib.h>

static const struct table_column columns[]
  = { { "allocations", false }, { "%", false },	    { "bytes", false },
      { "%", false },		{ "calls", false }, { "of", true } };

/* Add the cells for PART of ALL.  */
static bool
add_share (struct table *table, uint64_t part, uint64_t all, bool is_bytes)
{
  char text[NUMBER_TEXT_BYTES];
  if (!table_add (table, is_bytes ? bytes_text (text, (double) part)
				  : number_text (text, part)))
    return false;
  if (all > 0)
    share_text (text, (double) part, (double) all);
  return table_add (table, all > 0 ? text : "");
}

static bool
add_row (struct table *table, const struct matching *matching,
	 const struct matching_sum *sum, const char *label)
{
  char text[NUMBER_TEXT_BYTES];
  const struct matching_sum *all = &matching->profile;
  return (add_share (table, sum->allocations, all->allocations, false)
	  && add_share (table, sum->bytes, all->bytes, true)
	  && table_add (table,
			sum->calls > 0 ? number_text (text, sum->calls) : "")
	  && table_add (table, label));
}

/* Add the rows of reasons of ambiguous hints of OUTCOME.  */
static bool
add_ambiguous (struct table *table, const struct matching *matching,
	       enum remark_outcome outcome)
{
  bool is_done = true;
  for (size_t i = 0; i < matching->reason_count && is_done; i++)
    {
      const struct matching_reason *reason = &matching->reasons[i];
      char *label;
      if (outcome == REMARK_LOST || reason->outcome != outcome)
	continue;
      if (asprintf (&label, "    %s", reason->text) < 0)
	return false;
      is_done = add_row (table, matching, &reason->sum, label);
      free (label);
    }
  return is_done;
}

/* Add the rows of OUTCOME, one per hint.  */
static bool
add_hints (struct table *table, const struct matching *matching,
	   enum remark_outcome outcome)
{
  char label[80];
  for (int hint = 0; hint < REMARK_HINTS; hint++)
    {
      const struct matching_sum *sum = &matching->hints[outcome][hint];
      snprintf (label, sizeof label, "  %s: %s", remark_outcome_name (outcome),
		remark_hint_name (hint));
      if (sum->calls > 0 && !add_row (table, matching, sum, label))
	return false;
    }
  return add_ambiguous (table, matching, outcome);
}

/* Add the rows of lost calls that were matched or, if not IS_MATCHED, were
   not.  */
static bool
add_reasons (struct table *table, const struct matching *matching,
	     bool is_matched)
{
  bool is_done = true;
  for (size_t i = 0; i < matching->reason_count && is_done; i++)
    {
      const struct matching_reason *reason = &matching->reasons[i];
      char *label;
      if (reason->outcome != REMARK_LOST || reason->is_matched != is_matched)
	continue;
      if (asprintf (&label, "  %s: %s", remark_outcome_name (REMARK_LOST),
		    reason->text)
	  < 0)
	return false;
      is_done = add_row (table, matching, &reason->sum, label);
      free (label);
    }
  return is_done;
}

/* Add the rows of allocations in functions without remarks.  */
static bool
add_absent (struct table *table, const struct matching *matching)
{
  bool is_done = true;
  for (int absent = 0; absent < MATCHING_ABSENTS && is_done; absent++)
    {
      const struct matching_sum *sum = &matching->absent[absent];
      char label[80];
      snprintf (label, sizeof label, "  %s", matching_absent_reason (absent));
      if (sum->contexts > 0)
	is_done = add_row (table, matching, sum, label);
    }
  return is_done;
}

static bool
add_rows (struct table *table, const struct matching *matching)
{
  return (add_row (table, matching, &matching->profile, "the profile")
	  && add_row (table, matching, &matching->placed, "placed")
	  && add_row (table, matching, &matching->matched, "matched")
	  && add_hints (table, matching, REMARK_HINTED)
	  && add_hints (table, matching, REMARK_CLONED)
	  && add_reasons (table, matching, true)
	  && (matching->libraries.contexts == 0
	      || add_row (table, matching, &matching->libraries,
			  "in libraries: token"))
	  && add_row (table, matching, &matching->unmatched, "not matched")
	  && add_reasons (table, matching, false)
	  && add_absent (table, matching));
}

/* Each call that sets a token costs a few instructions whenever it runs.  */
static void
print_token_cost (const struct matching *matching)
{
  char calls[NUMBER_TEXT_BYTES];
  char allocations[NUMBER_TEXT_BYTES];
  printf ("\nCost of tokens: set and restored by %s calls, read by %s"
	  " allocations.\n",
	  number_text (calls, matching->token_calls),
	  number_text (allocations,
		       matching->hints[REMARK_HINTED][REMARK_TOKEN].allocations
			 + matching->libraries.allocations));
}

bool
matching_print_text (const struct matching *matching)
{
  fputs ("Use of ", stdout);
  print_text (matching->path);
  printf (", according to %zu remarks file%s\n\n", matching->files,
	  matching->files == 1 ? "" : "s");
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL && add_rows (table, matching);
  if (is_done)
    table_print (table);
  table_free (table);
  if (is_done && matching->token_calls > 0)
    print_token_cost (matching);
  return is_done;
}

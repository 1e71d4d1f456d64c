/* Data types as text, for `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-types.h"
#include "context-match.h"
#include "frame-text.h"
#include "member-order.h"
#include "show-numbers.h"
#include "table.h"
#include "terminal.h"
#include "text-output.h"
#include "type-sums.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A member with less than 1/COLD_PART of the accesses is cold, one with more
   than 1/HOT_PART is hot.  */
#define COLD_PART 100
#define HOT_PART 5

static const char *
name_of (const struct heap_report *report, uint32_t string)
{
  return heap_profile_string (report->profile, string);
}

/* Add the name STRING of a type, shortened unless REPORT shows names in full.
   Return false if memory is exhausted.  */
static bool
add_type_name (struct table *table, const struct heap_report *report,
	       uint32_t string)
{
  char *name = type_name_text (report, string);
  bool is_done = name != NULL && table_add (table, name);
  free (name);
  return is_done;
}

static bool
add_numbers (struct table *table, const struct heap_report *report,
	     const struct type_sum *sum)
{
  char text[NUMBER_TEXT_BYTES];
  const struct memory_info *info = &sum->info;
  bool has_accesses = heap_known_counts (&report->known, info);
  return table_add (table, number_text (text, show_blocks (info)))
	 && table_add (table, bytes_text (text, show_bytes (info)))
	 && table_add (table, has_accesses
				? number_text (text, info->access_count.total)
				: "-")
	 && table_add (table, has_accesses
				? ratio_text (text, report_density (info))
				: "-")
	 && table_add (table, info->alloc_count > 0
				? lifetime_text (text, report, info)
				: "-")
	 && table_add (table,
		       report->known.has_runs
			 ? number_text (text,
					context_measure (info,
							 CONTEXT_LIVE_BLOCKS))
			 : "-");
}

static const struct table_column type_columns[]
  = { { "blocks", false },   { "bytes", false },    { "accesses", false },
      { "per byte", false }, { "lifetime", false }, { "live", false },
      { "size", false },     { "holes", false },    { "type", true } };

static bool
add_type (struct table *table, const struct heap_report *report,
	  const struct type_sum *sum)
{
  char text[NUMBER_TEXT_BYTES];
  const struct heap_type *type = sum->type;
  if (!add_numbers (table, report, sum))
    return false;
  if (type == NULL)
    return table_add (table, "-") && table_add (table, "-")
	   && table_add (table, "(unknown)");
  uint64_t holes = heap_type_hole_bytes (type);
  return table_add (table, number_text (text, type->size))
	 && table_add (table, holes > 0 ? number_text (text, holes) : "-")
	 && add_type_name (table, report, type->name);
}

static bool
print_types (const struct heap_report *report, const struct type_sums *sums,
	     size_t count)
{
  struct table *table
    = table_new (type_columns, sizeof type_columns / sizeof *type_columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    is_done = add_type (table, report, &sums->sums[i]);
  if (is_done)
    {
      printf ("%sData types%s\n\n", terminal_colour (TERMINAL_BOLD),
	      terminal_colour (TERMINAL_PLAIN));
      table_print (table);
      if (count < sums->count)
	printf ("%zu more (--top=0 shows all)\n", sums->count - count);
    }
  table_free (table);
  return is_done;
}

/* ---- Members.  */

static const struct table_column member_columns[]
  = { { "offset", false }, { "size", false }, { "accesses", false },
      { "share", false },  { "", true },      { "member", true },
      { "type", true } };

/* Add a row for a hole of SIZE bytes at OFFSET.  */
static bool
add_hole (struct table *table, uint64_t offset, uint64_t size)
{
  char text[NUMBER_TEXT_BYTES];
  return table_add (table, number_text (text, offset))
	 && table_add (table, number_text (text, size)) && table_add (table, "")
	 && table_add (table, "") && table_add (table, "")
	 && table_add (table, "(hole)") && table_add (table, "");
}

/* Return the mark of a member with ACCESSES of TOTAL.  */
static const char *
member_mark (struct member_accesses accesses, uint64_t total)
{
  if (accesses.shared > 0)
    return "shared";
  if (accesses.own == 0)
    return "never";
  if (accesses.own < total / COLD_PART)
    return "cold";
  return accesses.own > total / HOT_PART ? "hot" : "";
}

/* Add the name of MEMBER.  */
static bool
add_member_name (struct table *table, const struct heap_report *report,
		 const struct heap_member *member)
{
  const char *name = name_of (report, member->name);
  if (*name == '\0')
    return table_add (table, member->kind == HEAP_MEMBER_MADE ? "(base)"
							      : "(unnamed)");
  if (!heap_member_is_open (member))
    return table_add (table, name);
  char *text;
  if (asprintf (&text, "%s[]", name) < 0)
    return false;
  bool is_done = table_add (table, text);
  free (text);
  return is_done;
}

static bool
add_member (struct table *table, const struct heap_report *report,
	    const struct type_sum *sum, uint32_t number)
{
  char text[NUMBER_TEXT_BYTES];
  const struct heap_member *member = &sum->type->members[number];
  bool is_open = heap_member_is_open (member);
  if (!table_add (table, number_text (text, member->offset))
      || !table_add (table,
		     is_open ? "open" : number_text (text, member->size)))
    return false;
  if (sum->words == NULL)
    {
      if (!table_add (table, "-") || !table_add (table, "-")
	  || !table_add (table, ""))
	return false;
    }
  else
    {
      struct member_accesses accesses = type_sum_member (sum, number);
      uint64_t all = accesses.own + accesses.shared;
      double share
	= sum->placed > 0 ? 100.0 * (double) all / (double) sum->placed : 0;
      if (!table_add (table, number_text (text, all))
	  || !table_add (table, percent_text (text, share))
	  || !table_add (table, member_mark (accesses, sum->placed)))
	return false;
    }
  return add_member_name (table, report, member)
	 && add_type_name (table, report, member->type_name);
}

static bool
print_members (const struct heap_report *report, const struct type_sum *sum)
{
  const struct heap_type *type = sum->type;
  struct table *table = table_new (member_columns, sizeof member_columns
						     / sizeof *member_columns);
  bool is_done = table != NULL;
  uint64_t end = 0;
  for (uint32_t i = 0; i < type->member_count && is_done; i++)
    {
      const struct heap_member *member = &type->members[i];
      if (member->offset > end)
	is_done = add_hole (table, end, member->offset - end);
      is_done = is_done && add_member (table, report, sum, i);
      uint64_t member_end = heap_type_end_of_member (type, i);
      if (member_end > end)
	end = member_end;
    }
  if (is_done && type->size > end)
    is_done = add_hole (table, end, type->size - end);
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

static void
print_lines (uint32_t count)
{
  printf ("%" PRIu32 " cache line%s", count, count != 1 ? "s" : "");
}

/* Print a better order for the members of SUM's type, if there is one.  */
static bool
print_order (const struct heap_report *report, const struct type_sum *sum)
{
  struct member_order order;
  bool is_done = member_order_find (&order, sum);
  if (is_done && order.lines_before > 0)
    {
      printf ("  %d%% of accesses touch ", CACHE_LINES_PERCENT);
      print_lines (order.lines_before);
      puts (heap_type_is_open (sum->type)
	      ? " of an object, without data beyond its class"
	      : " of an object");
    }
  if (is_done && order.is_better)
    {
      fputs ("  in this order: ", stdout);
      print_lines (order.lines_after);
      if (order.size > 0)
	printf (", size %" PRIu64, order.size);
      putchar (':');
      for (uint32_t i = 0; i < order.count; i++)
	{
	  const struct heap_member *member
	    = &sum->type->members[order.members[i]];
	  if (member->kind == HEAP_MEMBER_MADE)
	    continue;
	  putchar (' ');
	  print_text (name_of (report, member->name));
	}
      putchar ('\n');
    }
  member_order_release (&order);
  return is_done;
}

/* Print the class of SUM, member by member.  */
static bool
print_class (const struct heap_report *report, const struct type_sum *sum)
{
  const struct heap_type *type = sum->type;
  char text[NUMBER_TEXT_BYTES];
  char *name = type_name_text (report, type->name);
  if (name == NULL)
    return false;
  printf ("\n%s", terminal_colour (TERMINAL_BOLD));
  print_text (name);
  free (name);
  printf ("%s, %s bytes\n\n", terminal_colour (TERMINAL_PLAIN),
	  number_text (text, type->size));
  if (!print_members (report, sum))
    return false;
  if (sum->elsewhere > 0)
    printf ("  %s more accesses are beyond the class or in arrays with members"
	    " across words;\n  their member is unknown\n",
	    number_text (text, sum->elsewhere));
  return sum->placed == 0 || type->kind != HEAP_TYPE_CLASS
	 || print_order (report, sum);
}

static bool
print_classes (const struct heap_report *report, const struct type_sums *sums,
	       size_t count)
{
  bool has_histograms = false;
  for (size_t i = 0; i < count; i++)
    {
      const struct type_sum *sum = &sums->sums[i];
      has_histograms |= sum->histogram_count > 0;
      if (sum->type != NULL && sum->type->member_count > 0
	  && !print_class (report, sum))
	return false;
    }
  if (!has_histograms)
    puts ("\n"
	  "Accesses to members are unknown: compile with "
	  "-fplugin-arg-heapprof-histogram.");
  return true;
}

bool
show_types_text (const struct heap_report *report, bool by_field)
{
  struct type_sums sums;
  bool is_done = type_sums_make (&sums, report);
  size_t top = report->options.top;
  size_t count = top > 0 && sums.count > top ? top : sums.count;
  if (is_done && count == 0)
    puts ("No calling context matches.");
  else if (is_done)
    is_done = print_types (report, &sums, count)
	      && (!by_field || print_classes (report, &sums, count));
  type_sums_release (&sums);
  return is_done;
}

/* heapprof-gcov mip order: order functions for the linker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-json.h"
#include "mip-commands.h"
#include "mip-order.h"
#include "pager.h"
#include "plain-text.h"
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_BY = OPTION_HELP + 1,
  OPTION_FORMAT,
  OPTION_EVALUATE
};

enum order_format
{
  FORMAT_SYMBOLS,
  FORMAT_SECTIONS,
  FORMAT_LD_SCRIPT,
  FORMAT_SORTED,
  FORMAT_JSON
};

struct order_arguments
{
  int by;     /* enum mip_order_by */
  int format; /* enum order_format */
  bool evaluates;
};

static const struct command_option order_options[]
  = { { OPTION_BY, "by", "first|mean|bp|calls",
	"sort by the earliest place in any run (first), by the\n"
	"mean place, functions of more runs first (mean, the\n"
	"default), place functions of the same runs close\n"
	"together (bp), or close to those that call them most\n"
	"(calls: for speed, not for start-up)" },
      { OPTION_FORMAT, "format", "symbols|sections|ld-script|sorted|json",
	"write a file for lld's --symbol-ordering-file\n"
	"(symbols, the default), gold's --section-ordering-file\n"
	"(sections), GNU ld 2.43's --section-ordering-file\n"
	"(ld-script), `objcopy @FILE OBJECT', which lets any\n"
	"GNU ld sort the sections (sorted), or other programs\n"
	"(json)" },
      { OPTION_EVALUATE, "evaluate", NULL,
	"instead, print how many pages of code a run touches on\n"
	"average, in the program's order and in the new one" },
      { 0 } };

/* Return the index of VALUE in NAMES, which ends with NULL.  If it is not
   there, print an error and return -1.  */
static int
find_name (const char *value, const char *const *names)
{
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp (value, names[i]) == 0)
      return i;
  diagnostics_usage ("mip order", "unknown value '%s'", value);
  return -1;
}

static bool
take_option (void *data, int id, const char *value)
{
  static const char *const orders[] = { "first", "mean", "bp", "calls", NULL };
  static const char *const formats[]
    = { "symbols", "sections", "ld-script", "sorted", "json", NULL };
  struct order_arguments *arguments = data;
  switch (id)
    {
    case OPTION_BY:
      arguments->by = find_name (value, orders);
      return arguments->by >= 0;
    case OPTION_FORMAT:
      arguments->format = find_name (value, formats);
      return arguments->format >= 0;
    case OPTION_EVALUATE:
      arguments->evaluates = true;
      return true;
    default:
      return false;
    }
}

/* Prefixes that gcc's -ffunction-sections puts before function names.  */
static const char *const prefixes[]
  = { ".text.hot.", ".text.startup.", ".text.exit.", ".text." };

#define PREFIX_COUNT (sizeof prefixes / sizeof *prefixes)

/* Print the sections that may contain NAME, each preceded by BEFORE and
   followed by AFTER.  */
static void
print_sections (const char *name, const char *before, const char *after)
{
  for (size_t i = 0; i < PREFIX_COUNT; i++)
    printf ("%s%s%s%s", before, prefixes[i], name, after);
}

/* Print objcopy options that rename the sections of NAME, which has PLACE in
   the order.  */
static void
print_sorted (const char *name, size_t place)
{
  for (size_t i = 0; i < PREFIX_COUNT; i++)
    printf ("--rename-section=%s%s=.text.sorted.%06zu\n", prefixes[i], name,
	    place);
}

static bool
print_json (const struct mip_profile *profile, const uint32_t *order,
	    size_t count)
{
  bool is_done = true;
  printf ("[");
  for (size_t i = 0; i < count && is_done; i++)
    {
      const struct mip_function *function = &profile->functions[order[i]];
      json_t *row = json_object ();
      is_done
	= row != NULL
	  && json_set_text (row, "name", mip_function_name (profile, function))
	  && json_set_number (row, "module", function->module)
	  && json_set_number (row, "order", i + 1)
	  && json_print (i > 0 ? ",\n " : "\n ", json_incref (row));
      json_decref (row);
    }
  printf ("\n]\n");
  return is_done;
}

/* Return true if NAME can be written in FORMAT, which has no escapes.  Section
   names are patterns, and a name must not end its context in a linker
   script.  */
static bool
is_possible (const char *name, int format)
{
  const char *marks
    = format == FORMAT_SYMBOLS ? " #" : " #*?[]{}()<>\"'\\,;:=!/";
  return *name != '\0' && plain_text_is_all_plain (name, strlen (name))
	 && strcspn (name, marks) == strlen (name);
}

/* Print the COUNT functions at ORDER in FORMAT.  */
static bool
print_order (const struct mip_profile *profile, const uint32_t *order,
	     size_t count, int format)
{
  size_t left_out = 0;
  if (format == FORMAT_JSON)
    return print_json (profile, order, count);
  if (format == FORMAT_LD_SCRIPT)
    printf (".text : {\n");
  for (size_t i = 0; i < count; i++)
    {
      const char *name
	= mip_function_name (profile, &profile->functions[order[i]]);
      if (!is_possible (name, format))
	left_out++;
      else if (format == FORMAT_SYMBOLS)
	printf ("%s\n", name);
      else if (format == FORMAT_SORTED)
	print_sorted (name, i + 1);
      else if (format == FORMAT_SECTIONS)
	print_sections (name, "", "\n");
      else
	print_sections (name, "  *(", ")\n");
    }
  if (format == FORMAT_LD_SCRIPT)
    printf ("}\n");
  if (left_out > 0)
    diagnostics_warning ("%zu functions omitted: the format cannot express "
			 "their names",
			 left_out);
  return true;
}

static bool
evaluate (const struct mip_profile *profile, const uint32_t *order,
	  size_t count)
{
  struct mip_pages pages;
  if (!mip_order_evaluate (profile, order, count, &pages))
    return false;
  printf ("pages of code touched by a run, mean of %zu\n"
	  "  as linked: %.1f\n"
	  "  ordered:   %.1f\n"
	  "  ideal:     %.1f\n",
	  profile->trace_count, pages.now, pages.ordered, pages.ideal);
  return true;
}

static bool
has_calls (const struct mip_profile *profile)
{
  for (size_t i = 0; i < profile->edge_count; i++)
    if (profile->edges[i].calls > 0)
      return true;
  return false;
}

/* Return true if PROFILE, from PATH, has what ARGUMENTS need: orders of calls
   or edges.  Otherwise print an error.  */
static bool
check_orders (const struct mip_profile *profile, const char *path,
	      const struct order_arguments *arguments)
{
  struct profile_error err;
  bool by_calls = arguments->by == MIP_ORDER_CALLS;
  if (by_calls && !has_calls (profile))
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "no calls by caller: compile the program with "
		       "mip=KIND,edges");
  else if (profile->traces_seen > 0 || (by_calls && !arguments->evaluates))
    return true;
  else
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "no order of calls: compile the program with mip=order "
		       "or mip=count");
  diagnostics_error (&err);
  return false;
}

static enum exit_status
run_order (int argc, char **argv)
{
  struct order_arguments arguments = { .by = MIP_ORDER_MEAN };
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_order, argc, argv, take_option,
			     &arguments, &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage ("mip order", "expected one profile");
  struct mip_profile *profile = mip_input_read (argv[operands]);
  status = STATUS_FAILED;
  if (profile != NULL && check_orders (profile, argv[operands], &arguments))
    {
      uint32_t *order = NULL;
      size_t count;
      pager_start ();
      bool is_done
	= mip_order_make (profile, arguments.by, &order, &count)
	  && (arguments.evaluates
		? evaluate (profile, order, count)
		: print_order (profile, order, count, arguments.format));
      free (order);
      status = !is_done			     ? diagnostics_memory ()
	       : diagnostics_close_stdout () ? STATUS_DONE
					     : STATUS_FAILED;
    }
  mip_profile_free (profile);
  return status;
}

const struct command command_mip_order = {
  .name = "mip order",
  .operands = "PROFILE",
  .summary = "order functions for the linker",
  .description
  = "Print the functions that ran in the order in which a linker should place\n"
    "them so that a program touches few pages at start-up, or runs fast.\n"
    "All formats except symbols need -ffunction-sections, and so does lld.",
  .options = order_options,
  .run = run_order
};

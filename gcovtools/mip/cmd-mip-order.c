/* heapprof-gcov mip order: order functions and static data for the linker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-commands.h"
#include "mip-data.h"
#include "mip-order.h"
#include "mip-order-text.h"
#include "pager.h"
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_BY = OPTION_HELP + 1,
  OPTION_FORMAT,
  OPTION_WHAT,
  OPTION_EVALUATE,
  OPTION_DEBUG_DIRECTORY
};

enum order_what
{
  WHAT_FUNCTIONS,
  WHAT_DATA,
  WHAT_BOTH
};

struct order_arguments
{
  int by;     /* enum mip_order_by */
  int format; /* enum mip_order_format */
  int what;   /* enum order_what */
  bool evaluates;
  const char **binaries; /* malloced */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
};

static const struct command_option order_options[]
  = { { OPTION_BY, "by", "first|mean|bp|calls",
	"sort by the earliest place in any run (first), by the\n"
	"mean place, functions of more runs first (mean, the\n"
	"default), place functions of the same runs close\n"
	"together (bp), or close to those that call them most\n"
	"(calls: for speed, not for start-up)" },
      { OPTION_WHAT, "what", "functions|data|both",
	"order functions (the default), the variables and\n"
	"constants that the functions that ran refer to (data),\n"
	"or both" },
      { OPTION_FORMAT, "format",
	"symbols|sections|ld-script|ld-insert|sorted|json",
	"write a file for lld's --symbol-ordering-file\n"
	"(symbols, the default), gold's --section-ordering-file\n"
	"(sections), GNU ld 2.43's --section-ordering-file\n"
	"(ld-script), -T of any GNU ld (ld-insert),\n"
	"`objcopy @FILE OBJECT', which lets any GNU ld sort the\n"
	"sections (sorted; data only with --sort-section=name),\n"
	"or other programs (json)" },
      { OPTION_EVALUATE, "evaluate", NULL,
	"instead, print how many pages of code a run touches on\n"
	"average, in the program's order and in the new one" },
      { 'b', "binary", "FILE",
	"with data, find what code refers to in FILE if its\n"
	"build ID matches; may be repeated for each program and\n"
	"library" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
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
  static const char *const formats[] = { "symbols",   "sections", "ld-script",
					 "ld-insert", "sorted",	  "json",
					 NULL };
  static const char *const whats[] = { "functions", "data", "both", NULL };
  struct order_arguments *arguments = data;
  switch (id)
    {
    case OPTION_BY:
      arguments->by = find_name (value, orders);
      return arguments->by >= 0;
    case OPTION_FORMAT:
      arguments->format = find_name (value, formats);
      return arguments->format >= 0;
    case OPTION_WHAT:
      arguments->what = find_name (value, whats);
      return arguments->what >= 0;
    case OPTION_EVALUATE:
      arguments->evaluates = true;
      return true;
    case 'b':
      arguments->binaries[arguments->binary_count++] = value;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      arguments->debug_directories = value;
      return true;
    default:
      return false;
    }
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

static bool
has_run (const struct mip_profile *profile)
{
  for (size_t i = 0; i < profile->function_count; i++)
    if (profile->functions[i].runs > 0)
      return true;
  return false;
}

/* Return why PROFILE does not have what ARGUMENTS need: orders of calls, edges,
   or functions that ran; NULL if it has.  The order of data hardly depends on
   that of functions.  */
static const char *
missing_in (const struct mip_profile *profile,
	    const struct order_arguments *arguments)
{
  bool by_calls = arguments->by == MIP_ORDER_CALLS;
  bool is_any_order
    = by_calls
      || (arguments->what == WHAT_DATA && arguments->by != MIP_ORDER_BP);
  if (by_calls && !has_calls (profile))
    return "no calls by caller: compile the program with mip=KIND,edges";
  if (arguments->what == WHAT_DATA && !has_run (profile))
    return "no function ran: add raw files of the program to the profile";
  if (profile->traces_seen > 0 || (is_any_order && !arguments->evaluates))
    return NULL;
  return "no order of calls: compile the program with mip=order or mip=count";
}

/* Return true if PROFILE, from PATH, has what ARGUMENTS need.  Otherwise print
   an error.  */
static bool
check_orders (const struct mip_profile *profile, const char *path,
	      const struct order_arguments *arguments)
{
  struct profile_error err;
  const char *missing = missing_in (profile, arguments);
  if (missing == NULL)
    return true;
  profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET, "%s", missing);
  diagnostics_error (&err);
  return false;
}

/* Find the static data of ORDER's functions and print ORDER with it.  */
static enum exit_status
print_with_data (struct mip_order *order,
		 const struct order_arguments *arguments)
{
  struct object_finder *finder;
  struct mip_data data;
  enum exit_status status
    = mip_finder_open (&finder, arguments->binaries, arguments->binary_count,
		       arguments->debug_directories);
  if (status != STATUS_DONE)
    return status;
  if (!mip_data_order (&data, order->profile, order->functions, order->count,
		       finder))
    status = STATUS_FAILED;
  else
    {
      order->data = &data;
      if (!mip_order_print (order, arguments->format))
	status = diagnostics_memory ();
      mip_data_release (&data);
    }
  object_finder_free (finder);
  return status;
}

/* Print what ARGUMENTS ask for, for the COUNT functions of PROFILE at
   FUNCTIONS.  */
static enum exit_status
print_order (const struct mip_profile *profile, const uint32_t *functions,
	     size_t count, const struct order_arguments *arguments)
{
  struct mip_order order = { .profile = profile,
			     .functions = functions,
			     .count = count,
			     .has_functions = arguments->what != WHAT_DATA };
  if (arguments->evaluates)
    return evaluate (profile, functions, count) ? STATUS_DONE
						: diagnostics_memory ();
  if (arguments->what != WHAT_FUNCTIONS)
    return print_with_data (&order, arguments);
  return mip_order_print (&order, arguments->format) ? STATUS_DONE
						     : diagnostics_memory ();
}

/* Print the order of the profile PATH.  */
static enum exit_status
order_profile (const char *path, const struct order_arguments *arguments)
{
  enum exit_status status = STATUS_FAILED;
  struct mip_profile *profile = mip_input_read (path);
  if (profile != NULL && check_orders (profile, path, arguments))
    {
      uint32_t *order = NULL;
      size_t count;
      pager_start ();
      if (mip_order_make (profile, arguments->by, &order, &count))
	status = print_order (profile, order, count, arguments);
      else
	status = diagnostics_memory ();
      free (order);
      if (status == STATUS_DONE && !diagnostics_close_stdout ())
	status = STATUS_FAILED;
    }
  mip_profile_free (profile);
  return status;
}

/* Parse the options in ARGV and print the order of the profile named there.  */
static enum exit_status
take_and_order (int argc, char **argv, struct order_arguments *arguments)
{
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_order, argc, argv, take_option,
			     arguments, &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage (command_mip_order.name, "expected one profile");
  if (arguments->evaluates && arguments->what != WHAT_FUNCTIONS)
    return diagnostics_usage (command_mip_order.name,
			      "--evaluate knows only functions, not --what");
  return order_profile (argv[operands], arguments);
}

static enum exit_status
run_order (int argc, char **argv)
{
  struct order_arguments arguments = { .by = MIP_ORDER_MEAN };
  arguments.binaries = calloc ((size_t) argc, sizeof *arguments.binaries);
  if (arguments.binaries == NULL)
    return diagnostics_memory ();
  enum exit_status status = take_and_order (argc, argv, &arguments);
  free (arguments.binaries);
  return status;
}

const struct command command_mip_order = {
  .name = "mip order",
  .operands = "PROFILE",
  .summary = "order functions and data for the linker",
  .description
  = "Print the functions that ran in the order in which a linker should place\n"
    "them so that a program touches few pages at start-up, or runs fast; with\n"
    "--what, the same for variables and constants.  All formats except symbols\n"
    "need -ffunction-sections and -fdata-sections, and so does lld.",
  .options = order_options,
  .run = run_order
};

/* heapprof-gcov mip covered, uncovered, info: lists and totals of what ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-commands.h"
#include "mip-inlined.h"
#include "option-values.h"
#include "pager.h"
#include "table.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_REGEX = OPTION_HELP + 1,
  OPTION_BY,
  OPTION_DEBUG_DIRECTORY
};

struct list_arguments
{
  const char *by; /* NULL: name */
  struct pattern_list patterns;
  const char *command;
  const char **binaries; /* malloced */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
};

/* clang-format off */
#define BY_ROW \
  { OPTION_BY, "by", "name|origin|file", \
    "print linkage names, or those without what the\n" \
    "compiler adds to its copies, or source files" }
/* clang-format on */

static const struct command_option covered_options[]
  = { MIP_REGEX_ROW (OPTION_REGEX), BY_ROW, { 0 } };

static const struct command_option uncovered_options[]
  = { MIP_REGEX_ROW (OPTION_REGEX),
      BY_ROW,
      { 'b', "binary", "FILE",
	"find inlined copies in FILE if its build ID matches;\n"
	"may be repeated for each program and library" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

static const struct command_option info_options[] = { { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  struct list_arguments *arguments = data;
  switch (id)
    {
    case OPTION_REGEX:
      return option_take_patterns (arguments->command, value,
				   &arguments->patterns);
    case OPTION_BY:
      arguments->by = value;
      if (strcmp (value, "name") == 0 || strcmp (value, "origin") == 0
	  || strcmp (value, "file") == 0)
	return true;
      diagnostics_usage (arguments->command,
			 "invalid value '%s' (expected name, origin or file)",
			 value);
      return false;
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

/* A line of the list.  */
struct list_line
{
  const char *text;
  enum mip_inlined inlined;
};

static int
compare_lines (const void *a, const void *b)
{
  return strcmp (((const struct list_line *) a)->text,
		 ((const struct list_line *) b)->text);
}

/* Return the text of FUNCTION in the list.  */
static const char *
list_text (const struct mip_profile *profile,
	   const struct mip_function *function, const char *by)
{
  if (by == NULL || strcmp (by, "name") == 0)
    return mip_function_name (profile, function);
  return mip_profile_string (profile, strcmp (by, "origin") == 0
					? function->origin
					: function->file);
}

/* Functions that ran or that did not, sorted.  By origin or file, a line ran if
   any copy or function ran.  */
struct list
{
  struct list_line *lines;
  size_t count;
};

/* Split the functions of PROFILE into LISTS[0], did not run, and LISTS[1], ran.
   STATES has one entry per function.  */
static void
fill_lists (struct list *lists, const struct mip_profile *profile,
	    const struct list_arguments *arguments,
	    const enum mip_inlined *states)
{
  for (size_t i = 0; i < profile->function_count; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      struct list *list = &lists[function->runs > 0];
      if (mip_function_matches (profile, function, &arguments->patterns))
	list->lines[list->count++]
	  = (struct list_line){ list_text (profile, function, arguments->by),
				states[i] };
    }
  for (int i = 0; i < 2; i++)
    qsort (lists[i].lines, lists[i].count, sizeof *lists[i].lines,
	   compare_lines);
}

/* Text printed after a line.  */
static const char *const marks[] = {
  [MIP_INLINED_NONE] = "",
  [MIP_INLINED_DID_NOT_RUN] = " (inlined only into functions that did not run)",
  [MIP_INLINED_NO_DEBUG_INFO]
  = " (no debug information: inlined copies are unknown)",
  [MIP_INLINED_UNKNOWN] = " (has inlined copies; whether they ran is unknown)"
};

#define STATE_COUNT (sizeof marks / sizeof *marks)

/* Print LIST, except lines that are also in RAN unless that is NULL, and count
   the printed lines in COUNTS, by state.  */
static void
print_lines (const struct list *list, const struct list *ran, size_t *counts)
{
  size_t end;
  for (size_t i = 0; i < list->count; i = end)
    {
      const struct list_line *line = &list->lines[i];
      enum mip_inlined inlined = line->inlined;
      for (end = i + 1; end < list->count; end++)
	if (strcmp (list->lines[end].text, line->text) != 0)
	  break;
	else if (list->lines[end].inlined > inlined)
	  inlined = list->lines[end].inlined;
      if (ran != NULL
	  && bsearch (line, ran->lines, ran->count, sizeof *line, compare_lines)
	       != NULL)
	continue;
      print_text (line->text);
      puts (marks[inlined]);
      counts[inlined]++;
    }
}

/* Print for how many functions it is unknown whether they ran.  */
static void
note_counts (const size_t *counts)
{
  if (counts[MIP_INLINED_UNKNOWN] + counts[MIP_INLINED_NO_DEBUG_INFO] > 0)
    diagnostics_note ("%zu did not run; unknown for %zu more with inlined "
		      "copies and %zu without debug information",
		      counts[MIP_INLINED_NONE]
			+ counts[MIP_INLINED_DID_NOT_RUN],
		      counts[MIP_INLINED_UNKNOWN],
		      counts[MIP_INLINED_NO_DEBUG_INFO]);
}

/* Determine the STATES of inlined copies.  */
static enum exit_status
find_inlined (enum mip_inlined *states, const struct mip_profile *profile,
	      const struct list_arguments *arguments)
{
  struct object_finder *finder;
  enum exit_status status
    = mip_finder_open (&finder, arguments->binaries, arguments->binary_count,
		       arguments->debug_directories);
  if (status != STATUS_DONE)
    return status;
  if (!mip_inlined_find (states, profile, finder))
    status = diagnostics_memory ();
  object_finder_free (finder);
  return status;
}

/* Print the functions that ran, if COVERED, or those that did not.  */
static enum exit_status
print_list (const struct mip_profile *profile,
	    const struct list_arguments *arguments, bool covered)
{
  struct list lists[2] = { 0 };
  size_t counts[STATE_COUNT] = { 0 };
  enum exit_status status = STATUS_DONE;
  enum mip_inlined *states
    = calloc (profile->function_count + 1, sizeof *states);
  for (int i = 0; i < 2; i++)
    lists[i].lines
      = calloc (profile->function_count + 1, sizeof *lists[i].lines);
  if (states == NULL || lists[0].lines == NULL || lists[1].lines == NULL)
    status = diagnostics_memory ();
  else if (!covered)
    status = find_inlined (states, profile, arguments);
  if (status == STATUS_DONE)
    {
      fill_lists (lists, profile, arguments, states);
      print_lines (&lists[covered],
		   !covered && arguments->by != NULL ? &lists[1] : NULL,
		   counts);
      note_counts (counts);
    }
  free (states);
  free (lists[0].lines);
  free (lists[1].lines);
  return status;
}

static void
print_module (const struct mip_profile *profile,
	      const struct mip_module *module)
{
  size_t ran = 0;
  uint64_t bytes = 0, ran_bytes = 0;
  char functions[NUMBER_TEXT_BYTES], code[NUMBER_TEXT_BYTES];
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      const struct mip_function *function
	= &profile->functions[module->first_function + i];
      uint64_t size = function->code_bytes + (uint64_t) function->cold_bytes;
      bytes += size;
      ran += function->runs > 0;
      ran_bytes += function->runs > 0 ? size : 0;
    }
  print_text (mip_profile_string (profile, module->path));
  printf ("\n  build ID: ");
  for (uint32_t i = 0; i < module->build_id_bytes; i++)
    printf ("%02x", module->build_id[i]);
  printf ("%s\n  runs: %" PRIu64 "\n  functions: %zu of %" PRIu32
	  " ran (%s%%)\n  bytes of code: %" PRIu64 " of %" PRIu64 " (%s%%)\n",
	  module->build_id_bytes == 0 ? "none" : "", module->images, ran,
	  module->function_count,
	  share_text (functions, (double) ran, module->function_count),
	  ran_bytes, bytes,
	  share_text (code, (double) ran_bytes, (double) bytes));
}

static void
print_info (const struct mip_profile *profile)
{
  for (size_t i = 0; i < profile->module_count; i++)
    print_module (profile, &profile->modules[i]);
  printf ("traces: %zu of %" PRIu64 "\n", profile->trace_count,
	  profile->traces_seen);
}

/* Print the profile named in ARGV, according to COMMAND.  */
static enum exit_status
take_and_print (const struct command *command, int argc, char **argv,
		struct list_arguments *arguments)
{
  enum exit_status status;
  int operands;
  if (!command_options_take (command, argc, argv, take_option, arguments,
			     &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage (command->name, "expected one profile");
  struct mip_profile *profile = mip_input_read (argv[operands]);
  if (profile == NULL)
    return STATUS_FAILED;
  status = STATUS_DONE;
  pager_start ();
  if (command == &command_mip_info)
    print_info (profile);
  else
    status = print_list (profile, arguments, command == &command_mip_covered);
  mip_profile_free (profile);
  if (status == STATUS_DONE && !diagnostics_close_stdout ())
    status = STATUS_FAILED;
  return status;
}

static enum exit_status
run (const struct command *command, int argc, char **argv)
{
  struct list_arguments arguments = { .command = command->name };
  arguments.binaries = calloc ((size_t) argc, sizeof *arguments.binaries);
  if (arguments.binaries == NULL)
    return diagnostics_memory ();
  enum exit_status status = take_and_print (command, argc, argv, &arguments);
  pattern_list_release (&arguments.patterns);
  free (arguments.binaries);
  return status;
}

#define DEFINE_RUN(NAME)                                                       \
  static enum exit_status run_##NAME (int argc, char **argv)                   \
  {                                                                            \
    return run (&command_mip_##NAME, argc, argv);                              \
  }

DEFINE_RUN (covered)
DEFINE_RUN (uncovered)
DEFINE_RUN (info)

const struct command command_mip_covered
  = { .name = "mip covered",
      .operands = "PROFILE",
      .summary = "list functions that ran",
      .description = "Print the functions that ran in at least one run.",
      .options = covered_options,
      .run = run_covered };

const struct command command_mip_uncovered = {
  .name = "mip uncovered",
  .operands = "PROFILE",
  .summary = "list functions that did not run",
  .description
  = "Print the functions that did not run in any run.  Mark those that debug\n"
    "information shows to have copies inlined into others, which may have\n"
    "run.",
  .options = uncovered_options,
  .run = run_uncovered
};

const struct command command_mip_info
  = { .name = "mip info",
      .operands = "PROFILE",
      .summary = "print totals",
      .description = "Print how much of each program ran.",
      .options = info_options,
      .run = run_info };

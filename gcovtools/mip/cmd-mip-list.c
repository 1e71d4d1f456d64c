/* heapprof-gcov mip covered, uncovered, info: lists and totals of what ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-commands.h"
#include "mip-inlined.h"
#include "mip-sources.h"
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
  const char *by; /* NULL: origin */
  struct pattern_list patterns;
  const char *command;
  const char **binaries; /* malloced */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
};

/* clang-format off */
#define BY_ROW \
  { OPTION_BY, "by", "origin|name|file", \
    "print functions of the source, which may have been\n" \
    "inlined (origin, the default), functions of the\n" \
    "program by linkage name (name), or source files (file)" }
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
			 "invalid value '%s' (expected origin, name or file)",
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

/* What is said about a function, in ascending priority for lines of equal
   text.  */
enum remark
{
  REMARK_NONE,
  REMARK_INLINED_UNRUN,
  REMARK_NO_DEBUG_INFO,
  REMARK_UNKNOWN,
  REMARK_RAN_INLINED,
  REMARK_ALWAYS_INLINED,
  REMARK_COUNT
};

/* Text printed after a line.  */
static const char *const remark_texts[REMARK_COUNT]
  = { [REMARK_NONE] = "",
      [REMARK_INLINED_UNRUN] = " (inlined only into code that did not run)",
      [REMARK_NO_DEBUG_INFO]
      = " (no debug information: inlined copies are unknown)",
      [REMARK_UNKNOWN] = " (has inlined copies; whether they ran is unknown)",
      [REMARK_RAN_INLINED] = " (ran where it is inlined)",
      [REMARK_ALWAYS_INLINED] = " (always inlined)" };

/* A line of the list.  */
struct list_line
{
  const char *text;
  enum remark remark;
  const struct mip_source *place; /* if other functions have this name */
};

static int
compare_lines (const void *a, const void *b)
{
  const struct list_line *p = a, *q = b;
  int order = strcmp (p->text, q->text);
  if (order != 0 || p->place == NULL || q->place == NULL)
    return order;
  return (p->place > q->place) - (p->place < q->place);
}

/* Functions that ran or that did not, sorted.  By file, a line ran if any of
   its functions ran.  */
struct list
{
  struct list_line *lines;
  size_t count;
};

/* What is known about all functions.  */
struct knowledge
{
  const struct mip_profile *profile;
  struct mip_sources sources;
  enum mip_inlined *debug; /* by function, from debug information; malloced */
};

/* Return what is known about the inlined copies of SOURCE, of which no code of
   its own ran.  */
static enum remark
copies_remark (const struct knowledge *knowledge,
	       const struct mip_source *source)
{
  static const enum remark by_debug[]
    = { [MIP_INLINED_NONE] = REMARK_NONE,
	[MIP_INLINED_DID_NOT_RUN] = REMARK_INLINED_UNRUN,
	[MIP_INLINED_NO_DEBUG_INFO] = REMARK_NO_DEBUG_INFO,
	[MIP_INLINED_UNKNOWN] = REMARK_UNKNOWN };
  if (source->copy_ran)
    return source->has_body ? REMARK_RAN_INLINED : REMARK_ALWAYS_INLINED;
  if (source->has_copy)
    return source->copy_may_have_ran ? REMARK_UNKNOWN : REMARK_INLINED_UNRUN;
  return by_debug[knowledge->debug[source->body]];
}

static void
add_line (struct list *list, const char *text, enum remark remark,
	  const struct mip_source *place)
{
  list->lines[list->count++] = (struct list_line){ text, remark, place };
}

/* Add the bodies of functions by their linkage names.  */
static void
add_bodies (struct list *lists, const struct knowledge *knowledge,
	    const struct pattern_list *patterns)
{
  const struct mip_profile *profile = knowledge->profile;
  for (size_t i = 0; i < profile->function_count; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      const struct mip_source *source
	= &knowledge->sources.sources[knowledge->sources.of_function[i]];
      bool ran = function->runs > 0;
      if (mip_function_matches (profile, function, patterns))
	add_line (&lists[ran], mip_function_name (profile, function),
		  ran ? REMARK_NONE : copies_remark (knowledge, source), NULL);
    }
}

/* Add the functions of the source, or if BY_FILE their files.  */
static void
add_sources (struct list *lists, const struct knowledge *knowledge,
	     const struct pattern_list *patterns, bool by_file)
{
  for (size_t i = 0; i < knowledge->sources.count; i++)
    {
      const struct mip_source *source = &knowledge->sources.sources[i];
      struct list *list = &lists[source->ran || source->copy_ran];
      if (patterns->count > 0
	  && !function_name_matches (source->name, patterns))
	continue;
      if (by_file)
	add_line (list, source->file, REMARK_NONE, NULL);
      else
	add_line (list, source->name,
		  source->ran ? REMARK_NONE : copies_remark (knowledge, source),
		  source->is_shared_name ? source : NULL);
    }
}

/* Fill LISTS[0] with what did not run, and LISTS[1] with what ran.  */
static void
fill_lists (struct list *lists, const struct knowledge *knowledge,
	    const struct list_arguments *arguments)
{
  if (arguments->by != NULL && strcmp (arguments->by, "name") == 0)
    add_bodies (lists, knowledge, &arguments->patterns);
  else
    add_sources (lists, knowledge, &arguments->patterns,
		 arguments->by != NULL && strcmp (arguments->by, "file") == 0);
  for (int i = 0; i < 2; i++)
    qsort (lists[i].lines, lists[i].count, sizeof *lists[i].lines,
	   compare_lines);
}

static void
print_line (const struct list_line *line, enum remark remark)
{
  print_text (line->text);
  if (line->place != NULL)
    {
      printf (" [");
      print_text (line->place->file);
      printf (":%" PRIu32 "]", line->place->line);
    }
  puts (remark_texts[remark]);
}

/* Print LIST, except lines that are also in RAN unless that is NULL, and count
   the printed lines in COUNTS, by remark.  */
static void
print_lines (const struct list *list, const struct list *ran, size_t *counts)
{
  size_t end;
  for (size_t i = 0; i < list->count; i = end)
    {
      const struct list_line *line = &list->lines[i];
      enum remark remark = line->remark;
      for (end = i + 1; end < list->count; end++)
	if (compare_lines (&list->lines[end], line) != 0)
	  break;
	else if (list->lines[end].remark > remark)
	  remark = list->lines[end].remark;
      if (ran != NULL
	  && bsearch (line, ran->lines, ran->count, sizeof *line, compare_lines)
	       != NULL)
	continue;
      print_line (line, remark);
      counts[remark]++;
    }
}

/* Print for how many functions it is unknown whether they ran.  */
static void
note_counts (const size_t *counts)
{
  if (counts[REMARK_UNKNOWN] + counts[REMARK_NO_DEBUG_INFO] > 0)
    diagnostics_note ("%zu did not run; unknown for %zu more with inlined "
		      "copies and %zu without debug information",
		      counts[REMARK_NONE] + counts[REMARK_INLINED_UNRUN],
		      counts[REMARK_UNKNOWN], counts[REMARK_NO_DEBUG_INFO]);
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
  size_t counts[REMARK_COUNT] = { 0 };
  enum exit_status status = STATUS_DONE;
  struct knowledge knowledge = { .profile = profile,
				 .debug = calloc (profile->function_count + 1,
						  sizeof (enum mip_inlined)) };
  bool is_done
    = mip_sources_find (&knowledge.sources, profile) && knowledge.debug != NULL;
  size_t most = knowledge.sources.count + profile->function_count + 1;
  for (int i = 0; i < 2; i++)
    lists[i].lines = calloc (most, sizeof *lists[i].lines);
  if (!is_done || lists[0].lines == NULL || lists[1].lines == NULL)
    status = diagnostics_memory ();
  else if (!covered)
    status = find_inlined (knowledge.debug, profile, arguments);
  if (status == STATUS_DONE)
    {
      bool is_by_file
	= arguments->by != NULL && strcmp (arguments->by, "file") == 0;
      fill_lists (lists, &knowledge, arguments);
      print_lines (&lists[covered], !covered && is_by_file ? &lists[1] : NULL,
		   counts);
      note_counts (counts);
    }
  free (lists[0].lines);
  free (lists[1].lines);
  free (knowledge.debug);
  mip_sources_release (&knowledge.sources);
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

const struct command command_mip_covered = {
  .name = "mip covered",
  .operands = "PROFILE",
  .summary = "list functions that ran",
  .description
  = "Print the functions that ran in at least one run, also those that ran\n"
    "only where the compiler inlined them into others.",
  .options = covered_options,
  .run = run_covered
};

const struct command command_mip_uncovered = {
  .name = "mip uncovered",
  .operands = "PROFILE",
  .summary = "list functions that did not run",
  .description
  = "Print the functions that did not run in any run.  Mark those that were\n"
    "inlined into others where it is unknown whether they ran.",
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

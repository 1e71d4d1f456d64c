/* heapprof-gcov mip show: print each function and whether it ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-json.h"
#include "heapprof/mip-format.h"
#include "mip-annotate.h"
#include "mip-commands.h"
#include "mip-lines.h"
#include "option-values.h"
#include "pager.h"
#include "table.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_JSON = OPTION_HELP + 1,
  OPTION_REGEX,
  OPTION_BLOCKS,
  OPTION_INLINED,
  OPTION_LINES,
  OPTION_SOURCE,
  OPTION_DEBUG_DIRECTORY
};

struct show_arguments
{
  bool is_json;
  bool has_blocks;
  bool has_copies;
  bool has_lines;
  const char *source;	 /* NULL: all */
  const char **binaries; /* malloced */
  size_t binary_count;
  const char *debug_directories; /* NULL: the system's */
  struct pattern_list patterns;
};

static const struct command_option show_options[]
  = { { OPTION_JSON, "json", NULL, "print all data as JSON" },
      MIP_REGEX_ROW (OPTION_REGEX),
      { OPTION_BLOCKS, "blocks", NULL, "also print the blocks of functions" },
      { OPTION_INLINED, "inlined", NULL,
	"also print the functions that were inlined into them" },
      { OPTION_LINES, "lines", NULL,
	"print the source instead, with the number of runs of\n"
	"each line, like gcov" },
      { OPTION_SOURCE, "source", "FILE",
	"print only FILE, which may be the end of a path" },
      { 'b', "binary", "FILE",
	"find lines in FILE if its build ID matches; may be\n"
	"repeated for each program and library" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  struct show_arguments *arguments = data;
  switch (id)
    {
    case OPTION_JSON:
      arguments->is_json = true;
      return true;
    case OPTION_BLOCKS:
      arguments->has_blocks = true;
      return true;
    case OPTION_INLINED:
      arguments->has_copies = true;
      return true;
    case OPTION_LINES:
      arguments->has_lines = true;
      return true;
    case OPTION_SOURCE:
      arguments->source = value;
      return true;
    case 'b':
      arguments->binaries[arguments->binary_count++] = value;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      arguments->debug_directories = value;
      return true;
    case OPTION_REGEX:
      return option_take_patterns (command_mip_show.name, value,
				   &arguments->patterns);
    default:
      return false;
    }
}

/* Return the mean position of FUNCTION in the order of first calls over the
   runs in which it ran; 0 if unknown.  */
static double
mean_order (const struct mip_function *function)
{
  return function->runs > 0
	   ? (double) function->order_sum / (double) function->runs
	   : 0;
}

static bool
counts_calls (const struct mip_function *function)
{
  return (function->kind == HEAPPROF_MIP_COUNT
	  || function->kind == HEAPPROF_MIP_CALLS);
}

/* Print one row per function.  */
static bool
print_table (const struct mip_profile *profile,
	     const struct show_arguments *arguments)
{
  static const struct table_column columns[]
    = { { "RUNS", false },  { "CALLS", false },	  { "ORDER", false },
	{ "BYTES", false }, { "FUNCTION", true }, { "SOURCE", true } };
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < profile->function_count && is_done; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      char number[NUMBER_TEXT_BYTES], source[300], order[40] = "";
      if (!mip_function_matches (profile, function, &arguments->patterns))
	continue;
      bool is_counted = counts_calls (function);
      if (function->order_sum > 0)
	snprintf (order, sizeof order, "%.1f", mean_order (function));
      int bytes = snprintf (source, sizeof source, "%.250s",
			    mip_profile_string (profile, function->file));
      if (function->line > 0)
	snprintf (source + bytes, sizeof source - (size_t) bytes, ":%" PRIu32,
		  function->line);
      is_done
	= table_add (table, number_text (number, function->runs))
	  && table_add (table,
			is_counted ? number_text (number, function->calls) : "")
	  && table_add (table, order)
	  && table_add (table,
			number_text (number,
				     function->code_bytes
				       + (uint64_t) function->cold_bytes))
	  && table_add (table, mip_function_name (profile, function))
	  && table_add (table, source);
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

static void
print_blocks (const struct mip_profile *profile,
	      const struct mip_function *function)
{
  print_text (mip_function_name (profile, function));
  printf (": %" PRIu32 " blocks\n", function->block_count);
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      const struct mip_block *block
	= &profile->blocks[function->first_block + i];
      printf ("  block %" PRIu32 ", offset 0x%" PRIx32 "%s, line %" PRIu32 ": ",
	      i, block->code_offset & ~HEAPPROF_MIP_COLD_BLOCK,
	      (block->code_offset & HEAPPROF_MIP_COLD_BLOCK) != 0 ? " (cold)"
								  : "",
	      block->line);
      if (mip_block_is_known (block))
	printf ("%" PRIu64 "\n", block->runs);
      else
	puts ("unknown");
    }
}

/* Return true if it is known in how many runs COPY, inlined into FUNCTION,
   ran.  */
static bool
copy_is_known (const struct mip_function *function, const struct mip_copy *copy)
{
  return function->runs == 0 || copy->rule != UINT32_MAX
	 || (copy->flags & HEAPPROF_MIP_COPY_ALWAYS) != 0;
}

/* Print the copies in FUNCTION, each below the one around it.  */
static void
print_copies (const struct mip_profile *profile,
	      const struct mip_function *function)
{
  print_text (mip_function_name (profile, function));
  printf (": %" PRIu32 " inlined\n", function->copy_count);
  for (uint32_t i = 0; i < function->copy_count; i++)
    {
      const struct mip_copy *copies = profile->copies + function->first_copy;
      printf ("  ");
      for (uint32_t j = copies[i].parent; j != UINT32_MAX; j = copies[j].parent)
	printf ("  ");
      print_text (mip_profile_string (profile, copies[i].name));
      if (copy_is_known (function, &copies[i]))
	printf (": %" PRIu64 "\n", copies[i].runs);
      else
	puts (": unknown");
    }
}

static json_t *
make_copies (const struct mip_profile *profile,
	     const struct mip_function *function)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < function->copy_count && array != NULL; i++)
    {
      const struct mip_copy *copy = &profile->copies[function->first_copy + i];
      json_t *row = json_object ();
      if (row == NULL
	  || !json_set_text (row, "name",
			     mip_profile_string (profile, copy->name))
	  || !json_set_text (row, "file",
			     mip_profile_string (profile, copy->file))
	  || !json_set_known (row, "line", copy->line, copy->line > 0)
	  || !json_set_known (row, "parent", copy->parent,
			      copy->parent != UINT32_MAX)
	  || (copy_is_known (function, copy)
	      && !json_set_number (row, "runs", copy->runs))
	  || json_array_append (array, row) != 0)
	{
	  json_decref (array);
	  array = NULL;
	}
      json_decref (row);
    }
  return array;
}

static json_t *
make_blocks (const struct mip_profile *profile,
	     const struct mip_function *function)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < function->block_count && array != NULL; i++)
    {
      const struct mip_block *block
	= &profile->blocks[function->first_block + i];
      json_t *row = json_object ();
      if (row == NULL
	  || !json_set_number (row, "offset",
			       block->code_offset & ~HEAPPROF_MIP_COLD_BLOCK)
	  || !json_set_known (row, "line", block->line, block->line > 0)
	  || (mip_block_is_known (block)
	      && !json_set_number (row, "runs", block->runs))
	  || json_array_append (array, row) != 0)
	{
	  json_decref (array);
	  array = NULL;
	}
      json_decref (row);
    }
  return array;
}

static json_t *
make_function (const struct mip_profile *profile,
	       const struct mip_function *function,
	       const struct show_arguments *arguments)
{
  json_t *row = json_object ();
  bool is_done
    = row != NULL
      && json_set_text (row, "name", mip_function_name (profile, function))
      && json_set_text (row, "origin",
			mip_profile_string (profile, function->origin))
      && json_set_text (row, "file",
			mip_profile_string (profile, function->file))
      && json_set_known (row, "line", function->line, function->line > 0)
      && json_set_number (row, "address", function->entry)
      && json_set_number (row, "bytes", function->code_bytes)
      && json_set_number (row, "cold_bytes", function->cold_bytes)
      && json_set_number (row, "module", function->module)
      && json_set_number (row, "runs", function->runs);
  if (is_done && counts_calls (function))
    is_done = json_set_number (row, "calls", function->calls);
  if (is_done && function->order_sum > 0)
    is_done
      = json_object_set_new (row, "order", json_real (mean_order (function)))
	== 0;
  if (is_done && arguments->has_blocks)
    is_done
      = json_object_set_new (row, "blocks", make_blocks (profile, function))
	== 0;
  if (is_done && arguments->has_copies)
    is_done
      = json_object_set_new (row, "inlined", make_copies (profile, function))
	== 0;
  if (is_done)
    return row;
  json_decref (row);
  return NULL;
}

static bool
print_json (const struct mip_profile *profile,
	    const struct show_arguments *arguments)
{
  bool is_done = true;
  const char *before = "\n ";
  printf ("{\"runs\": %" PRIu64 ", \"functions\": [", profile->images);
  for (size_t i = 0; i < profile->function_count && is_done; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      if (!mip_function_matches (profile, function, &arguments->patterns))
	continue;
      is_done
	= json_print (before, make_function (profile, function, arguments));
      before = ",\n ";
    }
  printf ("\n]}\n");
  return is_done;
}

static bool
show (const struct mip_profile *profile, const struct show_arguments *arguments)
{
  if (arguments->is_json)
    return print_json (profile, arguments);
  if (!print_table (profile, arguments))
    return false;
  for (size_t i = 0; arguments->has_blocks && i < profile->function_count; i++)
    if (mip_function_matches (profile, &profile->functions[i],
			      &arguments->patterns))
      print_blocks (profile, &profile->functions[i]);
  for (size_t i = 0; arguments->has_copies && i < profile->function_count; i++)
    if (profile->functions[i].copy_count > 0
	&& mip_function_matches (profile, &profile->functions[i],
				 &arguments->patterns))
      print_copies (profile, &profile->functions[i]);
  return true;
}

/* Print the annotated source.  FINDER finds the programs.  */
static bool
print_lines (const struct mip_profile *profile,
	     const struct show_arguments *arguments,
	     struct object_finder *finder)
{
  struct mip_lines lines = { 0 };
  struct mip_annotation annotation
    = { arguments->source, arguments->has_blocks };
  bool is_done = mip_lines_make (&lines, profile, finder, &arguments->patterns);
  if (is_done && arguments->is_json)
    is_done = mip_annotate_json (profile, &lines, &annotation);
  else if (is_done)
    mip_annotate_text (profile, &lines, &annotation);
  mip_lines_release (&lines);
  return is_done;
}

/* Print the annotated source, with the programs that the user named.  */
static enum exit_status
show_lines (const struct mip_profile *profile,
	    const struct show_arguments *arguments)
{
  struct object_finder *finder;
  enum exit_status status
    = mip_finder_open (&finder, arguments->binaries, arguments->binary_count,
		       arguments->debug_directories);
  if (status != STATUS_DONE)
    return status;
  if (!print_lines (profile, arguments, finder))
    status = diagnostics_memory ();
  object_finder_free (finder);
  return status;
}

/* Parse the options in ARGV and print the profile named there.  */
static enum exit_status
take_and_show (int argc, char **argv, struct show_arguments *arguments)
{
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_show, argc, argv, take_option,
			     arguments, &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage (command_mip_show.name, "expected one profile");
  struct mip_profile *profile = mip_input_read (argv[operands]);
  if (profile == NULL)
    return STATUS_FAILED;
  pager_start ();
  if (arguments->has_lines)
    status = show_lines (profile, arguments);
  else
    status = show (profile, arguments) ? STATUS_DONE : diagnostics_memory ();
  mip_profile_free (profile);
  if (status == STATUS_DONE && !diagnostics_close_stdout ())
    status = STATUS_FAILED;
  return status;
}

static enum exit_status
run_show (int argc, char **argv)
{
  struct show_arguments arguments = { 0 };
  arguments.binaries = calloc ((size_t) argc, sizeof *arguments.binaries);
  if (arguments.binaries == NULL)
    return diagnostics_memory ();
  enum exit_status status = take_and_show (argc, argv, &arguments);
  pattern_list_release (&arguments.patterns);
  free (arguments.binaries);
  return status;
}

const struct command command_mip_show = {
  .name = "mip show",
  .operands = "PROFILE",
  .summary = "print each function",
  .description
  = "Print for each function in how many runs it ran and, if known, how often\n"
    "it was called and its position in the order of first calls; with\n"
    "--lines, print in how many runs each source line ran.",
  .options = show_options,
  .run = run_show
};

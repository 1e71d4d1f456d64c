/* heapprof-gcov mip show, covered, uncovered, info: what ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-name.h"
#include "heap-json.h"
#include "heapprof/mip-format.h"
#include "mip-commands.h"
#include "option-values.h"
#include "table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_JSON = OPTION_HELP + 1,
  OPTION_REGEX,
  OPTION_BLOCKS,
  OPTION_BY
};

struct show_arguments
{
  bool is_json;
  bool has_blocks;
  const char *by;		/* NULL: name */
  struct pattern_list patterns;
  const char *command;
};

#define OPTION_REGEX_ROW \
  { OPTION_REGEX, "regex", "REGEX|@FILE", \
    "only functions whose demangled or linkage name matches\n" \
    "the extended regular expression, or one in @FILE" }

static const struct command_option show_options[] = {
  { OPTION_JSON, "json", NULL, "print everything as JSON" },
  OPTION_REGEX_ROW,
  { OPTION_BLOCKS, "blocks", NULL, "print the blocks of functions, too" },
  { 0 }
};

static const struct command_option list_options[] = {
  OPTION_REGEX_ROW,
  { OPTION_BY, "by", "name|origin|file",
    "print linkage names, or those without what the\n"
    "compiler adds to its copies, or source files" },
  { 0 }
};

static const struct command_option info_options[] = { { 0 } };

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
    case OPTION_REGEX:
      return option_take_patterns (arguments->command, value,
				   &arguments->patterns);
    case OPTION_BY:
      arguments->by = value;
      if (strcmp (value, "name") == 0 || strcmp (value, "origin") == 0
	  || strcmp (value, "file") == 0)
	return true;
      diagnostics_usage (arguments->command,
			 "'%s' is none of name, origin, file", value);
      return false;
    default:
      return false;
    }
}

static bool
is_chosen (const struct mip_profile *profile,
	   const struct mip_function *function,
	   const struct show_arguments *arguments)
{
  return arguments->patterns.count == 0
	 || function_name_matches (mip_function_name (profile, function),
				   &arguments->patterns);
}

/* The mean place of FUNCTION in the order of first calls, over the runs in which
   it ran; 0 if that is not known.  */
static double
mean_order (const struct mip_function *function)
{
  return function->runs > 0
	   ? (double) function->order_sum / (double) function->runs
	   : 0;
}

/* Print one row a function.  */
static bool
print_table (const struct mip_profile *profile,
	     const struct show_arguments *arguments)
{
  static const struct table_column columns[]
    = { { "RUNS", false }, { "CALLS", false }, { "ORDER", false },
	{ "BYTES", false }, { "FUNCTION", true }, { "SOURCE", true } };
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < profile->function_count && is_done; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      char number[NUMBER_TEXT_BYTES], source[300], order[40] = "";
      if (!is_chosen (profile, function, arguments))
	continue;
      bool is_counted = function->kind == HEAPPROF_MIP_COUNT;
      if (function->order_sum > 0)
	snprintf (order, sizeof order, "%.1f", mean_order (function));
      snprintf (source, sizeof source, "%.250s:%" PRIu32,
		mip_profile_string (profile, function->file), function->line);
      is_done = table_add (table, number_text (number, function->runs))
		&& table_add (table, is_counted
				       ? number_text (number, function->calls)
				       : "")
		&& table_add (table, order)
		&& table_add (table,
			      number_text (number, function->code_bytes
						     + (uint64_t)
							 function->cold_bytes))
		&& table_add (table, mip_function_name (profile, function))
		&& table_add (table, source);
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

/* Is it known whether BLOCK ran?  */
static bool
is_known (const struct mip_block *block)
{
  return block->slot != UINT32_MAX || block->rule != UINT32_MAX;
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
      printf ("  block %" PRIu32 ", offset 0x%" PRIx32 "%s, line %" PRIu32
	      ": ",
	      i, block->code_offset & ~HEAPPROF_MIP_COLD_BLOCK,
	      (block->code_offset & HEAPPROF_MIP_COLD_BLOCK) != 0 ? " (cold)"
								  : "",
	      block->line);
      if (is_known (block))
	printf ("%" PRIu64 "\n", block->runs);
      else
	puts ("not known");
    }
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
	  || !json_set_number (row, "line", block->line)
	  || (is_known (block)
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
      && json_set_number (row, "line", function->line)
      && json_set_number (row, "address", function->entry)
      && json_set_number (row, "bytes", function->code_bytes)
      && json_set_number (row, "cold_bytes", function->cold_bytes)
      && json_set_number (row, "module", function->module)
      && json_set_number (row, "runs", function->runs);
  if (is_done && function->kind == HEAPPROF_MIP_COUNT)
    is_done = json_set_number (row, "calls", function->calls);
  if (is_done && function->order_sum > 0)
    is_done = json_object_set_new (row, "order",
				   json_real (mean_order (function)))
	      == 0;
  if (is_done && arguments->has_blocks)
    is_done = json_object_set_new (row, "blocks",
				   make_blocks (profile, function))
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
      if (!is_chosen (profile, function, arguments))
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
    if (is_chosen (profile, &profile->functions[i], arguments))
      print_blocks (profile, &profile->functions[i]);
  return true;
}

static int
compare_texts (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The string of FUNCTION to list.  */
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

/* Print, sorted, what of the functions ran, or what did not.  By origin or file,
   what ran in any copy or function did.  */
static bool
print_list (const struct mip_profile *profile,
	    const struct show_arguments *arguments, bool covered)
{
  const char **texts[2];
  size_t counts[2] = { 0, 0 };
  for (int i = 0; i < 2; i++)
    texts[i] = calloc (profile->function_count + 1, sizeof **texts);
  bool is_done = texts[0] != NULL && texts[1] != NULL;
  for (size_t i = 0; i < profile->function_count && is_done; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      int ran = function->runs > 0;
      if (is_chosen (profile, function, arguments))
	texts[ran][counts[ran]++]
	  = list_text (profile, function, arguments->by);
    }
  for (int i = 0; i < 2 && is_done; i++)
    qsort (texts[i], counts[i], sizeof **texts, compare_texts);
  for (size_t i = 0; is_done && i < counts[covered]; i++)
    {
      const char *text = texts[covered][i];
      if ((i > 0 && strcmp (text, texts[covered][i - 1]) == 0)
	  || (!covered && arguments->by != NULL
	      && bsearch (&text, texts[1], counts[1], sizeof **texts,
			  compare_texts)
		   != NULL))
	continue;
      print_text (text);
      putchar ('\n');
    }
  free (texts[0]);
  free (texts[1]);
  return is_done;
}

static void
print_module (const struct mip_profile *profile,
	      const struct mip_module *module)
{
  size_t ran = 0;
  uint64_t bytes = 0, ran_bytes = 0;
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
	  " ran (%.1f%%)\n  bytes of code: %" PRIu64 " of %" PRIu64
	  " (%.1f%%)\n",
	  module->build_id_bytes == 0 ? "none" : "", module->images, ran,
	  module->function_count,
	  module->function_count > 0 ? 100.0 * ran / module->function_count : 0,
	  ran_bytes, bytes, bytes > 0 ? 100.0 * ran_bytes / bytes : 0);
}

static void
print_info (const struct mip_profile *profile)
{
  for (size_t i = 0; i < profile->module_count; i++)
    print_module (profile, &profile->modules[i]);
  printf ("traces: %zu of %" PRIu64 "\n", profile->trace_count,
	  profile->traces_seen);
}

/* Print the profile in ARGV as COMMAND does.  */
static enum exit_status
run (const struct command *command, int argc, char **argv)
{
  struct show_arguments arguments = { .command = command->name };
  enum exit_status status;
  int operands;
  bool is_done = true;
  if (!command_options_take (command, argc, argv, take_option, &arguments,
			     &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage (command->name, "one profile is needed");
  struct mip_profile *profile = mip_input_read (argv[operands]);
  if (profile == NULL)
    return STATUS_FAILED;
  if (command == &command_mip_show)
    is_done = show (profile, &arguments);
  else if (command == &command_mip_info)
    print_info (profile);
  else
    is_done
      = print_list (profile, &arguments, command == &command_mip_covered);
  mip_profile_free (profile);
  pattern_list_release (&arguments.patterns);
  if (!is_done)
    return diagnostics_memory ();
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

#define DEFINE_RUN(NAME) \
  static enum exit_status run_##NAME (int argc, char **argv) \
  { \
    return run (&command_mip_##NAME, argc, argv); \
  }

DEFINE_RUN (show)
DEFINE_RUN (covered)
DEFINE_RUN (uncovered)
DEFINE_RUN (info)

const struct command command_mip_show = {
  .name = "mip show",
  .operands = "PROFILE",
  .summary = "print each function",
  .description
  = "Print of each function in how many runs it ran and, if that is known, how\n"
    "often it was called and which place it had in the order of first calls.",
  .options = show_options,
  .run = run_show
};

const struct command command_mip_covered = {
  .name = "mip covered",
  .operands = "PROFILE",
  .summary = "list what ran",
  .description = "Print the functions that ran in any run.",
  .options = list_options,
  .run = run_covered
};

const struct command command_mip_uncovered = {
  .name = "mip uncovered",
  .operands = "PROFILE",
  .summary = "list what did not run",
  .description = "Print the functions that ran in no run.",
  .options = list_options,
  .run = run_uncovered
};

const struct command command_mip_info = {
  .name = "mip info",
  .operands = "PROFILE",
  .summary = "print totals",
  .description = "Print of each program how much of it ran.",
  .options = info_options,
  .run = run_info
};

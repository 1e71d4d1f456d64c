/* heapprof-gcov mip covered, uncovered, info: what ran, as lists and totals.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-commands.h"
#include "option-values.h"
#include "table.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_REGEX = OPTION_HELP + 1,
  OPTION_BY
};

struct list_arguments
{
  const char *by;		/* NULL: name */
  struct pattern_list patterns;
  const char *command;
};

static const struct command_option list_options[] = {
  MIP_REGEX_ROW (OPTION_REGEX),
  { OPTION_BY, "by", "name|origin|file",
    "print linkage names, or those without what the\n"
    "compiler adds to its copies, or source files" },
  { 0 }
};

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
			 "'%s' is none of name, origin, file", value);
      return false;
    default:
      return false;
    }
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
	    const struct list_arguments *arguments, bool covered)
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
      if (mip_function_matches (profile, function, &arguments->patterns))
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
	  " ran (%s%%)\n  bytes of code: %" PRIu64 " of %" PRIu64
	  " (%s%%)\n",
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

/* Print the profile in ARGV as COMMAND does.  */
static enum exit_status
run (const struct command *command, int argc, char **argv)
{
  struct list_arguments arguments = { .command = command->name };
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
  if (command == &command_mip_info)
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

DEFINE_RUN (covered)
DEFINE_RUN (uncovered)
DEFINE_RUN (info)

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

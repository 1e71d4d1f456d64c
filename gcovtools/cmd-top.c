/* heapprof-gcov top: watch the heap of running processes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "option-values.h"
#include "top-view.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_ROWS 20
#define DEFAULT_DELAY_S 1

enum
{
  OPTION_BY = OPTION_HELP + 1,
  OPTION_SORT,
  OPTION_TOP,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option top_options[]
  = { { OPTION_BY, "by", "WHAT",
	"show site (default), type, thread or process" },
      { OPTION_SORT, "sort", "KEY",
	"sort by live (bytes; default), blocks (live ones),\n"
	"rate (bytes allocated a second), total (bytes\n"
	"allocated) or accesses" },
      { 'd', "delay", "SECONDS", "time between two readings (default: 1)" },
      { 'b', "batch", NULL, "print plain tables, also on a terminal" },
      { 'n', "count", "N",
	"print N plain tables (default: until all processes\n"
	"have ended)" },
      { OPTION_TOP, "top", "N",
	"print N rows of each plain table (default 20; 0: all)" },
      FILTER_FUNCTION_ROW,
      FILTER_OPTION_ROWS,
      WRAPPER_OPTION_ROWS,
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct arguments
{
  struct top top;
  struct top_view view;
  const char *debug_directories;
  bool is_batch;
};

/* Set *NUMBER to the place of VALUE in the COUNT NAMES.  If it is not there,
   print an error with WHAT they are and return false.  */
static bool
take_word (const char *value, const char *const *names, size_t count,
	   const char *what, unsigned int *number)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp (value, names[i]) == 0)
      {
	*number = (unsigned int) i;
	return true;
      }
  diagnostics_usage ("top", "unknown %s '%s'", what, value);
  return false;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  struct top_view *view = &arguments->view;
  unsigned int number;
  if (profile_filter_has_option (id))
    return profile_filter_take_option (&arguments->top.filter, "top", id,
				       value);
  if (wrapper_options_have (id))
    return wrapper_options_take (&arguments->top.wrappers, "top", id, value);
  switch (id)
    {
    case OPTION_BY:
      if (!take_word (value, top_by_names, TOP_CONTEXTS, "table", &number))
	return false;
      view->by = (enum top_by) number;
      return true;
    case OPTION_SORT:
      if (!take_word (value, top_sort_names, TOP_SORTS, "sort key", &number))
	return false;
      view->sort = (enum top_sort) number;
      return true;
    case 'd':
      return option_take_seconds ("top", value, &view->delay_s);
    case 'b':
      arguments->is_batch = true;
      return true;
    case 'n':
      arguments->is_batch = true;
      return option_take_size ("top", value, &view->tables);
    case OPTION_TOP:
      return option_take_size ("top", value, &view->rows);
    case OPTION_DEBUG_DIRECTORY:
      arguments->debug_directories = value;
      return true;
    default:
      return false;
    }
}

/* Find the COUNT OPERANDS and read them once.  Return false and set *ERR on
   failure.  */
static bool
start (struct arguments *arguments, char **operands, size_t count,
       struct profile_error *err)
{
  struct top *top = &arguments->top;
  top->sources = calloc (count, sizeof *top->sources);
  top->names = address_names_new (arguments->debug_directories);
  if (top->sources == NULL || top->names == NULL)
    return profile_error_set_memory (err, NULL);
  for (size_t i = 0; i < count; i++, top->source_count++)
    if (!top_source_find (&top->sources[i], operands[i], err))
      return false;
  return top_read (top, err);
}

static enum exit_status
show (struct arguments *arguments, char **operands, size_t count)
{
  struct profile_error err;
  bool has_terminal = isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  if (!start (arguments, operands, count, &err))
    {
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  bool is_done = true;
  if (arguments->is_batch || !has_terminal || !top_has_screen ())
    {
      if (!arguments->is_batch && has_terminal)
	diagnostics_note ("built without ncurses: plain tables follow");
      is_done = top_print (&arguments->top, &arguments->view);
    }
  else if (!top_show (&arguments->top, &arguments->view, &err))
    {
      diagnostics_error (&err);
      is_done = false;
    }
  return diagnostics_close_stdout () && is_done ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
run_top (int argc, char **argv)
{
  struct arguments arguments
    = { .view = { .rows = DEFAULT_ROWS, .delay_s = DEFAULT_DELAY_S } };
  int operands;
  enum exit_status status;
  if (command_options_take (&command_top, argc, argv, take_option, &arguments,
			    &operands, &status))
    status = operands < argc
	       ? show (&arguments, argv + operands, (size_t) (argc - operands))
	       : diagnostics_usage ("top", "no process or profile given");
  top_release (&arguments.top);
  return status;
}

const struct command command_top = {
  .name = "top",
  .operands = "PID|FILE...",
  .summary = "watch the heap of running processes",
  .description
  = "Show a table of what the processes with these IDs, or those that write the\n"
    "raw profiles FILE, have allocated, and keep it up to date.  The processes\n"
    "must be profiled; they are neither stopped nor signalled.  On a terminal,\n"
    "h shows the keys.",
  .options = top_options,
  .run = run_top
};

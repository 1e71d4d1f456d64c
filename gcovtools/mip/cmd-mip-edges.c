/* heapprof-gcov mip edges: which functions called which.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-name.h"
#include "heap-json.h"
#include "mip-commands.h"
#include "option-values.h"
#include "pager.h"
#include "plain-text.h"
#include "table.h"
#include <inttypes.h>
#include <string.h>

enum
{
  OPTION_JSON = OPTION_HELP + 1,
  OPTION_DOT,
  OPTION_REGEX
};

struct edges_arguments
{
  bool is_json;
  bool is_dot;
  struct pattern_list patterns;
};

static const struct command_option edges_options[]
  = { { OPTION_JSON, "json", NULL, "print each call site, as JSON" },
      { OPTION_DOT, "dot", NULL, "print a graph for dot(1)" },
      { OPTION_REGEX, "regex", "REGEX|@FILE",
	"show only calls from or to functions whose demangled\n"
	"or linkage name matches the extended regular\n"
	"expression; @FILE: any expression in FILE" },
      { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  struct edges_arguments *arguments = data;
  switch (id)
    {
    case OPTION_JSON:
      return arguments->is_json = true;
    case OPTION_DOT:
      return arguments->is_dot = true;
    case OPTION_REGEX:
      return option_take_patterns ("mip edges", value, &arguments->patterns);
    default:
      return false;
    }
}

/* Return the name of function INDEX, or a placeholder if it is not in the
   profile.  */
static const char *
name_of (const struct mip_profile *profile, uint32_t index)
{
  return index == MIP_NO_FUNCTION
	   ? "(outside)"
	   : mip_function_name (profile, &profile->functions[index]);
}

static bool
is_chosen (const struct mip_profile *profile, const struct mip_edge *edge,
	   const struct pattern_list *patterns)
{
  return edge->calls > 0
	 && (patterns->count == 0
	     || function_name_matches (name_of (profile, edge->callee),
				       patterns)
	     || (edge->caller != MIP_NO_FUNCTION
		 && function_name_matches (name_of (profile, edge->caller),
					   patterns)));
}

/* Combine the next edges that have the same caller and callee: return the first
   one, and set *CALLS to the calls of all.  Advance *NEXT; return NULL at the
   end.  */
static const struct mip_edge *
next_pair (const struct mip_profile *profile,
	   const struct edges_arguments *arguments, size_t *next,
	   uint64_t *calls)
{
  const struct mip_edge *first = NULL;
  for (; *next < profile->edge_count; ++*next)
    {
      const struct mip_edge *edge = &profile->edges[*next];
      if (!is_chosen (profile, edge, &arguments->patterns))
	continue;
      if (first == NULL)
	{
	  first = edge;
	  *calls = 0;
	}
      else if (edge->callee != first->callee || edge->caller != first->caller)
	break;
      if (__builtin_add_overflow (*calls, edge->calls, calls))
	*calls = UINT64_MAX;
    }
  return first;
}

static bool
print_pairs (const struct mip_profile *profile,
	     const struct edges_arguments *arguments)
{
  static const struct table_column columns[]
    = { { "CALLS", false }, { "CALLER", true }, { "FUNCTION", true } };
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  const struct mip_edge *edge;
  uint64_t calls;
  size_t next = 0;
  while (is_done
	 && (edge = next_pair (profile, arguments, &next, &calls)) != NULL)
    {
      char number[NUMBER_TEXT_BYTES];
      is_done = table_add (table, number_text (number, calls))
		&& table_add (table, name_of (profile, edge->caller))
		&& table_add (table, name_of (profile, edge->callee));
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

/* Print NAME in quotes, as dot expects.  */
static void
print_quoted (const char *name)
{
  char character[PLAIN_TEXT_CHARACTER_BYTES];
  putchar ('"');
  for (size_t n = strlen (name), bytes; n > 0; name += bytes, n -= bytes)
    {
      bytes = plain_text_character (name, n, "", character);
      if (character[0] == '"' || character[0] == '\\')
	putchar ('\\');
      fputs (character, stdout);
    }
  putchar ('"');
}

static void
print_dot (const struct mip_profile *profile,
	   const struct edges_arguments *arguments)
{
  const struct mip_edge *edge;
  uint64_t calls;
  size_t next = 0;
  printf ("digraph calls {\n");
  while ((edge = next_pair (profile, arguments, &next, &calls)) != NULL)
    {
      printf ("  ");
      print_quoted (name_of (profile, edge->caller));
      printf (" -> ");
      print_quoted (name_of (profile, edge->callee));
      printf (" [label=\"%" PRIu64 "\"];\n", calls);
    }
  printf ("}\n");
}

/* Print one edge per line.  */
static bool
print_json (const struct mip_profile *profile,
	    const struct edges_arguments *arguments)
{
  const char *before = "\n ";
  printf ("{\"version\": 1, \"lost_calls\": %" PRIu64 ", \"edges\": [",
	  profile->lost_calls);
  for (size_t i = 0; i < profile->edge_count; i++)
    {
      const struct mip_edge *edge = &profile->edges[i];
      if (!is_chosen (profile, edge, &arguments->patterns))
	continue;
      json_t *row = json_object ();
      if (row == NULL
	  || !json_set_text (row, "function", name_of (profile, edge->callee))
	  || (edge->caller != MIP_NO_FUNCTION
	      && (!json_set_text (row, "caller",
				  name_of (profile, edge->caller))
		  || !json_set_number (row, "return_address", edge->site)))
	  || !json_set_number (row, "calls", edge->calls))
	{
	  json_decref (row);
	  return false;
	}
      if (!json_print (before, row))
	return false;
      before = ",\n ";
    }
  printf ("\n]}\n");
  return true;
}

static bool
print_edges (const struct mip_profile *profile,
	     const struct edges_arguments *arguments)
{
  if (arguments->is_json)
    return print_json (profile, arguments);
  if (!arguments->is_dot)
    return print_pairs (profile, arguments);
  print_dot (profile, arguments);
  return true;
}

static enum exit_status
run_mip_edges (int argc, char **argv)
{
  struct edges_arguments arguments = { 0 };
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_edges, argc, argv, take_option,
			     &arguments, &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage ("mip edges", "expected one profile");
  if (arguments.is_json && arguments.is_dot)
    return diagnostics_usage ("mip edges",
			      "--json and --dot are mutually exclusive");
  struct mip_profile *profile = mip_input_read (argv[operands]);
  if (profile == NULL)
    return STATUS_FAILED;
  if (profile->lost_calls > 0)
    diagnostics_warning ("%s: %" PRIu64 " calls missing: the program's table "
			 "had no room for their edges",
			 argv[operands], profile->lost_calls);
  pager_start ();
  bool is_done = print_edges (profile, &arguments);
  mip_profile_free (profile);
  pattern_list_release (&arguments.patterns);
  if (!is_done)
    return diagnostics_memory ();
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

const struct command command_mip_edges = {
  .name = "mip edges",
  .operands = "PROFILE",
  .summary = "print which functions called which",
  .description
  = "Print how often functions called each other, in programs compiled with\n"
    "-fplugin-arg-heapprof-mip=KIND,edges.",
  .options = edges_options,
  .run = run_mip_edges
};

/* heapprof-gcov diff: what changed between two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "diff-limits.h"
#include "diff.h"
#include "heap-moment.h"
#include "heap-moments.h"
#include "leak-suppressions.h"
#include "option-values.h"
#include "output-form.h"
#include "profile-pair.h"
#include <string.h>

#define DEFAULT_TOP 20

enum
{
  OPTION_SORT = PAIR_OPTION_END,
  OPTION_TOP,
  OPTION_FAIL_IF,
  OPTION_HTML,
  OPTION_AT,
  OPTION_SUPPRESSIONS,
  OPTION_FORMAT,
  OPTION_BASE,
  OPTION_JUNIT
};

static const struct command_option diff_options[]
  = { { OPTION_SORT, "sort", "KEY",
	"sort contexts by the change of KEY, largest first:\n"
	"bytes (default), accesses, allocations, lifetime (of\n"
	"all blocks), live_bytes, live_blocks (never freed),\n"
	"peak (bytes live at the peak), temporary (blocks freed\n"
	"before the next allocation), lost_bytes, lost_blocks\n"
	"(that no pointer led to)" },
      { OPTION_AT, "at", "MOMENT[,MOMENT]",
	"compare only what was live at a moment: peak, end,\n"
	"lost (what no pointer led to at the end), or the label\n"
	"of a mark; the second one is that of B" },
      LEAK_SUPPRESSIONS_ROW (OPTION_SUPPRESSIONS),
      { OPTION_TOP, "top", "N",
	"show N contexts and N functions (0: all; default: 20,\n"
	"with --json all)" },
      { FILTER_OPTION_FUNCTION, "function", "REGEX",
	"show only contexts that contain a function whose\n"
	"demangled or linkage name matches the extended regular\n"
	"expression, and functions that match; @FILE: any of\n"
	"the expressions in FILE. Totals always include\n"
	"everything" },
      FILTER_OPTION_ROWS,
      WRAPPER_OPTION_ROWS,
      { OPTION_FAIL_IF, "fail-if", "KEY+N[%]",
	"exit with status 1 if the total of KEY (as for --sort)\n"
	"grew by more than N, or by more than N percent; may be\n"
	"repeated" },
      { OPTION_JUNIT, "junit", "FILE",
	"also write what became of each limit to FILE, as\n"
	"JUnit's XML" },
      { OPTION_FORMAT, "format", "FORM",
	"print text (default), json, or the sites that grew\n"
	"and the limits that are exceeded: sarif (SARIF 2.1.0),\n"
	"github (annotations), or gitlab (a Code Quality\n"
	"report)" },
      { OPTION_BASE, "base", "DIR",
	"with sarif, github or gitlab: the root of the source,\n"
	"to which files below it are relative (default: the\n"
	"current folder)" },
      { OPTION_HTML, "html", "FILE",
	"also write the changes of the heap to FILE as an HTML\n"
	"page, growth in red and decrease in blue" },
      PAIR_OPTION_ROWS,
      { 0 } };

struct arguments
{
  enum context_measure sort;
  enum output_form form;
  bool has_top;
  size_t top;
  struct diff_limits limits;
  struct leak_suppressions suppressions;
  const char *html;		      /* NULL: not given */
  const char *junit;		      /* the same */
  const char *base;		      /* the same */
  const char *at[2];		      /* by side; NULL: not given */
  char moments[2 * HEAP_LABEL_BYTES]; /* their text */
};

static bool
take_sort (const char *value, enum context_measure *sort)
{
  if (context_measure_from_name (value, sort))
    return true;
  diagnostics_usage ("diff", "unknown sort key '%s'", value);
  return false;
}

/* Take the moments of both sides from VALUE.  */
static bool
take_moments (struct arguments *arguments, const char *value)
{
  if (strlen (value) >= sizeof arguments->moments)
    {
      diagnostics_usage ("diff", "moment '%s' is too long", value);
      return false;
    }
  strcpy (arguments->moments, value);
  char *comma = strchr (arguments->moments, ',');
  arguments->at[DIFF_A] = arguments->at[DIFF_B] = arguments->moments;
  if (comma != NULL)
    {
      *comma = '\0';
      arguments->at[DIFF_B] = comma + 1;
    }
  return true;
}

/* Select the moments of --at in PAIR.  On failure print an error and return
   false.  */
static bool
select_moments (const struct arguments *arguments,
		const struct profile_pair *pair)
{
  for (int side = 0; side < 2; side++)
    if (arguments->at[side] != NULL
	&& (profile_need_heap (pair->profiles[side]) == NULL
	    || !heap_moment_select (pair->profiles[side]->heap,
				    arguments->at[side], pair->paths[side])))
      return false;
  return true;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  switch (id)
    {
    case OPTION_SORT:
      return take_sort (value, &arguments->sort);
    case OPTION_TOP:
      arguments->has_top = true;
      return option_take_size ("diff", value, &arguments->top);
    case OPTION_FAIL_IF:
      return diff_limits_add (&arguments->limits, value);
    case OPTION_SUPPRESSIONS:
      return leak_suppressions_take (&arguments->suppressions, value);
    case OPTION_AT:
      return take_moments (arguments, value);
    case OPTION_HTML:
      arguments->html = value;
      return true;
    case OPTION_JUNIT:
      arguments->junit = value;
      return true;
    case OPTION_FORMAT:
      return output_form_take ("diff", value, &arguments->form);
    case OPTION_BASE:
      arguments->base = value;
      return true;
    default:
      return false;
    }
}

/* Print what REPORT and CASES have for code hosts.  */
static bool
print_findings (const struct arguments *arguments,
		const struct diff_report *report,
		const struct limit_cases *cases)
{
  struct heap_report names[2];
  struct finding_list list;
  bool is_done = diff_find (&list, report, cases, names);
  list.base = arguments->base;
  is_done = is_done && output_form_write (&list, arguments->form, stdout);
  finding_list_release (&list);
  return is_done;
}

/* Print REPORT in the form that was asked for.  Return false if memory is
   exhausted.  */
static bool
print (const struct arguments *arguments, const struct diff_report *report,
       const struct limit_cases *cases)
{
  if (report->options->is_json || arguments->form == OUTPUT_JSON)
    return diff_print_json (report);
  return arguments->form == OUTPUT_TEXT
	   ? diff_print_text (report)
	   : print_findings (arguments, report, cases);
}

/* Write all that was asked for.  Return true if that succeeds and all limits
   are kept.  */
static bool
finish (const struct arguments *arguments, const struct diff_report *report)
{
  struct limit_cases cases = { 0 };
  bool is_done = diff_limits_check (&arguments->limits, report->pair,
				    report->heap, &cases);
  if (is_done && !print (arguments, report, &cases))
    {
      diagnostics_memory ();
      is_done = false;
    }
  is_done
    = is_done
      && (arguments->html == NULL || diff_write_html (report, arguments->html))
      && (arguments->junit == NULL
	  || limit_cases_write (&cases, "heapprof-gcov diff",
				arguments->junit));
  is_done = is_done && limit_cases_report (&cases);
  limit_cases_release (&cases);
  return is_done;
}

static enum exit_status
compare (const struct profile_pair *pair, const struct pair_options *options,
	 const void *data)
{
  const struct arguments *arguments = data;
  const struct profile *a = pair->profiles[DIFF_A];
  const struct profile *b = pair->profiles[DIFF_B];
  struct diff_heap heap = { 0 };
  struct diff_functions counters = { 0 };
  struct diff_functions samples = { 0 };
  struct profile_error err;
  struct diff_report report = { .pair = pair,
				.options = options,
				.sort = arguments->sort,
				.top = arguments->has_top || options->is_json
					   || arguments->form == OUTPUT_JSON
					 ? arguments->top
					 : DEFAULT_TOP };
  if (arguments->junit != NULL && arguments->limits.count == 0)
    return diagnostics_usage ("diff", "--junit needs --fail-if");
  if (!leak_suppressions_apply (&arguments->suppressions, a->heap)
      || !leak_suppressions_apply (&arguments->suppressions, b->heap)
      || !select_moments (arguments, pair))
    return STATUS_FAILED;
  bool is_done = true;
  if (a->heap != NULL || b->heap != NULL)
    {
      is_done = diff_heap_make (&heap, pair, options, arguments->sort);
      report.heap = &heap;
    }
  if (is_done && (a->counters != NULL || b->counters != NULL))
    {
      is_done = diff_counters_make (&counters, pair, options);
      report.counters = &counters;
    }
  bool is_comparable = true;
  if (is_done && (a->samples != NULL || b->samples != NULL))
    {
      is_comparable = diff_samples_make (&samples, pair, options, &err);
      report.samples = &samples;
    }
  enum exit_status status = STATUS_FAILED;
  if (!is_comparable)
    diagnostics_error (&err);
  else if (!is_done)
    diagnostics_memory ();
  else if ((report.heap == NULL
	    || diff_heap_check_known (&heap, pair, arguments->sort))
	   && finish (arguments, &report))
    status = STATUS_DONE;
  diff_functions_release (&samples);
  diff_functions_release (&counters);
  diff_heap_release (&heap);
  return status;
}

static enum exit_status
run_diff (int argc, char **argv)
{
  static const struct pair_command command
    = { &command_diff, take_option, compare };
  struct arguments arguments = { .sort = CONTEXT_BYTES };
  enum exit_status status = pair_command_run (&command, &arguments, argc, argv);
  leak_suppressions_release (&arguments.suppressions);
  return status;
}

const struct command command_diff = {
  .name = "diff",
  .operands = "A B",
  .summary = "print what changed between two profiles",
  .description
  = "Print the calling contexts and functions that are only in profile A or\n"
    "only in profile B, and those whose figures differ, largest change first.",
  .options = diff_options,
  .run = run_diff
};

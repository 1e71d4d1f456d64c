/* The report as text: totals, allocation sites, calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show.h"
#include "frame-text.h"
#include "function-name.h"
#include "heap-moment.h"
#include "heap-moments.h"
#include "heap-spread.h"
#include "main-sites.h"
#include "show-modules.h"
#include "show-numbers.h"
#include "show-threads.h"
#include "table.h"
#include "terminal.h"
#include "text-output.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum terminal_colour
colour_of (unsigned int mark)
{
  switch (mark)
    {
    case REPORT_HOT:
      return TERMINAL_RED;
    case REPORT_COLD:
      return TERMINAL_BLUE;
    case REPORT_TEMPORARY:
      return TERMINAL_PLAIN;
    default:
      return TERMINAL_YELLOW;
    }
}

const char *
marks_text (char *text, unsigned int marks)
{
  *text = '\0';
  for (unsigned int mark = 1; mark < REPORT_MARKS_END; mark <<= 1)
    {
      if ((marks & mark) == 0)
	continue;
      if (*text != '\0')
	strcat (text, " ");
      strcat (text, report_mark_name (mark));
    }
  return text;
}

/* Print NUMBER and WHAT, in the plural if NUMBER is not 1.  */
static void
print_count (uint64_t number, const char *what)
{
  char text[NUMBER_TEXT_BYTES];
  const char *plural = what[strlen (what) - 1] == 's' ? "es" : "s";
  printf ("%s %s%s", number_text (text, number), what,
	  number != 1 ? plural : "");
}

/* Print a note that NUMBER of WHAT lack something, unless NUMBER is 0.  */
static void
print_lack (uint64_t number, const char *what, const char *consequence)
{
  if (number == 0)
    return;
  printf ("  %snote%s         ", terminal_colour (TERMINAL_YELLOW),
	  terminal_colour (TERMINAL_PLAIN));
  print_count (number, what);
  printf (" %s\n", consequence);
}

/* Print how incomplete runs ended, if they did.  */
static void
print_unfinished (const struct heap_totals *totals,
		  const struct memory_info *total)
{
  char running[128];
  print_lack (totals->incomplete_runs, "run",
	      "did not end normally: of blocks then live, only the allocation "
	      "is known");
  if (totals->running_pid != 0)
    snprintf (running, sizeof running,
	      "running (pid %" PRIu64 "): of blocks now live, only the "
	      "allocation is known",
	      totals->running_pid);
  else
    snprintf (running, sizeof running,
	      "still running when the profile was made: of blocks then live, "
	      "only the allocation is known");
  print_lack (totals->running_runs, "run", running);
  print_lack (totals->unknown_runs, "run",
	      "not complete; whether the process is still running cannot be "
	      "determined from here");
  print_lack (total->unfinished_count, "block",
	      "of such runs: accesses and lifetime are unknown");
}

/* Print to how many blocks of TOTAL accesses were not counted, if they were to
   others.  */
static void
print_uncounted (const struct memory_info *total)
{
  if (memory_info_is_counted (total))
    print_lack (total->uncounted_count, "block",
		"of runs that did not count accesses, or not in all code: "
		"those to them are unknown");
}

/* Print what is not known of runs that began after their programs.  */
static void
print_attached (const struct heap_totals *totals)
{
  if (totals->attached_runs == 0)
    return;
  print_lack (totals->attached_runs, "run",
	      "attached to a running program: blocks allocated before are not "
	      "in the profile");
  print_lack (totals->foreign_frees, "release",
	      "of blocks allocated before, or by calls that were not observed");
  print_lack (totals->missed_frees, "release",
	      "not observed; noticed when the address was allocated again");
}

/* Print how many accesses of a sampled profile no sample of TOTAL, the sum of
   all contexts, stands for, if these are many.  */
static void
print_unseen (const struct heap_totals *totals, const struct memory_info *total)
{
  char text[NUMBER_TEXT_BYTES], consequence[192];
  snprintf (consequence, sizeof consequence,
	    "of %s counted not in this estimate: to blocks with far more than "
	    "any sample, or to memory that is no block",
	    number_text (text, totals->overall_accesses));
  if (heap_spread_misses_accesses (totals, total))
    print_lack (heap_spread_unseen_accesses (totals, total), "access",
		consequence);
}

static void
print_lacks (const struct heap_totals *totals, const struct memory_info *total)
{
  print_attached (totals);
  print_uncounted (total);
  print_unfinished (totals, total);
  print_lack (totals->dropped_contexts, "allocation",
	      "without a calling context: the raw profile could not grow");
  print_lack (totals->truncated_contexts, "calling context",
	      "truncated at the maximum depth (max_depth)");
  print_lack (totals->ended_walks, "calling context",
	      "ended in code without frame pointers");
  print_lack (totals->folded_contexts, "allocation",
	      "in folded recursion: its context contains each call once");
  print_lack (totals->pruned_contexts, "allocation",
	      "attributed to a caller: the profile reached its memory limit "
	      "(max_memory)");
  print_lack (totals->unprofiled_allocations, "allocation",
	      "made where no context could be recorded");
  print_lack (totals->refused_runs, "run",
	      "in which lost blocks could not be looked for");
}

/* Print ` of WHOLE' if filters exclude contexts, and end the line.  */
static void
print_whole (const struct heap_report *report, const char *whole)
{
  if (heap_report_is_filtered (report))
    printf (" of %s", whole);
  putchar ('\n');
}

/* Print how many of the blocks that were never freed were lost, if that is
   known.  */
static void
print_lost (const struct heap_report *report)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  const struct memory_info *total = &report->total;
  const struct memory_info *chosen = &report->chosen;
  char text[NUMBER_TEXT_BYTES];
  if (!report->known.has_leaks)
    return;
  fputs ("  lost         ", stdout);
  print_count (report_lost_count (chosen), "block");
  printf (", %s", bytes_text (text, (double) report_lost_bytes (chosen)));
  if (chosen->indirect_count > 0)
    {
      fputs (", of which ", stdout);
      print_count (chosen->indirect_count, "block");
      printf (", %s, behind others",
	      bytes_text (text, (double) chosen->indirect_bytes));
    }
  if (heap_report_is_filtered (report))
    {
      fputs (" of ", stdout);
      print_count (report_lost_count (total), "block");
      printf (", %s", bytes_text (text, (double) report_lost_bytes (total)));
    }
  if (totals->searched_runs < totals->runs)
    {
      fputs (" (looked for in ", stdout);
      print_count (totals->searched_runs, "run");
      putchar (')');
    }
  putchar ('\n');
  if (totals->suppressed_count == 0)
    return;
  fputs ("  suppressed   ", stdout);
  print_count (totals->suppressed_count, "more lost block");
  printf (", %s\n", bytes_text (text, (double) totals->suppressed_bytes));
}

/* Print by how much the number before, ESTIMATE of INFO, may be off, if it is
   one, and if there is a limit.  */
static void
print_margin (const struct heap_report *report, const struct memory_info *info,
	      enum heap_estimate estimate)
{
  char text[NUMBER_TEXT_BYTES];
  /* Those of one moment are not known.  */
  if (!report->known.has_samples || report->options.at != NULL)
    return;
  const uint64_t rate = report->known.sample_bytes;
  const double margin = info == &report->chosen
			  ? heap_spread_margin_of_sum (info, estimate, rate)
			  : heap_spread_margin_of (info, estimate, rate);
  if (!isfinite (margin))
    return;
  printf (" ± %s", estimate == HEAP_ESTIMATE_BYTES
		     ? bytes_text (text, margin)
		     : number_text (text, (uint64_t) ceil (margin)));
}

/* Print the accesses per byte of INFO, and by how much they may be off.  */
static void
print_density (const struct heap_report *report, const struct memory_info *info)
{
  const double margin
    = report->options.at == NULL
	? heap_spread_density_margin (info, report->known.sample_bytes)
	: 0;
  char text[NUMBER_TEXT_BYTES];
  printf (" (%s", ratio_text (text, report_density (info)));
  if (margin > 0)
    printf (" ± %s", ratio_text (text, margin));
  fputs (" per byte)", stdout);
}

/* Print the sums of the selected contexts, and of the complete profile if
   filters are used.  */
static void
print_sums (const struct heap_report *report)
{
  const struct memory_info *total = &report->total;
  const struct memory_info *chosen = &report->chosen;
  char text[NUMBER_TEXT_BYTES];
  printf ("  contexts     %s", number_text (text, report->chosen_contexts));
  print_whole (report, number_text (text, report->total_contexts));
  printf ("  blocks       %s", number_text (text, show_blocks (chosen)));
  print_margin (report, chosen, HEAP_ESTIMATE_BLOCKS);
  print_whole (report, number_text (text, show_blocks (total)));
  printf ("  bytes        %s", bytes_text (text, show_bytes (chosen)));
  print_margin (report, chosen, HEAP_ESTIMATE_BYTES);
  print_whole (report, bytes_text (text, show_bytes (total)));
  if (report->known.has_accesses && !memory_info_is_counted (chosen)
      && (chosen->alloc_count > 0 || report->known.has_samples))
    puts ("  accesses     unknown");
  else if (report->known.has_accesses)
    {
      printf ("  accesses     %s",
	      number_text (text, chosen->access_count.total));
      print_margin (report, chosen, HEAP_ESTIMATE_ACCESSES);
      print_density (report, chosen);
      print_whole (report, number_text (text, total->access_count.total));
    }
  else if (report->options.at == NULL)
    puts ("  accesses     none in this profile");
  if (!report->known.has_runs || report->options.at != NULL)
    return;
  fputs ("  never freed  ", stdout);
  print_count (chosen->live_count, "block");
  printf (", %s", bytes_text (text, (double) chosen->live_bytes));
  if (heap_report_is_filtered (report))
    {
      fputs (" of ", stdout);
      print_count (total->live_count, "block");
      printf (", %s", bytes_text (text, (double) total->live_bytes));
    }
  putchar ('\n');
  print_lost (report);
  if (total->unfinished_count == 0)
    return;
  printf ("  live %s  ",
	  heap_profile_totals (report->profile)->incomplete_runs > 0
	    ? "when killed"
	    : "now");
  print_count (chosen->unfinished_count, "block");
  printf (", %s", bytes_text (text, (double) chosen->unfinished_bytes));
  if (heap_report_is_filtered (report))
    {
      fputs (" of ", stdout);
      print_count (total->unfinished_count, "block");
      printf (", %s", bytes_text (text, (double) total->unfinished_bytes));
    }
  putchar ('\n');
}

/* Print the name of the moment AT.  */
static void
print_moment (const char *at)
{
  if (strcmp (at, HEAP_MOMENT_LOST) == 0)
    fputs ("lost blocks", stdout);
  else if (strcmp (at, HEAP_MOMENT_PEAK) == 0
	   || strcmp (at, HEAP_MOMENT_END) == 0)
    printf ("live at the %s", at);
  else
    {
      fputs ("live at mark ", stdout);
      print_text (at);
    }
}

/* Print when the peak was, if there was only one run.  */
static void
print_peak_time (const struct heap_report *report)
{
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  char text[NUMBER_TEXT_BYTES];
  if (heap_profile_totals (report->profile)->runs != 1
      || heap_details_timeline_count (details) != 1)
    return;
  const struct heap_timeline *timeline = heap_details_timeline_at (details, 0);
  printf (", %s after the start", time_text (text, (double) timeline->peak_ns));
}

/* Print how accesses were estimated.  */
static void
print_watched (const struct heap_totals *totals)
{
  char text[NUMBER_TEXT_BYTES];
  if (totals->watched_runs == 0)
    return;
  fputs ("  watched      ", stdout);
  if (totals->watched_runs < totals->runs)
    printf ("in %s of the runs, ", number_text (text, totals->watched_runs));
  puts ("random words of live samples: accesses are estimated from those");
}

static void
print_totals (const struct heap_report *report, const char *title)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  bool is_filtered = heap_report_is_filtered (report);
  char text[NUMBER_TEXT_BYTES];
  printf ("%sHeap profile of ", terminal_colour (TERMINAL_BOLD));
  print_text (title);
  if (report->options.at != NULL)
    {
      fputs (", ", stdout);
      print_moment (report->options.at);
    }
  printf ("%s\n\n", terminal_colour (TERMINAL_PLAIN));
  if (totals->runs > 0)
    {
      printf ("  runs         %s", number_text (text, totals->runs));
      if (totals->duration_ns > 0)
	printf (", %s%s in total",
		time_text (text, (double) totals->duration_ns),
		report_length_is_open (report) ? " or more" : "");
      putchar ('\n');
    }
  if (totals->sampled_runs > 0)
    {
      fputs ("  samples      ", stdout);
      if (totals->sampled_runs < totals->runs)
	printf ("in %s of the runs, ",
		number_text (text, totals->sampled_runs));
      printf ("one for each %s allocated%s: numbers are estimates, ± at 95%%\n",
	      bytes_text (text, (double) totals->sample_bytes),
	      totals->sampled_runs > 1 ? " or less" : "");
    }
  if (totals->totals_only_runs > 0)
    {
      fputs ("  used         unknown: ", stdout);
      if (totals->totals_only_runs < totals->runs)
	printf ("%s of the runs have",
		number_text (text, totals->totals_only_runs));
      else
	fputs (totals->runs > 1 ? "these runs have" : "this run has", stdout);
      puts (" only totals of the accesses to a block");
    }
  print_watched (totals);
  print_sums (report);
  if (totals->peak_bytes > 0)
    {
      printf ("  peak         %s live at one time%s%s",
	      bytes_text (text, (double) totals->peak_bytes),
	      totals->runs > 1 ? " in a run" : "",
	      is_filtered ? ", of all contexts" : "");
      print_peak_time (report);
      putchar ('\n');
    }
  if (report->options.at == NULL)
    {
      print_unseen (totals, &report->total);
      print_lacks (totals, &report->chosen);
    }
}

/* Return the quantity of INFO that MARK is about.  */
static uint64_t
weight_of (const struct memory_info *info, unsigned int mark)
{
  switch (mark)
    {
    case REPORT_HOT:
      return info->access_count.total;
    case REPORT_COLD:
    case REPORT_TEMPORARY:
    case REPORT_UNCERTAIN:
      return info->size_bytes.total;
    case REPORT_LEAK:
      return report_lost_bytes (info);
    case REPORT_KILLED:
    case REPORT_LIVE:
      return info->unfinished_bytes;
    default:
      return info->live_bytes;
    }
}

/* Sites shown for each mark.  */
#define MAX_EXAMPLES 3

/* Return the contexts of SITE with MARK.  */
static struct main_site
sum_marked (const struct heap_report *report, const struct report_site *site,
	    unsigned int mark)
{
  struct main_site marked = { .frame = site->sum.site };
  for (size_t i = 0; i < site->count; i++)
    {
      const struct report_entry *entry = &report->contexts[site->first + i];
      if ((entry->marks & mark) == 0)
	continue;
      marked.contexts++;
      if (__builtin_add_overflow (marked.weight, weight_of (&entry->info, mark),
				  &marked.weight))
	marked.weight = UINT64_MAX;
    }
  return marked;
}

/* Print the name of SITE in a list of main sites.  Return false if memory is
   exhausted.  */
static bool
print_main_site (const struct heap_report *report, const struct main_site *site)
{
  char *label = site_text (report, site->frame);
  if (label == NULL)
    return false;
  fputs ("          ", stdout);
  print_text (label);
  free (label);
  return true;
}

/* Print the sites whose contexts with MARK have most of what it is about.
   SITES has space for all sites.  */
static bool
print_examples (const struct heap_report *report, unsigned int mark,
		struct main_site *sites)
{
  char text[NUMBER_TEXT_BYTES];
  size_t count = 0;
  for (size_t i = 0; i < report->site_count; i++)
    {
      sites[count] = sum_marked (report, &report->sites[i], mark);
      count += sites[count].contexts > 0;
    }
  count = main_sites_sort (report, sites, count);
  for (size_t i = 0; i < count && i < MAX_EXAMPLES; i++)
    {
      if (!print_main_site (report, &sites[i]))
	return false;
      if (mark == REPORT_HOT)
	printf (": %s accesses", number_text (text, sites[i].weight));
      else
	printf (": %s", bytes_text (text, (double) sites[i].weight));
      if (sites[i].contexts > 1)
	printf (" in %s contexts", number_text (text, sites[i].contexts));
      putchar ('\n');
    }
  return true;
}

/* Print the sites that had most of what was live at the peak.  SITES has space
   for all sites.  */
static bool
print_peak_sites (const struct heap_report *report, struct main_site *sites)
{
  char text[NUMBER_TEXT_BYTES];
  double sum = (double) report->chosen.peak_bytes;
  size_t count = 0;
  if (report->chosen.peak_bytes == 0)
    return true;
  for (size_t i = 0; i < report->site_count; i++)
    {
      const struct report_entry *entry = &report->sites[i].sum;
      sites[count] = (struct main_site){ .frame = entry->site,
					 .weight = entry->info.peak_bytes,
					 .blocks = entry->info.peak_count };
      count += entry->info.peak_bytes > 0;
    }
  count = main_sites_sort (report, sites, count);
  puts ("\n  at the peak");
  for (size_t i = 0; i < count && i < MAX_EXAMPLES; i++)
    {
      if (!print_main_site (report, &sites[i]))
	return false;
      printf (": %s in ", bytes_text (text, (double) sites[i].weight));
      print_count (sites[i].blocks, "block");
      printf (", %s\n",
	      percent_text (text, 100 * (double) sites[i].weight / sum));
    }
  return true;
}

/* Print the meaning of each mark that occurs, its sum and main sites.  */
static bool
print_marks (const struct heap_report *report)
{
  struct main_site *sites = calloc (report->site_count + 1, sizeof *sites);
  bool is_done = sites != NULL && print_peak_sites (report, sites);
  for (unsigned int mark = 1; mark < REPORT_MARKS_END && is_done; mark <<= 1)
    {
      char text[NUMBER_TEXT_BYTES];
      if (report->marked_contexts[mark] == 0)
	continue;
      printf ("\n  %s%-4s%s  ", terminal_colour (colour_of (mark)),
	      report_mark_name (mark), terminal_colour (TERMINAL_PLAIN));
      print_count (report->marked_contexts[mark], "context");
      printf (", %s: %s\n",
	      bytes_text (text, (double) report->marked_bytes[mark]),
	      report_mark_meaning (mark));
      is_done = print_examples (report, mark, sites);
    }
  free (sites);
  return is_done;
}

static const struct table_column site_columns[]
  = { SHOW_NUMBER_COLUMNS, { "mark", true }, { "site", true } };

#define SITE_COLUMNS (sizeof site_columns / sizeof *site_columns)

/* Return the heading of the column that --sort adds to the table; NULL if it
   adds none.  */
static const char *
sort_column (const struct heap_report *report)
{
  switch (report->options.sort)
    {
    case SORT_LIVE:
      return "live bytes";
    case SORT_PEAK:
      return "at the peak";
    case SORT_TEMPORARY:
      return "temporary blocks";
    case SORT_LOST:
      return "lost";
    default:
      return NULL;
    }
}

/* Add the cell of this column, if there is one.  */
static bool
add_sort_cell (struct table *table, const struct heap_report *report,
	       const struct memory_info *info)
{
  char text[NUMBER_TEXT_BYTES];
  if (sort_column (report) == NULL)
    return true;
  if (report->options.sort == SORT_TEMPORARY)
    return table_add (table, number_text (text, info->temporary_count));
  return table_add (table,
		    bytes_text (text,
				report_sort_key (info, report->options.sort)));
}

static bool
add_row (struct table *table, const struct heap_report *report,
	 const struct report_entry *entry)
{
  char marks[REPORT_MARKS_TEXT_BYTES];
  char *label = site_text (report, entry->site);
  bool is_done = label != NULL && add_sort_cell (table, report, &entry->info)
		 && show_numbers (table, report, &entry->info)
		 && table_add (table, marks_text (marks, entry->marks))
		 && table_add (table, label);
  free (label);
  return is_done;
}

/* Return how many of COUNT things --top allows.  */
static size_t
shown (const struct heap_report *report, size_t count)
{
  size_t top = report->options.top;
  return top > 0 && count > top ? top : count;
}

static void
print_rest (size_t count, const char *what, const char *indent)
{
  if (count == 0)
    return;
  fputs (indent, stdout);
  print_count (count, what);
  puts (" more (--top=0 shows all)");
}

static bool
print_sites (const struct heap_report *report)
{
  struct table_column columns[1 + SITE_COLUMNS]
    = { { sort_column (report), false } };
  size_t skipped = columns[0].title == NULL;
  memcpy (columns + 1, site_columns, sizeof site_columns);
  struct table *table
    = table_new (columns + skipped, SITE_COLUMNS + 1 - skipped);
  bool is_done = table != NULL;
  size_t count = shown (report, report->site_count);
  for (size_t i = 0; i < count && is_done; i++)
    is_done = add_row (table, report, &report->sites[i].sum);
  if (is_done)
    {
      printf ("\n%sAllocation sites by %s%s\n", terminal_colour (TERMINAL_BOLD),
	      report_sort_name (report->options.sort),
	      terminal_colour (TERMINAL_PLAIN));
      is_done = print_looked_through (report, &report->looked_through);
      putchar ('\n');
      table_print (table);
      print_rest (report->site_count - count, "site", "");
    }
  table_free (table);
  return is_done;
}

/* Print a context: a line with its numbers, then its frames.  */
static bool
print_context (const struct heap_report *report,
	       const struct report_entry *entry)
{
  const struct memory_info *info = &entry->info;
  char text[NUMBER_TEXT_BYTES];
  fputs ("\n     ", stdout);
  print_count (show_blocks (info), "block");
  print_margin (report, info, HEAP_ESTIMATE_BLOCKS);
  printf (", %s", bytes_text (text, show_bytes (info)));
  print_margin (report, info, HEAP_ESTIMATE_BYTES);
  if (heap_known_counts (&report->known, info))
    {
      fputs (", ", stdout);
      print_count (info->access_count.total, "access");
      print_margin (report, info, HEAP_ESTIMATE_ACCESSES);
      print_density (report, info);
    }
  if (info->alloc_count > 0)
    printf (", lifetime %s", lifetime_text (text, report, info));
  if (info->live_count > 0)
    printf (", %s never freed", number_text (text, info->live_count));
  if (report_lost_count (info) > 0)
    printf (", %s lost", number_text (text, report_lost_count (info)));
  if (info->unfinished_count > 0)
    printf (", %s live%s", number_text (text, info->unfinished_count),
	    report->options.at == NULL
		&& heap_profile_totals (report->profile)->incomplete_runs > 0
	      ? " when killed"
	      : "");
  if (info->peak_bytes > 0)
    printf (", %s at the peak", bytes_text (text, (double) info->peak_bytes));
  if (info->temporary_count > 0)
    printf (", %s temporary", number_text (text, info->temporary_count));
  for (unsigned int mark = 1; mark < REPORT_MARKS_END; mark <<= 1)
    if ((entry->marks & mark) != 0)
      printf ("  %s%s%s", terminal_colour (colour_of (mark)),
	      report_mark_name (mark), terminal_colour (TERMINAL_PLAIN));
  putchar ('\n');
  return print_calling_context (report, entry->context);
}

/* Print SITE, number NUMBER, with its contexts.  */
static bool
print_site (const struct heap_report *report, const struct report_site *site,
	    size_t number)
{
  char *label = site_text (report, site->sum.site);
  if (label == NULL)
    return false;
  printf ("\n%s#%zu  ", terminal_colour (TERMINAL_BOLD), number);
  print_text (label);
  printf ("%s\n", terminal_colour (TERMINAL_PLAIN));
  free (label);
  size_t count = shown (report, site->count);
  for (size_t i = 0; i < count; i++)
    if (!print_context (report, &report->contexts[site->first + i]))
      return false;
  print_rest (site->count - count, "context", "\n     ");
  return true;
}

bool
show_summary_text (const struct heap_report *report, const char *title)
{
  print_totals (report, title);
  if (!show_modules_text (report) || !print_marks (report))
    return false;
  if (report->context_count == 0)
    {
      puts (report->total_contexts > 0	? "\nNo calling context matches."
	    : report->known.has_samples ? "\nNo block was a sample."
					: "\nNothing was allocated.");
      return true;
    }
  return show_threads_text (report) && print_sites (report);
}

bool
show_text (const struct heap_report *report, const char *title)
{
  if (!show_summary_text (report, title))
    return false;
  if (report->context_count == 0)
    return true;
  printf ("\n%sCalling contexts of these sites%s\n",
	  terminal_colour (TERMINAL_BOLD), terminal_colour (TERMINAL_PLAIN));
  size_t count = shown (report, report->site_count);
  for (size_t i = 0; i < count; i++)
    if (!print_site (report, &report->sites[i], i + 1))
      return false;
  return true;
}

/* Advice as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advise.h"
#include "context-match.h"
#include "frame-text.h"
#include "function-name.h"
#include "plain-text.h"
#include "table.h"
#include "terminal.h"
#include "text-output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Callers of a site that are printed.  */
#define SHOWN_CALLERS 3

size_t
advise_shown (const struct advice_list *advice,
	      const struct advise_print *print)
{
  return print->limit > 0 && print->limit < advice->count ? print->limit
							  : advice->count;
}

/* Return the columns that the N bytes of plain text at TEXT take.  */
static size_t
columns_of (const char *text, size_t n)
{
  size_t columns = 0;
  for (size_t i = 0; i < n; i++)
    columns += ((unsigned char) text[i] & 0xc0) != 0x80;
  return columns;
}

/* Print TEXT, wrapped on a terminal, after LABEL, which fills INDENT columns
   with spaces; all following lines are indented.  Return false if memory is
   exhausted.  */
static bool
print_wrapped (const char *label, size_t indent, const char *text)
{
  size_t width = terminal_width ();
  char *plain = plain_text_copy (text, strlen (text), "");
  if (plain == NULL)
    return false;
  printf ("%-*s", (int) indent, label);
  size_t column = indent;
  for (const char *word = plain; *word != '\0';)
    {
      size_t bytes = strcspn (word, " ");
      size_t columns = columns_of (word, bytes);
      bool is_first = column == indent;
      if (!is_first && width > 0 && column + 1 + columns > width)
	{
	  printf ("\n%*s", (int) indent, "");
	  column = indent;
	  is_first = true;
	}
      if (!is_first)
	putchar (' ');
      fwrite (word, 1, bytes, stdout);
      column += columns + !is_first;
      word += bytes;
      word += strspn (word, " ");
    }
  putchar ('\n');
  free (plain);
  return true;
}

/* ---- The calling context.  */

/* Write the short form of NODE's frame to OUT, after BEFORE.  */
static bool
write_node (FILE *out, const struct heap_report *report, uint32_t node,
	    const char *before)
{
  char *text
    = site_text (report, heap_profile_context_frame (report->profile, node));
  if (text == NULL)
    return false;
  fprintf (out, "%s%s", before, text);
  free (text);
  return true;
}

/* Write the frames from below SITE to CONTEXT, outermost first.  */
static bool
write_inside (FILE *out, const struct heap_report *report, uint32_t context,
	      uint32_t site)
{
  uint32_t nodes[256];
  size_t count = 0;
  for (uint32_t node = context;
       (node != site && node != 0 && count < sizeof nodes / sizeof *nodes);
       node = heap_profile_context_caller (report->profile, node))
    if (!shown_frames_hide (&report->wrappers, node))
      nodes[count++] = node;
  for (size_t i = count; i > 0; i--)
    if (!write_node (out, report, nodes[i - 1], i == count ? "" : ", "))
      return false;
  return true;
}

/* Return the caller of NODE, without frames inside the C++ library; 0 if there
   is none, or NODE is main.  */
static uint32_t
caller_of (const struct heap_report *report, uint32_t node)
{
  if (strcmp (linkage_name_of (report, node), "main") == 0)
    return 0;
  do
    node = heap_profile_context_caller (report->profile, node);
  while (node != 0 && shown_frames_hide (&report->wrappers, node));
  return node;
}

/* Write the innermost callers of SITE.  */
static bool
write_callers (FILE *out, const struct heap_report *report, uint32_t site)
{
  uint32_t node = caller_of (report, site);
  for (int i = 0; node != 0 && i < SHOWN_CALLERS; i++)
    {
      if (!write_node (out, report, node, i == 0 ? "" : ", "))
	return false;
      node = caller_of (report, node);
    }
  if (node != 0)
    fputs (", ...", out);
  return true;
}

/* Print the frames of ITEM's context on both sides of its site.  */
static bool
print_context (const struct heap_report *report, const struct advice *item)
{
  char *inside = NULL;
  char *callers = NULL;
  struct advice_text text;
  bool is_done = true;
  if (item->context == 0)
    return true;
  if (advice_text_start (&text, &inside))
    {
      is_done = write_inside (text.out, report, item->context, item->site);
      is_done = advice_text_end (&text) && is_done;
    }
  if (is_done && advice_text_start (&text, &callers))
    {
      is_done = write_callers (text.out, report, item->site);
      is_done = advice_text_end (&text) && is_done;
    }
  is_done = is_done && inside != NULL && callers != NULL;
  if (is_done && *inside != '\0')
    is_done = print_wrapped ("     through", 14, inside);
  if (is_done && *callers != '\0')
    is_done = print_wrapped ("     from", 14, callers);
  free (callers);
  free (inside);
  return is_done;
}

/* ---- One advice.  */

/* Print where ITEM is about.  */
static bool
print_place (const struct heap_report *report, const struct advice *item)
{
  char *where = NULL;
  bool is_done;
  if (item->frame != 0)
    {
      const struct heap_frame *frame
	= heap_profile_frame (report->profile, item->frame);
      char *name = frame_name_text (report, frame, false);
      char *place = frame_place_text (report, frame);
      if (name == NULL || place == NULL
	  || asprintf (&where, "%s%s", name, place) < 0)
	where = NULL;
      free (place);
      free (name);
    }
  else if (*item->function == '\0')
    where = strdup ("the whole program");
  else
    {
      char *name = function_name_demangle (item->function, false);
      if (name == NULL
	  || (*item->file != '\0'
		? asprintf (&where, "%s at %s:%u", name, item->file, item->line)
		: asprintf (&where, "%s", name))
	       < 0)
	where = NULL;
      free (name);
    }
  is_done = where != NULL && print_wrapped ("     in", 14, where);
  free (where);
  return is_done;
}

static enum terminal_colour
colour_of (const struct advice *item)
{
  return advice_kind_facts (item->kind)->is_warning ? TERMINAL_RED
						    : TERMINAL_BOLD;
}

static bool
print_item (const struct heap_report *report, const struct advice *item,
	    size_t number)
{
  char share[NUMBER_TEXT_BYTES];
  const struct advice_gain *gain = &item->gain;
  printf ("\n%3zu. %s%s%s: up to %s%% of the %s\n", number,
	  terminal_colour (colour_of (item)),
	  advice_kind_facts (item->kind)->name,
	  terminal_colour (TERMINAL_PLAIN),
	  share_text (share, gain->share_percent, 100),
	  advice_unit_words (gain->unit));
  if (!print_place (report, item) || !print_context (report, item)
      || !print_wrapped ("     figures", 14, item->evidence)
      || !print_wrapped ("     to do", 14, item->action))
    return false;
  return true;
}

static bool
print_sentences (const char *title, const struct advice_sentences *sentences)
{
  if (sentences->count > 0)
    printf ("\n%s%s%s\n", terminal_colour (TERMINAL_BOLD), title,
	    terminal_colour (TERMINAL_PLAIN));
  for (size_t i = 0; i < sentences->count; i++)
    if (!print_wrapped ("  -", 4, sentences->list[i]))
      return false;
  return true;
}

static void
print_totals (const struct advice_list *advice)
{
  const struct heap_report *report = advice->report;
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  char text[NUMBER_TEXT_BYTES];
  uint64_t blocks = context_measure (&report->total, CONTEXT_ALLOCATIONS);
  uint64_t bytes = context_measure (&report->total, CONTEXT_BYTES);
  printf ("%s block%s", number_text (text, blocks), blocks != 1 ? "s" : "");
  printf (", %s allocated", bytes_text (text, (double) bytes));
  if (advice->memory_bytes > 0)
    printf (", %s in memory on average",
	    bytes_text (text, advice->memory_bytes));
  if (totals->peak_bytes > 0)
    printf (", %s at most", bytes_text (text, (double) totals->peak_bytes));
  putchar ('\n');
}

bool
advise_print_text (const struct advice_list *advice,
		   const struct advise_print *print)
{
  size_t shown = advise_shown (advice, print);
  printf ("%sAdvice on ", terminal_colour (TERMINAL_BOLD));
  print_text (print->path);
  printf ("%s\n\n", terminal_colour (TERMINAL_PLAIN));
  print_totals (advice);
  if (heap_report_is_filtered (advice->report))
    puts ("Only the chosen contexts; shares are of the whole program.");
  if (!print_looked_through (advice->report, &advice->report->looked_through))
    return false;
  for (size_t i = 0; i < shown; i++)
    if (!print_item (advice->report, &advice->list[i], i + 1))
      return false;
  if (advice->count == 0)
    puts ("\nNo advice.");
  else if (shown < advice->count)
    printf ("\n%zu more (--limit=0 shows all)\n", advice->count - shown);
  return print_sentences ("What limits the gain", &advice->limits)
	 && print_sentences ("What the profile does not tell",
			     &advice->missing);
}

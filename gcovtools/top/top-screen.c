/* The tables of `top' on the screen of a terminal.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "top-view.h"
#include <config.h>

#ifndef HAVE_NCURSES

bool
top_has_screen (void)
{
  return false;
}

bool
top_show (struct top *top, const struct top_view *view,
	  struct profile_error *err)
{
  (void) top;
  (void) view;
  return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			    "built without ncurses");
}

#else

#include "frame-text.h"
#include "monotonic-time.h"
#include "text-output.h"
#include <curses.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define ESCAPE 27
#define FILTER_BYTES 100

/* Columns of each number, with the blank before it.  */
#define CELL_COLUMNS 11

/* Lines for the processes, at most, and of the keys at the bottom.  */
#define MOST_SOURCE_LINES 4
#define KEY_LINES 1

struct screen
{
  struct top *top;
  struct top_view view;
  bool is_paused;
  bool shows_help;
  bool is_typing; /* a filter */
  char typed[FILTER_BYTES];
  struct pattern_list filter; /* empty: all rows */
  char filter_text[FILTER_BYTES];
  char problem[PROFILE_ERROR_CAUSE_BYTES]; /* shown instead of the keys; "":
					      none */
  const struct top_row **rows;		   /* as shown; malloced */
  size_t count;
  char *selected; /* name of the selected row; malloced; NULL: the first */
  size_t first;	  /* row on the first line */
};

bool
top_has_screen (void)
{
  return true;
}

/* ---- Text.  */

/* Write TEXT to the line Y from column X on, as far as it fits.  */
static void
put (int y, int x, const char *text)
{
  mbstate_t state = { 0 };
  size_t bytes = 0;
  int columns = COLS - x;
  if (y >= LINES || columns <= 0)
    return;
  for (size_t rest = strlen (text); bytes < rest;)
    {
      wchar_t c;
      size_t n = mbrtowc (&c, text + bytes, rest - bytes, &state);
      int width = n == 0 || n > rest ? -1 : wcwidth (c);
      if (width < 0)
	{
	  n = 1;
	  width = 1;
	  memset (&state, 0, sizeof state);
	}
      if (width > columns)
	break;
      columns -= width;
      bytes += n;
    }
  mvaddnstr (y, x, text, (int) bytes);
}

/* Write TEXT, which is ASCII, to the line Y, so that it ends before column
   X.  */
static void
put_right (int y, int x, const char *text)
{
  int bytes = (int) strlen (text);
  put (y, bytes < x ? x - bytes : 0, text);
}

/* ---- Rows.  */

static bool
has_filter (const struct screen *screen)
{
  return screen->filter.count > 0;
}

/* Return the number of the selected row, 0 if it is not there any more.  */
static size_t
selected_number (const struct screen *screen)
{
  for (size_t i = 0; screen->selected != NULL && i < screen->count; i++)
    if (strcmp (screen->rows[i]->name, screen->selected) == 0)
      return i;
  return 0;
}

static void
select_row (struct screen *screen, size_t number)
{
  if (number >= screen->count)
    return;
  char *name = strdup (screen->rows[number]->name);
  if (name == NULL)
    return;
  free (screen->selected);
  screen->selected = name;
}

/* Sort the rows again.  Return false if memory is exhausted.  */
static bool
order_rows (struct screen *screen)
{
  const struct top_table *table = &screen->top->tables[screen->view.by];
  free (screen->rows);
  screen->rows = calloc (table->count + 1, sizeof *screen->rows);
  screen->count = 0;
  if (screen->rows == NULL)
    return false;
  screen->count
    = top_order (table, screen->view.sort,
		 has_filter (screen) ? &screen->filter : NULL, screen->rows);
  return true;
}

/* ---- Drawing.  */

static int
draw_sources (const struct screen *screen)
{
  const struct top *top = screen->top;
  char text[NAME_MAX + 300];
  int y = 0;
  for (size_t i = 0; i < top->source_count && y < MOST_SOURCE_LINES; i++, y++)
    {
      top_source_text (&top->sources[i], text, sizeof text);
      put (y, 0, text);
    }
  if (top->source_count <= 1)
    return y;
  char live[NUMBER_TEXT_BYTES];
  char blocks[NUMBER_TEXT_BYTES];
  snprintf (text, sizeof text, "%zu processes: live %s in %s blocks",
	    top->source_count,
	    bytes_text (live, (double) top->total.numbers.live_bytes),
	    number_text (blocks, top->total.numbers.live_blocks));
  put (y++, 0, text);
  return y;
}

static int
draw_state (const struct screen *screen, int y)
{
  char text[NAME_MAX + 300];
  char rate[NUMBER_TEXT_BYTES] = "-";
  const struct top *top = screen->top;
  if (top->total.bytes_rate >= 0)
    bytes_text (rate, top->total.bytes_rate);
  snprintf (text, sizeof text, "by %s, sorted by %s, %s/s allocated%s%s%s%s%s",
	    top_by_names[screen->view.by], top_sort_names[screen->view.sort],
	    rate, screen->is_paused ? ", PAUSED" : "",
	    has_filter (screen) ? ", filter: " : "", screen->filter_text,
	    screen->view.by == TOP_CONTEXTS ? ", of " : "",
	    screen->view.by == TOP_CONTEXTS ? top->inside : "");
  put (y, 0, text);
  return y + 1;
}

static void
draw_titles (const struct screen *screen, int y)
{
  attron (A_REVERSE);
  mvhline (y, 0, ' ', COLS);
  for (int i = 0; i < TOP_CELLS; i++)
    put_right (y, (i + 1) * CELL_COLUMNS - 1, top_cell_titles[i]);
  put (y, TOP_CELLS * CELL_COLUMNS, top_by_names[screen->view.by]);
  attroff (A_REVERSE);
}

static void
draw_row (const struct top_row *row, int y, bool is_selected)
{
  char cells[TOP_CELLS][NUMBER_TEXT_BYTES];
  top_cells (row, cells);
  if (is_selected)
    attron (A_BOLD | A_UNDERLINE);
  for (int i = 0; i < TOP_CELLS; i++)
    put_right (y, (i + 1) * CELL_COLUMNS - 1, cells[i]);
  put (y, TOP_CELLS * CELL_COLUMNS, row->name);
  if (is_selected)
    attroff (A_BOLD | A_UNDERLINE);
}

/* Draw rows from line Y up to line END.  */
static void
draw_rows (struct screen *screen, int y, int end)
{
  size_t lines = end > y ? (size_t) (end - y) : 0;
  size_t selected = selected_number (screen);
  if (selected < screen->first)
    screen->first = selected;
  if (lines > 0 && selected >= screen->first + lines)
    screen->first = selected - lines + 1;
  if (screen->count <= lines)
    screen->first = 0;
  for (size_t i = 0; i < lines && screen->first + i < screen->count; i++)
    draw_row (screen->rows[screen->first + i], y + (int) i,
	      screen->first + i == selected);
  if (screen->count == 0)
    put (y, 2, has_filter (screen) ? "(no row matches)" : "(nothing)");
}

/* Draw the frames of the selected context from line Y on, as many as fit above
   line END.  */
static void
draw_frames (const struct screen *screen, int y, int end)
{
  const struct top *top = screen->top;
  char *text = NULL;
  size_t size = 0;
  char *rest;
  if (screen->count == 0)
    return;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    return;
  uint32_t context = screen->rows[selected_number (screen)]->context;
  write_calling_context (&top->report, context, out);
  if (fclose (out) != 0)
    return;
  mvhline (y++, 0, ACS_HLINE, COLS);
  for (char *line = strtok_r (text, "\n", &rest); line != NULL && y < end;
       line = strtok_r (NULL, "\n", &rest))
    put (y++, 0, line + strspn (line, " "));
  free (text);
}

static void
draw_help (int y)
{
  static const char *const lines[] = {
    "s y t p      by site, type, thread, process",
    "l b r a c    sort by live bytes, live blocks, rate, all bytes, accesses",
    "up down      select a row (also k, j, page up, page down, home, end)",
    "enter        show the calling contexts of the selected site",
    "escape       back to the sites; without them, end the filter",
    "/            show only rows whose names match a regular expression",
    "space        pause, or go on",
    "h ?          this help, or back",
    "q            quit",
    "",
    "live: bytes that are allocated now, in how many blocks",
    "bytes/s, blocks/s: allocated since the last reading",
    "total: bytes allocated since the start",
    "accesses: to blocks that were freed; - if none were counted"
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    put (y + (int) i, 2, lines[i]);
}

static void
draw_bottom (const struct screen *screen)
{
  char text[2 * FILTER_BYTES];
  mvhline (LINES - 1, 0, ' ', COLS);
  if (screen->is_typing)
    {
      snprintf (text, sizeof text, "/%s", screen->typed);
      put (LINES - 1, 0, text);
    }
  else if (screen->problem[0] != '\0')
    put (LINES - 1, 0, screen->problem);
  else
    put (LINES - 1, 0,
	 "h help  q quit  space pause  s y t p tables  l b r a c sort  "
	 "/ filter  enter contexts");
}

static void
draw (struct screen *screen)
{
  int end = LINES - KEY_LINES;
  erase ();
  int y = draw_state (screen, draw_sources (screen));
  if (screen->shows_help)
    draw_help (y + 1);
  else
    {
      bool has_frames = screen->view.by == TOP_CONTEXTS && end - y > 10;
      int middle = has_frames ? y + (end - y) / 2 : end;
      draw_titles (screen, y);
      draw_rows (screen, y + 1, middle);
      if (has_frames)
	draw_frames (screen, middle, end);
    }
  draw_bottom (screen);
  refresh ();
}

/* ---- Keys.  */

static void
set_problem (struct screen *screen, const char *text)
{
  snprintf (screen->problem, sizeof screen->problem, "%s", text);
}

/* Show the table BY.  */
static void
show_table (struct screen *screen, enum top_by by)
{
  screen->view.by = by;
  screen->first = 0;
  free (screen->selected);
  screen->selected = NULL;
}

/* Show the contexts of the selected site.  */
static void
enter_site (struct screen *screen)
{
  if (screen->view.by != TOP_SITES || screen->count == 0)
    return;
  char *inside = strdup (screen->rows[selected_number (screen)]->name);
  if (inside == NULL)
    return;
  free (screen->top->inside);
  screen->top->inside = inside;
  if (!top_look_inside (screen->top))
    set_problem (screen, "memory exhausted");
  show_table (screen, TOP_CONTEXTS);
}

static void
set_filter (struct screen *screen, const char *text)
{
  struct pattern_list filter = { 0 };
  char why[60];
  if (*text != '\0' && !pattern_list_add (&filter, text, why, sizeof why))
    {
      set_problem (screen, why);
      return;
    }
  pattern_list_release (&screen->filter);
  screen->filter = filter;
  snprintf (screen->filter_text, sizeof screen->filter_text, "%s", text);
  screen->first = 0;
}

/* Leave the contexts of a site, or end the filter.  */
static void
go_back (struct screen *screen)
{
  screen->shows_help = false;
  if (screen->view.by != TOP_CONTEXTS)
    {
      set_filter (screen, "");
      return;
    }
  show_table (screen, TOP_SITES);
  screen->selected = screen->top->inside;
  screen->top->inside = NULL;
  top_look_inside (screen->top);
}

/* Handle KEY while a filter is typed.  */
static void
type_key (struct screen *screen, int key)
{
  size_t length = strlen (screen->typed);
  if (key == '\n' || key == KEY_ENTER || key == '\r')
    {
      set_filter (screen, screen->typed);
      screen->is_typing = false;
    }
  else if (key == ESCAPE)
    screen->is_typing = false;
  else if ((key == KEY_BACKSPACE || key == '\b' || key == 127) && length > 0)
    screen->typed[length - 1] = '\0';
  else if (key >= ' ' && key < 256 && key != 127
	   && length + 1 < sizeof screen->typed)
    {
      screen->typed[length] = (char) key;
      screen->typed[length + 1] = '\0';
    }
}

/* Move the selection by STEPS rows.  */
static void
move_selection (struct screen *screen, long steps)
{
  long number = (long) selected_number (screen) + steps;
  long last = (long) screen->count - 1;
  number = number > last ? last : number;
  select_row (screen, (size_t) (number < 0 ? 0 : number));
}

/* Handle KEY if it moves the selection.  */
static void
move_key (struct screen *screen, int key)
{
  switch (key)
    {
    case KEY_UP:
    case 'k':
      move_selection (screen, -1);
      break;
    case KEY_DOWN:
    case 'j':
      move_selection (screen, 1);
      break;
    case KEY_PPAGE:
      move_selection (screen, -LINES / 2);
      break;
    case KEY_NPAGE:
      move_selection (screen, LINES / 2);
      break;
    case KEY_HOME:
      select_row (screen, 0);
      break;
    case KEY_END:
      move_selection (screen, (long) screen->count);
      break;
    default:
      break;
    }
}

/* Handle KEY if it selects a table or an order.  */
static void
view_key (struct screen *screen, int key)
{
  static const char tables[] = "sytp";
  static const char sorts[] = "lbrac";
  const char *found;
  if (key <= 0 || key > 127)
    return;
  if ((found = strchr (tables, key)) != NULL)
    show_table (screen, (enum top_by) (found - tables));
  else if ((found = strchr (sorts, key)) != NULL)
    screen->view.sort = (enum top_sort) (found - sorts);
}

/* Handle KEY.  Return false if it ends the command.  */
static bool
handle_key (struct screen *screen, int key)
{
  screen->problem[0] = '\0';
  if (screen->is_typing)
    {
      type_key (screen, key);
      return true;
    }
  switch (key)
    {
    case 'q':
      return false;
    case ' ':
      screen->is_paused = !screen->is_paused;
      break;
    case 'h':
    case '?':
      screen->shows_help = !screen->shows_help;
      break;
    case '/':
      screen->typed[0] = '\0';
      screen->is_typing = true;
      break;
    case '\n':
    case '\r':
    case KEY_ENTER:
      enter_site (screen);
      break;
    case ESCAPE:
      go_back (screen);
      break;
    default:
      view_key (screen, key);
      move_key (screen, key);
      break;
    }
  return true;
}

/* ---- The loop.  */

/* Wait for a key until END_S.  Return it, ERR if there was none.  */
static int
wait_for_key (double end_s)
{
  double rest_s = end_s - monotonic_time_s ();
  timeout (rest_s <= 0 ? 0 : (int) ceil (rest_s * 1000));
  return getch ();
}

static bool
run (struct screen *screen, struct profile_error *err)
{
  double next_s = monotonic_time_s () + screen->view.delay_s;
  for (;;)
    {
      if (!order_rows (screen))
	return profile_error_set_memory (err, NULL);
      draw (screen);
      int key = wait_for_key (next_s);
      if (key != ERR && !handle_key (screen, key))
	return true;
      if (monotonic_time_s () < next_s)
	continue;
      double start_s = processor_time_s ();
      if (!screen->is_paused && !top_read (screen->top, err))
	set_problem (screen, err->cause);
      next_s
	= monotonic_time_s ()
	  + top_pause_s (screen->view.delay_s, processor_time_s () - start_s);
    }
}

bool
top_show (struct top *top, const struct top_view *view,
	  struct profile_error *err)
{
  struct screen screen = { .top = top, .view = *view };
  setlocale (LC_CTYPE, "");
  SCREEN *terminal = newterm (NULL, stdout, stdin);
  if (terminal == NULL)
    return profile_error_set (err, "TERM", PROFILE_ERROR_NO_OFFSET,
			      "unknown terminal; use --batch");
  cbreak ();
  noecho ();
  keypad (stdscr, TRUE);
  set_escdelay (50);
  curs_set (0);
  bool is_done = run (&screen, err);
  endwin ();
  delscreen (terminal);
  pattern_list_release (&screen.filter);
  free (screen.rows);
  free (screen.selected);
  return is_done;
}

#endif

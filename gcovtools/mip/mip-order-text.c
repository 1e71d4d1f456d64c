/* Orders of functions and static data as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   With -ffunction-sections and -fdata-sections, gcc names the section of each
   function and object after it.  A function's literals are in sections named
   after it as well, but most linkers join them with those of others.  */

#include "mip-order-text.h"
#include "diagnostics.h"
#include "heap-json.h"
#include "mip-commands.h"
#include "plain-text.h"
#include <stdlib.h>
#include <string.h>

/* How sections begin that GNU ld puts into one section of the program.  */
enum section_kind
{
  KIND_TEXT,
  KIND_RODATA,
  KIND_DATA_REL_RO,
  KIND_DATA,
  KIND_BSS,
  KINDS
};

/* The beginning of the names of sections, followed by the name of a function or
   object; and what to rename it to so that GNU ld sorts it.  */
struct prefix
{
  const char *name;
  const char *sorted;
};

struct kind
{
  const char *output; /* section of the program */
  struct prefix prefixes[5];
};

/* Names after a digit come before those of C.  GNU ld sorts .text.sorted by
   itself.  */
static const struct kind kinds[KINDS] = {
  [KIND_TEXT] = { ".text",
		  { { ".text.hot.", ".text.sorted." },
		    { ".text.startup.", ".text.sorted." },
		    { ".text.exit.", ".text.sorted." },
		    { ".text.", ".text.sorted." } } },
  [KIND_RODATA] = { ".rodata", { { ".rodata.", ".rodata.0sorted." } } },
  [KIND_DATA_REL_RO]
  = { ".data.rel.ro",
      { { ".data.rel.ro.local.", ".data.rel.ro.local.0sorted." },
	{ ".data.rel.ro.", ".data.rel.ro.0sorted." } } },
  [KIND_DATA] = { ".data",
		  { { ".data.", ".data.0sorted." },
		    { ".data.rel.local.", ".data.0sorted." },
		    { ".data.rel.", ".data.0sorted." } } },
  [KIND_BSS] = { ".bss", { { ".bss.", ".bss.0sorted." } } },
};

/* Sections with the literals of a function, and its other constants without a
   name: the same beginnings as those with its code, and these ends.  objcopy
   takes no patterns, and time that is quadratic in the number of sections, so
   it gets only the common ones.  */
static const struct prefix literal_prefixes[]
  = { { ".rodata.", ".rodata.0sorted." },
      { ".rodata.startup.", ".rodata.0sorted." },
      { ".rodata.hot.", ".rodata.0sorted." },
      { ".rodata.exit.", ".rodata.0sorted." },
      { NULL, NULL } };
static const char *const literal_patterns[] = { "", ".str*", ".cst*", NULL };
static const char *const literal_suffixes[]
  = { "", ".str1.1", ".str1.8", ".cst8", ".cst16", NULL };
static const char *const no_suffixes[] = { "", NULL };

/* A function, the literals of one, or an object.  */
struct item
{
  const char *name;
  enum section_kind kind;
  bool is_literals;
  bool is_repeated; /* the same text was printed for an earlier one */
  bool is_left_out; /* the format cannot express the name */
  uint32_t module;
};

struct items
{
  struct item *items; /* malloced */
  size_t count;
};

/* Return true if NAME can be written in FORMAT, which has no escapes.  Section
   names are patterns, and a name must not end its context in a linker
   script.  */
static bool
is_possible (const char *name, enum mip_order_format format)
{
  const char *marks
    = format == MIP_ORDER_SYMBOLS ? " #" : " #*?[]{}()<>\"'\\,;:=!/";
  return *name != '\0' && plain_text_is_all_plain (name, strlen (name))
	 && strcspn (name, marks) == strlen (name);
}

static void
add_functions (struct items *items, const struct mip_order *order,
	       bool is_literals)
{
  for (size_t i = 0; i < order->count; i++)
    {
      const struct mip_function *function
	= &order->profile->functions[order->functions[i]];
      items->items[items->count++]
	= (struct item){ .name = mip_function_name (order->profile, function),
			 .kind = is_literals ? KIND_RODATA : KIND_TEXT,
			 .is_literals = is_literals,
			 .module = function->module };
    }
}

static void
add_data (struct items *items, const struct mip_data *data)
{
  static const enum section_kind of_section[STATIC_DATA_SECTIONS]
    = { [STATIC_DATA_RODATA] = KIND_RODATA,
	[STATIC_DATA_DATA_REL_RO] = KIND_DATA_REL_RO,
	[STATIC_DATA_DATA] = KIND_DATA,
	[STATIC_DATA_BSS] = KIND_BSS };
  for (size_t i = 0; i < data->count; i++)
    items->items[items->count++]
      = (struct item){ .name = data->data[i].name,
		       .kind = of_section[data->data[i].section],
		       .module = data->data[i].module };
}

/* Order those with the same sections together, the first one first.  */
static int
compare_sections (const void *a, const void *b)
{
  const struct item *x = *(struct item *const *) a;
  const struct item *y = *(struct item *const *) b;
  int order = strcmp (x->name, y->name);
  if (order == 0)
    order = (x->kind > y->kind) - (x->kind < y->kind);
  if (order == 0)
    order
      = (x->is_literals > y->is_literals) - (x->is_literals < y->is_literals);
  return order != 0 ? order : (x > y) - (x < y);
}

/* The same by name only.  */
static int
compare_names (const void *a, const void *b)
{
  const struct item *x = *(struct item *const *) a;
  const struct item *y = *(struct item *const *) b;
  int order = strcmp (x->name, y->name);
  return order != 0 ? order : (x > y) - (x < y);
}

/* Find the names that FORMAT cannot express, and those that appeared before:
   local functions and objects of several files.  Return false if memory is
   exhausted.  */
static bool
mark_items (struct items *items, enum mip_order_format format)
{
  bool is_by_name = format == MIP_ORDER_SYMBOLS;
  struct item **sorted = calloc (items->count + 1, sizeof *sorted);
  if (sorted == NULL)
    return false;
  for (size_t i = 0; i < items->count; i++)
    {
      struct item *item = &items->items[i];
      item->is_left_out = !is_possible (item->name, format);
      sorted[i] = item;
    }
  qsort (sorted, items->count, sizeof *sorted,
	 is_by_name ? compare_names : compare_sections);
  for (size_t i = 1; i < items->count; i++)
    {
      const struct item *before = sorted[i - 1];
      sorted[i]->is_repeated
	= strcmp (before->name, sorted[i]->name) == 0
	  && (is_by_name
	      || (before->kind == sorted[i]->kind
		  && before->is_literals == sorted[i]->is_literals));
    }
  free (sorted);
  return true;
}

static bool
collect_items (struct items *items, const struct mip_order *order,
	       enum mip_order_format format)
{
  bool has_literals = order->data != NULL && format != MIP_ORDER_SYMBOLS
		      && format != MIP_ORDER_JSON;
  items->items = calloc (2 * order->count
			   + (order->data != NULL ? order->data->count : 0) + 1,
			 sizeof *items->items);
  if (items->items == NULL)
    return false;
  if (order->has_functions)
    add_functions (items, order, false);
  if (order->data != NULL)
    add_data (items, order->data);
  if (has_literals)
    add_functions (items, order, true);
  return format == MIP_ORDER_JSON || mark_items (items, format);
}

/* Print the sections of ITEM, which is number NUMBER in the order, from 0.  */
static void
print_sections (const struct item *item, size_t number,
		enum mip_order_format format)
{
  const bool is_short = item->is_literals && format == MIP_ORDER_SORTED;
  const struct prefix *prefix
    = item->is_literals ? literal_prefixes : kinds[item->kind].prefixes;
  const struct prefix *end = is_short ? prefix + 2 : NULL;
  const char *const *suffixes = !item->is_literals ? no_suffixes
				: is_short	   ? literal_suffixes
						   : literal_patterns;
  for (; prefix != end && prefix->name != NULL; prefix++)
    for (const char *const *suffix = suffixes; *suffix != NULL; suffix++)
      if (format == MIP_ORDER_SORTED)
	printf ("--rename-section=%s%s%s=%s%06zu\n", prefix->name, item->name,
		*suffix, prefix->sorted, number + 1);
      else if (format == MIP_ORDER_SECTIONS)
	printf ("%s%s%s\n", prefix->name, item->name, *suffix);
      else
	printf ("%s  *(%s%s%s)\n", format == MIP_ORDER_LD_INSERT ? "  " : "",
		prefix->name, item->name, *suffix);
}

static bool
is_printed (const struct item *item)
{
  return !item->is_repeated && !item->is_left_out;
}

/* Print those of ITEMS that are of KIND; KINDS: all.  */
static void
print_kind (const struct items *items, enum section_kind kind,
	    enum mip_order_format format)
{
  for (size_t i = 0; i < items->count; i++)
    {
      const struct item *item = &items->items[i];
      if (!is_printed (item) || (kind != KINDS && item->kind != kind))
	continue;
      if (format == MIP_ORDER_SYMBOLS)
	printf ("%s\n", item->name);
      else
	print_sections (item, i, format);
    }
}

static bool
has_kind (const struct items *items, enum section_kind kind)
{
  for (size_t i = 0; i < items->count; i++)
    if (items->items[i].kind == kind && is_printed (&items->items[i]))
      return true;
  return false;
}

/* Print ITEMS in a linker script.  In GNU ld's own, constants begin at a new
   page, but what is inserted before them would share the last page of code.  */
static void
print_script (const struct items *items, enum mip_order_format format)
{
  for (enum section_kind kind = KIND_TEXT; kind < KINDS; kind++)
    {
      const char *output = kinds[kind].output;
      if (!has_kind (items, kind))
	continue;
      if (format == MIP_ORDER_LD_INSERT)
	printf ("SECTIONS\n{\n  %s.ordered %s:\n  {\n", output,
		kind == KIND_RODATA ? "ALIGN (CONSTANT (MAXPAGESIZE)) " : "");
      else
	printf ("%s : {\n", output);
      print_kind (items, kind, format);
      if (format == MIP_ORDER_LD_INSERT)
	printf ("  }\n}\nINSERT BEFORE %s;\n", output);
      else
	printf ("}\n");
    }
}

/* Print ITEM, number NUMBER in the order, as JSON.  */
static bool
print_row (const struct item *item, size_t number)
{
  json_t *row = json_object ();
  bool is_done
    = row != NULL && json_set_text (row, "name", item->name)
      && json_set_number (row, "module", item->module)
      && json_set_number (row, "order", number)
      && (item->kind == KIND_TEXT
	  || json_set_text (row, "section", kinds[item->kind].output))
      && json_print (number > 1 ? ",\n " : "\n ", json_incref (row));
  json_decref (row);
  return is_done;
}

static bool
print_json (const struct items *items)
{
  bool is_done = true;
  printf ("[");
  for (size_t i = 0; i < items->count && is_done; i++)
    is_done = print_row (&items->items[i], i + 1);
  printf ("\n]\n");
  return is_done;
}

static void
warn_about (size_t count, const char *what)
{
  if (count > 0)
    diagnostics_warning ("%zu %s omitted: the format cannot express their "
			 "names",
			 count, what);
}

static void
warn_left_out (const struct items *items)
{
  size_t functions = 0, objects = 0;
  for (size_t i = 0; i < items->count; i++)
    {
      const struct item *item = &items->items[i];
      functions += item->is_left_out && item->kind == KIND_TEXT;
      objects
	+= item->is_left_out && item->kind != KIND_TEXT && !item->is_literals;
    }
  warn_about (functions, "functions");
  warn_about (objects, "variables and constants");
}

bool
mip_order_print (const struct mip_order *order, enum mip_order_format format)
{
  struct items items = { 0 };
  bool is_done = collect_items (&items, order, format);
  if (is_done && format == MIP_ORDER_JSON)
    is_done = print_json (&items);
  else if (is_done)
    {
      if (format == MIP_ORDER_LD_SCRIPT || format == MIP_ORDER_LD_INSERT)
	print_script (&items, format);
      else
	print_kind (&items, KINDS, format);
      warn_left_out (&items);
    }
  free (items.items);
  return is_done;
}

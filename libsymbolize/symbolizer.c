/* Translating addresses of one module to source frames.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdw reads the debug information, DWARF 4 and 5; the unit map and the inline
   index find the entries in it.  */

#include "symbolizer.h"
#include "entry-attributes.h"
#include "function-facts.h"
#include "function-id.h"
#include "function-ranges.h"
#include "line-discriminators.h"
#include "partial-units.h"
#include "unit-map.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On inlined calls; used by GCC and clang, but not in every dwarf.h.  */
#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

/* Sources of problems: the file's own debug information, dwz's, lines, split
   units.  */
#define MOST_PROBLEMS 4

struct symbolizer
{
  struct object_file *file;
  bool has_looked_for_debug_info;
  Dwarf *dwarf;
  uint64_t bias;
  struct line_discriminators discriminators;
  struct unit_map units;
  struct partial_units partial;
  struct symbolizer_frame *frames;
  size_t frame_capacity;
  struct function_ranges ranges;
  const char *problems[MOST_PROBLEMS]; /* NULL: no more */
  struct function_facts_store functions;
  struct site_types *types; /* NULL: none */
};

/* Source position of a frame.  */
struct position
{
  const char *file;
  const char *directory;
  uint32_t line;
  uint32_t column;
  uint32_t discriminator;
};

struct symbolizer *
symbolizer_open (struct object_file *file)
{
  struct symbolizer *symbolizer = calloc (1, sizeof *symbolizer);
  if (symbolizer == NULL)
    object_file_close (file);
  else
    symbolizer->file = file;
  return symbolizer;
}

void
symbolizer_close (struct symbolizer *symbolizer)
{
  if (symbolizer == NULL)
    return;
  unit_map_release (&symbolizer->units);
  function_ranges_release (&symbolizer->ranges);
  function_facts_release (&symbolizer->functions);
  site_types_free (symbolizer->types);
  object_file_close (symbolizer->file);
  line_discriminators_release (&symbolizer->discriminators);
  free (symbolizer->frames);
  free (symbolizer);
}

struct object_file *
symbolizer_file (struct symbolizer *symbolizer)
{
  return symbolizer->file;
}

const char *
symbolizer_problem (const struct symbolizer *symbolizer, size_t number)
{
  return number < MOST_PROBLEMS ? symbolizer->problems[number] : NULL;
}

/* Add PROBLEM, unless it is NULL or already listed.  */
static void
add_problem (struct symbolizer *symbolizer, const char *problem)
{
  for (size_t i = 0; i < MOST_PROBLEMS && problem != NULL; i++)
    if (symbolizer->problems[i] == NULL)
      {
	symbolizer->problems[i] = problem;
	return;
      }
    else if (strcmp (symbolizer->problems[i], problem) == 0)
      return;
}

/* Return true if DWARF needs a common file created by dwz that was not
   found.  */
static bool
lacks_common_file (Dwarf *dwarf)
{
  const char *name;
  const void *build_id;
  return dwelf_dwarf_gnu_debugaltlink (dwarf, &name, &build_id) > 0
	 && dwarf_getalt (dwarf) == NULL;
}

/* Read all units.  Return false if memory is exhausted.  */
static bool
read_all_units (struct symbolizer *symbolizer)
{
  struct debug_content *content = symbolizer->partial.content;
  symbolizer->partial.content = NULL;
  unit_map_release (&symbolizer->units);
  if (content != NULL && !debug_content_complete (content))
    {
      add_problem (symbolizer, "its debug information cannot be read");
      symbolizer->dwarf = NULL;
      return true;
    }
  return line_discriminators_replace (&symbolizer->discriminators,
				      symbolizer->dwarf)
	 && unit_map_build (&symbolizer->units, symbolizer->dwarf,
			    symbolizer->file, symbolizer->bias);
}

/* Make the unit of ADDRESS ready for unit_map_find, if there is one.  Return
   false if memory is exhausted.  */
static bool
reach_unit (struct symbolizer *symbolizer, uint64_t address)
{
  return symbolizer->partial.content == NULL
	 || partial_units_reach (&symbolizer->partial, &symbolizer->units,
				 address)
	 || read_all_units (symbolizer);
}

/* Open the debug information on first use.  Return false if memory is
   exhausted.  */
static bool
open_debug_info (struct symbolizer *symbolizer)
{
  if (symbolizer->has_looked_for_debug_info)
    return true;
  symbolizer->has_looked_for_debug_info = true;
  Dwarf *dwarf = object_file_partial_info (symbolizer->file, &symbolizer->bias,
					   &symbolizer->partial.content);
  add_problem (symbolizer, object_file_debug_problem (symbolizer->file));
  if (dwarf == NULL)
    return true;
  symbolizer->dwarf = dwarf;
  symbolizer->partial.dwarf = dwarf;
  bool is_partial
    = symbolizer->partial.content != NULL
      && partial_units_list (&symbolizer->partial, &symbolizer->units,
			     symbolizer->file, symbolizer->bias);
  if (!is_partial && !read_all_units (symbolizer))
    return false;
  if (symbolizer->dwarf == NULL)
    return true;
  site_names_read (&symbolizer->functions.site_names, dwarf_getelf (dwarf));
  symbolizer->types = site_types_read (dwarf_getelf (dwarf));
  if (lacks_common_file (dwarf))
    add_problem (symbolizer, "the common debug file that dwz created for it "
			     "was not found: names are missing");
  return true;
}

bool
symbolizer_has_debug_info (struct symbolizer *symbolizer)
{
  return open_debug_info (symbolizer) && symbolizer->dwarf != NULL
	 && symbolizer->units.count > 0;
}

static void
set_function (struct symbolizer_frame *frame, const char *name)
{
  frame->function = name;
  frame->function_bytes
    = name != NULL ? function_canonical_bytes (name, strlen (name)) : 0;
}

static void
set_position (struct symbolizer_frame *frame, const struct position *position)
{
  frame->file = position->file;
  frame->directory = position->directory;
  frame->line = position->line;
  frame->column = position->column;
  frame->discriminator = position->discriminator;
}

/* Return the name of the function of FACTS, whose code is at ADDRESS, with
   IS_INLINE inside another function: its linkage name, or otherwise its plain
   name.  If the debug information has no linkage name for a function with code
   of its own, the symbol table has.  */
static const char *
function_name (struct symbolizer *symbolizer,
	       const struct function_facts *facts, bool is_inline,
	       uint64_t address)
{
  const char *symbol = NULL;
  if (!is_inline && !facts->is_described)
    symbol = object_file_symbol (symbolizer->file, address, facts->name);
  if (symbol != NULL)
    return symbol;
  return facts->linkage_name != NULL ? facts->linkage_name : facts->name;
}

/* Fill FRAME for NODE, whose entry is DIE, at POSITION.  Return false if memory
   is exhausted.  */
static bool
fill_frame (struct symbolizer *symbolizer, struct symbolizer_frame *frame,
	    struct inline_node *node, Dwarf_Die *die,
	    const struct position *position, uint64_t address)
{
  if (node->facts == NULL)
    node->facts = function_facts_find (&symbolizer->functions, die);
  if (node->facts == NULL)
    return false;
  memset (frame, 0, sizeof *frame);
  set_position (frame, position);
  frame->is_inline = node->outer != INLINE_INDEX_NONE;
  frame->start_line = node->facts->start_line;
  frame->declared_in = node->facts->declared_in;
  frame->columns_differ = node->facts->columns_differ;
  frame->described_name = node->facts->described_name;
  set_function (frame, function_name (symbolizer, node->facts, frame->is_inline,
				      address));
  frame->allocates
    = site_types_find (symbolizer->types, frame->file, frame->line,
		       frame->column, frame->function, frame->function_bytes,
		       &frame->type);
  return true;
}

/* Return true if the code at ADDRESS, of a function that the source calls NAME,
   was split off the function by GCC.  Only the symbol table shows that.  */
static bool
is_split (struct symbolizer *symbolizer, uint64_t address, const char *name)
{
  const char *symbol = object_file_symbol (symbolizer->file, address, name);
  return symbol != NULL
	 && strstr (symbol + function_canonical_bytes (symbol, strlen (symbol)),
		    ".part.")
	      != NULL;
}

/* Return true if FILE is a path below DIRECTORY. libdw has already joined them
   for files in the folder where the compiler ran, which may itself be a
   relative path, as with -fdebug-prefix-map.  */
static bool
is_below (const char *file, const char *directory)
{
  size_t bytes = strlen (directory);
  return bytes > 0 && strncmp (file, directory, bytes) == 0
	 && file[bytes] == '/';
}

/* Set the source file of *POSITION to UNIT's name FILE.  */
static void
set_file (struct position *position, Dwarf_Die *unit, const char *file)
{
  Dwarf_Attribute attribute;
  position->file = file;
  position->directory = NULL;
  if (file == NULL || file[0] == '/'
      || dwarf_attr (unit, DW_AT_comp_dir, &attribute) == NULL)
    return;
  const char *directory = dwarf_formstring (&attribute);
  if (directory != NULL && !is_below (file, directory))
    position->directory = directory;
}

/* Return the position in the row of the line table for ADDRESS.  */
static struct position
line_position (const struct symbolizer *symbolizer, struct unit *unit,
	       uint64_t address)
{
  struct position position = { 0 };
  Dwarf_Line *line = dwarf_getsrc_die (&unit->die, address);
  if (line == NULL)
    return position;
  int number = 0;
  int column = 0;
  unsigned int discriminator = 0;
  set_file (&position, &unit->die, dwarf_linesrc (line, NULL, NULL));
  if (dwarf_lineno (line, &number) == 0 && number > 0)
    position.line = (uint32_t) number;
  if (dwarf_linecol (line, &column) == 0 && column > 0)
    position.column = (uint32_t) column;
  if (dwarf_linediscriminator (line, &discriminator) == 0)
    position.discriminator
      = line_discriminators_value (&symbolizer->discriminators, discriminator);
  return position;
}

/* Return true if UNIT has lines that cannot be read.  */
static bool
has_unreadable_lines (struct unit *unit)
{
  Dwarf_Lines *lines;
  size_t count;
  return dwarf_hasattr (&unit->die, DW_AT_stmt_list)
	 && dwarf_getsrclines (&unit->die, &lines, &count) != 0;
}

/* Return a number from the inlined call DIE itself: call attributes of the
   function that it is an instance of would belong to another call.  */
static uint32_t
own_number_of (Dwarf_Die *die, unsigned int name)
{
  Dwarf_Attribute attribute;
  return attribute_number (dwarf_attr (die, name, &attribute));
}

static struct position
call_position (Dwarf_Die *die)
{
  struct position position = { 0 };
  position.line = own_number_of (die, DW_AT_call_line);
  position.column = own_number_of (die, DW_AT_call_column);
  position.discriminator = own_number_of (die, DW_AT_GNU_discriminator);
  Dwarf_Attribute attribute;
  Dwarf_Die unit;
  if (dwarf_attr (die, DW_AT_call_file, &attribute) != NULL
      && dwarf_cu_die (attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL)
	   != NULL)
    set_file (&position, &unit, attribute_file (&attribute));
  return position;
}

static struct symbolizer_frame *
frame_at (struct symbolizer *symbolizer, size_t number)
{
  if (number == symbolizer->frame_capacity)
    {
      size_t capacity = number > 0 ? 2 * number : 16;
      void *grown
	= realloc (symbolizer->frames, capacity * sizeof *symbolizer->frames);
      if (grown == NULL)
	return NULL;
      symbolizer->frames = grown;
      symbolizer->frame_capacity = capacity;
    }
  return &symbolizer->frames[number];
}

/* Create a frame from the symbol table alone, and POSITION if UNIT, which may
   be NULL, has lines but no functions, as units of assembler sources have.  */
static size_t
symbol_frame (struct symbolizer *symbolizer, uint64_t address,
	      const struct unit *unit, const struct position *position)
{
  struct symbolizer_frame *frame = frame_at (symbolizer, 0);
  if (frame == NULL)
    return 0;
  memset (frame, 0, sizeof *frame);
  set_position (frame, position);
  frame->columns_differ = true;
  frame->lacks_debug_info
    = symbolizer->dwarf == NULL || (unit != NULL && unit->lacks_split_part);
  set_function (frame, object_file_symbol (symbolizer->file, address, NULL));
  return 1;
}

/* Set the frames of SYMBOLIZER to those of ADDRESS: NODE of UNIT, at POSITION,
   and the functions that it is inlined into.  Return their number, 0 if memory
   is exhausted.  */
static size_t
fill_frames (struct symbolizer *symbolizer, struct unit *unit, uint32_t node,
	     struct position position, uint64_t address)
{
  size_t count = 0;
  while (node != INLINE_INDEX_NONE)
    {
      struct inline_node *entry = &unit->index.nodes[node];
      Dwarf_Die die = inline_index_entry (&unit->index, entry);
      struct symbolizer_frame *frame = frame_at (symbolizer, count);
      if (frame == NULL
	  || !fill_frame (symbolizer, frame, entry, &die, &position, address))
	return 0;
      count++;
      node = entry->outer;
      if (node != INLINE_INDEX_NONE)
	position = call_position (&die);
      else
	frame->is_split = is_split (symbolizer, address, entry->facts->name);
    }
  return count;
}

/* Set *UNIT to that of the code at ADDRESS, NULL if there is none.  Return
   false if memory is exhausted.  */
static bool
find_unit (struct symbolizer *symbolizer, uint64_t address, struct unit **unit)
{
  bool is_done = open_debug_info (symbolizer);
  is_done = is_done && reach_unit (symbolizer, address - symbolizer->bias);
  *unit = is_done && symbolizer->dwarf != NULL
	    ? unit_map_find (&symbolizer->units, address - symbolizer->bias)
	    : NULL;
  return is_done;
}

size_t
symbolizer_lookup (struct symbolizer *symbolizer, uint64_t address,
		   const struct symbolizer_frame **frames)
{
  struct position position = { 0 };
  struct unit *unit;
  uint32_t node = INLINE_INDEX_NONE;
  if (!find_unit (symbolizer, address, &unit))
    return 0;
  uint64_t debug_address = address - symbolizer->bias;
  if (unit != NULL)
    {
      position = line_position (symbolizer, unit, debug_address);
      node = inline_index_find (&unit->index, debug_address);
      if (position.file == NULL && has_unreadable_lines (unit))
	add_problem (symbolizer,
		     "the installed libdw cannot read its line table");
      if (unit->lacks_split_part)
	add_problem (symbolizer, "its split debug information (.dwo files) was "
				 "not found");
    }
  size_t count = node == INLINE_INDEX_NONE
		   ? symbol_frame (symbolizer, address, unit, &position)
		   : fill_frames (symbolizer, unit, node, position, address);
  *frames = symbolizer->frames;
  return count;
}

size_t
symbolizer_lookup_scope (struct symbolizer *symbolizer, uint64_t address,
			 const struct symbolizer_frame **frames, uint64_t *end)
{
  const struct position nowhere = { 0 };
  const struct range_map_entry *piece = NULL;
  struct unit *unit;
  if (!find_unit (symbolizer, address, &unit))
    return 0;
  uint64_t debug_address = address - symbolizer->bias;
  if (unit != NULL)
    piece = range_map_piece (&unit->index.map, debug_address);
  *end = piece != NULL ? piece->high + symbolizer->bias : address + 1;
  size_t count
    = piece == NULL
	? symbol_frame (symbolizer, address, unit, &nowhere)
	: fill_frames (symbolizer, unit, piece->value, nowhere, address);
  *frames = symbolizer->frames;
  return count;
}

/* Return the debug information entry of the function whose code is at ADDRESS,
   and set *UNIT to its unit.  NULL if there is none.  */
static struct inline_node *
find_function (struct symbolizer *symbolizer, uint64_t address,
	       struct unit **unit)
{
  *unit = symbolizer->dwarf != NULL
	    ? unit_map_find (&symbolizer->units, address)
	    : NULL;
  uint32_t node = *unit != NULL ? inline_index_find (&(*unit)->index, address)
				: INLINE_INDEX_NONE;
  if (node == INLINE_INDEX_NONE)
    return NULL;
  struct inline_node *nodes = (*unit)->index.nodes;
  while (nodes[node].outer != INLINE_INDEX_NONE)
    node = nodes[node].outer;
  return &nodes[node];
}

bool
symbolizer_function_at (struct symbolizer *symbolizer, uint64_t address,
			bool has_variants, struct symbolizer_function *function)
{
  struct unit *unit;
  struct symbolizer_frame frame;
  const struct position nowhere = { 0 };
  memset (function, 0, sizeof *function);
  if (!open_debug_info (symbolizer)
      || !reach_unit (symbolizer, address - symbolizer->bias))
    return false;
  struct inline_node *node
    = find_function (symbolizer, address - symbolizer->bias, &unit);
  if (node == NULL)
    return true;
  Dwarf_Die die = inline_index_entry (&unit->index, node);
  if (!fill_frame (symbolizer, &frame, node, &die, &nowhere, address)
      || !function_ranges_find (&symbolizer->ranges, &symbolizer->functions,
				unit, node, symbolizer->bias, has_variants,
				function))
    return false;
  function->described_name = frame.described_name;
  function->function = frame.function;
  function->function_bytes = frame.function_bytes;
  function->declared_in = frame.declared_in;
  return true;
}

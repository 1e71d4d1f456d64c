/* Addresses of one module to source frames.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdw reads the debug information, DWARF 4 and 5; the unit map and the
   inline index find the entries in it.  */

#include "symbolizer.h"
#include "constructor-names.h"
#include "function-id.h"
#include "function-scopes.h"
#include "site-names.h"
#include "unit-map.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Of inlined calls; known to GCC and clang, not to every dwarf.h.  */
#ifndef DW_AT_GNU_discriminator
# define DW_AT_GNU_discriminator 0x2136
#endif

struct symbolizer
{
  struct object_file *file;
  bool has_looked_for_debug_info;
  Dwarf *dwarf;
  uint64_t bias;
  struct unit_map units;
  struct symbolizer_frame *frames;
  size_t frame_capacity;
  const char *problem;
  struct constructor_names constructors;
  struct site_names site_names;
  struct function_scopes scopes;
  Dwarf_CU *producer_unit;	/* whose answer COLUMNS_DIFFER is */
  bool columns_differ;
};

/* Where in the source a frame stands.  */
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
  constructor_names_release (&symbolizer->constructors);
  site_names_release (&symbolizer->site_names);
  function_scopes_release (&symbolizer->scopes);
  object_file_close (symbolizer->file);
  free (symbolizer->frames);
  free (symbolizer);
}

struct object_file *
symbolizer_file (struct symbolizer *symbolizer)
{
  return symbolizer->file;
}

const char *
symbolizer_problem (const struct symbolizer *symbolizer)
{
  return symbolizer->problem;
}

/* Open the debug information on first use.  False if memory is exhausted.  */
static bool
open_debug_info (struct symbolizer *symbolizer)
{
  if (symbolizer->has_looked_for_debug_info)
    return true;
  symbolizer->has_looked_for_debug_info = true;
  Dwarf *dwarf = object_file_debug_info (symbolizer->file, &symbolizer->bias);
  symbolizer->problem = object_file_debug_problem (symbolizer->file);
  if (dwarf == NULL)
    return true;
  if (!unit_map_build (&symbolizer->units, dwarf, symbolizer->file,
		       symbolizer->bias))
    return false;
  site_names_read (&symbolizer->site_names, dwarf_getelf (dwarf));
  symbolizer->dwarf = dwarf;
  return true;
}

bool
symbolizer_has_debug_info (struct symbolizer *symbolizer)
{
  return open_debug_info (symbolizer) && symbolizer->dwarf != NULL
	 && symbolizer->units.count > 0;
}

/* The number in ATTRIBUTE, 0 if there is none.  */
static uint32_t
number_in (Dwarf_Attribute *attribute)
{
  Dwarf_Word value;
  if (attribute == NULL || dwarf_formudata (attribute, &value) != 0
      || value > UINT32_MAX)
    return 0;
  return (uint32_t) value;
}

/* The number in the attribute NAME of DIE or of what it is an instance of, 0
   if there is none.  */
static uint32_t
number_of (Dwarf_Die *die, unsigned int name)
{
  Dwarf_Attribute attribute;
  return number_in (dwarf_attr_integrate (die, name, &attribute));
}

/* The path that the number in ATTRIBUTE stands for in its unit; NULL if
   unknown.  */
static const char *
file_in (Dwarf_Attribute *attribute)
{
  Dwarf_Die unit;
  Dwarf_Files *files;
  size_t count;
  Dwarf_Word number;
  if (dwarf_formudata (attribute, &number) != 0
      || dwarf_cu_die (attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL,
		       NULL) == NULL
      || dwarf_getsrcfiles (&unit, &files, &count) != 0 || number >= count)
    return NULL;
  return dwarf_filesrc (files, number, NULL, NULL);
}

/* The source file that DIE is declared in.  libdw's dwarf_decl_file stops the
   program where a unit's table of files cannot be read.  */
static const char *
declaring_file (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate (die, DW_AT_decl_file, &attribute) == NULL)
    return NULL;
  return file_in (&attribute);
}

static const char *
string_of (Dwarf_Die *die, unsigned int name, Dwarf_CU **unit)
{
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate (die, name, &attribute) == NULL)
    return NULL;
  if (unit != NULL)
    *unit = attribute.cu;
  return dwarf_formstring (&attribute);
}

/* Does the compiler of UNIT number the columns of calls otherwise than clang?
   Measured on calls by name, through pointers, through members, of
   constructors and nested in arguments: GNU C++ points past the callee or at
   the parenthesis and agrees in 3 of 16; GNU C agrees in 8 of 11, but gives a
   call among the arguments of another the outer one's column.  clang matches
   by line alone where a function has no columns at all, so none are better
   than some wrong ones.  */
static bool
columns_differ (struct symbolizer *symbolizer, Dwarf_CU *unit)
{
  if (unit == symbolizer->producer_unit)
    return symbolizer->columns_differ;
  Dwarf_Die die;
  Dwarf_Attribute attribute;
  const char *producer = NULL;
  if (dwarf_cu_die (unit, &die, NULL, NULL, NULL, NULL, NULL, NULL) != NULL
      && dwarf_attr (&die, DW_AT_producer, &attribute) != NULL)
    producer = dwarf_formstring (&attribute);
  symbolizer->producer_unit = unit;
  symbolizer->columns_differ
    = producer == NULL || strstr (producer, "clang") == NULL;
  return symbolizer->columns_differ;
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

/* The linkage name that the compiler plugin left for the function entry DIE of
   the plain name NAME, which is declared as DECLARED says; NULL if none.  */
static const char *
site_name (struct symbolizer *symbolizer, Dwarf_Die *die, const char *name,
	   Dwarf_Die *declared)
{
  if (symbolizer->site_names.count == 0)
    return NULL;
  struct site_key key
    = { .line = number_of (declared, DW_AT_decl_line),
	.column = number_of (declared, DW_AT_decl_column),
	.file = declaring_file (declared),
	.name = name };
  bool is_ambiguous;
  const char *found = site_names_find (&symbolizer->site_names, &key, NULL,
				       &is_ambiguous);
  uint32_t scope;
  if (is_ambiguous && function_scope_hash (&symbolizer->scopes, die, &scope))
    found = site_names_find (&symbolizer->site_names, &key, &scope,
			     &is_ambiguous);
  return found;
}

/* The linkage name of the function entry DIE, declared as DECLARED says, whose
   code is at ADDRESS, and with IS_INLINE inside another function's; its plain
   name if that is all there is.  GCC describes functions that are not public
   without their linkage names.  Where they have code of their own the symbol
   table knows them, and for inlined ones the compiler plugin has left the
   names.  */
static const char *
function_name (struct symbolizer *symbolizer, Dwarf_Die *die,
	       Dwarf_Die *declared, bool is_inline, uint64_t address)
{
  const char *linkage_name = string_of (die, DW_AT_linkage_name, NULL);
  if (linkage_name == NULL)
    linkage_name = string_of (die, DW_AT_MIPS_linkage_name, NULL);
  if (linkage_name != NULL)
    return linkage_name;
  const char *name = string_of (die, DW_AT_name, NULL);
  const char *symbol = NULL;
  if (!is_inline)
    symbol = object_file_symbol (symbolizer->file, address, name);
  if (symbol == NULL)
    symbol = site_name (symbolizer, die, name, declared);
  return symbol != NULL ? symbol : name;
}

/* The entry that says where the function of the entry DIE is declared.  GCC
   does not say it of what the source does not name, such as the operator of a
   lambda; it is where the class is.  */
static Dwarf_Die
declaring_entry (struct symbolizer *symbolizer, Dwarf_Die *die)
{
  Dwarf_Die class;
  if (number_of (die, DW_AT_decl_line) != 0
      || !function_scope_class (&symbolizer->scopes, die, &class))
    return *die;
  return class;
}

/* Fill FRAME for the function entry DIE at POSITION.  */
static void
fill_frame (struct symbolizer *symbolizer, struct symbolizer_frame *frame,
	    Dwarf_Die *die, const struct position *position, uint64_t address)
{
  Dwarf_Die declared = declaring_entry (symbolizer, die);
  memset (frame, 0, sizeof *frame);
  set_position (frame, position);
  frame->is_inline = dwarf_tag (die) == DW_TAG_inlined_subroutine;
  frame->start_line = number_of (&declared, DW_AT_decl_line);
  const char *name = function_name (symbolizer, die, &declared,
				    frame->is_inline, address);
  if (name != NULL)
    name = constructor_names_resolve (&symbolizer->constructors, name);
  set_function (frame, name);

  /* The source of an inlined function, and of any function after link-time
     optimization, belongs to another unit than its code.  */
  Dwarf_CU *unit = die->cu;
  string_of (die, DW_AT_name, &unit);
  frame->columns_differ = columns_differ (symbolizer, unit);
}

/* Set the source file of *POSITION, which UNIT names FILE.  */
static void
set_file (struct position *position, Dwarf_Die *unit, const char *file)
{
  Dwarf_Attribute attribute;
  position->file = file;
  if (file != NULL && file[0] != '/'
      && dwarf_attr (unit, DW_AT_comp_dir, &attribute) != NULL)
    position->directory = dwarf_formstring (&attribute);
}

/* Where the row of the line table says that ADDRESS stands.  */
static struct position
line_position (struct unit *unit, uint64_t address)
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
    position.discriminator = discriminator;
  return position;
}

/* Where the inlined call DIE stands.  The call attributes are its own: those
   of the function that it is an instance of would be another call's.  */
static uint32_t
own_number_of (Dwarf_Die *die, unsigned int name)
{
  Dwarf_Attribute attribute;
  return number_in (dwarf_attr (die, name, &attribute));
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
    set_file (&position, &unit, file_in (&attribute));
  return position;
}

static struct symbolizer_frame *
frame_at (struct symbolizer *symbolizer, size_t number)
{
  if (number == symbolizer->frame_capacity)
    {
      size_t capacity = number > 0 ? 2 * number : 16;
      void *grown = realloc (symbolizer->frames,
			     capacity * sizeof *symbolizer->frames);
      if (grown == NULL)
	return NULL;
      symbolizer->frames = grown;
      symbolizer->frame_capacity = capacity;
    }
  return &symbolizer->frames[number];
}

/* What the symbol table alone knows, and POSITION if the unit has lines but no
   functions, as those of assembler sources.  */
static size_t
symbol_frame (struct symbolizer *symbolizer, uint64_t address,
	      const struct position *position)
{
  struct symbolizer_frame *frame = frame_at (symbolizer, 0);
  if (frame == NULL)
    return 0;
  memset (frame, 0, sizeof *frame);
  set_position (frame, position);
  frame->columns_differ = true;
  set_function (frame, object_file_symbol (symbolizer->file, address, NULL));
  return 1;
}

size_t
symbolizer_lookup (struct symbolizer *symbolizer, uint64_t address,
		   const struct symbolizer_frame **frames)
{
  struct position position = { 0 };
  struct unit *unit = NULL;
  uint32_t node = INLINE_INDEX_NONE;
  if (!open_debug_info (symbolizer))
    return 0;
  uint64_t debug_address = address - symbolizer->bias;
  if (symbolizer->dwarf != NULL)
    unit = unit_map_find (&symbolizer->units, debug_address);
  if (unit != NULL)
    {
      position = line_position (unit, debug_address);
      node = inline_index_find (&unit->index, debug_address);
      if (unit->lacks_split_part)
	symbolizer->problem
	  = "its split debug information (.dwo, .dwp) was not found";
    }
  if (node == INLINE_INDEX_NONE)
    {
      size_t count = symbol_frame (symbolizer, address, &position);
      *frames = symbolizer->frames;
      return count;
    }
  size_t count = 0;
  while (node != INLINE_INDEX_NONE)
    {
      struct inline_node *entry = &unit->index.nodes[node];
      struct symbolizer_frame *frame = frame_at (symbolizer, count);
      if (frame == NULL)
	return 0;
      fill_frame (symbolizer, frame, &entry->die, &position, address);
      count++;
      position = call_position (&entry->die);
      node = entry->outer;
    }
  *frames = symbolizer->frames;
  return count;
}

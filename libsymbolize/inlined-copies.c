/* All functions of a file with debug information, and their inlined copies.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "inlined-copies.h"
#include "split-units.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Deeper entries are skipped: no compiler nests that deep, and a damaged file
   must not exhaust the stack.  Chains of origins are shorter.  */
#define MAX_DEPTH 1000
#define MAX_ORIGINS 16

struct search
{
  struct inlined_copies *copies;
  uint64_t bias;
  bool is_out_of_memory;
};

void
inlined_copies_release (struct inlined_copies *copies)
{
  free (copies->copies);
  function_facts_release (&copies->facts);
  memset (copies, 0, sizeof *copies);
}

/* Return the entry that DIE is an instance of, or DIE if it is not an
   instance.  */
static Dwarf_Die
abstract_entry (Dwarf_Die *die)
{
  Dwarf_Die result = *die;
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  for (int i = 0; i < MAX_ORIGINS; i++)
    {
      if (dwarf_attr (&result, DW_AT_abstract_origin, &attribute) == NULL
	  || dwarf_formref_die (&attribute, &origin) == NULL)
	break;
      result = origin;
    }
  return result;
}

/* Add a copy of KIND at ADDRESS of the function with the entry DIE.  */
static void
add (struct search *search, Dwarf_Die *die, enum inlined_copy_kind kind,
     uint64_t address)
{
  struct inlined_copies *copies = search->copies;
  Dwarf_Die abstract = abstract_entry (die);
  const struct function_facts *facts
    = function_facts_find (&copies->facts, &abstract);
  search->is_out_of_memory |= facts == NULL;
  if (search->is_out_of_memory)
    return;
  const char *name
    = facts->linkage_name != NULL ? facts->linkage_name : facts->described_name;
  if (name == NULL)
    return;
  if (copies->count == copies->capacity)
    {
      size_t capacity = copies->capacity > 0 ? 2 * copies->capacity : 256;
      void *grown = realloc (copies->copies, capacity * sizeof *copies->copies);
      if (grown == NULL)
	{
	  search->is_out_of_memory = true;
	  return;
	}
      copies->copies = grown;
      copies->capacity = capacity;
    }
  copies->copies[copies->count++]
    = (struct inlined_copy){ name, facts->start_line, kind,
			     address + search->bias };
}

/* Add the information of the function entry DIE: that there are copies, or
   where its body starts.  Return the start; 0 if it has no body.  */
static uint64_t
add_function (struct search *search, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  Dwarf_Addr entry;
  if (dwarf_formudata (dwarf_attr (die, DW_AT_inline, &attribute), &word) == 0
      && (word == DW_INL_inlined || word == DW_INL_declared_inlined))
    add (search, die, COPY_SAID, 0);
  /* A linker leaves 0 where it dropped the code.  */
  if (dwarf_entrypc (die, &entry) != 0 || entry == 0)
    return 0;
  add (search, die, COPY_BODY, entry);
  return entry;
}

/* Walk the entries below PARENT, in the body that starts at ENTRY, or in no
   body if that is 0.  */
static void
walk (struct search *search, Dwarf_Die *parent, uint64_t entry,
      unsigned int depth)
{
  Dwarf_Die die;
  if (depth > MAX_DEPTH || dwarf_child (parent, &die) != 0)
    return;
  do
    switch (dwarf_tag (&die))
      {
      case DW_TAG_subprogram:
	if (!dwarf_hasattr (&die, DW_AT_declaration))
	  walk (search, &die, add_function (search, &die), depth + 1);
	break;
      case DW_TAG_inlined_subroutine:
	if (entry == 0)
	  break;
	/* The body contains the copy, whatever is left of its code.  */
	add (search, &die, COPY_PLACE, entry);
	walk (search, &die, entry, depth + 1);
	break;
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
      case DW_TAG_with_stmt:
	walk (search, &die, entry, depth + 1);
	break;
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
	walk (search, &die, 0, depth + 1);
	break;
      default:
	break;
      }
  while (!search->is_out_of_memory && dwarf_siblingof (&die, &die) == 0);
}

static int
compare_copies (const void *a, const void *b)
{
  const struct inlined_copy *one = a;
  const struct inlined_copy *other = b;
  if (one->line != other->line)
    return one->line < other->line ? -1 : 1;
  return one->name == other->name ? 0 : strcmp (one->name, other->name);
}

bool
inlined_copies_match (const struct inlined_copy *a,
		      const struct inlined_copy *b)
{
  return compare_copies (a, b) == 0;
}

bool
inlined_copies_read (struct inlined_copies *copies, struct object_file *file,
		     bool *is_described)
{
  struct search search = { .copies = copies };
  Dwarf *dwarf = object_file_debug_info (file, &search.bias);
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  *is_described = dwarf != NULL;
  while (dwarf != NULL && !search.is_out_of_memory
	 && dwarf_get_units (dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
    {
      Dwarf_Die part;
      if (split_units_find (object_file_split_units (file), &die, &part))
	die = part;
      walk (&search, &die, 0, 0);
    }
  if (copies->count > 0)
    qsort (copies->copies, copies->count, sizeof *copies->copies,
	   compare_copies);
  return !search.is_out_of_memory;
}

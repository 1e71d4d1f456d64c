/* Scopes of the functions in the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   A debugging information entry does not know its parent, so the scopes of a
   unit's functions are collected in one walk, on the first query for one of
   them.  */

#include "function-scopes.h"
#include <dwarf.h>
#include <stddef.h>
#include <stdlib.h>

/* As in inline-index.c.  */
#define MAX_DEPTH 1000

/* Longest chain of references between entries.  */
#define MAX_REFERENCES 16

struct scope
{
  uint32_t hash;   /* of its name and the outer ones */
  Dwarf_Die class; /* innermost class; its addr is NULL if there is none */
};

struct function_scope
{
  Dwarf_Off offset;   /* of the function's entry */
  struct scope scope; /* around it */
};

struct unit_scopes
{
  Dwarf_CU *unit;
  struct function_scope *functions; /* by ascending offset */
  size_t count;
  size_t capacity;
  bool is_out_of_memory;
};

/* Return HASH with TEXT added (FNV-1a, 32 bits).  */
static uint32_t
hash_text (uint32_t hash, const char *text)
{
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * UINT32_C (0x01000193);
  return hash;
}

static const uint32_t empty_hash = UINT32_C (0x811c9dc5);

/* Replace *DIE by the entry that its attribute NAME refers to, repeatedly;
   leave it unchanged if it has none.  */
static void
follow (Dwarf_Die *die, unsigned int name)
{
  Dwarf_Attribute attribute;
  Dwarf_Die target;
  for (unsigned int i = 0; i < MAX_REFERENCES; i++)
    {
      if (dwarf_attr (die, name, &attribute) == NULL
	  || dwarf_formref_die (&attribute, &target) == NULL)
	return;
      *die = target;
    }
}

static int
compare_offset (const void *key, const void *element)
{
  Dwarf_Off offset = *(const Dwarf_Off *) key;
  const struct function_scope *function = element;
  return (offset > function->offset) - (offset < function->offset);
}

static const struct function_scope *
find_function (const struct unit_scopes *scopes, Dwarf_Off offset)
{
  if (scopes->count == 0)
    return NULL;
  return bsearch (&offset, scopes->functions, scopes->count,
		  sizeof *scopes->functions, compare_offset);
}

static void
add_function (struct unit_scopes *scopes, Dwarf_Off offset,
	      const struct scope *scope)
{
  if (scopes->count == scopes->capacity)
    {
      size_t capacity = scopes->capacity > 0 ? 2 * scopes->capacity : 64;
      void *grown
	= realloc (scopes->functions, capacity * sizeof *scopes->functions);
      if (grown == NULL)
	{
	  scopes->is_out_of_memory = true;
	  return;
	}
      scopes->functions = grown;
      scopes->capacity = capacity;
    }
  scopes->functions[scopes->count++]
    = (struct function_scope){ offset, *scope };
}

/* Return the scope around DIE, an entry in OUTER.  For a member defined outside
   its class, return the scope of the declaration there.  */
static const struct scope *
scope_around (const struct unit_scopes *scopes, Dwarf_Die *die,
	      const struct scope *outer)
{
  Dwarf_Die declaration = *die;
  follow (&declaration, DW_AT_specification);
  if (declaration.addr == die->addr)
    return outer;
  const struct function_scope *function
    = find_function (scopes, dwarf_dieoffset (&declaration));
  return function != NULL ? &function->scope : outer;
}

static void walk_children (struct unit_scopes *scopes, Dwarf_Die *parent,
			   const struct scope *scope, unsigned int depth);

static void
walk_entry (struct unit_scopes *scopes, Dwarf_Die *die,
	    const struct scope *outer, unsigned int depth)
{
  struct scope inner = *outer;
  switch (dwarf_tag (die))
    {
    case DW_TAG_subprogram:
      /* Instances have no new information.  */
      if (dwarf_hasattr (die, DW_AT_abstract_origin))
	return;
      inner = *scope_around (scopes, die, outer);
      add_function (scopes, dwarf_dieoffset (die), &inner);
      break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      inner.class = *die;
      break;
    case DW_TAG_namespace:
    case DW_TAG_module:
      break;
    case DW_TAG_lexical_block:
      walk_children (scopes, die, outer, depth + 1);
      return;
    default:
      return;
    }
  if (dwarf_haschildren (die) <= 0)
    return;
  const char *name = dwarf_diename (die);
  inner.hash = hash_text (inner.hash, name != NULL ? name : "");
  inner.hash = hash_text (inner.hash, "::");
  walk_children (scopes, die, &inner, depth + 1);
}

static void
walk_children (struct unit_scopes *scopes, Dwarf_Die *parent,
	       const struct scope *scope, unsigned int depth)
{
  Dwarf_Die die;
  if (depth > MAX_DEPTH || dwarf_child (parent, &die) != 0)
    return;
  Dwarf_Off offset;
  /* Offsets must ascend: a damaged sibling attribute may point backwards.  */
  do
    {
      offset = dwarf_dieoffset (&die);
      walk_entry (scopes, &die, scope, depth);
    }
  while (!scopes->is_out_of_memory && dwarf_siblingof (&die, &die) == 0
	 && dwarf_dieoffset (&die) > offset);
}

static hashval_t
hash_unit (const void *entry)
{
  return htab_hash_pointer (((const struct unit_scopes *) entry)->unit);
}

static int
equal_unit (const void *entry, const void *unit)
{
  return ((const struct unit_scopes *) entry)->unit == unit;
}

static void
free_unit (void *entry)
{
  free (((struct unit_scopes *) entry)->functions);
  free (entry);
}

/* Return the scopes of UNIT's functions; NULL if memory is exhausted.  */
static const struct unit_scopes *
scopes_of_unit (struct function_scopes *all, Dwarf_CU *unit)
{
  if (all->units == NULL)
    all->units
      = htab_create_alloc (16, hash_unit, equal_unit, free_unit, calloc, free);
  if (all->units == NULL)
    return NULL;
  void **slot = htab_find_slot_with_hash (all->units, unit,
					  htab_hash_pointer (unit), INSERT);
  if (slot == NULL || *slot != NULL)
    return slot != NULL ? *slot : NULL;
  /* The slot stays empty on failure; htab_clear_slot cannot be used on an empty
     slot.  */
  struct unit_scopes *scopes = calloc (1, sizeof *scopes);
  if (scopes == NULL)
    return NULL;
  struct scope outermost = { .hash = empty_hash };
  Dwarf_Die die;
  scopes->unit = unit;
  if (dwarf_cu_die (unit, &die, NULL, NULL, NULL, NULL, NULL, NULL) != NULL)
    walk_children (scopes, &die, &outermost, 0);
  *slot = scopes;
  return scopes;
}

/* Return HASH with the letter of the parameter PARAMETER added.  */
static uint32_t
hash_parameter (uint32_t hash, Dwarf_Die *parameter)
{
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_hasattr (parameter, DW_AT_artificial))
    return hash;
  if (dwarf_attr_integrate (parameter, DW_AT_type, &attribute) == NULL
      || dwarf_formref_die (&attribute, &type) == NULL
      || dwarf_peel_type (&type, &type) != 0)
    return hash_text (hash, ".");
  switch (dwarf_tag (&type))
    {
    case DW_TAG_reference_type:
      return hash_text (hash, "&");
    case DW_TAG_rvalue_reference_type:
      return hash_text (hash, "R");
    case DW_TAG_pointer_type:
      return hash_text (hash, "*");
    default:
      return hash_text (hash, ".");
    }
}

/* Return HASH with the parameters of FUNCTION added; those of a pack are one
   level deeper.  */
static uint32_t
hash_parameters (uint32_t hash, Dwarf_Die *function, unsigned int depth)
{
  Dwarf_Die die;
  if (dwarf_child (function, &die) != 0)
    return hash;
  Dwarf_Off offset;
  do
    {
      offset = dwarf_dieoffset (&die);
      if (dwarf_tag (&die) == DW_TAG_formal_parameter)
	hash = hash_parameter (hash, &die);
      else if (dwarf_tag (&die) == DW_TAG_GNU_formal_parameter_pack
	       && depth == 0)
	hash = hash_parameters (hash, &die, depth + 1);
    }
  while (dwarf_siblingof (&die, &die) == 0 && dwarf_dieoffset (&die) > offset);
  return hash;
}

/* Return the scope around the function entry DIE, which is replaced by the
   entry that describes it; NULL if it is unknown or memory is exhausted.  */
static const struct scope *
find_scope (struct function_scopes *all, Dwarf_Die *die)
{
  follow (die, DW_AT_abstract_origin);
  Dwarf_Die declaration = *die;
  follow (&declaration, DW_AT_specification);
  const struct unit_scopes *scopes = scopes_of_unit (all, declaration.cu);
  if (scopes == NULL)
    return NULL;
  const struct function_scope *function
    = find_function (scopes, dwarf_dieoffset (&declaration));
  return function != NULL ? &function->scope : NULL;
}

bool
function_scope_hash (struct function_scopes *scopes, Dwarf_Die *die,
		     uint32_t *hash)
{
  Dwarf_Die function = *die;
  const struct scope *scope = find_scope (scopes, &function);
  if (scope == NULL)
    return false;
  *hash = hash_parameters (scope->hash, &function, 0);
  return true;
}

bool
function_scope_class (struct function_scopes *scopes, Dwarf_Die *die,
		      Dwarf_Die *class)
{
  Dwarf_Die function = *die;
  const struct scope *scope = find_scope (scopes, &function);
  if (scope == NULL || scope->class.addr == NULL)
    return false;
  *class = scope->class;
  return true;
}

void
function_scopes_release (struct function_scopes *scopes)
{
  if (scopes->units != NULL)
    htab_delete (scopes->units);
  scopes->units = NULL;
}

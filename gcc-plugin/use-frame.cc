/* Frames of calling contexts as the compiler knows them: their ids.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a function remembers is an attribute of its declaration, which stays
   with it through inlining, cloning and LTO: a list whose purposes are places,
   line offset << 32 | column as GCC has them, and whose values are ids.  Users
   cannot spell the attribute's name.  */

#include "gcc-compat.h"
#include "function-id.h"
#include "use-frame.h"

static const char frames_attribute[] = "heapprof frames";

uint64_t
use_frame_id (uint64_t guid, unsigned line_offset, unsigned column)
{
  char bytes[16];

  for (unsigned i = 0; i < 8; i++)
    bytes[i] = guid >> 8 * i;
  for (unsigned i = 0; i < 4; i++)
    {
      bytes[8 + i] = line_offset >> 8 * i;
      bytes[12 + i] = column >> 8 * i;
    }
  return function_guid (bytes, sizeof bytes);
}

const char *
use_linkage_name (tree decl)
{
  return targetm.strip_name_encoding
    (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (DECL_ORIGIN (decl))));
}

uint64_t
use_function_guid (tree decl)
{
  tree origin = DECL_ORIGIN (decl);
  const char *name = use_linkage_name (origin);

  if (!DECL_CXX_CONSTRUCTOR_P (origin) && !DECL_CXX_DESTRUCTOR_P (origin))
    return function_canonical_guid (name);
  char *base = xstrdup (name);
  function_base_variant (base);
  uint64_t guid = function_canonical_guid (base);
  free (base);
  return guid;
}

unsigned
use_line_offset (tree decl, location_t location)
{
  return (LOCATION_LINE (location)
	  - DECL_SOURCE_LINE (DECL_ORIGIN (decl))) & 0xffff;
}

/* The place of LOCATION in DECL as the key of the attribute.  */
static uint64_t
place_key (tree decl, location_t location)
{
  return ((uint64_t) use_line_offset (decl, location) << 32
	  | LOCATION_COLUMN (location));
}

/* What DECL remembers at KEY, or NULL.  */
static tree
find_remembered (tree decl, uint64_t key)
{
  tree attribute = lookup_attribute (frames_attribute, DECL_ATTRIBUTES (decl));

  if (!attribute)
    return NULL_TREE;
  for (tree entry = TREE_VALUE (attribute); entry; entry = TREE_CHAIN (entry))
    if (tree_to_uhwi (TREE_PURPOSE (entry)) == key)
      return entry;
  return NULL_TREE;
}

void
use_frame_remember (tree decl, location_t location, uint64_t id)
{
  tree origin = DECL_ORIGIN (decl);
  uint64_t key = place_key (decl, location);
  tree type = long_long_unsigned_type_node;

  if (find_remembered (origin, key))
    return;
  tree attribute = lookup_attribute (frames_attribute,
				     DECL_ATTRIBUTES (origin));
  if (!attribute)
    {
      attribute = tree_cons (get_identifier (frames_attribute), NULL_TREE,
			     DECL_ATTRIBUTES (origin));
      DECL_ATTRIBUTES (origin) = attribute;
    }
  TREE_VALUE (attribute) = tree_cons (build_int_cstu (type, key),
				      build_int_cstu (type, id),
				      TREE_VALUE (attribute));
}

bool
use_frame_find (tree decl, location_t location, uint64_t *id)
{
  tree origin = DECL_ORIGIN (decl);

  if (tree entry = find_remembered (origin, place_key (decl, location)))
    {
      *id = tree_to_uhwi (TREE_VALUE (entry));
      return true;
    }
  *id = use_frame_id (use_function_guid (decl),
		      use_line_offset (decl, location),
		      LOCATION_COLUMN (location));
  return false;
}

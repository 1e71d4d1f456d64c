/* Ids of the frames of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function remembers ids in an attribute of its declaration, which stays with
   it through inlining, cloning and LTO.  The value is a list whose purposes are
   places, line offset << 32 | column as in GCC's location, with the token of
   the call << 48 and its group << 51, and whose values are ids.  Users cannot
   spell the attribute's name.

   A constructor has one declaration for all variants, which blocks of inlined
   calls name, and one for each variant; LTO objects no longer record which
   belong together.  So a variant has its own copy of the attribute, and another
   attribute with its linkage name.  */

#include "gcc-compat.h"
#include "function-id.h"
#include "use-frame.h"

static const char frames_attribute[] = "heapprof frames";
static const char name_attribute[] = "heapprof name";
static const unsigned token_shift = 48;
static const unsigned group_shift = 51;

/* True if contexts have no frame for some calls of the unit.  */
static bool any_none;

/* Frames whose places were found by the calls around them.  */
static hash_set<int_hash<uint64_t, 0, 1>> fitted;

/* Ids that were computed before: a large profile has the same frames in very
   many contexts.  A place has the line offset in its upper half, and the
   column.  */
struct known_id
{
  uint64_t guid;
  uint64_t place;
  uint64_t id; /* 0: unused */
};

static const unsigned known_bits = 12;
static known_id known_ids[1 << known_bits];

static uint64_t
compute_id (uint64_t guid, unsigned line_offset, unsigned column)
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

uint64_t
use_frame_id (uint64_t guid, unsigned line_offset, unsigned column)
{
  uint64_t place = (uint64_t) line_offset << 32 | column;
  uint64_t hash = (guid ^ place) * UINT64_C (0x9e3779b97f4a7c15);
  known_id *known = &known_ids[hash >> (64 - known_bits)];

  if (known->id == 0 || known->guid != guid || known->place != place)
    *known = { guid, place, compute_id (guid, line_offset, column) };
  return known->id;
}

const char *
use_linkage_name (tree decl)
{
  tree origin = DECL_ORIGIN (decl);
  tree symbol = DECL_ASSEMBLER_NAME (origin);
  const char *name = targetm.strip_name_encoding (IDENTIFIER_POINTER (symbol));

  if (tree attribute
      = lookup_attribute (name_attribute, DECL_ATTRIBUTES (decl)))
    return IDENTIFIER_POINTER (TREE_VALUE (TREE_VALUE (attribute)));
  if (!DECL_CXX_CONSTRUCTOR_P (origin) && !DECL_CXX_DESTRUCTOR_P (origin))
    return name;
  char *base = xstrdup (name);
  function_base_variant (base);
  name = IDENTIFIER_POINTER (get_identifier (base));
  free (base);
  return name;
}

uint64_t
use_function_guid (tree decl)
{
  return function_canonical_guid (use_linkage_name (decl));
}

unsigned
use_line_offset (tree decl, location_t location)
{
  return (LOCATION_LINE (location) - DECL_SOURCE_LINE (DECL_ORIGIN (decl)))
	 & 0xffff;
}

/* Return the place of LOCATION in DECL as a key for the attribute.  */
static uint64_t
place_key (tree decl, location_t location)
{
  return ((uint64_t) use_line_offset (decl, location) << 32
	  | LOCATION_COLUMN (location));
}

/* Return the entry that DECL remembers for KEY, or NULL.  */
static tree
find_remembered (tree decl, uint64_t key)
{
  tree attribute = lookup_attribute (frames_attribute, DECL_ATTRIBUTES (decl));

  if (!attribute)
    return NULL_TREE;
  for (tree entry = TREE_VALUE (attribute); entry; entry = TREE_CHAIN (entry))
    if ((tree_to_uhwi (TREE_PURPOSE (entry)) & ((1ull << token_shift) - 1))
	== key)
      return entry;
  return NULL_TREE;
}

/* Make DECL itself remember that the call at KEY is the frame ID, with TOKEN of
   GROUP.  */
static void
remember (tree decl, uint64_t key, uint64_t id, placement_class token,
	  unsigned group)
{
  tree type = long_long_unsigned_type_node;

  if (find_remembered (decl, key))
    return;
  tree attribute = lookup_attribute (frames_attribute, DECL_ATTRIBUTES (decl));
  if (!attribute)
    {
      attribute = tree_cons (get_identifier (frames_attribute), NULL_TREE,
			     DECL_ATTRIBUTES (decl));
      DECL_ATTRIBUTES (decl) = attribute;
    }
  TREE_VALUE (attribute)
    = tree_cons (build_int_cstu (type, key | (uint64_t) token << token_shift
					 | (uint64_t) group << group_shift),
		 build_int_cstu (type, id), TREE_VALUE (attribute));
}

void
use_frame_remember (tree decl, location_t location, uint64_t id,
		    placement_class token, unsigned group)
{
  uint64_t key = place_key (decl, location);

  remember (DECL_ORIGIN (decl), key, id, token, group);
  remember (decl, key, id, token, group);
}

void
use_frame_note_fitted (uint64_t id)
{
  fitted.add (id);
}

bool
use_frame_fitted_p (uint64_t id)
{
  return !fitted.is_empty () && fitted.contains (id);
}

void
use_frame_remember_none (tree decl, location_t location)
{
  use_frame_remember (decl, location, 0, PLACEMENT_UNKNOWN, 0);
  any_none = true;
}

bool
use_frame_any_none_p (void)
{
  return any_none;
}

bool
use_frame_none_p (tree decl, location_t location)
{
  uint64_t id;

  return use_frame_find (decl, location, &id) && id == 0;
}

/* Return what DECL remembers besides the id of its call at LOCATION.  */
static uint64_t
find_value (tree decl, location_t location)
{
  uint64_t key = place_key (decl, location);

  for (tree owner : { decl, DECL_ORIGIN (decl) })
    if (tree entry = find_remembered (owner, key))
      return tree_to_uhwi (TREE_PURPOSE (entry)) >> token_shift;
  return 0;
}

placement_class
use_frame_token (tree decl, location_t location)
{
  return static_cast<placement_class> (find_value (decl, location) & 7);
}

unsigned
use_frame_group (tree decl, location_t location)
{
  return find_value (decl, location) >> (group_shift - token_shift);
}

void
use_name_remember (tree decl)
{
  if (DECL_ORIGIN (decl) == decl)
    return;
  tree name = get_identifier (use_linkage_name (decl));
  DECL_ATTRIBUTES (decl)
    = tree_cons (get_identifier (name_attribute),
		 build_tree_list (NULL_TREE, name), DECL_ATTRIBUTES (decl));
}

bool
use_frame_find (tree decl, location_t location, uint64_t *id)
{
  uint64_t key = place_key (decl, location);

  for (tree owner : { decl, DECL_ORIGIN (decl) })
    if (tree entry = find_remembered (owner, key))
      {
	*id = tree_to_uhwi (TREE_VALUE (entry));
	return true;
      }
  *id
    = use_frame_id (use_function_guid (decl), use_line_offset (decl, location),
		    LOCATION_COLUMN (location));
  return false;
}

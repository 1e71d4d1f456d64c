/* Use of a heap profile: functions that the profile or the unit has.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "use-frame.h"
#include "use-known.h"

uint64_t
use_known_guid (const heap_lookup *lookup, tree decl)
{
  static hash_map<tree, uint64_t> known;
  bool is_known;
  uint64_t &guid = known.get_or_insert (decl, &is_known);

  if (is_known)
    return guid;
  const char *name
    = targetm
	.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
  const uint64_t own = heap_lookup_guid (name, strlen (name));

  guid
    = (heap_lookup_has_function (lookup, own) ? own : use_function_guid (decl));
  return guid;
}

known_guids &
use_known_defined (const heap_lookup *lookup)
{
  static known_guids defined;
  cgraph_node *node;

  if (defined.is_empty ())
    FOR_EACH_FUNCTION (node)
      if (node->definition && !node->alias)
	defined.add (use_known_guid (lookup, node->decl));
  return defined;
}

bool
use_known_p (const heap_lookup *lookup, uint64_t guid)
{
  return (heap_lookup_has_function (lookup, guid)
	  || use_known_defined (lookup).contains (guid));
}

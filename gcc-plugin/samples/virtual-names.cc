/* Targets of virtual calls by the names of functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "function-id.h"
#include "sample-profile.h"
#include "use-frame.h"
#include "virtual-names.h"

typedef hash_map<int_hash<uint64_t, 0, 1>, vec<cgraph_node *>> function_map;

/* The virtual functions of each GUID.  A link with LTO may have several of one
   name, which are local to their units.  */
static function_map *functions;

/* The GUIDs of all functions.  */
static hash_set<int_hash<uint64_t, 0, 1>> *known_functions;

uint64_t
virtual_names_guid (tree function)
{
  if (!DECL_ASSEMBLER_NAME_SET_P (function))
    return 0;
  tree symbol = DECL_ASSEMBLER_NAME (function);
  char *name
    = xstrdup (targetm.strip_name_encoding (IDENTIFIER_POINTER (symbol)));

  function_base_variant (name);
  uint64_t guid = function_canonical_guid (name);
  free (name);
  return guid;
}

void
virtual_names_collect (void)
{
  cgraph_node *node;

  functions = new function_map;
  known_functions = new hash_set<int_hash<uint64_t, 0, 1>>;
  FOR_EACH_FUNCTION (node)
    {
      bool existed;
      uint64_t guid = virtual_names_guid (node->decl);
      if (guid < 2)
	continue;
      known_functions->add (guid);
      if (!DECL_VIRTUAL_P (node->decl) || node->inlined_to || node->clone_of
	  || node->former_clone_of)
	continue;
      vec<cgraph_node *> &same = functions->get_or_insert (guid, &existed);
      if (!existed)
	same = vNULL;
      same.safe_push (node);
    }
}

void
virtual_names_release (void)
{
  for (auto entry : *functions)
    entry.second.release ();
  delete functions;
  delete known_functions;
  functions = NULL;
}

/* Store in *FOUND the functions of GUID that a call of TOKEN of CLASS_TYPE may
   call.  */
static void
find_possible (uint64_t guid, tree class_type, HOST_WIDE_INT token,
	       vec<tree> *found)
{
  if (vec<cgraph_node *> *same = functions->get (guid))
    for (cgraph_node *node : *same)
      if (possible_polymorphic_call_target_p (class_type, token,
					      ipa_polymorphic_call_context (),
					      node))
	found->safe_push (node->decl);
}

/* True if FUNCTION, a linkage name, belongs to the class whose table has the
   linkage name TABLE.  */
static bool
same_class_p (const char *table, const char *function)
{
  if (!startswith (table, "_ZTV"))
    return false;
  const char *own = table + 4, *name = strstr (function, "_N");
  size_t n = strlen (own);

  /* Thunks have a prefix.  */
  name = startswith (function, "_ZN") ? function + 3 : name ? name + 2 : NULL;
  if (!name)
    return false;
  if (*own == 'N')
    {
      own++;
      n -= 2;
    }
  name += strspn (name, "VKRO");
  return !strncmp (name, own, n)
	 && (ISDIGIT (name[n]) || ISLOWER (name[n]) || name[n] == 'D');
}

/* Return the table in FOUND without a target whose class has FUNCTION; NULL if
   there is none.  */
static promoted_table *
table_of_function (vec<promoted_table> *found, const char *function)
{
  for (promoted_table &table : *found)
    if (!table.target && table.guid && table.name
	&& same_class_p (table.name, function))
      return &table;
  return NULL;
}

/* Take COUNT calls from the tables in FOUND that have no target.  */
static void
take_count (vec<promoted_table> *found, uint64_t count)
{
  for (promoted_table &table : *found)
    if (!table.target && table.guid)
      {
	uint64_t part = MIN (table.count, count);
	table.count -= part;
	count -= part;
      }
}

/* True if FOUND has TARGET.  */
static bool
has_target_p (const vec<promoted_table> &found, tree target)
{
  for (const promoted_table &table : found)
    if (table.target == target)
      return true;
  return false;
}

/* Add COUNT calls of FUNCTION to *FOUND, as the target of a table without one,
   or without a table.  Return the part of COUNT that the table had.  */
static uint64_t
add_function (vec<promoted_table> *found, tree function, uint64_t count)
{
  promoted_table entry = {}, *table;

  if (has_target_p (*found, function))
    return 0;
  table = table_of_function (found, use_linkage_name (function));
  if (!table)
    {
      if (count == 0)
	return 0;
      take_count (found, count);
      entry.count = count;
      table = found->safe_push (entry);
    }
  table->target = function;
  table->reason = NULL;
  table->is_slot_test = true;
  return table->count;
}

void
virtual_names_add (tree class_type, HOST_WIDE_INT token,
		   const vec<sample_table> &targets, vec<promoted_table> *found)
{
  bool has_tables = !found->is_empty ();
  uint64_t all = 0, unknown = 0, calls = 0;

  for (const promoted_table &table : *found)
    {
      sample_count_add (&all, table.count);
      if (!table.target)
	sample_count_add (&unknown, table.count);
    }
  if (has_tables && unknown == 0)
    return;
  for (const sample_table &target : targets)
    sample_count_add (&calls, target.count);
  for (const sample_table &target : targets)
    {
      auto_vec<tree> possible;
      uint64_t count = target.count;
      /* The profile samples loads of tables and calls at different rates.  */
      if (has_tables)
	count = MIN (unknown, (uint64_t) ((double) count / calls * all));
      find_possible (target.guid, class_type, token, &possible);
      for (tree function : possible)
	{
	  uint64_t part
	    = add_function (found, function, count / possible.length ());
	  unknown -= has_tables ? part : 0;
	}
      if (!has_tables && !known_functions->contains (target.guid))
	{
	  promoted_table entry = {};
	  entry.count = count;
	  entry.function = target.name ? target.name : "?";
	  entry.reason = (in_lto_p ? "no unit of the link has the function"
				   : "the function is not known in this unit");
	  found->safe_push (entry);
	}
    }
}

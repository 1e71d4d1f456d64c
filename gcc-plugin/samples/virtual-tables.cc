/* The virtual tables of C++ classes that a unit knows.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "function-id.h"
#include "virtual-tables.h"

typedef hash_map<int_hash<uint64_t, 0, 1>, vec<tree>> table_map;

static bool (*table_wanted) (uint64_t guid);

/* Tables of classes whose types were completed, as a list of TREE_VALUEs.  */
static tree noted_tables;

/* The tables of each GUID: a link with LTO may have several of one name, which
   are local to their units.  */
static table_map *tables;

static const ggc_root_tab table_roots[]
  = { { &noted_tables, 1, sizeof noted_tables, gt_ggc_mx_tree_node,
	gt_pch_nx_tree_node },
      LAST_GGC_ROOT_TAB };

/* A link with LTO may have given a local table a name of its own.  */
static uint64_t
guid_of_table (tree table)
{
  const char *name
    = targetm
	.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (table)));

  return function_canonical_guid (name);
}

/* Return the variable that holds the primary table of the class TYPE, or
   NULL.  */
static tree
table_of_class (tree type)
{
  tree binfo = TYPE_BINFO (type), table;
  unsigned HOST_WIDE_INT offset;

  if (!binfo || !BINFO_VTABLE (binfo)
      || !vtable_pointer_value_to_vtable (BINFO_VTABLE (binfo), &table,
					  &offset))
    return NULL_TREE;
  return VAR_P (table) && DECL_VIRTUAL_P (table) ? table : NULL_TREE;
}

static void
note_class (void *data, void *)
{
  tree type = static_cast<tree> (data);

  if (!type || !RECORD_OR_UNION_TYPE_P (type))
    return;
  tree table = table_of_class (type);
  if (table && table_wanted (guid_of_table (table)))
    noted_tables = tree_cons (NULL_TREE, table, noted_tables);
}

void
virtual_tables_start (const char *plugin_name, bool (*wanted) (uint64_t guid))
{
  table_wanted = wanted;
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
		     const_cast<ggc_root_tab *> (table_roots));
  register_callback (plugin_name, PLUGIN_FINISH_TYPE, note_class, NULL);
}

void
virtual_tables_declare (void)
{
  for (tree noted = noted_tables; noted; noted = TREE_CHAIN (noted))
    varpool_node::get_create (TREE_VALUE (noted));
}

static void
add_table (tree table)
{
  bool existed;
  vec<tree> &same = tables->get_or_insert (guid_of_table (table), &existed);

  if (!existed)
    same = vNULL;
  same.safe_push (table);
}

void
virtual_tables_collect (void)
{
  varpool_node *node;

  tables = new table_map;
  FOR_EACH_VARIABLE (node)
    if (DECL_VIRTUAL_P (node->decl))
      add_table (node->decl);
  for (tree noted = noted_tables; noted; noted = TREE_CHAIN (noted))
    if (!virtual_tables_find (guid_of_table (TREE_VALUE (noted))))
      add_table (TREE_VALUE (noted));
}

void
virtual_tables_release (void)
{
  for (auto entry : *tables)
    entry.second.release ();
  delete tables;
  tables = NULL;
  noted_tables = NULL_TREE;
}

tree
virtual_tables_find (uint64_t guid)
{
  vec<tree> *found = tables->get (guid);

  return found ? found->last () : NULL_TREE;
}

void
virtual_tables_find_all (uint64_t guid, vec<tree> *all)
{
  if (const vec<tree> *found = tables->get (guid))
    all->safe_splice (*found);
}

/* ---- Address points.  */

/* A search for objects of CLASS_TYPE in the class of TABLE: their places in the
   class, and the targets of the table pointers there, in bytes.  */
struct base_search
{
  tree table;
  tree class_type;
  auto_vec<unsigned HOST_WIDE_INT> places;
  /* Pairs of a place in the class and an offset in the table.  */
  auto_vec<unsigned HOST_WIDE_INT> pointers;
};

/* True if SEARCH already has a pointer at PLACE.  A class and its first base
   share a pointer, whose target the outermost class determines.  */
static bool
has_pointer_p (const base_search &search, unsigned HOST_WIDE_INT place)
{
  for (unsigned i = 0; i < search.pointers.length (); i += 2)
    if (search.pointers[i] == place)
      return true;
  return false;
}

/* True if A and B are one table.  A link with LTO may have several declarations
   of it.  */
static bool
same_table_p (tree a, tree b)
{
  return a == b
	 || (TREE_PUBLIC (a) && TREE_PUBLIC (b)
	     && DECL_ASSEMBLER_NAME (a) == DECL_ASSEMBLER_NAME (b));
}

static void
search_bases (tree binfo, base_search *search)
{
  unsigned HOST_WIDE_INT place = tree_to_uhwi (BINFO_OFFSET (binfo)), offset;
  tree table, base;

  if (BINFO_VTABLE (binfo)
      && vtable_pointer_value_to_vtable (BINFO_VTABLE (binfo), &table, &offset)
      && same_table_p (table, search->table) && !has_pointer_p (*search, place))
    {
      search->pointers.safe_push (place);
      search->pointers.safe_push (offset);
    }
  if (types_same_for_odr (BINFO_TYPE (binfo), search->class_type)
      && !search->places.contains (place))
    search->places.safe_push (place);
  for (unsigned i = 0; BINFO_BASE_ITERATE (binfo, i, base); i++)
    search_bases (base, search);
}

const char *
virtual_table_offset (tree table, tree class_type,
		      unsigned HOST_WIDE_INT *offset)
{
  base_search search;
  tree type = DECL_CONTEXT (table);

  if (!type || !TYPE_P (type) || !TYPE_BINFO (type))
    return "the class of the table is not known in this unit";
  search.table = table;
  search.class_type = class_type;
  search_bases (TYPE_BINFO (type), &search);
  if (search.places.is_empty ())
    return "the class of the table is not derived from that of the call";
  if (search.places.length () > 1)
    return "the class of the table contains that of the call more than once";
  for (unsigned i = 0; i < search.pointers.length (); i += 2)
    if (search.pointers[i] == search.places[0])
      {
	*offset = search.pointers[i + 1];
	return NULL;
      }
  return "the class of the table has no table for that of the call";
}

/* ---- References.  */

/* A table that the unit does not define may be defined in another unit, unless
   it is local.  */
bool
virtual_table_usable_p (tree table)
{
  varpool_node *node = varpool_node::get (table);

  if (node && node->definition)
    return true;
  return TREE_PUBLIC (table) && DECL_EXTERNAL (table);
}

/* A program that never makes an object of the class may lack its table.  GCC
   does not declare weak variables to the assembler that are unused or static,
   as tables are even if they are defined elsewhere.  */
void
virtual_table_refer (tree table)
{
  varpool_node *node = varpool_node::get_create (table);
  ipa_ref *ref;

  if (node->definition || DECL_WEAK (table) || node->iterate_referring (0, ref))
    return;
  declare_weak (table);
  TREE_USED (table) = 1;
  TREE_STATIC (table) = 0;
}

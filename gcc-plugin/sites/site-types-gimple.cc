/* Data types of allocation sites in languages other than those of C.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only the front ends of C, C++ and the Objective languages show functions to
   plugins when they have finished them.  The functions of others are examined
   when they have become GIMPLE, in which the pointers of the source still have
   their types:

     node = malloc (16)				Ada, D, Fortran, Go	    (1)
     _1 = malloc (800); values.data = _1	an array of Fortran	    (2)
     square = constructor (_d_newclass (...))	an object of D		    (3)

   In (2), the front end tells the type of the elements, as for DWARF; in (3),
   the constructor returns its argument.  */

#include "gcc-compat.h"
#include "site-types.h"
#include "site-types-gimple.h"

/* What variables of a function point to.  */
struct pointer_facts
{
  hash_map<tree, typed_value> values;
  /* Pairs: the variable, and the one that is copied to it.  */
  auto_vec<std::pair<tree, tree>> copies;
};

/* True if TYPE is the base of all classes of D, which tells as little about an
   object as void.  */
static bool
object_of_d_p (tree type)
{
  tree name = TYPE_NAME (type);

  if (name && TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  return RECORD_OR_UNION_TYPE_P (type) && name && id_equal (name, "Object")
	 && startswith (lang_hooks.name, "GNU D");
}

/* Return the type of what is stored at PLACE, a pointer to it: the elements of
   an array if PLACE is the pointer of an array descriptor.  NULL_TREE if it
   does not tell.  */
static tree
type_at (tree place)
{
  tree type = TREE_TYPE (place);

  if (POINTER_TYPE_P (type) && site_types_pointer_p (type))
    return object_of_d_p (TREE_TYPE (type)) ? NULL_TREE : TREE_TYPE (type);
  if (TREE_CODE (place) != COMPONENT_REF)
    return NULL_TREE;
  return array_descriptor_element (TREE_TYPE (TREE_OPERAND (place, 0)));
}

static bool
pointer_variable_p (tree expression)
{
  return (VAR_P (expression) || TREE_CODE (expression) == SSA_NAME)
	 && POINTER_TYPE_P (TREE_TYPE (expression));
}

/* Note that the pointer SOURCE is stored at PLACE.  */
static void
note_copy (pointer_facts *known, tree source, tree place)
{
  if (!pointer_variable_p (source))
    return;
  if (tree type = type_at (place))
    typed_value_note (&known->values.get_or_insert (source), type, 0);
  else if (pointer_variable_p (place))
    known->copies.safe_push (std::make_pair (place, source));
}

/* If EXPRESSION is memory that a pointer without a type points to, the access
   has the type.  gcc 16 begins a new array with an access of the whole array,
   which has the type of the elements, as the array's pointer.  */
static void
note_access (pointer_facts *known, tree expression)
{
  tree memory = get_base_address (expression);

  if (!memory || TREE_CODE (memory) != MEM_REF
      || !integer_zerop (TREE_OPERAND (memory, 1)))
    return;
  tree pointer = TREE_OPERAND (memory, 0);
  tree type = TREE_TYPE (TREE_OPERAND (memory, 1));
  if (pointer_variable_p (pointer)
      && VOID_TYPE_P (TREE_TYPE (TREE_TYPE (pointer)))
      && site_types_pointer_p (type))
    {
      type = TREE_TYPE (type);
      if (TREE_CODE (type) == ARRAY_TYPE)
	type = TREE_TYPE (type);
      typed_value_note (&known->values.get_or_insert (pointer), type, 0);
    }
}

/* Give the types of copies to what was copied.  Few pointers are copied more
   often than this.  */
static void
follow_copies (pointer_facts *known)
{
  for (unsigned round = 0; round < 4; round++)
    for (unsigned i = 0; i < known->copies.length (); i++)
      {
	typed_value *copy = known->values.get (known->copies[i].first);
	if (!copy || !copy->type)
	  continue;
	const typed_value value = *copy;
	typed_value *source
	  = &known->values.get_or_insert (known->copies[i].second);
	if (value.type == error_mark_node)
	  source->type = error_mark_node;
	else if (source->type != error_mark_node)
	  typed_value_note (source, value.type, value.offset);
      }
}

/* Return the name of the function that CALL calls, or "".  */
static const char *
callee_name (gimple *call)
{
  tree callee = gimple_call_fndecl (call);

  return callee && DECL_NAME (callee)
	   ? IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee))
	   : "";
}

static bool
new_object_p (gimple *call)
{
  return !strcmp (callee_name (call), "_d_newclass");
}

/* Note the copy that STATEMENT makes, if any.  */
static void
note_copies (pointer_facts *known, gimple *statement)
{
  if (gimple_assign_single_p (statement) || gimple_assign_cast_p (statement))
    {
      note_copy (known, gimple_assign_rhs1 (statement),
		 gimple_assign_lhs (statement));
      note_access (known, gimple_assign_lhs (statement));
      note_access (known, gimple_assign_rhs1 (statement));
    }
  else if (is_gimple_call (statement) && gimple_call_lhs (statement)
	   && gimple_call_num_args (statement) > 0
	   && strstr (callee_name (statement), "6__ctor"))
    note_copy (known, gimple_call_arg (statement, 0),
	       gimple_call_lhs (statement));
}

/* True if CALL returns a pointer to memory that has no type yet.  */
static bool
returns_memory_p (gcall *call)
{
  tree type = gimple_call_return_type (call);

  return gimple_call_lhs (call)
	 && ((POINTER_TYPE_P (type) && VOID_TYPE_P (TREE_TYPE (type)))
	     || new_object_p (call));
}

/* Note in FOUND, by location, what CALL allocates if it is known.  The compiler
   may make several calls for one statement: for an array of Fortran and for
   components of its elements.  Then classes take precedence, too.  */
static void
look_at_call (pointer_facts *known, gcall *call,
	      hash_map<int_hash<location_t, UNKNOWN_LOCATION>, typed_value>
		*found)
{
  typed_value value = {};
  tree result = gimple_call_lhs (call);

  if (typed_value *copied = known->values.get (result))
    value = *copied;
  else if (!new_object_p (call))
    if (tree type = type_at (result))
      typed_value_note (&value, type, 0);
  if (!value.type || value.type == error_mark_node)
    return;
  const location_t location = LOCATION_LOCUS (gimple_location (call));
  if (location != UNKNOWN_LOCATION)
    typed_value_note (&found->get_or_insert (location), value.type,
		      value.offset);
}

static const pass_data data_of_pass = {
  GIMPLE_PASS,	    /* type */
  "heapprof-types", /* name */
  OPTGROUP_NONE,    /* optinfo_flags */
  TV_NONE,	    /* tv_id */
  PROP_cfg,	    /* properties_required */
  0,		    /* properties_provided */
  0,		    /* properties_destroyed */
  0,		    /* todo_flags_start */
  0,		    /* todo_flags_finish */
};

class pass_site_types : public gimple_opt_pass
{
public:
  pass_site_types (gcc::context *context)
    : gimple_opt_pass (data_of_pass, context)
  {}

  /* The front ends of C have shown their functions already.  */
  bool gate (function *) final override
  {
    return !in_lto_p && !startswith (lang_hooks.name, "GNU C")
	   && !startswith (lang_hooks.name, "GNU Objective")
	   && debug_info_level != DINFO_LEVEL_NONE;
  }

  unsigned int execute (function *fun) final override
  {
    pointer_facts known;
    hash_map<int_hash<location_t, UNKNOWN_LOCATION>, typed_value> found;
    auto_vec<gcall *> calls;
    basic_block block;

    FOR_EACH_BB_FN (block, fun)
      for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);
	   gsi_next (&at))
	{
	  gimple *statement = gsi_stmt (at);
	  note_copies (&known, statement);
	  if (gcall *call = dyn_cast<gcall *> (statement))
	    if (returns_memory_p (call))
	      calls.safe_push (call);
	}
    follow_copies (&known);
    for (unsigned i = 0; i < calls.length (); i++)
      look_at_call (&known, calls[i], &found);
    for (auto entry : found)
      site_types_add (fun->decl, entry.first, entry.second);
    return 0;
  }
};

void
site_types_gimple_register (const char *plugin_name)
{
  register_pass_info info
    = { new pass_site_types (g), "cfg", 1, PASS_POS_INSERT_AFTER };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

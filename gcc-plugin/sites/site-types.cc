/* Data types of allocation sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   An allocation function returns void *.  What the program makes of the result
   tells what it allocates:

     new T				(T *) operator new (16)		    (1)
     T *t = malloc (n);			t = (T *) malloc (n)
     void *p = malloc (n);		p = malloc (n)			    (2)
     ...
     return (T *) p;			(T *) p
     return p;				the caller's call has the type	    (3)

   All calls that return void * are treated as allocation sites, so a function
   of the program that allocates for its callers, as in (3), has the type of
   each of them.  A call whose result becomes pointers to different classes has
   no type.

   The optimizers drop the types of pointers, so functions are examined when the
   front end has just finished them.  The types of sites and their layouts go to
   a section next to the debug information that is not loaded at run time:
   doc/site-types.md has the format.  */

#include "gcc-compat.h"
#include "debug-texts.h"
#include "site-types.h"
#include "type-layout.h"

/* A value that flows from FROM, a call or a variable, to the variable TO.  */
struct value_flow
{
  tree from;
  tree to;
  unsigned HOST_WIDE_INT offset;
};

/* Data of the function that is being examined.  */
struct function_values
{
  hash_map<tree, typed_value> values;
  /* The calls among the values, in the order in which they were found, and the
     locations of the expressions around them.  */
  auto_vec<tree> calls;
  auto_vec<location_t> locations;
  auto_vec<value_flow> flows;
  location_t location;
};

/* A site for which the linkage name of its function is not known yet.  */
struct site
{
  unsigned function_uid;
  char *text;
  /* The text of its type, or NULL.  */
  const char *type;
};

static auto_vec<site> sites;

/* Texts of the entries.  */
static auto_vec<char *> entries;

/* Texts of types that start at the start of the block, by TYPE_UID: trees may
   be garbage collected.  */
static hash_map<int_hash<int, -1, -2>, char *> type_texts;

static bool
void_pointer_p (const_tree type)
{
  return POINTER_TYPE_P (type) && VOID_TYPE_P (TREE_TYPE (type));
}

bool
site_types_pointer_p (tree type)
{
  return TREE_CODE (type) == POINTER_TYPE
	 && type_has_layout_p (TREE_TYPE (type));
}

static bool
class_pointer_p (tree type)
{
  return site_types_pointer_p (type)
	 && RECORD_OR_UNION_TYPE_P (TREE_TYPE (type));
}

/* True if INNER is a base or member of the class OUTER, OFFSET bytes from its
   start.  */
static bool
has_part_p (tree outer, tree inner, unsigned HOST_WIDE_INT offset)
{
  for (tree field = TYPE_FIELDS (outer); field; field = DECL_CHAIN (field))
    {
      if (TREE_CODE (field) != FIELD_DECL
	  || !tree_fits_uhwi_p (bit_position (field))
	  || !RECORD_OR_UNION_TYPE_P (TREE_TYPE (field)))
	continue;
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (field));
      const unsigned HOST_WIDE_INT begin
	= int_bit_position (field) / BITS_PER_UNIT;
      if (offset >= begin
	  && ((offset == begin && type == inner)
	      || has_part_p (type, inner, offset - begin)))
	return true;
    }
  return false;
}

void
typed_value_note (typed_value *value, tree type, unsigned HOST_WIDE_INT offset)
{
  type = TYPE_MAIN_VARIANT (type);
  if (!value->type
      || (RECORD_OR_UNION_TYPE_P (type) && value->type != error_mark_node
	  && !RECORD_OR_UNION_TYPE_P (value->type)))
    {
      value->type = type;
      value->offset = offset;
    }
  /* The first type wins if it is not a class.  */
  else if (!RECORD_OR_UNION_TYPE_P (type) || value->type == error_mark_node
	   || (value->type == type && value->offset == offset)
	   || (offset >= value->offset
	       && has_part_p (value->type, type, offset - value->offset)))
    return;
  else if (offset <= value->offset
	   && has_part_p (type, value->type, value->offset - offset))
    {
      value->type = type;
      value->offset = offset;
    }
  else
    value->type = error_mark_node;
}

/* How the value of an expression is used.  */
enum purpose
{
  GIVE_TYPE,
  RETURN_IT,
  ASSIGN_IT
};

struct use_of_value
{
  purpose what;
  /* The type for GIVE_TYPE, the variable for ASSIGN_IT.  */
  tree object;
};

static void
note_source (function_values *function, tree source, const use_of_value &use,
	     unsigned HOST_WIDE_INT offset)
{
  bool existed;
  typed_value *value = &function->values.get_or_insert (source, &existed);

  if (!existed)
    {
      *value = typed_value ();
      if (TREE_CODE (source) == CALL_EXPR)
	{
	  function->calls.safe_push (source);
	  function->locations.safe_push (EXPR_HAS_LOCATION (source)
					   ? EXPR_LOCATION (source)
					   : function->location);
	}
    }
  if (use.what == GIVE_TYPE)
    typed_value_note (value, use.object, offset);
  else if (use.what == RETURN_IT)
    value->returned |= offset == 0;
  else if (source != use.object)
    {
      value_flow flow = { source, use.object, offset };
      function->flows.safe_push (flow);
    }
}

/* True if CALL is of the function of the Objective languages that allocates
   objects of any class, and returns a pointer to their common base.  */
static bool
new_object_p (tree call)
{
  tree callee
    = TREE_CODE (call) == CALL_EXPR ? get_callee_fndecl (call) : NULL_TREE;

  return callee && DECL_NAME (callee)
	 && id_equal (DECL_NAME (callee), "class_createInstance");
}

/* Find the calls and variables that the value of EXPRESSION comes from.  The
   use is OFFSET bytes after that value.  */
static void
find_sources (function_values *function, tree expression,
	      const use_of_value &use, unsigned HOST_WIDE_INT offset)
{
  for (;;)
    switch (TREE_CODE (expression))
      {
      CASE_CONVERT:
      case VIEW_CONVERT_EXPR:
	expression = TREE_OPERAND (expression, 0);
	/* A pointer to a base of a class, or a cast of a typed pointer.  */
	if (class_pointer_p (TREE_TYPE (expression))
	    && !new_object_p (expression))
	  return;
	break;
      case NON_LVALUE_EXPR:
      case SAVE_EXPR:
      case CLEANUP_POINT_EXPR:
	expression = TREE_OPERAND (expression, 0);
	break;
      case COMPOUND_EXPR:
	expression = TREE_OPERAND (expression, 1);
	break;
      case MODIFY_EXPR:
      case INIT_EXPR:
      case TARGET_EXPR:
	expression = TREE_OPERAND (expression, 0);
	break;
      case POINTER_PLUS_EXPR:
	if (!tree_fits_uhwi_p (TREE_OPERAND (expression, 1)))
	  return;
	offset += tree_to_uhwi (TREE_OPERAND (expression, 1));
	expression = TREE_OPERAND (expression, 0);
	break;
      case COND_EXPR:
	if (TREE_OPERAND (expression, 1))
	  find_sources (function, TREE_OPERAND (expression, 1), use, offset);
	if (!TREE_OPERAND (expression, 2))
	  return;
	expression = TREE_OPERAND (expression, 2);
	break;
      case CALL_EXPR:
	if (void_pointer_p (TREE_TYPE (expression))
	    || new_object_p (expression))
	  note_source (function, expression, use, offset);
	return;
      case VAR_DECL:
	if (POINTER_TYPE_P (TREE_TYPE (expression)) && !TREE_STATIC (expression)
	    && !DECL_EXTERNAL (expression)
	    && !class_pointer_p (TREE_TYPE (expression)))
	  note_source (function, expression, use, offset);
	return;
      default:
	return;
      }
}

/* Note that VARIABLE is assigned VALUE.  */
static void
note_assignment (function_values *function, tree variable, tree value)
{
  use_of_value use = { ASSIGN_IT, variable };

  if (!value || !POINTER_TYPE_P (TREE_TYPE (variable)))
    return;
  if (TREE_CODE (variable) == RESULT_DECL)
    use.what = RETURN_IT;
  else if (TREE_CODE (variable) != VAR_DECL || TREE_STATIC (variable))
    return;
  /* For other pointers to classes, the conversion gives the type.  */
  if (void_pointer_p (TREE_TYPE (variable)) || DECL_ARTIFICIAL (variable))
    find_sources (function, value, use, 0);
}

/* Callback of walk_tree: examine the expression *AT.  */
static tree
look_at (tree *at, int *walk_subtrees, void *data)
{
  function_values *function = static_cast<function_values *> (data);
  tree expression = *at;

  if (TYPE_P (expression))
    {
      *walk_subtrees = 0;
      return NULL_TREE;
    }
  if (EXPR_P (expression) && EXPR_HAS_LOCATION (expression))
    function->location = EXPR_LOCATION (expression);
  switch (TREE_CODE (expression))
    {
    CASE_CONVERT:
      if (site_types_pointer_p (TREE_TYPE (expression)))
	{
	  use_of_value use = { GIVE_TYPE, TREE_TYPE (TREE_TYPE (expression)) };
	  find_sources (function, expression, use, 0);
	}
      break;
    case RETURN_EXPR:
      if (tree value = TREE_OPERAND (expression, 0))
	if (void_pointer_p (TREE_TYPE (value)))
	  {
	    use_of_value use = { RETURN_IT, NULL_TREE };
	    if (TREE_CODE (value) == MODIFY_EXPR
		|| TREE_CODE (value) == INIT_EXPR)
	      value = TREE_OPERAND (value, 1);
	    find_sources (function, value, use, 0);
	  }
      break;
    case MODIFY_EXPR:
    case INIT_EXPR:
    case TARGET_EXPR:
      /* gcc 16 begins the block of new int[10] as one int[10], which is not the
	 type of its pointer.  */
      if (TREE_OPERAND (expression, 1)
	  && TREE_CLOBBER_P (TREE_OPERAND (expression, 1)))
	{
	  *walk_subtrees = 0;
	  break;
	}
      note_assignment (function, TREE_OPERAND (expression, 0),
		       TREE_OPERAND (expression, 1));
      break;
    case DECL_EXPR:
      if (TREE_CODE (DECL_EXPR_DECL (expression)) == VAR_DECL)
	note_assignment (function, DECL_EXPR_DECL (expression),
			 DECL_INITIAL (DECL_EXPR_DECL (expression)));
      break;
    default:
      break;
    }
  return NULL_TREE;
}

/* Propagate the uses of variables to the sources of their values.  Few
   functions pass pointers on more often than this.  */
static void
follow_flows (function_values *function)
{
  for (unsigned round = 0; round < 4; round++)
    for (unsigned i = 0; i < function->flows.length (); i++)
      {
	const value_flow &flow = function->flows[i];
	const typed_value *to = function->values.get (flow.to);
	typed_value *from = function->values.get (flow.from);
	if (!to || !from)
	  continue;
	if (to->type == error_mark_node)
	  from->type = error_mark_node;
	else if (to->type && from->type != error_mark_node)
	  typed_value_note (from, to->type, to->offset + flow.offset);
	from->returned |= to->returned && flow.offset == 0;
      }
}

/* Return the number that identifies the type with TEXT: 53 bits of FNV-1a,
   which any reader of JSON can represent.  */
static uint64_t
number_of_type (const char *text)
{
  uint64_t hash = 0xcbf29ce484222325u;

  for (; *text; text++)
    hash = (hash ^ (unsigned char) *text) * 0x100000001b3u;
  return hash >> 11;
}

/* Return the text of TYPE, which starts START bytes after the start of its
   blocks, or NULL.  */
static const char *
text_of_type (tree type, unsigned HOST_WIDE_INT start)
{
  bool existed;

  if (start)
    return type_layout_text (type, start);
  char **text = &type_texts.get_or_insert (TYPE_UID (type), &existed);
  if (!existed)
    *text = type_layout_text (type, start);
  return *text;
}

void
site_types_add (tree function, location_t location, const typed_value &value)
{
  expanded_location at = expand_location (location);
  const char *file = at.file ? lbasename (at.file) : "";
  char number[20] = "";
  site added = { DECL_UID (DECL_ORIGIN (function)), NULL, NULL };

  if (at.line <= 0)
    return;
  if (value.type && value.type != error_mark_node)
    added.type = text_of_type (value.type, value.offset);
  if (added.type)
    snprintf (number, sizeof number, "%014" PRIx64,
	      number_of_type (added.type));
  else if (!value.returned || value.type)
    return;
  added.text = xasprintf ("%d\t%d\t%s\t%s", at.line,
			  debug_column_info ? at.column : 0, file, number);
  sites.safe_push (added);
}

/* PLUGIN_PRE_GENERICIZE: the front end has finished the function DATA.  */
static void
look_at_function (void *data, void *)
{
  tree function = static_cast<tree> (data);
  function_values values;
  hash_set<tree> visited;

  if (seen_error () || TREE_CODE (function) != FUNCTION_DECL
      || !DECL_SAVED_TREE (function))
    return;
  values.location = DECL_SOURCE_LOCATION (function);
  walk_tree (&DECL_SAVED_TREE (function), look_at, &values, &visited);
  follow_flows (&values);
  for (unsigned i = 0; i < values.calls.length (); i++)
    site_types_add (function, values.locations[i],
		    *values.values.get (values.calls[i]));
}

/* Add an entry for SITE, in the function with LINKAGE_NAME, and for its type if
   it is not in TYPES.  */
static void
enter_site (const site &site, const char *linkage_name,
	    hash_set<nofree_string_hash> *types)
{
  entries.safe_push (xasprintf ("S\t%s\t%s", site.text,
				targetm.strip_name_encoding (linkage_name)));
  if (site.type && !types->add (site.type))
    entries.safe_push (xasprintf ("T\t%014" PRIx64 "\t%s",
				  number_of_type (site.type), site.type));
}

void
site_types_collect (void)
{
  hash_map<int_hash<int, -1, -2>, const char *> names;
  hash_set<nofree_string_hash> types;
  cgraph_node *node;

  if (debug_info_level == DINFO_LEVEL_NONE)
    return;
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      /* All variants of a constructor share one body.  */
      tree function = DECL_ORIGIN (node->decl);
      names.put (DECL_UID (function),
		 IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function)));
    }
  for (unsigned i = 0; i < sites.length (); i++)
    {
      const char **name = names.get (sites[i].function_uid);
      if (name && field_p (*name))
	enter_site (sites[i], *name, &types);
    }
}

void
site_types_output (FILE *file, bool for_lto)
{
  debug_texts_output (file, entries,
		      for_lto ? ".gnu.debuglto_.debug_heapprof_types"
			      : ".debug_heapprof_types",
		      for_lto);
}

void
site_types_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_PRE_GENERICIZE, look_at_function,
		     NULL);
}

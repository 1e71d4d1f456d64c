/* Names and layouts of types as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   Types are named as in debuggers: with scopes and template arguments, without
   qualifiers and typedefs.  */

#include "gcc-compat.h"
#include "debug-texts.h"
#include "type-layout.h"

/* The maximum number of members to describe.  */
static const unsigned max_members = 1000;

/* A string that grows.  */
class growing_text
{
public:
  void add (const char *text)
  {
    for (; *text; text++)
      m_text.safe_push (*text);
  }
  void add_number (unsigned HOST_WIDE_INT number)
  {
    char digits[24];

    snprintf (digits, sizeof digits, HOST_WIDE_INT_PRINT_UNSIGNED, number);
    add (digits);
  }
  char *finish ()
  {
    m_text.safe_push (0);
    return xstrdup (m_text.address ());
  }

private:
  auto_vec<char> m_text;
};

static void add_type_name (growing_text *text, tree type);

/* Objective-C++ has the front end of C++, but not its function that names
   things for DWARF.  Its names of types have scopes, those of namespaces and
   classes twice: a::a::B.  */
static bool
names_have_scopes_p (void)
{
  return startswith (lang_hooks.name, "GNU C++")
	 && lang_hooks.dwarf_name == lhd_dwarf_name;
}

/* Return SPELLING after the first copy of scopes that it has twice.  */
static const char *
without_first_scopes (const char *spelling)
{
  const char *start = spelling;

  for (const char *end = strstr (spelling, "::"); end;
       end = strstr (end + 1, "::"))
    if (!strncmp (spelling, end + 2, end + 2 - spelling))
      start = end + 2;
  return start;
}

/* True if a type of Ada, whose name has its scopes already, lists__node for
   Lists.Node.  */
static bool
encoded_names_p (void)
{
  return startswith (lang_hooks.name, "GNU Ada");
}

/* Add NAME of Ada, with dots between its parts.  */
static void
add_encoded_name (growing_text *text, const char *name)
{
  for (const char *part; (part = strstr (name, "__")) && part > name;
       name = part + 2)
    {
      char *scope = xstrndup (name, part - name);
      text->add (scope);
      text->add (".");
      free (scope);
    }
  text->add (name);
}

/* What is between the names of a scope and of what it contains.  */
static const char *
scope_separator (void)
{
  return startswith (lang_hooks.name, "GNU C") ? "::" : ".";
}

/* Add the names of the scopes around DECL_OR_TYPE, outermost first, each
   followed by a separator.  */
static void
add_scopes (growing_text *text, tree decl_or_type)
{
  tree scope = (TYPE_P (decl_or_type) ? TYPE_CONTEXT (decl_or_type)
				      : DECL_CONTEXT (decl_or_type));

  while (scope && TREE_CODE (scope) == BLOCK)
    scope = BLOCK_SUPERCONTEXT (scope);
  if (!scope || TREE_CODE (scope) == TRANSLATION_UNIT_DECL)
    return;
  if (TYPE_P (scope))
    add_type_name (text, scope);
  else
    {
      const char *name = NULL;
      add_scopes (text, scope);
      if (DECL_NAME (scope) && !DECL_NAMELESS (scope))
	name = lang_hooks.dwarf_name (scope, 0);
      text->add (name && *name ? name : "(anonymous namespace)");
    }
  text->add (scope_separator ());
}

/* Return the name of TYPE, a declaration or an identifier; NULL_TREE if it has
   none.  In C, a type without a name has that of its first typedef, whatever
   other typedefs a file has.  */
static tree
type_name (tree type)
{
  tree first = TYPE_NAME (type);

  if (first)
    return first;
  for (tree variant = TYPE_NEXT_VARIANT (type); variant;
       variant = TYPE_NEXT_VARIANT (variant))
    {
      tree name = TYPE_NAME (variant);
      if (name
	  && (!first
	      || (TREE_CODE (name) == TYPE_DECL
		  && TREE_CODE (first) == TYPE_DECL
		  && DECL_UID (name) < DECL_UID (first))))
	first = name;
    }
  return first;
}

/* Add the name of TYPE, a class, an enumeration or a basic type.  */
static void
add_own_name (growing_text *text, tree type)
{
  tree name = type_name (type);
  const char *spelling = NULL;

  if (name && TREE_CODE (name) == TYPE_DECL)
    {
      if (!DECL_NAMELESS (name))
	spelling = lang_hooks.dwarf_name (name, 2);
      if (spelling && names_have_scopes_p ())
	spelling = without_first_scopes (spelling);
    }
  else if (name)
    spelling = IDENTIFIER_POINTER (name);
  if (spelling && *spelling && encoded_names_p ())
    {
      add_encoded_name (text, spelling);
      return;
    }
  /* Names of Go start with a dot.  */
  if (spelling && *spelling == '.')
    spelling++;
  text->add (spelling && *spelling		 ? spelling
	     : TREE_CODE (type) == UNION_TYPE	 ? "(union)"
	     : TREE_CODE (type) == ENUMERAL_TYPE ? "(enum)"
						 : "(struct)");
}

static void
add_type_name (growing_text *text, tree type)
{
  if (!type)
    {
      text->add ("?");
      return;
    }
  type = TYPE_MAIN_VARIANT (type);
  switch (TREE_CODE (type))
    {
    case POINTER_TYPE:
    case REFERENCE_TYPE:
      add_type_name (text, TREE_TYPE (type));
      text->add (TREE_CODE (type) == POINTER_TYPE ? " *" : " &");
      break;
    case ARRAY_TYPE:
      add_type_name (text, TREE_TYPE (type));
      text->add ("[]");
      break;
    case FUNCTION_TYPE:
    case METHOD_TYPE:
      text->add ("function");
      break;
    default:
      if (!names_have_scopes_p () && !encoded_names_p ())
	add_scopes (text, type);
      add_own_name (text, type);
    }
}

/* Add a separator and NUMBER.  */
static void
add_field (growing_text *text, unsigned HOST_WIDE_INT number)
{
  text->add ("\t");
  text->add_number (number);
}

/* Return the first member in FIELD, a chain of declarations, or NULL_TREE.  */
static tree
first_member (tree field)
{
  while (field && TREE_CODE (field) != FIELD_DECL)
    field = DECL_CHAIN (field);
  return field;
}

/* True if FIELD extends to the end of the block: a flexible array, or a class
   that contains one.  In a structure that is the last member, in a union
   any.  */
static bool
open_member_p (tree field)
{
  tree type = TREE_TYPE (field);

  if (TREE_CODE (DECL_CONTEXT (field)) != UNION_TYPE
      && first_member (DECL_CHAIN (field)))
    return false;
  if (TREE_CODE (type) == ARRAY_TYPE)
    return !DECL_SIZE (field) || integer_zerop (DECL_SIZE (field));
  if (RECORD_OR_UNION_TYPE_P (type))
    for (tree part = first_member (TYPE_FIELDS (type)); part;
	 part = first_member (DECL_CHAIN (part)))
      if (open_member_p (part))
	return true;
  return false;
}

/* Add the member FIELD of a class, with size 0 if it is open.  Return false if
   its position is not constant.  */
static bool
add_member (growing_text *text, tree field)
{
  const bool is_open = open_member_p (field);

  if (!tree_fits_shwi_p (bit_position (field))
      || (!is_open && !tree_fits_uhwi_p (DECL_SIZE (field))))
    return false;
  const HOST_WIDE_INT position = int_bit_position (field);
  const unsigned HOST_WIDE_INT bits
    = is_open ? 0 : tree_to_uhwi (DECL_SIZE (field));
  const bool is_bits = DECL_BIT_FIELD_TYPE (field) != NULL_TREE;
  const unsigned HOST_WIDE_INT first = position / BITS_PER_UNIT;
  const unsigned HOST_WIDE_INT end = CEIL (position + bits, BITS_PER_UNIT);
  /* Members added by the compiler, bases and pointers to virtual tables, keep
     their positions.  */
  const char *kind = is_bits ? "b" : DECL_ARTIFICIAL (field) ? "a" : "m";

  if (position < 0)
    return false;
  add_field (text, first);
  add_field (text, end - first);
  add_field (text, MIN (is_bits ? TYPE_ALIGN_UNIT (DECL_BIT_FIELD_TYPE (field))
				: DECL_ALIGN_UNIT (field),
			TYPE_ALIGN_UNIT (DECL_CONTEXT (field))));
  text->add ("\t");
  text->add (kind);
  text->add ("\t");
  if (DECL_NAME (field))
    text->add (IDENTIFIER_POINTER (DECL_NAME (field)));
  text->add ("\t");
  add_type_name (text,
		 is_bits ? DECL_BIT_FIELD_TYPE (field) : TREE_TYPE (field));
  return true;
}

bool
type_has_layout_p (tree type)
{
  return (!VOID_TYPE_P (type) && TREE_CODE (type) != FUNCTION_TYPE
	  && TREE_CODE (type) != METHOD_TYPE && COMPLETE_TYPE_P (type)
	  && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type))
	  && tree_to_uhwi (TYPE_SIZE_UNIT (type)) > 0);
}

char *
type_layout_text (tree type, unsigned HOST_WIDE_INT start)
{
  growing_text name, members;
  unsigned count = 0;

  type = TYPE_MAIN_VARIANT (type);
  add_type_name (&name, type);
  if (RECORD_OR_UNION_TYPE_P (type))
    for (tree field = first_member (TYPE_FIELDS (type));
	 field && count < max_members;
	 field = first_member (DECL_CHAIN (field)))
      /* Empty bases and bit-fields without a name have no data.  */
      if (open_member_p (field)
	  || (DECL_SIZE (field) && !integer_zerop (DECL_SIZE (field))
	      && (DECL_NAME (field) || !DECL_BIT_FIELD_TYPE (field))))
	count += add_member (&members, field);
  char *name_text = name.finish ();
  char *member_text = members.finish ();
  char *result = xasprintf (HOST_WIDE_INT_PRINT_UNSIGNED
			    "\t%u\t" HOST_WIDE_INT_PRINT_UNSIGNED "\t%c\t%s%s",
			    tree_to_uhwi (TYPE_SIZE_UNIT (type)),
			    TYPE_ALIGN_UNIT (type), start,
			    TREE_CODE (type) == UNION_TYPE    ? 'u'
			    : TREE_CODE (type) == RECORD_TYPE ? 's'
							      : 'p',
			    name_text, member_text);
  /* The tabs of members are separators.  */
  const bool is_plain = field_p (name_text);
  free (name_text);
  free (member_text);
  if (is_plain)
    return result;
  free (result);
  return NULL;
}

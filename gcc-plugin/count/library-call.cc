/* Calls of functions of the C library, by code or name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "heap-access.h"

bool
argument_fits_p (const gcall *call, int argument, bool is_integer)
{
  if (argument < 0)
    return true;
  if (argument >= (int) gimple_call_num_args (call))
    return false;
  tree type = TREE_TYPE (gimple_call_arg (call, argument));
  return is_integer ? INTEGRAL_TYPE_P (type) : POINTER_TYPE_P (type);
}

/* True if function types A and B have the same parameters: integers of one
   type, pointers to one type, which may be const in one of them.  */
static bool
same_parameters_p (tree a, tree b)
{
  tree x = TYPE_ARG_TYPES (a), y = TYPE_ARG_TYPES (b);

  for (; x && y; x = TREE_CHAIN (x), y = TREE_CHAIN (y))
    {
      tree type_x = TREE_VALUE (x), type_y = TREE_VALUE (y);
      if (POINTER_TYPE_P (type_x) && POINTER_TYPE_P (type_y))
	type_x = TREE_TYPE (type_x), type_y = TREE_TYPE (type_y);
      if (TYPE_MAIN_VARIANT (type_x) != TYPE_MAIN_VARIANT (type_y))
	return false;
    }
  return !x && !y;
}

/* True if CALLEE is what a program calls NAME, and has the type of the built-in
   CODE.  The name alone does not suffice: functions of C++, and those of
   another type, do something else, and their arguments are not texts.  */
static bool
has_name_and_type_p (tree callee, built_in_function code, const char *name)
{
  tree built_in = builtin_decl_explicit (code);

  return (id_equal (DECL_NAME (callee), name) && built_in
	  && DECL_ASSEMBLER_NAME_SET_P (callee)
	  && id_equal (DECL_ASSEMBLER_NAME (callee), name)
	  && same_parameters_p (TREE_TYPE (callee), TREE_TYPE (built_in)));
}

bool
library_call_p (const gcall *call, built_in_function code, const char *name)
{
  tree callee = gimple_call_fndecl (call);

  if (!callee || !DECL_EXTERNAL (callee) || !DECL_NAME (callee)
      || !TREE_PUBLIC (callee))
    return false;
  return (fndecl_built_in_p (callee, BUILT_IN_NORMAL)
	    ? DECL_FUNCTION_CODE (callee) == code
	    : has_name_and_type_p (callee, code, name));
}

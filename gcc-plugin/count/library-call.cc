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

bool
library_call_p (const gcall *call, built_in_function code, const char *name)
{
  tree callee = gimple_call_fndecl (call);

  if (!callee || !DECL_EXTERNAL (callee) || !DECL_NAME (callee)
      || !TREE_PUBLIC (callee))
    return false;
  return (fndecl_built_in_p (callee, BUILT_IN_NORMAL)
	    ? DECL_FUNCTION_CODE (callee) == code
	    : id_equal (DECL_NAME (callee), name));
}

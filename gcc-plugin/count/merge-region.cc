/* Statements across which counts must not be moved.
   SPDX-License-Identifier: GPL-3.0-or-later

   Few calls are known to return: those of functions that GCC knows to have no
   effects except their result, and of the library functions below.  Functions
   that may call back, cancel the thread (pthread_cancel) or report an error by
   abort are not among them.

   Statements that trap are assumed to continue.  The program is lost if they do
   trap, unless it asks for exceptions from such statements
   (-fnon-call-exceptions).  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "merge-region.h"

/* True if the built-in function CODE always returns to its caller.  */
static bool
builtin_returns_p (built_in_function code)
{
  switch (code)
    {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
    case BUILT_IN_MEMSET:
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCHR:
    case BUILT_IN_BCMP:
    case BUILT_IN_BCOPY:
    case BUILT_IN_BZERO:
    case BUILT_IN_STRLEN:
    case BUILT_IN_STRNLEN:
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRCASECMP:
    case BUILT_IN_STRNCASECMP:
    case BUILT_IN_STRCHR:
    case BUILT_IN_STRRCHR:
    case BUILT_IN_STRSTR:
    case BUILT_IN_STRSPN:
    case BUILT_IN_STRCSPN:
    case BUILT_IN_STRPBRK:
    case BUILT_IN_STRCPY:
    case BUILT_IN_STPCPY:
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STPNCPY:
    case BUILT_IN_STRCAT:
    case BUILT_IN_STRNCAT:
    case BUILT_IN_MALLOC:
    case BUILT_IN_CALLOC:
    case BUILT_IN_REALLOC:
    case BUILT_IN_FREE:
    case BUILT_IN_ALLOCA:
    case BUILT_IN_ALLOCA_WITH_ALIGN:
    case BUILT_IN_ALLOCA_WITH_ALIGN_AND_MAX:
    case BUILT_IN_STACK_SAVE:
    case BUILT_IN_STACK_RESTORE:
    case BUILT_IN_VA_START:
    case BUILT_IN_VA_END:
    case BUILT_IN_VA_COPY:
      CASE_FLT_FN (BUILT_IN_CEIL)
	: CASE_FLT_FN (BUILT_IN_COS)
	: CASE_FLT_FN (BUILT_IN_EXP)
	: CASE_FLT_FN (BUILT_IN_FLOOR)
	: CASE_FLT_FN (BUILT_IN_FMOD)
	: CASE_FLT_FN (BUILT_IN_LOG)
	: CASE_FLT_FN (BUILT_IN_POW)
	: CASE_FLT_FN (BUILT_IN_SIN)
	: CASE_FLT_FN (BUILT_IN_SQRT) : return true;
    default:
      return false;
    }
}

/* True if CALL calls a library function that always returns.  A function of
   that name that the unit itself defines may do anything.  */
static bool
library_call_returns_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  if (!callee || !DECL_EXTERNAL (callee))
    return false;
  if (startswith (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee)),
		  "__heapprof_access_"))
    return true;
  return (gimple_call_builtin_p (call, BUILT_IN_NORMAL)
	  && builtin_returns_p (DECL_FUNCTION_CODE (callee)));
}

static bool
call_returns_p (gcall *call)
{
  const int flags = gimple_call_flags (call);

  /* These do not throw, but the compiler does not mark them so.  */
  if (gimple_call_builtin_p (call, BUILT_IN_PREFETCH)
      || (compat_target_builtin_p (call) && (flags & (ECF_CONST | ECF_PURE))))
    return true;
  if (flags & (ECF_NORETURN | ECF_RETURNS_TWICE | ECF_LOOPING_CONST_OR_PURE)
      || !gimple_call_nothrow_p (call))
    return false;
  if (flags & (ECF_CONST | ECF_PURE))
    return true;
  if (gimple_call_internal_p (call))
    return (internal_load_fn_p (gimple_call_internal_fn (call))
	    || internal_store_fn_p (gimple_call_internal_fn (call)));
  return library_call_returns_p (call);
}

bool
may_not_return_p (const function *fun, gimple *statement)
{
  if (gcall *call = dyn_cast<gcall *> (statement))
    return !call_returns_p (call);
  /* With a "memory" clobber it may be a system call.  */
  if (gasm *assembly = dyn_cast<gasm *> (statement))
    return gimple_asm_clobbers_memory_p (assembly);
  return (flag_non_call_exceptions
	  && stmt_could_throw_p (const_cast<function *> (fun), statement));
}

bool
may_lose_block_p (gimple *statement)
{
  if (gcall *call = dyn_cast<gcall *> (statement))
    return (gimple_call_builtin_p (call, BUILT_IN_FREE)
	    || gimple_call_builtin_p (call, BUILT_IN_REALLOC));
  return gimple_has_volatile_ops (statement);
}

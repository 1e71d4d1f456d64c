/* Accesses made by calls of the C library's functions on texts, and of those
   that read memory up to a certain byte.
   SPDX-License-Identifier: GPL-3.0-or-later

   How much these functions access depends on the text, so the run-time library
   reads it first, and counts.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"

/* The argument numbers of the texts, of the largest number of bytes, and of the
   byte that ends a search; -1 if it has none.  */
struct text_function
{
  built_in_function code;
  const char *name;
  heapprof_text_operation operation;
  int a;
  int b;
  int limit;
  int stop;
};

static const text_function text_functions[] = {
  { BUILT_IN_STRLEN, "strlen", HEAPPROF_TEXT_READ, 0, -1, -1, -1 },
  { BUILT_IN_STRNLEN, "strnlen", HEAPPROF_TEXT_READ, 0, -1, 1, -1 },
  { BUILT_IN_STRDUP, "strdup", HEAPPROF_TEXT_READ, 0, -1, -1, -1 },
  { BUILT_IN_STRNDUP, "strndup", HEAPPROF_TEXT_READ, 0, -1, 1, -1 },
  { BUILT_IN_STRRCHR, "strrchr", HEAPPROF_TEXT_READ, 0, -1, -1, -1 },
  { BUILT_IN_RINDEX, "rindex", HEAPPROF_TEXT_READ, 0, -1, -1, -1 },
  { BUILT_IN_STRCHR, "strchr", HEAPPROF_TEXT_FIND, 0, -1, -1, 1 },
  { BUILT_IN_INDEX, "index", HEAPPROF_TEXT_FIND, 0, -1, -1, 1 },
  { BUILT_IN_MEMCHR, "memchr", HEAPPROF_TEXT_FIND_BYTE, 0, -1, 2, 1 },
  { BUILT_IN_STRCMP, "strcmp", HEAPPROF_TEXT_COMPARE, 0, 1, -1, -1 },
  { BUILT_IN_STRCMP_EQ, "__builtin_strcmp_eq", HEAPPROF_TEXT_COMPARE, 0, 1, -1,
    -1 },
  { BUILT_IN_STRNCMP, "strncmp", HEAPPROF_TEXT_COMPARE, 0, 1, 2, -1 },
  { BUILT_IN_STRNCMP_EQ, "__builtin_strncmp_eq", HEAPPROF_TEXT_COMPARE, 0, 1, 2,
    -1 },
  { BUILT_IN_STRCASECMP, "strcasecmp", HEAPPROF_TEXT_COMPARE_FOLDED, 0, 1, -1,
    -1 },
  { BUILT_IN_STRNCASECMP, "strncasecmp", HEAPPROF_TEXT_COMPARE_FOLDED, 0, 1, 2,
    -1 },
  { BUILT_IN_MEMCMP, "memcmp", HEAPPROF_TEXT_COMPARE_BYTES, 0, 1, 2, -1 },
  { BUILT_IN_MEMCMP_EQ, "__builtin_memcmp_eq", HEAPPROF_TEXT_COMPARE_BYTES, 0,
    1, 2, -1 },
  { BUILT_IN_BCMP, "bcmp", HEAPPROF_TEXT_COMPARE_BYTES, 0, 1, 2, -1 },
  { BUILT_IN_STRCPY, "strcpy", HEAPPROF_TEXT_COPY, 0, 1, -1, -1 },
  { BUILT_IN_STRCPY_CHK, "__strcpy_chk", HEAPPROF_TEXT_COPY, 0, 1, -1, -1 },
  { BUILT_IN_STPCPY, "stpcpy", HEAPPROF_TEXT_COPY, 0, 1, -1, -1 },
  { BUILT_IN_STPCPY_CHK, "__stpcpy_chk", HEAPPROF_TEXT_COPY, 0, 1, -1, -1 },
  { BUILT_IN_STRNCPY, "strncpy", HEAPPROF_TEXT_COPY_PADDED, 0, 1, 2, -1 },
  { BUILT_IN_STRNCPY_CHK, "__strncpy_chk", HEAPPROF_TEXT_COPY_PADDED, 0, 1, 2,
    -1 },
  { BUILT_IN_STPNCPY, "stpncpy", HEAPPROF_TEXT_COPY_PADDED, 0, 1, 2, -1 },
  { BUILT_IN_STPNCPY_CHK, "__stpncpy_chk", HEAPPROF_TEXT_COPY_PADDED, 0, 1, 2,
    -1 },
  { BUILT_IN_STRCAT, "strcat", HEAPPROF_TEXT_APPEND, 0, 1, -1, -1 },
  { BUILT_IN_STRCAT_CHK, "__strcat_chk", HEAPPROF_TEXT_APPEND, 0, 1, -1, -1 },
  { BUILT_IN_STRNCAT, "strncat", HEAPPROF_TEXT_APPEND, 0, 1, 2, -1 },
  { BUILT_IN_STRNCAT_CHK, "__strncat_chk", HEAPPROF_TEXT_APPEND, 0, 1, 2, -1 },
  { BUILT_IN_STRSPN, "strspn", HEAPPROF_TEXT_SPAN, 0, 1, -1, -1 },
  { BUILT_IN_STRCSPN, "strcspn", HEAPPROF_TEXT_SPAN_NOT, 0, 1, -1, -1 },
  { BUILT_IN_STRPBRK, "strpbrk", HEAPPROF_TEXT_SPAN_NOT, 0, 1, -1, -1 },
  { BUILT_IN_STRSTR, "strstr", HEAPPROF_TEXT_SEARCH, 0, 1, -1, -1 },
};

static const text_function *
find_text_function (const gcall *call)
{
  for (const text_function &function : text_functions)
    if (library_call_p (call, function.code, function.name))
      return (argument_fits_p (call, function.a, false)
		  && argument_fits_p (call, function.b, false)
		  && argument_fits_p (call, function.limit, true)
		  && argument_fits_p (call, function.stop, true)
		? &function
		: NULL);
  return NULL;
}

static tree
argument_or_null (gcall *call, int argument)
{
  return argument < 0 ? NULL_TREE : gimple_call_arg (call, argument);
}

/* strdup and strndup write a copy, to the block that they return.  */
static void
record_copy (function_accesses *accesses, gcall *call)
{
  tree copy = gimple_call_lhs (call);
  text_access text = {};

  if (!copy || TREE_CODE (copy) != SSA_NAME || stmt_ends_bb_p (call))
    return;
  text.a = copy;
  text.operation = HEAPPROF_TEXT_READ;
  text.is_after = true;
  record_text (accesses, call, text);
}

bool
record_text_call (function_accesses *accesses, gcall *call)
{
  const text_function *function = find_text_function (call);

  if (!function)
    return false;
  text_access text = {};
  text.a = argument_or_null (call, function->a);
  text.b = argument_or_null (call, function->b);
  text.limit = argument_or_null (call, function->limit);
  text.stop = argument_or_null (call, function->stop);
  text.operation = function->operation;
  record_text (accesses, call, text);
  if (function->code == BUILT_IN_STRDUP || function->code == BUILT_IN_STRNDUP)
    record_copy (accesses, call);
  return true;
}

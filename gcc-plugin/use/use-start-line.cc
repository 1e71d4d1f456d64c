/* Use of a heap profile: the line where a function starts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "use-start-line.h"

/* True if one of CALLS is on the line of PROFILED of FUNCTION.  */
static bool
any_in_line_p (const vec<written_call> &calls,
	       const profiled_function &function, const profiled_call &profiled)
{
  for (const written_call &written : calls)
    for (location_t place : { gimple_location (written.call),
			      use_record_call_start (written.call) })
      if (use_record_line_offset (function, place) == profiled.line_offset)
	return true;
  return false;
}

/* Return how many of the profile's calls in FUNCTION, which is DECL, are on a
   line with one of CALLS.  */
static unsigned
count_lines (heap_lookup *lookup, tree decl, const profiled_function &function,
	     const vec<written_call> &calls)
{
  auto_vec<const profiled_call *> there;
  unsigned count = 0;

  for (const profiled_call &profiled : function.calls)
    if (any_in_line_p (calls, function, profiled))
      there.safe_push (&profiled);
  if (there.length () == function.calls.length ())
    return there.length ();
  for (const profiled_call *profiled : there)
    count += (use_record_where (lookup, decl, function, *profiled)
	      != HEAP_LOOKUP_ELSEWHERE);
  return count;
}

/* Return how many lines below that of DECL its name may end: not after its
   first parameter.  */
static unsigned
name_lines (tree decl)
{
  const unsigned most = 2;

  for (tree parm = DECL_ARGUMENTS (decl); parm; parm = DECL_CHAIN (parm))
    if (!DECL_ARTIFICIAL (parm))
      return MIN (DECL_SOURCE_LINE (parm) - DECL_SOURCE_LINE (decl), most);
  return most;
}

/* Store in LINES the lines from which the profile may count those of DECL, most
   likely first.  A function made by the compiler may have no line in the debug
   information, so that its lines are counted from 0, or have that of its class:
   this depends on compiler and options.  If the name of a member is on a line
   below that of its class, Clang, whose profiles have columns, starts with one
   of these lines and GCC with the other.  */
static void
list_start_lines (tree decl, bool has_columns, vec<unsigned> *lines)
{
  const unsigned line = DECL_SOURCE_LINE (decl);
  tree scope = DECL_CONTEXT (decl);

  lines->safe_push (line);
  if (DECL_ARTIFICIAL (decl))
    {
      if (scope && TYPE_P (scope) && TYPE_STUB_DECL (scope))
	lines->safe_push (DECL_SOURCE_LINE (TYPE_STUB_DECL (scope)));
      lines->safe_push (0);
    }
  else if (has_columns)
    for (unsigned i = 1; i <= name_lines (decl); i++)
      lines->safe_push (line + i);
}

void
use_start_line_find (heap_lookup *lookup, tree decl,
		     const vec<written_call> &calls,
		     profiled_function *function)
{
  auto_vec<unsigned> lines;
  unsigned start = DECL_SOURCE_LINE (decl), best = 0;

  list_start_lines (decl, function->has_columns, &lines);
  for (unsigned line : lines)
    {
      function->start_line = line;
      unsigned count = lines.length () > 1
			 ? count_lines (lookup, decl, *function, calls)
			 : 0;
      if (count > best)
	{
	  best = count;
	  start = line;
	}
      if (best == function->calls.length ())
	break;
    }
  function->start_line = start;
}

/* Using a heap profile: whether the source is older or newer than it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call that the profile has and the source has not tells that the source has
   changed, but for

   - calls in another function of that name, in another file;
   - calls at no place: of modules without line numbers, and those by which GCC
     goes on in what it has split off a function;
   - calls that the source has at that line, and that got nothing of the
   profile: of several, columns do not tell which is which, or it is an operator
   new that allocates nothing for its caller, but an exception.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "use-call.h"
#include "use-remarks.h"
#include "use-stale.h"

/* What was found in the unit.  */
static struct
{
  unsigned found; /* functions with a record */
  unsigned stale; /* whose record has calls that are not there */
  unsigned calls; /* that the records have */
  unsigned matched;
} unit;

/* More lines than any call has.  */
static const unsigned most_lines = 1000;

/* More lines than most objects have for what they are made of.  */
static const unsigned most_argument_lines = 20;

/* True if CALL of DECL is at no place of the source, as far as lines and
   columns tell: a module without line numbers had it, or GCC has split the
   function, and calls the rest of it from where it is declared.  */
static bool
placeless_p (tree decl, const profiled_call &call)
{
  return (call.line_offset == 0 && !call.mibs
	  && (call.column == 0
	      || call.column == (unsigned) DECL_SOURCE_COLUMN (decl)));
}

/* True if CALL of FUNCTION is in line 0, which Clang gives to code of no line.
   The name of a function may begin some lines above where Clang counts from. */
static bool
line_zero_p (const profiled_function &function, const profiled_call &call)
{
  return ((-function.start_line - call.line_offset) & 0xffff) <= 2;
}

/* True if the profile is Clang's, and DECL a constructor that the source does
   not have: GCC has no lines of what initializes members there.  */
static bool
implicit_constructor_p (tree decl, const profiled_function &function)
{
  return (function.has_columns && DECL_ARTIFICIAL (decl)
	  && DECL_CXX_CONSTRUCTOR_P (decl));
}

/* True if CALL of FUNCTION, which is DECL, and of which the profile says that
   it is WHERE, may be in another function, or in none of the source.  */
static bool
other_place_p (tree decl, const profiled_function &function,
	       const profiled_call &call, heap_lookup_where where)
{
  if (line_zero_p (function, call) || implicit_constructor_p (decl, function))
    return true;
  switch (where)
    {
    case HEAP_LOOKUP_ELSEWHERE:
    case HEAP_LOOKUP_NOWHERE:
      return true;
    case HEAP_LOOKUP_HERE:
      return placeless_p (decl, call);
    case HEAP_LOOKUP_UNKNOWN:
      return ((call.line_offset == 0 && call.column == 0)
	      || placeless_p (decl, call));
    }
  gcc_unreachable ();
}

/* True if the expression of CALL in FUNCTION has the line of PROFILED.  */
static bool
has_line_p (const gcall *call, const profiled_function &function,
	    const profiled_call &profiled)
{
  location_t location = gimple_location (call);
  source_range range = get_range_from_loc (line_table, location);
  unsigned first = use_record_line_offset (function, range.m_start);
  unsigned lines
    = (use_record_line_offset (function, range.m_finish) - first) & 0xffff;

  return (use_record_line_offset (function, location) == profiled.line_offset
	  || (lines < most_lines
	      && ((profiled.line_offset - first) & 0xffff) <= lines));
}

/* True if CALL makes an object of a class: as a constructor, or as what it
   returns.  */
static bool
makes_object_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  return ((callee && DECL_CXX_CONSTRUCTOR_P (callee))
	  || AGGREGATE_TYPE_P (gimple_call_return_type (call)));
}

/* True if CALL may be PROFILED of FUNCTION, where of an object that it makes
   GCC has the end alone and Clang the beginning, some lines above; or if that
   initializes a member, GCC has the line of an implicit constructor.  */
static bool
object_above_p (const gcall *call, const profiled_function &function,
		const profiled_call &profiled)
{
  unsigned end = use_record_line_offset (function, gimple_location (call));

  return (function.has_columns && makes_object_p (call)
	  && !use_call_known_p (call)
	  && (end == 0
	      || ((end - profiled.line_offset) & 0xffff)
		   <= most_argument_lines));
}

/* True if CALL is that of the body of a coroutine, of which GCC makes a
   function of its own and Clang does not.  */
static bool
coroutine_body_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);
  const char *dot
    = callee ? strrchr (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee)), '.')
	     : NULL;

  return dot && !strcmp (dot, ".actor");
}

/* True if one of CALLS in FUNCTION may be PROFILED.  What allocates may be any
   call, such as one of fopen, as frames without names are left out.  */
static bool
still_there_p (const vec<written_call> &calls,
	       const profiled_function &function, const profiled_call &profiled)
{
  for (const written_call &written : calls)
    if (has_line_p (written.call, function, profiled)
	|| object_above_p (written.call, function, profiled)
	|| (function.has_columns && coroutine_body_p (written.call))
	|| (!profiled.mibs && written.is_region))
      return true;
  return false;
}

/* The line of CALL of FUNCTION.  Initializers of members may stand above the
   constructor that has them.  */
static unsigned
line_of_call (const profiled_function &function, const profiled_call &call)
{
  const unsigned above = 0x10000 - call.line_offset;

  return (above < 0x8000 && above < function.start_line
	    ? function.start_line - above
	    : function.start_line + call.line_offset);
}

/* The places of CALLS of FUNCTION, those of the first few, for users.  */
static char *
line_list (const profiled_function &function,
	   const vec<const profiled_call *> &calls)
{
  const unsigned shown = MIN (calls.length (), 5u);
  char *list = concat (shown == 1 ? " line" : " lines", NULL);

  for (unsigned i = 0; i < shown; i++)
    {
      char *number = xasprintf ("%u", line_of_call (function, *calls[i]));
      list = reconcat (list, list, i > 0 ? ", " : " ", number, NULL);
      free (number);
    }
  return (shown < calls.length () ? reconcat (list, list, ", ...", NULL)
				  : list);
}

/* The source of FUNCTION, which is DECL, has changed: of the profile's CALLS,
   MATCHED were found, and MISSED were not.  */
static void
note_stale (tree decl, const profiled_function &function, unsigned matched,
	    unsigned calls, const vec<const profiled_call *> &missed)
{
  unit.stale++;
  if (!arguments.verbose)
    return;
  char *lines = line_list (function, missed);
  inform (DECL_SOURCE_LOCATION (decl),
	  "heapprof: calls of the heap profile found in %qD: %u of %u; it has"
	  " others at%s",
	  decl, matched, calls, lines);
  free (lines);
}

void
use_stale_count (heap_lookup *lookup, tree decl,
		 const profiled_function &function,
		 const vec<written_call> &calls)
{
  unsigned here = 0, matched = 0;
  auto_vec<const profiled_call *> missed;

  for (const profiled_call &call : function.calls)
    {
      heap_lookup_where where = HEAP_LOOKUP_HERE;
      if (!call.matched)
	where = use_record_where (lookup, decl, function, call);
      if (!call.matched && other_place_p (decl, function, call, where))
	continue;
      here++;
      matched += call.matched;
      if (call.matched)
	continue;
      if (call.mibs)
	use_remark_stale (decl, line_of_call (function, call), call.column,
			  call.mibs);
      if (!still_there_p (calls, function, call))
	missed.safe_push (&call);
    }
  unit.found += here > 0;
  unit.calls += here;
  unit.matched += matched;
  if (!missed.is_empty ())
    note_stale (decl, function, matched, here, missed);
}

void
use_stale_report (unsigned functions)
{
  /* What a damaged file lacks need not be stale.  */
  if (unit.stale && !use_record_any_damaged_p ())
    warning (OPT_Wcoverage_mismatch,
	     "%s: the source of %u functions has"
	     " changed since: %u of %u calls found",
	     arguments.use.file, unit.stale, unit.matched, unit.calls);
  if (arguments.verbose)
    inform (UNKNOWN_LOCATION,
	    "heapprof: functions with a heap profile: %u of"
	    " %u; calls: %u of %u",
	    unit.found, functions, unit.matched, unit.calls);
}

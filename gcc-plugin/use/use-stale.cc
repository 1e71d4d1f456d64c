/* Use of a heap profile: detection of changed sources.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call in the profile that is missing in the source shows that the source has
   changed, except:

   - calls in another function of the same name, in another file;
   - calls without a place: in modules without line numbers, and calls by which
     GCC continues in a part that it has split off a function;
   - calls on a line where the source has calls that were not matched: columns
     do not distinguish several calls, or an operator new allocates only an
     exception, and nothing for its caller.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "use-call.h"
#include "use-remarks.h"
#include "use-stale.h"

/* Statistics of the unit.  */
static struct
{
  unsigned found; /* functions with a record */
  unsigned stale; /* functions whose record has calls that are missing */
  unsigned calls; /* calls in the records */
  unsigned matched;
  unsigned fitted; /* of these, at places that were found by the calls around
		      them */
} unit;

/* More lines than any call has.  */
static const unsigned most_lines = 1000;

/* The maximum number of lines between the start of an expression that makes an
   object and its end.  */
static const unsigned most_argument_lines = 20;

/* True if CALL of DECL is not in the source, as far as lines and columns show:
   it was in a module without line numbers, or GCC has split the function, and
   calls its second part from the place where the function is declared.  */
static bool
placeless_p (tree decl, const profiled_call &call)
{
  return (call.line_offset == 0 && !call.mibs
	  && (call.column == 0
	      || call.column == (unsigned) DECL_SOURCE_COLUMN (decl)));
}

/* True if CALL of FUNCTION is in line 0, which Clang gives to code without a
   line.  A function's name may begin some lines above Clang's start line.  */
static bool
line_zero_p (const profiled_function &function, const profiled_call &call)
{
  return ((-function.start_line - call.line_offset) & 0xffff) <= 2;
}

/* True if the profile is Clang's and DECL is a constructor that is not in the
   source.  GCC has no lines for the initializers of members there.  */
static bool
implicit_constructor_p (tree decl, const profiled_function &function)
{
  return (function.has_columns && DECL_ARTIFICIAL (decl)
	  && DECL_CXX_CONSTRUCTOR_P (decl));
}

/* True if CALL of FUNCTION, which is DECL and which the profile has at WHERE,
   may be in another function, or not in the source.  */
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

/* True if the expression of CALL in FUNCTION includes the line of PROFILED.  */
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

/* True if CALL makes an object of a class, as a constructor or as its return
   value.  */
static bool
makes_object_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  return ((callee && DECL_CXX_CONSTRUCTOR_P (callee))
	  || AGGREGATE_TYPE_P (gimple_call_return_type (call)));
}

/* True if CALL may be PROFILED of FUNCTION although their lines differ: if CALL
   makes an object, GCC may have only the line where the expression ends, and
   Clang that where it begins, some lines above; if it initializes a member, GCC
   has the line of an implicit constructor.  */
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

/* True if CALL is a call of a coroutine's body, which GCC makes a separate
   function and Clang does not.  */
static bool
coroutine_body_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);
  const char *dot
    = callee ? strrchr (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee)), '.')
	     : NULL;

  return dot && !strcmp (dot, ".actor");
}

/* True if one of CALLS in FUNCTION may be PROFILED.  An allocation may be any
   call, such as one of fopen, because frames without names are omitted.  */
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

/* Return the line of CALL of FUNCTION.  Initializers of members may be above
   the constructor that contains them.  */
static unsigned
line_of_call (const profiled_function &function, const profiled_call &call)
{
  const unsigned above = 0x10000 - call.line_offset;

  return (above < 0x8000 && above < function.start_line
	    ? function.start_line - above
	    : function.start_line + call.line_offset);
}

/* Return the lines of the first few CALLS of FUNCTION as text for users,
   malloced.  */
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

/* Calls of a function in the profile.  */
struct call_counts
{
  unsigned all;
  unsigned matched;
  unsigned fitted; /* of these, by the calls around them */
};

/* Note that the source of FUNCTION, which is DECL, has changed: of the
   profile's calls, whose numbers are COUNTS, MISSED were not found.  */
static void
note_stale (tree decl, const profiled_function &function,
	    const call_counts &counts, const vec<const profiled_call *> &missed)
{
  /* Names and lines of functions that the compiler makes are not always those
     in debug information.  */
  const bool is_whole
    = ((function.is_renamed || DECL_ARTIFICIAL (decl)) && missed.is_empty ());

  unit.stale += !is_whole;
  if (!arguments.verbose)
    return;
  if (is_whole && function.is_renamed)
    {
      inform (DECL_SOURCE_LOCATION (decl),
	      "heapprof: found %u calls in %qD that the heap profile has in"
	      " another function",
	      counts.matched, decl);
      return;
    }
  char *lines
    = (missed.is_empty () ? xstrdup ("") : line_list (function, missed));
  char *fitted
    = counts.fitted
	? xasprintf (", %u of them by the calls around them", counts.fitted)
	: xstrdup ("");
  inform (DECL_SOURCE_LOCATION (decl),
	  "heapprof: found %u of %u calls of the heap profile in %qD%s%s%s",
	  counts.matched, counts.all, decl, fitted,
	  missed.is_empty () ? "" : "; missing calls at", lines);
  free (lines);
  free (fitted);
}

/* Report CALL of FUNCTION, which is DECL, as not found.  */
static void
remark_lost (tree decl, const profiled_function &function,
	     const profiled_call &call)
{
  if (call.mibs)
    use_remark_stale (decl, line_of_call (function, call), call.column,
		      call.mibs);
}

bool
use_stale_missed_p (tree decl, const profiled_function &function,
		    const profiled_call &call, heap_lookup_where where,
		    const vec<written_call> &calls)
{
  return (!other_place_p (decl, function, call, where)
	  && !still_there_p (calls, function, call));
}

void
use_stale_count (heap_lookup *lookup, tree decl,
		 const profiled_function &function,
		 const vec<written_call> &calls)
{
  call_counts counts = {};
  auto_vec<const profiled_call *> missed;

  for (const profiled_call &call : function.calls)
    {
      heap_lookup_where where = HEAP_LOOKUP_HERE;
      if (!call.matched && !call.is_fitted)
	where = use_record_where (lookup, decl, function, call);
      if (!call.matched && other_place_p (decl, function, call, where))
	continue;
      counts.all++;
      counts.matched += call.matched;
      counts.fitted += call.matched && call.is_fitted;
      if (call.matched)
	continue;
      remark_lost (decl, function, call);
      if (!still_there_p (calls, function, call))
	missed.safe_push (&call);
    }
  for (const profiled_call &call : function.lost)
    {
      if (other_place_p (decl, function, call, HEAP_LOOKUP_HERE))
	continue;
      counts.all++;
      remark_lost (decl, function, call);
      missed.safe_push (&call);
    }
  unit.found += counts.all > 0;
  unit.calls += counts.all;
  unit.matched += counts.matched;
  unit.fitted += counts.fitted;
  if (!missed.is_empty () || counts.fitted)
    note_stale (decl, function, counts, missed);
}

void
use_stale_report (unsigned functions)
{
  char *fitted
    = (unit.fitted
	 ? xasprintf (", %u of them by the calls around them", unit.fitted)
	 : xstrdup (""));

  /* Calls in damaged records are missing for another reason.  */
  if (unit.stale && !use_record_any_damaged_p ())
    warning (OPT_Wcoverage_mismatch,
	     "%s: functions whose source has changed since the profile was"
	     " made: %u; calls found: %u of %u%s",
	     arguments.use.file, unit.stale, unit.matched, unit.calls, fitted);
  free (fitted);
  if (arguments.verbose)
    inform (UNKNOWN_LOCATION,
	    "heapprof: functions with a heap profile: %u of"
	    " %u; calls: %u of %u",
	    unit.found, functions, unit.matched, unit.calls);
}

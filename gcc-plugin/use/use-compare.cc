/* Use of a heap profile: comparing what it has with the source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "use-compare.h"
#include "use-known.h"

/* The functions of the profile in a source file.  */
struct file_functions
{
  size_t all;
  size_t defined; /* in the unit */
};

/* Return those of LOOKUP in the file NAME.  */
static file_functions
count_functions (heap_lookup *lookup, const char *name)
{
  static hash_map<nofree_string_hash, file_functions> known;
  const uint64_t *guids;
  bool is_known;
  file_functions &functions = known.get_or_insert (name, &is_known);

  if (is_known)
    return functions;
  char *path = use_record_path (name);
  functions = { heap_lookup_find_functions (lookup, path, &guids), 0 };
  free (path);
  for (size_t i = 0; i < functions.all; i++)
    functions.defined += use_known_defined (lookup).contains (guids[i]);
  return functions;
}

bool
use_compare_any_gone_p (heap_lookup *lookup)
{
  if (!main_input_filename)
    return false;
  const file_functions functions
    = count_functions (lookup, main_input_filename);
  return functions.defined < functions.all;
}

/* True if the source file of DECL is that of the profile, although in another
   folder: most functions are the same.  */
static bool
same_file_p (heap_lookup *lookup, tree decl)
{
  const file_functions functions
    = count_functions (lookup, DECL_SOURCE_FILE (decl));

  return functions.defined > 1 && 2 * functions.defined >= functions.all;
}

/* A direct call in the source.  */
struct direct_call
{
  unsigned line_offset;
  uint64_t callee;
  bool allocates;
};

/* The calls of a function in the profile and in the source.  */
struct comparison
{
  heap_lookup *lookup;
  const heap_lookup_call *calls;
  size_t count;
  auto_vec<direct_call> direct;
  hash_set<int_hash<int, -1, -2>> indirect; /* lines of other calls */
  hash_set<int_hash<int, -1, -2>> lines;    /* of all calls */
};

/* Add the lines of CALLS, in FUNCTION.  */
static void
collect_lines (comparison *compared, const profiled_function &function,
	       const vec<written_call> &calls)
{
  for (const written_call &written : calls)
    {
      tree callee = gimple_call_fndecl (written.call);
      for (location_t place : { gimple_location (written.call),
				use_record_call_start (written.call) })
	{
	  const unsigned line = use_record_line_offset (function, place);
	  compared->lines.add (line);
	  if (callee && !written.is_region)
	    compared->direct.safe_push ({ line,
					  use_known_guid (compared->lookup,
							  callee),
					  written.allocates });
	  else
	    compared->indirect.add (line);
	}
    }
}

/* True if CALL of the profile is on a line where the source calls only other
   functions.  */
static bool
other_callee_p (comparison *compared, const heap_lookup_call &call)
{
  bool any = false;

  if (compared->indirect.contains (call.line_offset))
    return false;
  for (const direct_call &direct : compared->direct)
    if (direct.line_offset == call.line_offset)
      {
	if (direct.callee == call.callee || direct.allocates
	    || !use_known_p (compared->lookup, direct.callee))
	  return false;
	any = true;
      }
  return any;
}

static bool
has_call_p (comparison *compared, const profiled_call &call)
{
  for (size_t i = 0; i < compared->count; i++)
    if (compared->calls[i].line_offset == call.line_offset
	&& compared->calls[i].column == call.column)
      return true;
  return false;
}

/* True if the source of DECL lacks a call of FUNCTION.  */
static bool
missed_p (comparison *compared, tree decl, const profiled_function &function,
	  const vec<written_call> &calls)
{
  for (const profiled_call &call : function.calls)
    {
      if (compared->lines.contains (call.line_offset))
	continue;
      heap_lookup_where where
	= use_record_where (compared->lookup, decl, function, call);
      if (where == HEAP_LOOKUP_ELSEWHERE
	  && same_file_p (compared->lookup, decl))
	where = HEAP_LOOKUP_HERE;
      if (use_stale_missed_p (decl, function, call, where, calls)
	  && has_call_p (compared, call))
	return true;
    }
  return false;
}

source_change
use_compare_function (heap_lookup *lookup, tree decl,
		      const profiled_function &function,
		      const vec<written_call> &calls)
{
  comparison compared;
  char *path = use_record_path (DECL_SOURCE_FILE (decl));
  const heap_lookup_place place
    = { use_known_guid (lookup, decl), 0, function.start_line, path };
  source_change change = SOURCE_SAME;

  compared.lookup = lookup;
  compared.count = heap_lookup_find_calls (lookup, &place, &compared.calls);
  if (compared.count > 0)
    {
      collect_lines (&compared, function, calls);
      for (size_t i = 0; i < compared.count; i++)
	if (other_callee_p (&compared, compared.calls[i]))
	  change = SOURCE_CALLEES;
      if (missed_p (&compared, decl, function, calls))
	change = SOURCE_MISSED;
    }
  free (path);
  return change;
}

/* Using a heap profile: finding its calls in the unit.
   SPDX-License-Identifier: GPL-3.0-or-later

   A pass over each function as it comes from the source, before any inlining:
   every call is then in the function that it was written in.  The function's
   record says at which lines and columns calls are that allocate, or through
   which allocations are reached; the calls there get attributes (use-call.h).

   Compilers differ in the column of a call: GCC has C's at the beginning of the
   expression and C++'s at the parenthesis, Clang the beginning or the name of
   the member; and for new, the keyword or the type.  So both ends that GCC
   knows are tried, and then, if a line has one call that allocates, or one that
   does not, and so has the profile, that.

   A profile may be older than the source.  What does not fit is counted.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "heap-lookup.h"
#include "hint-call.h"
#include "profile-use.h"
#include "use-call.h"
#include "use-class.h"
#include "use-dump.h"
#include "use-frame.h"
#include "use-match.h"
#include "use-remarks.h"
#include "use-shared.h"

static heap_lookup *lookup;
static uint32_t schema;

/* What was found in the unit.  */
static struct
{
  unsigned functions;		/* that there are */
  unsigned found;		/* with a record */
  unsigned stale;		/* whose record has calls that are not there */
  unsigned calls;		/* that the records have */
  unsigned matched;
  unsigned damaged;		/* functions whose record cannot be read */
} unit;

/* A place in a function where the profile has a call.  */
struct profiled_call
{
  uint64_t function;		/* GUID: of the variant, of a constructor */
  unsigned line_offset;
  unsigned column;
  uint64_t id;
  tree mibs;			/* of what is allocated right here */
  tree callees;
  bool matched;
};

/* What the profile has of a function.  */
struct profiled_function
{
  auto_vec<profiled_call> calls;
  bool has_columns;
};

uint32_t
use_schema (void)
{
  return schema;
}

/* Warn, at PLACE, that the profile is not used WHERE, because of ERR.  */
static void
warn_about_profile (location_t place, const char *where,
		    const profile_error *err)
{
  char *offset = (err->offset == PROFILE_ERROR_NO_OFFSET
		  ? xstrdup ("")
		  : xasprintf ("offset 0x%" PRIx64 ": ", err->offset));

  warning_at (place, OPT_Wcoverage_mismatch, "%s: not used%s: %s%s",
	      arguments.use.file, where, offset, err->cause);
  free (offset);
}

/* The call of FUNCTION at FRAME, made if necessary.  */
static profiled_call *
get_call (profiled_function *function, const heap_lookup_frame &frame)
{
  for (profiled_call &call : function->calls)
    if (call.line_offset == frame.line_offset && call.column == frame.column)
      return &call;
  profiled_call call = {};
  call.function = frame.function;
  call.line_offset = frame.line_offset;
  call.column = frame.column;
  call.id = use_frame_id (frame.function, frame.line_offset, frame.column);
  if (frame.column)
    function->has_columns = true;
  return function->calls.safe_push (call);
}

/* STACK as a list of ids.  Calls of a function by itself are left out: GCC makes
   loops of some and inlines others, and they are no place where contexts could
   be told apart.  */
static tree
stack_list (const heap_lookup_stack &stack)
{
  tree list = NULL_TREE;

  for (size_t i = stack.count; i-- > 0; )
    {
      const heap_lookup_frame &frame = stack.frames[i];
      uint64_t id = use_frame_id (frame.function, frame.line_offset,
				  frame.column);
      if (i > 0 && stack.frames[i - 1].function == frame.function)
	continue;
      list = use_shared_node (NULL_TREE, use_shared_number (id), list);
    }
  return list;
}

/* The fields of INFO that the profile has.  */
static tree
field_list (const memory_info &info)
{
  tree list = NULL_TREE;

  for (unsigned tag = MEMORY_INFO_TAG_END; --tag > 0; )
    if (schema & 1u << tag)
      list = use_shared_node (use_shared_number (tag),
			      use_shared_number (memory_info_get (&info, tag)),
			      list);
  return list;
}

/* Note the frames of STACK that are in the function GUID.  */
static void
collect_stack (profiled_function *function, uint64_t guid,
	       const heap_lookup_stack &stack)
{
  for (size_t i = 0; i < stack.count; i++)
    if (stack.frames[i].function == guid)
      get_call (function, stack.frames[i]);
}

/* Have what RECORD says of the function GUID at *FUNCTION.  */
static void
collect_record (profiled_function *function, uint64_t guid,
		const heap_lookup_record &record)
{
  /* From the last, as lists grow at the front.  */
  for (size_t i = record.allocation_count; i-- > 0; )
    {
      const heap_lookup_allocation &allocation = record.allocations[i];
      collect_stack (function, guid, allocation.stack);
      if (allocation.stack.frames[0].function != guid)
	continue;
      profiled_call *call = get_call (function, allocation.stack.frames[0]);
      call->mibs = tree_cons (stack_list (allocation.stack),
			      field_list (allocation.info), call->mibs);
    }
  for (size_t i = 0; i < record.call_site_count; i++)
    {
      const heap_lookup_call_site &site = record.call_sites[i];
      collect_stack (function, guid, site.stack);
      profiled_call *call
	= (site.stack.frames[0].function == guid
	   ? get_call (function, site.stack.frames[0]) : NULL);
      for (size_t j = site.callee_count; call && j-- > 0; )
	call->callees = tree_cons (NULL_TREE,
				   use_shared_number (site.callees[j]),
				   call->callees);
    }
}

/* The record of the function DECL cannot be read, because of ERR.  One warning
   tells that the file is damaged.  */
static void
warn_about_record (tree decl, const profile_error *err)
{
  if (unit.damaged++ > 0)
    return;
  char *where = concat (" for ", lang_hooks.decl_printable_name (decl, 2),
			NULL);
  warn_about_profile (DECL_SOURCE_LOCATION (decl), where, err);
  free (where);
}

/* Have what the profile has of the function DECL, as GUID, at *FUNCTION.  True if
   that is anything.  */
static bool
look_up (profiled_function *function, tree decl, uint64_t guid)
{
  heap_lookup_record record;
  profile_error err;

  indexed_result result = heap_lookup_find (lookup, guid, &record, &err);
  if (result == INDEXED_FOUND)
    collect_record (function, guid, record);
  else if (result == INDEXED_FAILED)
    warn_about_record (decl, &err);
  return result == INDEXED_FOUND;
}

/* The same for the function DECL.  A constructor may have a record for each of
   its variants.  The first record's ids are those of calls that both have: its
   own are those in contexts that come through this variant.  */
static bool
look_up_function (profiled_function *function, tree decl)
{
  const char *name = targetm.strip_name_encoding
    (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
  uint64_t guid = use_function_guid (decl);
  uint64_t own = heap_lookup_guid (name, strlen (name));
  bool found = look_up (function, decl, own);

  if (own != guid && look_up (function, decl, guid))
    found = true;
  return found;
}

/* The call that the profile has of FUNCTION at LINE_OFFSET and COLUMN.  */
static profiled_call *
find_call (profiled_function *function, unsigned line_offset,
	   unsigned column)
{
  for (profiled_call &call : function->calls)
    if (call.line_offset == line_offset
	&& (call.column == column || !function->has_columns))
      return &call;
  return NULL;
}

/* True if CALL may be one that the profile has MIBS of, or if there are none, a
   call on the way to an allocation.  A function with the attribute malloc may be
   either: the profile has the frames inside of it, or it does not.  */
static bool
may_be_p (const gcall *call, tree mibs)
{
  tree callee = gimple_call_fndecl (call);
  bool allocates = callee && allocation_function_p (callee);

  return (allocates == (mibs != NULL_TREE)
	  || (callee && unhinted_allocation_function_p (callee)));
}

/* Give the statement CALL in the function DECL what the profile says of it.  */
static void
annotate (gcall *call, tree decl, profiled_call *profiled)
{
  profiled->matched = true;
  use_frame_remember (decl, gimple_location (call), profiled->id);
  use_call_annotate (call, profiled->id,
		     may_be_p (call, profiled->mibs) ? profiled->mibs
						     : NULL_TREE,
		     gimple_call_fndecl (call) ? NULL_TREE
					       : profiled->callees);
}

/* Match CALL in the function DECL by its line and column.  What allocates is
   not what one compiler has at the column of the other's constructor.  */
static bool
match_exactly (gcall *call, tree decl, profiled_function *function)
{
  location_t location = gimple_location (call);
  location_t start = get_range_from_loc (line_table, location).m_start;

  for (location_t place : { location, start })
    {
      profiled_call *profiled
	= find_call (function, use_line_offset (decl, place),
		     LOCATION_COLUMN (place));
      if (profiled && (profiled->mibs || may_be_p (call, NULL_TREE)))
	{
	  annotate (call, decl, profiled);
	  return true;
	}
    }
  return false;
}

/* True if STATEMENT is a call that the source may have.  */
static bool
written_call_p (gimple *statement)
{
  if (!is_gimple_call (statement) || gimple_call_internal_p (statement))
    return false;
  tree callee = gimple_call_fndecl (statement);
  return ((!callee || !DECL_IS_OPERATOR_DELETE_P (callee))
	  && gimple_call_fntype (statement)
	  && LOCATION_LOCUS (gimple_location (statement)) > BUILTINS_LOCATION);
}

/* The one of CALLS in the function DECL that may be PROFILED, by its line; NULL if
   there is none or more than one.  */
static gcall *
only_call (const vec<gcall *> &calls, tree decl, const profiled_call &profiled)
{
  gcall *found = NULL;

  for (gcall *call : calls)
    if (use_line_offset (decl, gimple_location (call)) == profiled.line_offset
	&& may_be_p (call, profiled.mibs))
      {
	if (found)
	  return NULL;
	found = call;
      }
  return found;
}

/* True if no other call of FUNCTION on the line of CALL is unmatched and like
   it.  */
static bool
alone_p (const profiled_function &function, const profiled_call &call)
{
  for (const profiled_call &other : function.calls)
    if (&other != &call && !other.matched
	&& other.line_offset == call.line_offset && !other.mibs == !call.mibs)
      return false;
  return true;
}

/* Match those of CALLS, which have other columns than the profile, that are
   alone in their line, here and there.  */
static void
match_lines (const vec<gcall *> &calls, tree decl,
	     profiled_function *function)
{
  for (profiled_call &profiled : function->calls)
    if (!profiled.matched && alone_p (*function, profiled))
      if (gcall *call = only_call (calls, decl, profiled))
	annotate (call, decl, &profiled);
}

/* Match the calls of FUN with those of FUNCTION.  */
static void
match_calls (struct function *fun, profiled_function *function)
{
  basic_block block;
  auto_vec<gcall *> unmatched;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *statement = gsi_stmt (gsi);
	if (!written_call_p (statement))
	  continue;
	gcall *call = as_a<gcall *> (statement);
	if (!match_exactly (call, fun->decl, function))
	  unmatched.safe_push (call);
      }
  match_lines (unmatched, fun->decl, function);
}

/* True if CALL of DECL is at no place of the source: a module without line
   numbers had it, or GCC has split the function, and calls the rest of it from
   where it is declared.  */
static bool
placeless_p (tree decl, const profiled_call &call)
{
  return (call.line_offset == 0 && !call.mibs
	  && (call.column == 0
	      || call.column == (unsigned) DECL_SOURCE_COLUMN (decl)));
}

/* True if CALL of DECL is in another function of that name, of another file.  */
static bool
elsewhere_p (tree decl, const profiled_call &call)
{
  const char *file = DECL_SOURCE_FILE (decl);
  char *path = (IS_ABSOLUTE_PATH (file)
		? xstrdup (file) : concat (getpwd (), "/", file, NULL));
  const heap_lookup_place place
    = { call.function, call.line_offset,
	(unsigned) DECL_SOURCE_LINE (decl), path };
  bool elsewhere = heap_lookup_is_elsewhere (lookup, &place);

  free (path);
  return elsewhere;
}

/* The places of CALLS of DECL, those of the first few, for users.  */
static char *
line_list (tree decl, const vec<const profiled_call *> &calls)
{
  const unsigned shown = MIN (calls.length (), 5u);
  char *list = concat (shown == 1 ? " line" : " lines", NULL);

  for (unsigned i = 0; i < shown; i++)
    {
      char *number = xasprintf ("%u", DECL_SOURCE_LINE (decl)
				+ calls[i]->line_offset);
      list = reconcat (list, list, i > 0 ? ", " : " ", number, NULL);
      free (number);
    }
  return (shown < calls.length () ? reconcat (list, list, ", ...", NULL)
				  : list);
}

/* Count how many calls of FUNCTION were found in DECL.  */
static void
count_matches (tree decl, const profiled_function &function)
{
  unsigned matched = 0;
  bool has_others = false;
  auto_vec<const profiled_call *> missed;

  for (const profiled_call &call : function.calls)
    if (call.matched)
      matched++;
    else if (elsewhere_p (decl, call))
      has_others = true;
    else if (!placeless_p (decl, call))
      missed.safe_push (&call);
  unsigned calls = matched + missed.length ();
  if (calls == 0 && has_others)
    return;
  for (const profiled_call *call : missed)
    if (call->mibs)
      use_remark_stale (decl, call->line_offset, call->column, call->mibs);
  unit.found++;
  unit.calls += calls;
  unit.matched += matched;
  if (matched == calls)
    return;
  unit.stale++;
  if (!arguments.verbose)
    return;
  char *lines = line_list (decl, missed);
  inform (DECL_SOURCE_LOCATION (decl),
	  "heapprof: calls of the heap profile found in %qD: %u of %u; it has"
	  " others at%s", decl, matched, calls, lines);
  free (lines);
}

/* Identical functions may be called from different contexts: GCC must not
   merge DECL with another.  */
static void
forbid_merging (tree decl)
{
  if (!lookup_attribute ("no_icf", DECL_ATTRIBUTES (decl)))
    DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("no_icf"), NULL_TREE,
					DECL_ATTRIBUTES (decl));
}

static void
match_function (function *fun)
{
  profiled_function function = {};

  unit.functions++;
  if (!look_up_function (&function, fun->decl))
    return;
  use_name_remember (fun->decl);
  match_calls (fun, &function);
  count_matches (fun->decl, function);
  forbid_merging (fun->decl);
}

static const pass_data pass_data_match = {
  GIMPLE_PASS,
  "heapprof-match",
  OPTGROUP_OTHER,
  TV_NONE,
  PROP_cfg,
  0, 0, 0, 0
};

class pass_match : public gimple_opt_pass
{
public:
  pass_match (gcc::context *context)
    : gimple_opt_pass (pass_data_match, context)
  {}

  bool gate (function *) final override { return !seen_error (); }
  unsigned int execute (function *fun) final override
  {
    match_function (fun);
    if (dump_file)
      use_dump_function (dump_file, &dump, fun);
    return 0;
  }

private:
  use_dump dump = {};
};

static void
finish_unit (void *, void *)
{
  if (in_lto_p || seen_error ())
    return;
  /* What a damaged file lacks need not be stale.  */
  if (unit.stale && !unit.damaged)
    warning (OPT_Wcoverage_mismatch, "%s: the source of %u functions has"
	     " changed since: %u of %u calls found", arguments.use.file,
	     unit.stale, unit.matched, unit.calls);
  if (arguments.verbose)
    inform (UNKNOWN_LOCATION, "heapprof: functions with a heap profile: %u of"
	    " %u; calls: %u of %u", unit.found, unit.functions, unit.matched,
	    unit.calls);
}

/* In a run of a minute nothing lives as long as LLVM wants of what is cold, 200
   seconds; and what lives through half of any run is nothing that comes and
   goes.  */
static void
set_cold_lifetime (void)
{
  double run_ms = heap_lookup_mean_run_ns (lookup) / 1e6;

  if (run_ms > 0 && run_ms < 400000)
    use_set_cold_lifetime (run_ms / 2);
}

void
use_match_start (const char *plugin_name)
{
  profile_error err;

  profile_use_soften_mismatch ();
  use_shared_register_roots (plugin_name);
  /* Objects for LTO have been matched.  */
  if (!strcmp (lang_hooks.name, "GNU GIMPLE"))
    return;
  lookup = heap_lookup_open (arguments.use.file, &err);
  if (!lookup)
    {
      warn_about_profile (UNKNOWN_LOCATION, "", &err);
      return;
    }
  schema = heap_lookup_schema (lookup);
  set_cold_lifetime ();
  register_pass_info info = { new pass_match (g), "*build_cgraph_edges", 1,
			      PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  register_callback (plugin_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}

/* Use of a heap profile: reading its record for a function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "arguments.h"
#include "use-call.h"
#include "use-frame.h"
#include "use-record.h"
#include "use-shared.h"

/* True if a function's record could not be read.  */
static bool any_damaged;

bool
use_record_any_damaged_p (void)
{
  return any_damaged;
}

void
use_record_warn (location_t place, const char *where, const profile_error *err)
{
  char *offset = (err->offset == PROFILE_ERROR_NO_OFFSET
		    ? xstrdup ("")
		    : xasprintf ("offset 0x%" PRIx64 ": ", err->offset));

  warning_at (place, OPT_Wcoverage_mismatch, "%s: not used%s: %s%s",
	      arguments.use.file, where, offset, err->cause);
  free (offset);
}

/* Return the call of FUNCTION at FRAME, adding it from the profile LOOKUP if
   necessary.  */
static profiled_call *
get_call (const heap_lookup *lookup, profiled_function *function,
	  const heap_lookup_frame &frame)
{
  for (profiled_call &call : function->calls)
    if (call.line_offset == frame.line_offset && call.column == frame.column)
      return &call;
  profiled_call call = {};
  call.function = frame.function;
  call.line_offset = frame.line_offset;
  call.column = frame.column;
  call.id = use_frame_id (frame.function, frame.line_offset, frame.column);
  call.token = heap_lookup_token (lookup, &frame);
  call.group = heap_lookup_group (lookup, &frame);
  if (frame.column)
    function->has_columns = true;
  return function->calls.safe_push (call);
}

/* Return STACK as a list of ids.  Skip calls from a function to itself: GCC
   turns some of them into loops and inlines others, and contexts cannot be
   separated there.  */
static tree
stack_list (const heap_lookup_stack &stack)
{
  tree list = NULL_TREE;

  for (size_t i = stack.count; i-- > 0;)
    {
      const heap_lookup_frame &frame = stack.frames[i];
      uint64_t id
	= use_frame_id (frame.function, frame.line_offset, frame.column);
      if (i > 0 && stack.frames[i - 1].function == frame.function)
	continue;
      list = use_shared_node (NULL_TREE, use_shared_number (id), list);
    }
  return list;
}

/* Return those fields of ALLOCATION that the profile LOOKUP has.  */
static tree
field_list (const heap_lookup *lookup, const heap_lookup_allocation &allocation)
{
  const uint32_t schema = heap_lookup_schema (lookup);
  const memory_info &info = allocation.info;
  tree list = NULL_TREE;

  if (heap_lookup_has_classes (lookup))
    {
      bool by_token;
      const uint64_t placement
	= heap_lookup_class (lookup, &allocation.stack, &by_token);
      const uint64_t value
	= (placement + 1) | (by_token ? USE_CLASS_BY_TOKEN : 0);
      list = use_shared_node (use_shared_number (USE_CLASS_TAG),
			      use_shared_number (value), list);
    }
  for (unsigned tag = MEMORY_INFO_TAG_END; --tag > 0;)
    if (schema & 1u << tag)
      list = use_shared_node (use_shared_number (tag),
			      use_shared_number (memory_info_get (&info, tag)),
			      list);
  return list;
}

/* Add the frames of STACK in the profile LOOKUP that are in the function GUID
   to FUNCTION.  */
static void
collect_stack (const heap_lookup *lookup, profiled_function *function,
	       uint64_t guid, const heap_lookup_stack &stack)
{
  for (size_t i = 0; i < stack.count; i++)
    if (stack.frames[i].function == guid)
      get_call (lookup, function, stack.frames[i]);
}

/* Store in *FUNCTION the calls that RECORD of the profile LOOKUP has for the
   function GUID.  */
static void
collect_record (const heap_lookup *lookup, profiled_function *function,
		uint64_t guid, const heap_lookup_record &record)
{
  /* Start from the last one, because lists grow at the front.  */
  for (size_t i = record.allocation_count; i-- > 0;)
    {
      const heap_lookup_allocation &allocation = record.allocations[i];
      collect_stack (lookup, function, guid, allocation.stack);
      if (allocation.stack.frames[0].function != guid)
	continue;
      profiled_call *call
	= get_call (lookup, function, allocation.stack.frames[0]);
      call->mibs = tree_cons (stack_list (allocation.stack),
			      field_list (lookup, allocation), call->mibs);
    }
  for (size_t i = 0; i < record.call_site_count; i++)
    {
      const heap_lookup_call_site &site = record.call_sites[i];
      collect_stack (lookup, function, guid, site.stack);
      profiled_call *call
	= (site.stack.frames[0].function == guid
	     ? get_call (lookup, function, site.stack.frames[0])
	     : NULL);
      for (size_t j = site.callee_count; call && j-- > 0;)
	call->callees
	  = tree_cons (NULL_TREE, use_shared_number (site.callees[j]),
		       call->callees);
    }
}

/* Warn that the record of the function DECL, which may be NULL, cannot be read
   because of ERR.  Only the first such record gets a warning.  */
static void
warn_about_record (tree decl, const profile_error *err)
{
  if (any_damaged)
    return;
  any_damaged = true;
  char *where
    = (decl ? concat (" for ", lang_hooks.decl_printable_name (decl, 2), NULL)
	    : xstrdup (""));
  use_record_warn (decl ? DECL_SOURCE_LOCATION (decl) : UNKNOWN_LOCATION, where,
		   err);
  free (where);
}

bool
use_record_read_guid (heap_lookup *lookup, uint64_t guid, tree decl,
		      profiled_function *function)
{
  heap_lookup_record record;
  profile_error err;

  indexed_result result = heap_lookup_find (lookup, guid, &record, &err);
  if (result == INDEXED_FOUND)
    collect_record (lookup, function, guid, record);
  else if (result == INDEXED_FAILED)
    warn_about_record (decl, &err);
  return result == INDEXED_FOUND;
}

/* A constructor may have a record for each of its variants.  Calls that both
   records have get the ids of the first, the variant's own, because its
   contexts come through this variant.  */
bool
use_record_read (heap_lookup *lookup, tree decl, profiled_function *function)
{
  const char *name
    = targetm
	.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
  uint64_t guid = use_function_guid (decl);
  uint64_t own = heap_lookup_guid (name, strlen (name));
  bool found = use_record_read_guid (lookup, own, decl, function);

  if (own != guid && use_record_read_guid (lookup, guid, decl, function))
    found = true;
  return found;
}

unsigned
use_record_line_offset (const profiled_function &function, location_t location)
{
  return (LOCATION_LINE (location) - function.start_line) & 0xffff;
}

char *
use_record_path (const char *name)
{
  return (IS_ABSOLUTE_PATH (name) ? xstrdup (name)
				  : concat (getpwd (), "/", name, NULL));
}

location_t
use_record_call_start (const gcall *call)
{
  return get_range_from_loc (line_table, gimple_location (call)).m_start;
}

heap_lookup_where
use_record_where (heap_lookup *lookup, tree decl,
		  const profiled_function &function, const profiled_call &call)
{
  char *path = use_record_path (DECL_SOURCE_FILE (decl));
  const heap_lookup_place place
    = { call.function, call.line_offset, function.start_line, path };
  heap_lookup_where where = heap_lookup_find_place (lookup, &place);

  free (path);
  return where;
}

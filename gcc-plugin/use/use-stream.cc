/* Heap profile data of calls in objects for LTO.
   SPDX-License-Identifier: GPL-3.0-or-later

   An object with facts has a section (call-stream.h) named "heapprof":

     version			    format_version
     unit			    text: the main source file
     schema			    the fields of the profile's MIBs, bit T for
				    LLVM's tag T
     n_functions		    the functions with facts
       symbol			    of the object's symbol table
       n_calls			    direct calls, then indirect ones, in the
				    order of the call graph, which LTO preserves
       n_known			    the calls with facts
	 call			    index
	 n_ids, ids		    innermost first
	 is_allocation		    0 or 1; if 1:
	   function, inlined_into,
	   file			    texts
	   line, column
	   is_fitted		    0 or 1
	   n_contexts
	     hint, by_token	    hint: enum hint_class; by_token: 0 or 1
	     count, bytes
	     n_callers, callers	    ids, innermost first

   An object without the section was compiled without a profile, or without the
   plugin, or has no call that the profile knows.  Units that are linked
   together must have MIBs with the same fields, because fields that a profile
   lacks are 0 and would give wrong classes.  */

#include "gcc-compat.h"
#include "call-facts.h"
#include "call-stream.h"
#include "use-match.h"
#include "use-stream.h"

static const unsigned format_version = 4;
static const char our_section[] = "heapprof";

static void
write_ids (lto_output_stream *stream, const uint64_t *ids, unsigned n)
{
  call_stream_write_number (stream, n);
  for (unsigned i = 0; i < n; i++)
    call_stream_write_number (stream, ids[i]);
}

static void
write_allocation (lto_output_stream *stream, const heap_allocation *allocation)
{
  call_stream_write_text (stream, allocation->function);
  call_stream_write_text (stream, allocation->inlined_into);
  call_stream_write_text (stream, allocation->file);
  call_stream_write_number (stream, allocation->line);
  call_stream_write_number (stream, allocation->column);
  call_stream_write_number (stream, allocation->is_fitted);
  call_stream_write_number (stream, allocation->contexts.length ());
  for (const heap_context &context : allocation->contexts)
    {
      call_stream_write_number (stream, context.hint);
      call_stream_write_number (stream, context.by_token);
      call_stream_write_number (stream, context.count);
      call_stream_write_number (stream, context.bytes);
      write_ids (stream, context.callers, context.length);
    }
}

static bool
has_facts_p (cgraph_edge *call)
{
  return call_facts_get (call) != NULL;
}

static void
write_facts (lto_output_stream *stream, cgraph_edge *call)
{
  const call_facts *facts = call_facts_get (call);

  write_ids (stream, facts->ids, facts->n_ids);
  call_stream_write_number (stream, facts->allocation != NULL);
  if (facts->allocation)
    write_allocation (stream, facts->allocation);
}

void
use_stream_write (void)
{
  if (!call_facts_of_unit)
    return;
  lto_output_stream stream = {};

  call_stream_write_number (&stream, format_version);
  call_stream_write_text (&stream,
			  main_input_filename ? main_input_filename : "");
  call_stream_write_number (&stream, use_schema ());
  call_stream_write_functions (&stream, has_facts_p, write_facts);
  call_stream_write_section (our_section, &stream);
}

static const char *
read_text (lto_input_block *input)
{
  unsigned length;
  const char *text = call_stream_read_text (input, &length);

  return call_facts_text (text, length);
}

static void
read_ids (lto_input_block *input, uint64_t *ids, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    ids[i] = call_stream_read_number (input);
}

static void
read_context (lto_input_block *input, heap_allocation *allocation)
{
  uint64_t hint = call_stream_read_number (input);
  bool by_token = call_stream_read_number (input) != 0;
  uint64_t count = call_stream_read_number (input);
  uint64_t bytes = call_stream_read_number (input);
  unsigned n = call_stream_read_count (input);
  heap_context *context = call_facts_add_context (allocation, n);

  context->hint
    = hint <= HINT_HOT ? static_cast<hint_class> (hint) : HINT_NOT_COLD;
  context->by_token = by_token;
  context->count = count;
  context->bytes = bytes;
  read_ids (input, context->callers, n);
}

static void
read_allocation (lto_input_block *input, call_facts *facts)
{
  heap_allocation *allocation = call_facts_add_allocation (facts);

  allocation->function = read_text (input);
  allocation->inlined_into = read_text (input);
  allocation->file = read_text (input);
  allocation->line = call_stream_read_number (input);
  allocation->column = call_stream_read_number (input);
  allocation->is_fitted = call_stream_read_number (input) != 0;
  for (unsigned n = call_stream_read_count (input); n > 0; n--)
    read_context (input, allocation);
}

/* Read the facts of CALL, which is NULL if the call no longer exists.  */
static void
read_call (lto_input_block *input, cgraph_edge *call)
{
  call_facts nobody;
  unsigned n = call_stream_read_count (input);
  call_facts *facts = call ? call_facts_new (call, n) : &nobody;

  if (!call)
    nobody = { XALLOCAVEC (uint64_t, n), n, NULL };
  read_ids (input, facts->ids, n);
  if (call_stream_read_number (input))
    read_allocation (input, facts);
}

/* The fields of a unit's heap profile.  */
struct unit_schema
{
  const char *unit; /* NULL if not set yet */
  uint32_t fields;
};

/* Report an error and return false if A and B, two units of a link, have
   different fields.  */
static bool
check_schemas (const unit_schema &a, const unit_schema &b)
{
  uint32_t differing = a.fields ^ b.fields;

  if (!differing)
    return true;
  unsigned tag = ctz_hwi (differing);
  bool in_a = a.fields & 1u << tag;
  error ("%s and %s were compiled with heap profiles of different schemas: the"
	 " profile of %s has %s, that of %s does not",
	 a.unit, b.unit, in_a ? a.unit : b.unit, use_mib_field_name (tag),
	 in_a ? b.unit : a.unit);
  return false;
}

/* The first unit of the link that has a section.  */
static unit_schema first_schema;

/* Read the section of FILE.  Return false after an error.  */
static bool
read_section (lto_input_block *input, lto_file_decl_data *file)
{
  if (!call_stream_read_version (input, file, format_version))
    return false;
  call_facts_start ();
  unit_schema schema = { read_text (input), 0 };
  schema.fields = call_stream_read_number (input);
  if (!first_schema.unit)
    first_schema = schema;
  if (!check_schemas (first_schema, schema))
    return false;
  call_stream_read_functions (input, file, read_call);
  return true;
}

void
use_stream_read (void)
{
  first_schema = {};
  call_stream_read_sections (our_section, read_section);
}

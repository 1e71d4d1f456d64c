/* Heap profile data of calls in objects for LTO.
   SPDX-License-Identifier: GPL-3.0-or-later

   An object with facts has a section that is named like that of a function
   "heapprof", because the kinds of sections are fixed in GCC.  All numbers are
   unsigned LEB128; texts are their length and bytes:

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
#include "use-match.h"
#include "use-stream.h"

static const unsigned format_version = 3;
static const char our_section[] = "heapprof";

/* Add all calls of NODE to CALLS.  */
static void
list_calls (cgraph_node *node, vec<cgraph_edge *> *calls)
{
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    calls->safe_push (call);
  for (cgraph_edge *call = node->indirect_calls; call; call = call->next_callee)
    calls->safe_push (call);
}

static void
write_number (lto_output_stream *stream, uint64_t number)
{
  streamer_write_uhwi_stream (stream, number);
}

static void
write_ids (lto_output_stream *stream, const uint64_t *ids, unsigned n)
{
  write_number (stream, n);
  for (unsigned i = 0; i < n; i++)
    write_number (stream, ids[i]);
}

static void
write_text (lto_output_stream *stream, const char *text)
{
  write_number (stream, strlen (text));
  streamer_write_data_stream (stream, text, strlen (text));
}

static void
write_allocation (lto_output_stream *stream, const heap_allocation *allocation)
{
  write_text (stream, allocation->function);
  write_text (stream, allocation->inlined_into);
  write_text (stream, allocation->file);
  write_number (stream, allocation->line);
  write_number (stream, allocation->column);
  write_number (stream, allocation->contexts.length ());
  for (const heap_context &context : allocation->contexts)
    {
      write_number (stream, context.hint);
      write_number (stream, context.by_token);
      write_number (stream, context.count);
      write_number (stream, context.bytes);
      write_ids (stream, context.callers, context.length);
    }
}

/* Write the calls of NODE, whose number is SYMBOL.  */
static void
write_function (lto_output_stream *stream, cgraph_node *node, int symbol)
{
  auto_vec<cgraph_edge *> calls;
  unsigned n_known = 0;

  list_calls (node, &calls);
  for (cgraph_edge *call : calls)
    n_known += call_facts_get (call) != NULL;
  write_number (stream, symbol);
  write_number (stream, calls.length ());
  write_number (stream, n_known);
  for (unsigned i = 0; i < calls.length (); i++)
    if (const call_facts *facts = call_facts_get (calls[i]))
      {
	write_number (stream, i);
	write_ids (stream, facts->ids, facts->n_ids);
	write_number (stream, facts->allocation != NULL);
	if (facts->allocation)
	  write_allocation (stream, facts->allocation);
      }
}

/* True if a call of NODE has facts.  */
static bool
has_facts_p (cgraph_node *node)
{
  auto_vec<cgraph_edge *> calls;

  list_calls (node, &calls);
  for (cgraph_edge *call : calls)
    if (call_facts_get (call))
      return true;
  return false;
}

void
use_stream_write (void)
{
  if (!call_facts_of_unit)
    return;
  lto_symtab_encoder_t encoder = lto_get_out_decl_state ()->symtab_node_encoder;
  lto_output_stream stream = {};
  auto_vec<cgraph_node *> nodes;

  for (lto_symtab_encoder_iterator i = lsei_start_in_partition (encoder);
       !lsei_end_p (i); lsei_next_in_partition (&i))
    if (cgraph_node *node = dyn_cast<cgraph_node *> (lsei_node (i)))
      if (node->has_gimple_body_p () && has_facts_p (node))
	nodes.safe_push (node);
  write_number (&stream, format_version);
  write_text (&stream, main_input_filename ? main_input_filename : "");
  write_number (&stream, use_schema ());
  write_number (&stream, nodes.length ());
  for (cgraph_node *node : nodes)
    write_function (&stream, node, lto_symtab_encoder_lookup (encoder, node));

  char *name
    = lto_get_section_name (LTO_section_function_body, our_section, 0, NULL);
  lto_begin_section (name, false);
  free (name);
  lto_write_stream (&stream);
  lto_end_section ();
}

static uint64_t
read_number (lto_input_block *input)
{
  return streamer_read_uhwi (input);
}

/* Read a number of items, each of which takes at least one byte.  */
static unsigned
read_count (lto_input_block *input)
{
  uint64_t count = read_number (input);

  if (count > input->len - input->p)
    lto_section_overrun (input);
  return count;
}

static const char *
read_text (lto_input_block *input)
{
  unsigned length = read_count (input);
  const char *text = call_facts_text (input->data + input->p, length);

  input->p += length;
  return text;
}

static void
read_ids (lto_input_block *input, uint64_t *ids, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    ids[i] = read_number (input);
}

static void
read_context (lto_input_block *input, heap_allocation *allocation)
{
  uint64_t hint = read_number (input);
  bool by_token = read_number (input) != 0;
  uint64_t count = read_number (input);
  uint64_t bytes = read_number (input);
  unsigned n = read_count (input);
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
  allocation->line = read_number (input);
  allocation->column = read_number (input);
  for (unsigned n = read_count (input); n > 0; n--)
    read_context (input, allocation);
}

/* Read the facts of CALL, which is NULL if the call no longer exists.  */
static void
read_call (lto_input_block *input, cgraph_edge *call)
{
  call_facts nobody;
  unsigned n = read_count (input);
  call_facts *facts = call ? call_facts_new (call, n) : &nobody;

  if (!call)
    nobody = { XALLOCAVEC (uint64_t, n), n, NULL };
  read_ids (input, facts->ids, n);
  if (read_number (input))
    read_allocation (input, facts);
}

/* Read the calls of a function of the object with symbols ENCODER.  */
static void
read_function (lto_input_block *input, lto_symtab_encoder_t encoder)
{
  auto_vec<cgraph_edge *> calls;
  uint64_t symbol = read_number (input);
  uint64_t n_calls = read_number (input);

  if (symbol < (uint64_t) lto_symtab_encoder_size (encoder))
    {
      cgraph_node *node
	= dyn_cast<cgraph_node *> (lto_symtab_encoder_deref (encoder, symbol));
      if (node && node->definition)
	list_calls (node, &calls);
    }
  bool is_same = calls.length () == n_calls;
  for (unsigned n = read_count (input); n > 0; n--)
    {
      uint64_t index = read_number (input);
      bool is_there = is_same && index < n_calls;
      read_call (input, is_there ? calls[index] : NULL);
    }
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

/* Read the section of FILE, LENGTH bytes at DATA.  *FIRST is the first unit of
   the link.  Return false after an error.  */
static bool
read_section (lto_file_decl_data *file, const char *data, size_t length,
	      unit_schema *first)
{
  lto_input_block input (data, length, NULL);

  if (read_number (&input) != format_version)
    {
      error ("%s: compiled with another version of plugin %qs", file->file_name,
	     "heapprof");
      return false;
    }
  call_facts_start ();
  unit_schema schema = { read_text (&input), 0 };
  schema.fields = read_number (&input);
  if (!first->unit)
    *first = schema;
  if (!check_schemas (*first, schema))
    return false;
  for (unsigned n = read_count (&input); n > 0; n--)
    read_function (&input, file->symtab_node_encoder);
  return true;
}

void
use_stream_read (void)
{
  lto_file_decl_data **files = lto_get_file_decl_data ();
  unit_schema first = {};
  bool is_good = true;

  for (; *files && is_good; files++)
    {
      size_t length;
      const char *data
	= lto_get_raw_section_data (*files, LTO_section_function_body,
				    our_section, 0, &length);
      if (!data)
	continue;
      is_good = read_section (*files, data, length, &first);
      lto_free_raw_section_data (*files, LTO_section_function_body, our_section,
				 data, length);
    }
}

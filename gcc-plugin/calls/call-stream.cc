/* Data of calls in objects for LTO.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "call-stream.h"

/* Add all calls of NODE to CALLS.  */
static void
list_calls (cgraph_node *node, vec<cgraph_edge *> *calls)
{
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    calls->safe_push (call);
  for (cgraph_edge *call = node->indirect_calls; call; call = call->next_callee)
    calls->safe_push (call);
}

/* ---- Writing.  */

void
call_stream_write_number (lto_output_stream *stream, uint64_t number)
{
  streamer_write_uhwi_stream (stream, number);
}

void
call_stream_write_text (lto_output_stream *stream, const char *text)
{
  call_stream_write_number (stream, strlen (text));
  streamer_write_data_stream (stream, text, strlen (text));
}

/* Return the number of calls of NODE for which WANTED is true.  */
static unsigned
count_wanted (cgraph_node *node, bool (*wanted) (cgraph_edge *call))
{
  auto_vec<cgraph_edge *> calls;
  unsigned n = 0;

  list_calls (node, &calls);
  for (cgraph_edge *call : calls)
    n += wanted (call);
  return n;
}

void
call_stream_write_functions (lto_output_stream *stream,
			     bool (*wanted) (cgraph_edge *call),
			     void (*write) (lto_output_stream *stream,
					    cgraph_edge *call))
{
  lto_symtab_encoder_t encoder = lto_get_out_decl_state ()->symtab_node_encoder;
  auto_vec<cgraph_node *> nodes;

  for (lto_symtab_encoder_iterator i = lsei_start_in_partition (encoder);
       !lsei_end_p (i); lsei_next_in_partition (&i))
    if (cgraph_node *node = dyn_cast<cgraph_node *> (lsei_node (i)))
      if (node->has_gimple_body_p () && count_wanted (node, wanted) > 0)
	nodes.safe_push (node);
  call_stream_write_number (stream, nodes.length ());
  for (cgraph_node *node : nodes)
    {
      auto_vec<cgraph_edge *> calls;
      list_calls (node, &calls);
      call_stream_write_number (stream,
				lto_symtab_encoder_lookup (encoder, node));
      call_stream_write_number (stream, calls.length ());
      call_stream_write_number (stream, count_wanted (node, wanted));
      for (unsigned i = 0; i < calls.length (); i++)
	if (wanted (calls[i]))
	  {
	    call_stream_write_number (stream, i);
	    write (stream, calls[i]);
	  }
    }
}

void
call_stream_write_section (const char *name, lto_output_stream *stream)
{
  char *our_name
    = lto_get_section_name (LTO_section_function_body, name, 0, NULL);

  lto_begin_section (our_name, false);
  free (our_name);
  lto_write_stream (stream);
  lto_end_section ();
}

/* ---- Reading.  */

uint64_t
call_stream_read_number (lto_input_block *input)
{
  return streamer_read_uhwi (input);
}

unsigned
call_stream_read_count (lto_input_block *input)
{
  uint64_t count = call_stream_read_number (input);

  if (count > input->len - input->p)
    lto_section_overrun (input);
  return count;
}

bool
call_stream_read_version (lto_input_block *input, lto_file_decl_data *file,
			  unsigned version)
{
  if (call_stream_read_number (input) == version)
    return true;
  error ("%s: compiled with another version of plugin %qs", file->file_name,
	 "heapprof");
  return false;
}

const char *
call_stream_read_text (lto_input_block *input, unsigned *length)
{
  *length = call_stream_read_count (input);
  const char *text = input->data + input->p;

  input->p += *length;
  return text;
}

void
call_stream_read_functions (lto_input_block *input, lto_file_decl_data *file,
			    void (*read) (lto_input_block *input,
					  cgraph_edge *call))
{
  lto_symtab_encoder_t encoder = file->symtab_node_encoder;

  for (unsigned n = call_stream_read_count (input); n > 0; n--)
    {
      auto_vec<cgraph_edge *> calls;
      uint64_t symbol = call_stream_read_number (input);
      uint64_t n_calls = call_stream_read_number (input);
      if (symbol < (uint64_t) lto_symtab_encoder_size (encoder))
	{
	  cgraph_node *node
	    = dyn_cast<cgraph_node *> (lto_symtab_encoder_deref (encoder,
								 symbol));
	  if (node && node->definition)
	    list_calls (node, &calls);
	}
      bool is_same = calls.length () == n_calls;
      for (unsigned known = call_stream_read_count (input); known > 0; known--)
	{
	  uint64_t index = call_stream_read_number (input);
	  read (input, is_same && index < n_calls ? calls[index] : NULL);
	}
    }
}

void
call_stream_read_sections (const char *name,
			   bool (*read) (lto_input_block *input,
					 lto_file_decl_data *file))
{
  bool is_good = true;

  for (lto_file_decl_data **files = lto_get_file_decl_data ();
       *files && is_good; files++)
    {
      size_t length;
      const char *data
	= lto_get_raw_section_data (*files, LTO_section_function_body, name, 0,
				    &length);
      if (!data)
	continue;
      lto_input_block input (data, length, NULL);
      is_good = read (&input, *files);
      lto_free_raw_section_data (*files, LTO_section_function_body, name, data,
				 length);
    }
}

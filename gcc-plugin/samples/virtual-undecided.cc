/* Virtual calls that are left to the link.
   SPDX-License-Identifier: GPL-3.0-or-later

   An object with such calls has a section (call-stream.h) named
   "heapprof_virtual":

     version		   format_version
     functions		   each call with
       function, inlined_into,
       file		   texts
       line, column, is_fitted
       total, n_tests
       n_tables
	 guid, name, count name: a text, empty if unknown
	 reason		   a text
       n_targets
	 guid, name, count  */

#include "gcc-compat.h"
#include "call-stream.h"
#include "virtual-undecided.h"

static const unsigned format_version = 2;
static const char our_section[] = "heapprof_virtual";

struct undecided_facts
{
  undecided_call *call;
};

class undecided_summary : public call_summary<undecided_facts *>
{
public:
  undecided_summary (symbol_table *table)
    : call_summary<undecided_facts *> (table)
  {}

  void duplicate (cgraph_edge *, cgraph_edge *, undecided_facts *facts,
		  undecided_facts *copy) final override
  {
    *copy = *facts;
  }
};

/* All of this unit or link, and the calls in its call graph; NULL if there are
   none.  */
static vec<undecided_call *> all_undecided;
static undecided_summary *undecided_calls;

/* Memory for texts.  */
static struct obstack memory;

static const char *
copy_text (const char *text, size_t n)
{
  return (const char *) obstack_copy0 (&memory, text, n);
}

static const char *
copy_name (const char *name)
{
  return name && *name ? copy_text (name, strlen (name)) : NULL;
}

undecided_call *
undecided_new (const virtual_place &place)
{
  if (all_undecided.is_empty ())
    gcc_obstack_init (&memory);
  undecided_call *made = XCNEW (undecided_call);
  made->place = place;
  for (const char **text :
       { &made->place.source.function, &made->place.source.file,
	 &made->place.inlined_into })
    *text = *text ? copy_text (*text, strlen (*text)) : "";
  all_undecided.safe_push (made);
  return made;
}

const vec<undecided_call *> &
undecided_all (void)
{
  return all_undecided;
}

void
undecided_add_table (undecided_call *undecided, uint64_t guid, const char *name,
		     uint64_t count, const char *reason)
{
  promoted_table table = {};

  table.guid = guid;
  table.name = copy_name (name);
  table.count = count;
  table.reason = copy_name (reason);
  undecided->tables.safe_push (table);
}

void
undecided_add_target (undecided_call *undecided, uint64_t guid,
		      const char *name, uint64_t count)
{
  undecided->targets.safe_push ({ guid, copy_name (name), count });
}

void
undecided_connect (cgraph_edge *call, undecided_call *undecided)
{
  if (!undecided_calls)
    undecided_calls = new undecided_summary (symtab);
  undecided_calls->get_create (call)->call = undecided;
}

undecided_call *
undecided_of (cgraph_edge *call)
{
  undecided_facts *facts = undecided_calls ? undecided_calls->get (call) : NULL;

  return facts ? facts->call : NULL;
}

void
undecided_finish (void)
{
  if (all_undecided.is_empty ())
    return;
  for (undecided_call *undecided : all_undecided)
    {
      undecided->tables.release ();
      undecided->targets.release ();
      undecided->chosen.release ();
      free (undecided);
    }
  all_undecided.release ();
  delete undecided_calls;
  undecided_calls = NULL;
  obstack_free (&memory, NULL);
}

/* ---- In objects.  */

static void
write_count (lto_output_stream *stream, uint64_t guid, const char *name,
	     uint64_t count)
{
  call_stream_write_number (stream, guid);
  call_stream_write_text (stream, name ? name : "");
  call_stream_write_number (stream, count);
}

static bool
undecided_p (cgraph_edge *call)
{
  return undecided_of (call) != NULL;
}

static void
write_call (lto_output_stream *stream, cgraph_edge *call)
{
  const undecided_call &undecided = *undecided_of (call);
  const virtual_place &place = undecided.place;

  call_stream_write_text (stream, place.source.function);
  call_stream_write_text (stream, place.inlined_into);
  call_stream_write_text (stream, place.source.file);
  call_stream_write_number (stream, place.source.line);
  call_stream_write_number (stream, place.source.column);
  call_stream_write_number (stream, place.is_fitted);
  call_stream_write_number (stream, undecided.total);
  call_stream_write_number (stream, undecided.n_tests);
  call_stream_write_number (stream, undecided.tables.length ());
  for (const promoted_table &table : undecided.tables)
    {
      write_count (stream, table.guid, table.name, table.count);
      call_stream_write_text (stream, table.reason);
    }
  call_stream_write_number (stream, undecided.targets.length ());
  for (const sample_table &target : undecided.targets)
    write_count (stream, target.guid, target.name, target.count);
}

void
undecided_write (void)
{
  lto_output_stream stream = {};

  if (!undecided_calls)
    return;
  call_stream_write_number (&stream, format_version);
  call_stream_write_functions (&stream, undecided_p, write_call);
  call_stream_write_section (our_section, &stream);
}

static char *
read_text (lto_input_block *input)
{
  unsigned length;
  const char *text = call_stream_read_text (input, &length);

  return xstrndup (text, length);
}

static void
read_table (lto_input_block *input, undecided_call *undecided)
{
  uint64_t guid = call_stream_read_number (input);
  char *name = read_text (input);
  uint64_t count = call_stream_read_number (input);
  char *reason = read_text (input);

  undecided_add_table (undecided, guid, name, count, reason);
  free (name);
  free (reason);
}

static void
read_target (lto_input_block *input, undecided_call *undecided)
{
  uint64_t guid = call_stream_read_number (input);
  char *name = read_text (input);

  undecided_add_target (undecided, guid, name, call_stream_read_number (input));
  free (name);
}

/* Read the data of CALL; drop them if it is NULL: another unit's copy of the
   function is linked, with data of its own.  */
static void
read_call (lto_input_block *input, cgraph_edge *call)
{
  virtual_place place = {};
  char *function = read_text (input);
  char *inlined_into = read_text (input);
  char *file = read_text (input);

  place.source = { function, file, 0, 0 };
  place.source.line = call_stream_read_number (input);
  place.source.column = call_stream_read_number (input);
  place.is_fitted = call_stream_read_number (input) != 0;
  place.inlined_into = inlined_into;
  undecided_call *undecided = undecided_new (place);
  free (function);
  free (inlined_into);
  free (file);
  undecided->total = call_stream_read_number (input);
  undecided->n_tests = call_stream_read_number (input);
  for (unsigned n = call_stream_read_count (input); n > 0; n--)
    read_table (input, undecided);
  for (unsigned n = call_stream_read_count (input); n > 0; n--)
    read_target (input, undecided);
  if (call)
    undecided_connect (call, undecided);
}

/* Read the section of FILE.  Return false after an error.  */
static bool
read_section (lto_input_block *input, lto_file_decl_data *file)
{
  if (!call_stream_read_version (input, file, format_version))
    return false;
  call_stream_read_functions (input, file, read_call);
  return true;
}

void
undecided_read (void)
{
  call_stream_read_sections (our_section, read_section);
}

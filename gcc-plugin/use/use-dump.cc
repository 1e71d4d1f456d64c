/* Dumps of the heap profile data of calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   They use the notation of LLVM's proposal for this metadata:

     !heapprof.schema = !{!"alloc count", !"total size"}
     x.cc:12:17: call malloc, !memprof !4, !callsite !5
     !0 = !{i64 17}			(outermost frame of a context)
     !1 = !{i64 4711, !0}		(a frame and the frames outside it)
     !2 = !{!1, i64 10, i64 400}	(a MIB: context, fields)
     !4 = !{!2, !3}			(the MIBs of a call)

   Equal nodes are shared, which shows the common outer parts of contexts.  The
   frames of a call include those of the functions that it was inlined into, and
   its MIBs are those whose contexts begin with these frames.  */

#include "gcc-compat.h"
#include "hint-placeholder.h"
#include "use-call.h"
#include "use-dump.h"

/* Return the number of the node with TEXT, whose ownership passes to DUMP.  */
static unsigned
number_node (use_dump *dump, char *text)
{
  for (unsigned i = 0; i < dump->nodes.length (); i++)
    if (!strcmp (dump->nodes[i], text))
      {
	free (text);
	return i;
      }
  dump->nodes.safe_push (text);
  return dump->nodes.length () - 1;
}

/* Free TEXT and return its concatenation with the formatted rest.  */
static char *
append (char *text, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  char *rest = xvasprintf (format, values);
  va_end (values);
  char *all = concat (text, rest, NULL);
  free (text);
  free (rest);
  return all;
}

/* Return the node of the frame ID inside the frames of the node OUTER, or on
   its own if OUTER is -1.  */
static int
frame_node (use_dump *dump, uint64_t id, int outer)
{
  char *text = xasprintf ("!{i64 %" PRId64, (int64_t) id);

  if (outer >= 0)
    text = append (text, ", !%d", outer);
  return number_node (dump, append (text, "}"));
}

/* Return the node of IDS, innermost first.  */
static int
frames_node (use_dump *dump, const vec<uint64_t> &ids)
{
  int node = -1;

  for (unsigned i = ids.length (); i-- > 0;)
    node = frame_node (dump, ids[i], node);
  return node;
}

static int
mib_node (use_dump *dump, tree mib)
{
  auto_vec<uint64_t> ids;

  for (tree frame = TREE_PURPOSE (mib); frame; frame = TREE_CHAIN (frame))
    ids.safe_push (tree_to_uhwi (TREE_VALUE (frame)));
  char *text = xasprintf ("!{!%d", frames_node (dump, ids));
  for (tree field = TREE_VALUE (mib); field; field = TREE_CHAIN (field))
    text = append (text, ", i64 %" PRIu64,
		   (uint64_t) tree_to_uhwi (TREE_VALUE (field)));
  return number_node (dump, append (text, "}"));
}

/* Return the node of the MIBS whose contexts begin with IDS, or -1.  */
static int
mibs_node (use_dump *dump, tree mibs, const vec<uint64_t> &ids)
{
  char *text = NULL;
  tree callers;

  for (; mibs; mibs = TREE_CHAIN (mibs))
    if (use_mib_begins_p (mibs, ids, &callers))
      {
	int node = mib_node (dump, mibs);
	text = append (text ? text : xstrdup (""), "%s!%d", text ? ", " : "!{",
		       node);
      }
  return text ? (int) number_node (dump, append (text, "}")) : -1;
}

/* Print the classes of the contexts of CALL.  */
static void
print_classes (FILE *file, const use_call &call)
{
  bool have[HINT_HOT + 1] = {};

  for (const use_context &context : call.contexts)
    have[context.hint] = true;
  fprintf (file, "  classes:");
  for (hint_class hint : { HINT_COLD, HINT_NOT_COLD, HINT_HOT })
    if (have[hint])
      fprintf (file, " %s", use_hint_name (hint));
  fprintf (file, "\n");
}

static void
print_call (FILE *file, use_dump *dump, const gcall *call, tree decl)
{
  use_call known;
  tree callee = gimple_call_fndecl (call);
  expanded_location at = expand_location (gimple_location (call));

  if (!use_call_read (call, decl, &known))
    return;
  int mibs = mibs_node (dump, use_call_mibs (call), known.ids);
  fprintf (file, "%s:%d:%d: call %s", lbasename (at.file), at.line, at.column,
	   callee ? hint_allocator_name (callee) : "(indirect)");
  if (mibs >= 0)
    fprintf (file, ", !memprof !%d", mibs);
  fprintf (file, ", !callsite !%d\n", frames_node (dump, known.ids));
  if ((dump_flags & TDF_DETAILS) && mibs >= 0)
    print_classes (file, known);
}

/* Print the name of the field TAG as words: "total size".  */
static void
print_field_name (FILE *file, unsigned tag)
{
  const char *name = use_mib_field_name (tag);

  for (const char *p = name; *p; p++)
    {
      if (p > name && ISUPPER (*p) && !ISUPPER (p[-1]))
	fputc (' ', file);
      fputc (TOLOWER (*p), file);
    }
}

/* Print the schema of MIBS.  */
static void
print_schema (FILE *file, tree mibs)
{
  const char *separator = "";

  fprintf (file, "!heapprof.schema = !{");
  for (tree field = TREE_VALUE (mibs); field; field = TREE_CHAIN (field))
    {
      fprintf (file, "%s!\"", separator);
      print_field_name (file, tree_to_uhwi (TREE_PURPOSE (field)));
      fputc ('"', file);
      separator = ", ";
    }
  fprintf (file, "}\n");
}

void
use_dump_function (FILE *file, use_dump *dump, function *fun)
{
  basic_block block;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
	{
	  tree mibs = use_call_mibs (call);
	  if (mibs && !dump->has_schema)
	    {
	      print_schema (file, mibs);
	      dump->has_schema = true;
	    }
	  print_call (file, dump, call, fun->decl);
	}
  for (; dump->printed < dump->nodes.length (); dump->printed++)
    fprintf (file, "!%u = %s\n", dump->printed, dump->nodes[dump->printed]);
}

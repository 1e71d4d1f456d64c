/* Remarks about virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "function-id.h"
#include "use-frame.h"
#include "virtual-remarks.h"

static remark_lines remarks;

void
virtual_remarks_open (const char *path)
{
  remark_lines_open (&remarks, path, "virtual calls");
}

void
virtual_remarks_close (void)
{
  remark_lines_close (&remarks);
}

static char *
table_name (const promoted_table &table)
{
  if (table.name)
    return xstrdup (table.name);
  if (!table.guid)
    return xstrdup (table.target ? use_linkage_name (table.target)
				 : table.function);
  if (table.table)
    return xstrdup (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (table.table)));
  return xasprintf ("%" PRIx64, table.guid);
}

/* Add the linkage name of the function TARGET in the source.  A link with LTO
   may have given it a suffix.  */
static void
put_target (FILE *out, tree target)
{
  const char *name = use_linkage_name (target);
  char *canonical
    = xstrndup (name, function_canonical_bytes (name, strlen (name)));

  remark_field (out, "target", canonical);
  free (canonical);
}

static void
put_remark (const virtual_place &place, const promoted_table &table,
	    const char *name, uint64_t all)
{
  FILE *out = remarks.out;

  remark_begin (out, place.source);
  remark_split_names (out, "inlined_into", place.inlined_into);
  if (place.is_fitted)
    remark_field (out, "matched", "by the calls around it");
  if (table.guid)
    remark_field (out, "table", name);
  remark_field (out, "outcome", table.reason ? "kept" : "promoted");
  if (table.target)
    put_target (out, table.target);
  else if (table.function)
    remark_field (out, "target", table.function);
  if (table.reason)
    remark_field (out, "reason", table.reason);
  else
    remark_field (out, "test", table.is_slot_test ? "function" : "table");
  fprintf (out, ",\"count\":%" PRIu64 ",\"total\":%" PRIu64 "}\n", table.count,
	   all);
}

void
virtual_remark (const virtual_place &place, location_t location,
		const vec<promoted_table> &tables, uint64_t all)
{
  for (const promoted_table &table : tables)
    {
      /* All calls of a table may have been reported by their functions.  */
      if (table.count == 0)
	continue;
      char *name = table_name (table);
      if (remarks.out)
	put_remark (place, table, name, all);
      if (dump_enabled_p ())
	dump_printf_loc (table.reason ? MSG_MISSED_OPTIMIZATION
				      : MSG_OPTIMIZED_LOCATIONS,
			 dump_user_location_t::from_location_t (location),
			 "heapprof: virtual call %s for %s%s%s\n",
			 table.reason ? "kept" : "promoted", name,
			 table.reason ? ": " : "",
			 table.reason ? table.reason : "");
      free (name);
    }
}

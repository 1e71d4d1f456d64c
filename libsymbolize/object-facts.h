/* How an executable or shared object was built.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OBJECT_FACTS_H
#define HEAPPROF_OBJECT_FACTS_H

#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>

struct object_facts
{
  bool is_executable;	   /* has an interpreter, or cannot be loaded by another
			      program */
  bool has_runtime;	   /* the run-time library is linked into it */
  bool needs_runtime;	   /* or is loaded with it */
  bool has_symbols;	   /* has a table of all symbols: not stripped */
  bool has_unwind_index;   /* for walking the stack where there are no frame
			      pointers */
  bool counts_accesses;	   /* some of its translation units start the run-time
			      library */
  bool omits_accesses;	   /* some do, and were compiled to profile only
			      allocations */
  bool replaces_malloc;	   /* the run-time library is linked into it, but calls
			      of malloc do not reach that */
  size_t functions;	   /* that are long enough to examine */
  size_t framed_functions; /* of these, with a frame pointer */
  const char *debug_path;  /* the separate debug file in use, NULL if none;
			      valid until the file is closed */
};

/* Fill *FACTS from FILE.  Parts that cannot be read count as missing.  */
void object_facts_read (struct object_facts *facts, struct object_file *file);

#endif /* HEAPPROF_OBJECT_FACTS_H */

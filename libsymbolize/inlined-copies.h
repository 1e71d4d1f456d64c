/* All functions of a file with debug information, and their inlined copies.
   SPDX-License-Identifier: GPL-3.0-or-later

   symbolizer.h is for single addresses; this is for finding the copies of each
   function.  */

#ifndef HEAPPROF_INLINED_COPIES_H
#define HEAPPROF_INLINED_COPIES_H

#include "function-facts.h"
#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum inlined_copy_kind
{
  COPY_BODY, /* its own code starts at ADDRESS */
  COPY_SAID, /* it was inlined at an unknown place */
  COPY_PLACE /* a copy is in the body at ADDRESS */
};

/* A function is identified by NAME and the LINE of its declaration.  */
struct inlined_copy
{
  const char *name; /* linkage name, or plain name */
  uint32_t line;
  enum inlined_copy_kind kind;
  uint64_t address; /* p_vaddr; 0 for COPY_SAID */
};

/* All zeros is empty.  */
struct inlined_copies
{
  struct inlined_copy *copies; /* grouped by function */
  size_t count;
  size_t capacity;
  struct function_facts_store facts;
};

/* Fill COPIES from the debug information of FILE, which must outlive it.
   Without debug information there are none, and *IS_DESCRIBED is false.  Return
   false if memory is exhausted; COPIES must be released in any case.  */
bool inlined_copies_read (struct inlined_copies *copies,
			  struct object_file *file, bool *is_described);
void inlined_copies_release (struct inlined_copies *copies);

/* Return true if A and B are of the same function.  */
bool inlined_copies_match (const struct inlined_copy *a,
			   const struct inlined_copy *b);

#endif /* HEAPPROF_INLINED_COPIES_H */

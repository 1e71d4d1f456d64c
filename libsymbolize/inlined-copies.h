/* All functions of a file that the debug information describes, and their
   inlined copies.
   SPDX-License-Identifier: GPL-3.0-or-later

   symbolizer.h answers for single addresses; this is for those who want to know
   of each function where copies of it are.  */

#ifndef HEAPPROF_INLINED_COPIES_H
#define HEAPPROF_INLINED_COPIES_H

#include "function-facts.h"
#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum inlined_copy_kind
{
  COPY_BODY, /* its own code begins at ADDRESS */
  COPY_SAID, /* it was inlined, without a word of where */
  COPY_PLACE /* a copy is in the body at ADDRESS */
};

/* NAME and LINE, where it is declared, tell which function.  */
struct inlined_copy
{
  const char *name; /* linkage name, or plain name */
  uint32_t line;
  enum inlined_copy_kind kind;
  uint64_t address; /* p_vaddr; 0 for COPY_SAID */
};

/* All zero is empty.  */
struct inlined_copies
{
  struct inlined_copy *copies; /* those of one function together */
  size_t count;
  size_t capacity;
  struct function_facts_store facts;
};

/* Fill COPIES from the debug information of FILE, which must outlive it; none
   if there is no debug information, and then *IS_DESCRIBED is false.  False if
   memory is exhausted; release it in any case.  */
bool inlined_copies_read (struct inlined_copies *copies,
			  struct object_file *file, bool *is_described);
void inlined_copies_release (struct inlined_copies *copies);

/* Are A and B of one function?  */
bool inlined_copies_match (const struct inlined_copy *a,
			   const struct inlined_copy *b);

#endif /* HEAPPROF_INLINED_COPIES_H */

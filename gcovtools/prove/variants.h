/* Variants of a program, from options.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VARIANTS_H
#define HEAPPROF_VARIANTS_H

#include "diagnostics.h"
#include "prove.h"

#define MAX_VARIANTS 32
#define MAX_ALLOCATORS 16

/* As the user gives them.  */
struct variant_texts
{
  const char *variants[MAX_VARIANTS]; /* NAME=COMMAND */
  size_t variant_count;
  const char *allocators[MAX_ALLOCATORS];
  size_t allocator_count;
};

/* Add TEXT.  If it is invalid, print an error and return false.  */
bool variant_texts_add (struct variant_texts *texts, const char *text);
bool variant_texts_add_allocator (struct variant_texts *texts,
				  const char *text);

/* Set PROVE's variants from TEXTS: each variant with each allocator, its
   command followed by OPERANDS, NULL-terminated.  If there are no variants,
   compare OPERANDS with and without hints.  On failure print an error and
   return false, with *STATUS the exit status.  */
bool variant_texts_expand (const struct variant_texts *texts, char **operands,
			   struct prove *prove, enum exit_status *status);

#endif /* HEAPPROF_VARIANTS_H */

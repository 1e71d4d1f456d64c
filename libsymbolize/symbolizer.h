/* Translating addresses of one module to source frames.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call instruction belongs to one function, which may be inlined into
   another, and so on.  So an address has a list of frames, innermost first; the
   last one is the function whose code it really is.  Names and lines come from
   the debug information; names also from the symbol table, if the debug
   information is missing or does not have them.  */

#ifndef HEAPPROF_SYMBOLIZER_H
#define HEAPPROF_SYMBOLIZER_H

#include "object-file.h"
#include "site-types-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer_frame
{
  const char *function; /* linkage name without compiler suffixes,
			   FUNCTION_BYTES long, not terminated there; NULL if
			   unknown */
  size_t function_bytes;
  const char *described_name; /* the function's name in the debug information,
				 unchanged, NUL-terminated; NULL if it has
				 none */
  const char *file;	      /* path of the source file; NULL if unknown */
  const char *directory;      /* folder where the compiler ran, to which FILE is
				 relative; NULL if FILE is absolute or it is
				 unknown */
  uint32_t line;	      /* 0 if unknown */
  uint32_t column;	      /* 0 if unknown */
  uint32_t discriminator;
  uint32_t start_line;		/* line of FUNCTION's declaration; 0 if
				   unknown */
  const char *declared_in;	/* path of the file with that line; NULL if
				   unknown */
  bool is_inline;		/* inlined into the next frame */
  bool lacks_debug_info;	/* debug information with more details of the
				   call is missing */
  bool is_split;		/* in code that the compiler split off FUNCTION,
				   called by the rest of it */
  bool columns_differ;		/* the compiler numbers the columns of calls
				   differently from clang */
  enum site_answer allocates;	/* from the compiler plugin */
  const struct site_type *type; /* of what it allocates; NULL if unknown */
};

struct symbolizer;

/* Create a symbolizer for FILE, which it owns from then on.  NULL if memory is
   exhausted; FILE is then closed.  */
struct symbolizer *symbolizer_open (struct object_file *file);
void symbolizer_close (struct symbolizer *symbolizer);

struct object_file *symbolizer_file (struct symbolizer *symbolizer);

/* Set *FRAMES to the frames of ADDRESS, a p_vaddr of the file inside the call
   instruction, and return their number, at least 1: an unknown address has one
   empty frame.  *FRAMES is valid until the next call, the strings until the
   symbolizer is closed.  Return 0 if memory is exhausted.  Addresses in
   ascending order are fastest.  */
size_t symbolizer_lookup (struct symbolizer *symbolizer, uint64_t address,
			  const struct symbolizer_frame **frames);

/* The same without the source position of the innermost frame.  Set *END to
   where code with other frames begins, after ADDRESS.  */
size_t symbolizer_lookup_scope (struct symbolizer *symbolizer, uint64_t address,
				const struct symbolizer_frame **frames,
				uint64_t *end);

/* A function in the debug information, with its code ranges.  */
struct symbolizer_range
{
  uint64_t start;
  uint64_t end; /* after the last byte */
};

struct symbolizer_function
{
  const char *described_name; /* as above */
  const char *function;	      /* as above, with FUNCTION_BYTES */
  size_t function_bytes;
  const char *declared_in; /* as above */
  const struct symbolizer_range *ranges;
  size_t range_count;
};

/* Set FUNCTION to the one whose code is at ADDRESS, regardless of inlined
   functions there; its ranges are valid until the next call.  RANGE_COUNT is 0
   if it is not in the debug information.  With HAS_VARIANTS, the ranges of
   other functions in its unit with the same description are included: GCC
   describes all variants of a constructor at once.  Return false if memory is
   exhausted.  */
bool symbolizer_function_at (struct symbolizer *symbolizer, uint64_t address,
			     bool has_variants,
			     struct symbolizer_function *function);

/* Return true if the module has debug information that can be read.  */
bool symbolizer_has_debug_info (struct symbolizer *symbolizer);

/* Return why debug information could not be used, completely or for some units
   looked up so far, as text for the user: problem number NUMBER; NULL if there
   are fewer.  */
const char *symbolizer_problem (const struct symbolizer *symbolizer,
				size_t number);

#endif /* HEAPPROF_SYMBOLIZER_H */

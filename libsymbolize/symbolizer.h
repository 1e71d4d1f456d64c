/* Addresses of one module to source frames.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call instruction stands in one function, and that may be inlined into
   another, and so on: an address has a list of frames, innermost first, of
   which the last is the function whose code it really is.  Names and lines
   come from the debug information; names also from the symbol table, where the
   debug information has none or is absent.  */

#ifndef HEAPPROF_SYMBOLIZER_H
#define HEAPPROF_SYMBOLIZER_H

#include "object-file.h"
#include "site-types-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer_frame
{
  const char *function; /* linkage name without the compiler's
			   suffixes, FUNCTION_BYTES long and not
			   terminated there; NULL if unknown */
  size_t function_bytes;
  const char *described_name; /* what the debug information calls the
				 function, as it is, NUL-terminated; NULL if
				 it says nothing of it */
  const char *file;	      /* path of the source file; NULL if unknown */
  const char *directory;      /* what FILE is relative to: where the compiler
				 ran; NULL if FILE is absolute, or unknown */
  uint32_t line;	      /* 0 if unknown */
  uint32_t column;	      /* 0 if unknown */
  uint32_t discriminator;
  uint32_t start_line;		/* where FUNCTION is declared; 0 if unknown */
  bool is_inline;		/* inlined into the next frame */
  bool lacks_debug_info;	/* debug information is missing that would say
				   more of the call */
  bool is_split;		/* in code that the compiler has split off
				   FUNCTION and that the rest of it calls */
  bool columns_differ;		/* the compiler does not number the columns of
				   calls as clang does */
  enum site_answer allocates;	/* what the compiler plugin says of the call */
  const struct site_type *type; /* of what it allocates; NULL if unknown */
};

struct symbolizer;

/* Make a symbolizer for FILE, which it owns from then on.  NULL if memory is
   exhausted; FILE is then closed.  */
struct symbolizer *symbolizer_open (struct object_file *file);
void symbolizer_close (struct symbolizer *symbolizer);

struct object_file *symbolizer_file (struct symbolizer *symbolizer);

/* Fill FRAMES with the frames of ADDRESS, a p_vaddr of the file that lies
   inside the call instruction, and return their number, at least 1: an address
   of which nothing is known has one empty frame.  *FRAMES is valid until the
   next call, the strings until the symbolizer is closed.  Return 0 if memory
   is exhausted.  Addresses in ascending order are fastest.  */
size_t symbolizer_lookup (struct symbolizer *symbolizer, uint64_t address,
			  const struct symbolizer_frame **frames);

/* A function as the debug information describes it: its code is in RANGES.  */
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
  const struct symbolizer_range *ranges;
  size_t range_count;
};

/* Fill FUNCTION with the one whose code is at ADDRESS, whatever is inlined
   there; its ranges are valid until the next call.  RANGE_COUNT is 0 if the
   debug information describes none.  With HAS_VARIANTS, they are also those of
   the others in its unit that have the same description: gcc describes all
   variants of a constructor at once.  False if memory is exhausted.  */
bool symbolizer_function_at (struct symbolizer *symbolizer, uint64_t address,
			     bool has_variants,
			     struct symbolizer_function *function);

/* Does the module have debug information that can be read?  */
bool symbolizer_has_debug_info (struct symbolizer *symbolizer);

/* What made the debug information unusable, wholly or for some units looked up
   so far, in words for the user: the NUMBERth thing that was noticed; NULL if
   there were fewer.  */
const char *symbolizer_problem (const struct symbolizer *symbolizer,
				size_t number);

#endif /* HEAPPROF_SYMBOLIZER_H */

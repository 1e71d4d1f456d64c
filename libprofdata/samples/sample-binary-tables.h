/* Names and contexts of LLVM's binary sample profiles, and what refers to them.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is read is checked: an index is one of its table, a name is in the
   profile.  */

#ifndef HEAPPROF_SAMPLE_BINARY_TABLES_H
#define HEAPPROF_SAMPLE_BINARY_TABLES_H

#include "byte-reader.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

struct sample_context
{
  struct sample_frame *frames; /* the last one is the function's */
  uint32_t count;
};

struct sample_reader
{
  struct sample_profile *profile;
  uint32_t *names; /* malloced; numbers in PROFILE */
  uint64_t name_count;
  struct sample_context *contexts; /* malloced */
  uint64_t context_count;
  struct sample_frame *frames; /* malloced; of the contexts */
  unsigned int flags;	       /* of the profile */
  bool has_vtables;
  bool has_functions;
};

/* Release the tables.  */
void sample_reader_release (struct sample_reader *binary);

/* Read the names, whose section has FLAGS, or the contexts.  */
void sample_read_names (struct sample_reader *binary,
			struct byte_reader *reader, uint64_t flags);
void sample_read_contexts (struct sample_reader *binary,
			   struct byte_reader *reader);

/* Take a name's text that ends with a NUL; the index of a name; a location.  If
   the reader fails, they are worth nothing.  */
uint32_t sample_take_text (struct sample_reader *binary,
			   struct byte_reader *reader);
uint32_t sample_take_name (struct sample_reader *binary,
			   struct byte_reader *reader);
struct sample_location sample_take_location (struct byte_reader *reader);

/* The top-level function whose index comes next: found or made; or, if it must
   be there, found.  NULL if the reader fails.  */
struct sample_function *sample_take_function (struct sample_reader *binary,
					      struct byte_reader *reader,
					      bool must_be_there);

/* The function whose name comes next, inlined into FUNCTION at LOCATION; found
   or made.  NULL if the reader fails.  */
struct sample_function *sample_take_inlinee (struct sample_reader *binary,
					     struct byte_reader *reader,
					     struct sample_function *function,
					     struct sample_location location);

#endif /* HEAPPROF_SAMPLE_BINARY_TABLES_H */

/* Names and contexts of LLVM's binary sample profiles, and references to them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Everything read is checked: an index is valid for its table, and a name is in
   the profile.  */

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

/* Free the tables.  */
void sample_reader_release (struct sample_reader *binary);

/* Read the names, whose section has FLAGS, or the contexts.  */
void sample_read_names (struct sample_reader *binary,
			struct byte_reader *reader, uint64_t flags);
void sample_read_contexts (struct sample_reader *binary,
			   struct byte_reader *reader);

/* Read a NUL-terminated name; the index of a name; a location.  The results are
   undefined if the reader fails.  */
uint32_t sample_take_text (struct sample_reader *binary,
			   struct byte_reader *reader);
uint32_t sample_take_name (struct sample_reader *binary,
			   struct byte_reader *reader);
struct sample_location sample_take_location (struct byte_reader *reader);

/* Read the index of a top-level function and return the function.  It is added
   if it is missing, unless MUST_BE_THERE.  NULL if the reader fails.  */
struct sample_function *sample_take_function (struct sample_reader *binary,
					      struct byte_reader *reader,
					      bool must_be_there);

/* Read a name and return the function of that name inlined into FUNCTION at
   LOCATION, which is added if missing.  NULL if the reader fails.  */
struct sample_function *sample_take_inlinee (struct sample_reader *binary,
					     struct byte_reader *reader,
					     struct sample_function *function,
					     struct sample_location location);

#endif /* HEAPPROF_SAMPLE_BINARY_TABLES_H */

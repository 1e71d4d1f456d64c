/* Looking up single functions in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A compiler needs the few functions of its unit from a file that may have a
   hundred thousand.  Opening maps the file and reads its header; looking up a
   function reads one bucket of a table.  Everything else, including the
   checksum, is not verified.  The file must not be modified in place while it
   is open; our own writers replace files.  */

#ifndef HEAPPROF_INDEXED_LOOKUP_H
#define HEAPPROF_INDEXED_LOOKUP_H

#include "profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct indexed_lookup;

enum indexed_result
{
  INDEXED_FOUND,
  INDEXED_NO_NAME,    /* the file does not have the function */
  INDEXED_OTHER_HASH, /* it only has other versions of its body */
  INDEXED_FAILED      /* see the error */
};

/* Open the indexed profile PATH.  The string PATH must outlive the result.
   NULL and *ERR on failure.  Close with indexed_lookup_close, which accepts
   NULL.  */
struct indexed_lookup *indexed_lookup_open (const char *path,
					    struct profile_error *err);
void indexed_lookup_close (struct indexed_lookup *lookup);

/* Return how the counters were made: flags of enum counter_flag.  */
unsigned int indexed_lookup_flags (const struct indexed_lookup *lookup);

/* Return true if the file has a heap profile.  */
bool indexed_lookup_has_heap (const struct indexed_lookup *lookup);

/* Counters of a function, in memory of the lookup: valid until the next
   call.  */
struct indexed_counters
{
  const uint64_t *counters;
  uint32_t count;
};

/* Find the counters of the function whose name is the N bytes at NAME and whose
   body has HASH.  Of several records, use the one with the greatest counts.  */
enum indexed_result indexed_lookup_counters (struct indexed_lookup *lookup,
					     const char *name, size_t n,
					     uint64_t hash,
					     struct indexed_counters *found,
					     struct profile_error *err);

/* The same, but merge everything that the file has for that function, with any
   hash, into PROFILE: counters, bitmaps, values.  */
enum indexed_result indexed_lookup_fold (struct indexed_lookup *lookup,
					 const char *name, size_t n,
					 struct counter_profile *profile,
					 struct profile_error *err);

#endif /* HEAPPROF_INDEXED_LOOKUP_H */

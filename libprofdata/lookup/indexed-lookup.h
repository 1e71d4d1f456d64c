/* Looking single functions up in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A compiler asks for the few functions of its unit, of a file that may have a
   hundred thousand.  Opening maps the file and reads its header; looking a
   function up reads one bucket of a table.  What is not asked for is not
   checked: not the checksum either.  The file must not be written to in place
   while it is open; our own writers replace files.  */

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
  INDEXED_OTHER_HASH, /* it has, but of other versions of its body */
  INDEXED_FAILED      /* the error says why */
};

/* Open the indexed profile PATH, whose string must live as long.  NULL and *ERR
   if that fails.  Close with indexed_lookup_close, which takes NULL too.  */
struct indexed_lookup *indexed_lookup_open (const char *path,
					    struct profile_error *err);
void indexed_lookup_close (struct indexed_lookup *lookup);

/* How the counters were made: flags of enum counter_flag.  */
unsigned int indexed_lookup_flags (const struct indexed_lookup *lookup);

/* Does the file have a heap profile?  */
bool indexed_lookup_has_heap (const struct indexed_lookup *lookup);

/* Counters of a function, in memory of the lookup: valid until the next
   call.  */
struct indexed_counters
{
  const uint64_t *counters;
  uint32_t count;
};

/* Find the counters of the function whose name is the N bytes at NAME and whose
   body has HASH.  If there are several records, that is the one that counted
   most.  */
enum indexed_result indexed_lookup_counters (struct indexed_lookup *lookup,
					     const char *name, size_t n,
					     uint64_t hash,
					     struct indexed_counters *found,
					     struct profile_error *err);

/* The same, but fold all that the file has of that function, of any hash, into
   PROFILE: counters, bitmaps, values.  */
enum indexed_result indexed_lookup_fold (struct indexed_lookup *lookup,
					 const char *name, size_t n,
					 struct counter_profile *profile,
					 struct profile_error *err);

#endif /* HEAPPROF_INDEXED_LOOKUP_H */

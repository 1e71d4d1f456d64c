/* Looking up functions in GCC's own counters of an indexed profile, and
   creating a data file (.gcda) from the result.
   SPDX-License-Identifier: GPL-3.0-or-later

   For compilers that optimize a unit with an indexed profile.  A data file
   identifies functions by idents, which depend on the location of the object; a
   profile also has names, source files and units.  So the profile of a function
   is found wherever it was compiled, and gets the ident that the function has
   now.

   Opening maps the file and reads its header and its end; finding a function
   reads its entries of an index and its records.  Everything else, including
   the checksum, is not verified.  The file must not be modified in place while
   it is open; our own writers replace files.  */

#ifndef HEAPPROF_GCOV_LOOKUP_H
#define HEAPPROF_GCOV_LOOKUP_H

#include "byte-writer.h"
#include "gcov-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct gcov_lookup;

  /* Open the indexed profile PATH.  The string PATH must outlive the result.
     NULL and *ERR on failure or if it has no GCC counters.  Close with
     gcov_lookup_close, which accepts NULL.  */
  struct gcov_lookup *gcov_lookup_open (const char *path,
					struct profile_error *err);
  void gcov_lookup_close (struct gcov_lookup *lookup);

  /* The greatest number of runs, and the greatest sum of their greatest arc
     counters, of any unit.  */
  void gcov_lookup_summary (const struct gcov_lookup *lookup, uint32_t *runs,
			    uint32_t *sum_max);

  /* A function as identified by the compiler.  */
  struct gcov_lookup_key
  {
    const char *name;	/* assembler name */
    const char *file;	/* of its source as spelled; NULL: unknown */
    const char *object; /* path of its unit's data file, with or without suffix;
			   NULL: unknown */
    uint32_t ident;
    uint32_t lineno_checksum;
    unsigned int major; /* version of the compiler */
    bool is_public;
    bool is_shared; /* other units may have a copy: comdat */
  };

  enum gcov_lookup_result
  {
    GCOV_LOOKUP_FOUND,
    GCOV_LOOKUP_NOT_FOUND,
    GCOV_LOOKUP_OTHER_COMPILER, /* only counted by other compiler versions */
    GCOV_LOOKUP_FAILED		/* see the error */
  };

  /* The result, in memory of the lookup: RECORDS is valid until the next call,
     the functions themselves until the lookup is closed.  The records are to be
     added up.  */
  struct gcov_lookup_found
  {
    const struct gcov_function *const *records;
    size_t count;
  };

  /* Find the records of the function KEY:

     - of a public function, those of public functions of this name; of a local
       one, those with its ident, otherwise those of the same source file;
     - of these, if it is not shared, preferably those of its own source file,
       of its own unit, with its checksum of name and line;
     - all with the same flow graph and numbers of counters.  If there are
       several graphs, use the one of its own unit, with its checksum, that ran
       most.  The compiler compares checksums to decide whether that graph is
       the function's.  */
  enum gcov_lookup_result gcov_lookup_find (struct gcov_lookup *lookup,
					    const struct gcov_lookup_key *key,
					    struct gcov_lookup_found *found,
					    struct profile_error *err);

  /* A function of a data file: the sum of RECORDS, at least one, all with the
     same flow graph and shape, with a new ident and checksum.  */
  struct gcov_lookup_part
  {
    const struct gcov_function *const *records;
    size_t count;
    uint32_t ident;
    uint32_t lineno_checksum;
  };

  /* Append a data file to WRITER: the N functions at PARTS, with the version,
     byte order and summary of HEAD.  Callees identified by the ident of a
     record in PARTS get the ident of that part.  Return false and set *ERR,
     without a path, if memory is exhausted.  */
  bool gcov_lookup_make_data (struct byte_writer *writer,
			      const struct gcov_lookup_part *parts, size_t n,
			      const struct gcov_unit *head,
			      struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_LOOKUP_H */

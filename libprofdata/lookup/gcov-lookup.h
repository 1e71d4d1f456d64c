/* Looking functions up in gcc's own counters of an indexed profile, and making
   a data file (.gcda) of what was found.
   SPDX-License-Identifier: GPL-3.0-or-later

   For a compiler that optimizes a unit by an indexed profile.  A data file
   knows functions by idents, which depend on where the object was put; a
   profile knows names, source files and units too.  So the profile of a
   function is found wherever it was compiled, and given the ident that it has
   now.

   Opening maps the file and reads its header and its end; finding a function
   reads its entries of an index and its records.  What is not asked for is not
   checked: not the checksum either.  The file must not be written to in place
   while it is open; our own writers replace files.  */

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

  /* Open the indexed profile PATH, whose string must live as long.  NULL and
     *ERR if that fails or if it has no counters of gcc.  Close with
     gcov_lookup_close, which takes NULL too.  */
  struct gcov_lookup *gcov_lookup_open (const char *path,
					struct profile_error *err);
  void gcov_lookup_close (struct gcov_lookup *lookup);

  /* The greatest number of runs, and sum of their greatest arc counters, that
     any unit has.  */
  void gcov_lookup_summary (const struct gcov_lookup *lookup, uint32_t *runs,
			    uint32_t *sum_max);

  /* A function as the compiler that asks knows it.  */
  struct gcov_lookup_key
  {
    const char *name;	/* assembler name */
    const char *file;	/* of its source as spelled; NULL unknown */
    const char *object; /* path of its unit's data file, with or without
			   suffix; NULL unknown */
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
    GCOV_LOOKUP_OTHER_COMPILER, /* it was counted, with other versions */
    GCOV_LOOKUP_FAILED		/* the error says why */
  };

  /* What was found, in memory of the lookup: RECORDS until the next call, the
     functions themselves until it is closed.  They are to be added up.  */
  struct gcov_lookup_found
  {
    const struct gcov_function *const *records;
    size_t count;
  };

  /* Find the records of the function KEY:
     - of a public function, those of public functions of this name; of a local
       one, those with its ident, else those of the same source file;
     - of these, if it is not shared, rather those of its own source file, of
     its own unit, with its checksum of name and line;
     - all with one flow graph and numbers of counters.  If there are several
       graphs, that is the one of its own unit, with its checksum, that ran
     most. Whether that graph is the function's is for the compiler to say,
     which compares the checksums.  */
  enum gcov_lookup_result gcov_lookup_find (struct gcov_lookup *lookup,
					    const struct gcov_lookup_key *key,
					    struct gcov_lookup_found *found,
					    struct profile_error *err);

  /* A function of a data file: the sum of RECORDS, at least one, all of one
     flow graph and shape, with an ident and a checksum of its own.  */
  struct gcov_lookup_part
  {
    const struct gcov_function *const *records;
    size_t count;
    uint32_t ident;
    uint32_t lineno_checksum;
  };

  /* Append a data file to WRITER: the N functions at PARTS, with the version,
     byte order and summary of HEAD.  Where callees are named by the ident of a
     record in PARTS they get that of its part.  False and *ERR, without a path,
     if memory cannot be had.  */
  bool gcov_lookup_make_data (struct byte_writer *writer,
			      const struct gcov_lookup_part *parts, size_t n,
			      const struct gcov_unit *head,
			      struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_LOOKUP_H */

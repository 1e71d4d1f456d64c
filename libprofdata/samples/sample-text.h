/* Sample profiles as text: LLVM's .prof.
   SPDX-License-Identifier: GPL-3.0-or-later

     NAME:TOTAL:HEAD                    a function, in column 0
      LOCATION: COUNT TARGET:COUNT...   a body sample
      LOCATION: NAME:TOTAL              an inlined function; what it has
					follows, one column further right
      LOCATION: vtables NAME:COUNT...   virtual tables, each with a blank behind
      !CFGChecksum: NUMBER              after all else of the function
      !Attributes: NUMBER               the same
      !Flat                             the same; says that nothing is inlined

   LOCATION is LINE or LINE.DISCRIMINATOR.  A function with context is
   [CALLER:LOCATION @ CALLER:LOCATION @ NAME], and has nothing inlined.  Empty
   lines, and those whose first character that is no blank is `#', are passed
   over.

   The list of the binary's functions, source files and first runs have no place
   here, nor has the flag of a partial profile.  */

#ifndef HEAPPROF_SAMPLE_TEXT_H
#define HEAPPROF_SAMPLE_TEXT_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* So many bytes tell whether a file is such a text.  */
#define SAMPLE_TEXT_START_BYTES 4096

  /* Can a file that begins with the N bytes at DATA be such a text?  N is at
     least SAMPLE_TEXT_START_BYTES, or the file's size if that is less.  */
  bool sample_text_is_possible (const void *data, size_t n);

  /* Fold the text of SIZE bytes at DATA into PROFILE; PATH names it in errors.
     False and *ERR if that fails, with PROFILE half changed.  */
  bool sample_text_fold (struct sample_profile *profile, const char *path,
			 const void *data, size_t size,
			 struct profile_error *err);

  struct sample_text_options
  {
    bool drop_vtables; /* which LLVM does not read before 22 */
    bool for_people;   /* names of which only the GUID is known are
			  written as numbers, which is no valid text */

    /* Is FUNCTION, a top-level one, to be written?  NULL: all are.  */
    bool (*is_wanted) (const struct sample_profile *profile,
		       const struct sample_function *function, void *data);
    void *data; /* for IS_WANTED */
  };

  /* Make the text of PROFILE: *DATA is malloced, *SIZE its bytes.  False and
   *ERR, without a path, if a name cannot be written or memory cannot be
   had.  */
  bool sample_text_serialize (const struct sample_profile *profile,
			      const struct sample_text_options *options,
			      void **data, size_t *size,
			      struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_TEXT_H */

/* Sample profiles as text: LLVM's .prof.
   SPDX-License-Identifier: GPL-3.0-or-later

     NAME:TOTAL:HEAD                    a function, in column 0
      LOCATION: COUNT TARGET:COUNT...   a body sample
      LOCATION: NAME:TOTAL              an inlined function; its contents
					follow, one column further right
      LOCATION: vtables NAME:COUNT...   virtual tables, a blank after each
      !CFGChecksum: NUMBER              after everything else of the function
      !Attributes: NUMBER               likewise
      !Flat                             likewise; nothing is inlined

   LOCATION is LINE or LINE.DISCRIMINATOR.  A function with context is
   [CALLER:LOCATION @ CALLER:LOCATION @ NAME], and has nothing inlined.  Empty
   lines, and lines whose first non-blank character is `#', are ignored.

   The format cannot hold the list of the binary's functions, source files,
   first runs, and the flag of a partial profile.  */

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

/* Number of leading bytes that show whether a file is such a text.  */
#define SAMPLE_TEXT_START_BYTES 4096

  /* Return true if a file that starts with the N bytes at DATA can be such a
     text.  N is at least SAMPLE_TEXT_START_BYTES, or the size of a smaller
     file.  */
  bool sample_text_is_possible (const void *data, size_t n);

  /* Merge the text of SIZE bytes at DATA into PROFILE.  PATH names it in
     errors.  Return false and set *ERR on failure; PROFILE is then
     incomplete.  */
  bool sample_text_fold (struct sample_profile *profile, const char *path,
			 const void *data, size_t size,
			 struct profile_error *err);

  struct sample_text_options
  {
    bool drop_vtables; /* LLVM before 22 cannot read them */
    bool for_people;   /* names of which only the GUID is known are written as
			  numbers, which is not valid text */

    /* Return true if FUNCTION, a top-level one, is to be written.  NULL: all
       are.  */
    bool (*is_wanted) (const struct sample_profile *profile,
		       const struct sample_function *function, void *data);
    void *data; /* for IS_WANTED */
  };

  /* Create the text of PROFILE: *DATA is malloced, *SIZE is its size in bytes.
     Return false and set *ERR, without a path, if a name cannot be written or
     memory is exhausted.  */
  bool sample_text_serialize (const struct sample_profile *profile,
			      const struct sample_text_options *options,
			      void **data, size_t *size,
			      struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_TEXT_H */

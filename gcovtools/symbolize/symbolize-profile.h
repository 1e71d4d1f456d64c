/* Symbolization of raw calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Raw contexts consist of return addresses; the model is a tree of frames.
   Each address becomes its frames, including inlined ones, below the node of
   its caller.  Frame numbers in the model are cached by module and address.  */

#ifndef HEAPPROF_SYMBOLIZE_PROFILE_H
#define HEAPPROF_SYMBOLIZE_PROFILE_H

#include "address-names.h"
#include "heap-profile.h"
#include "memprof-raw.h"
#include "profile-error.h"
#include "raw-profile.h"
#include <stdbool.h>

struct profile_symbolizer;

/* Make a symbolizer that adds contexts to PROFILE, with NAMES for the
   addresses.  Both must outlive it.  Return NULL if memory is exhausted.  */
struct profile_symbolizer *profile_symbolizer_new (struct heap_profile *profile,
						   struct address_names *names);
void profile_symbolizer_free (struct profile_symbolizer *symbolizer);

/* Add all of RAW, read from PATH, to the profile.  Print one warning for each
   module that is not found; its frames keep its name.  Return false and
   set *ERR if memory is exhausted.  */
bool profile_symbolizer_add (struct profile_symbolizer *symbolizer,
			     struct raw_profile *raw, const char *path,
			     struct profile_error *err);

/* Like profile_symbolizer_add, for a profile of LLVM's run-time library, whose
   modules have build IDs but no names.  If MAY_FORGET, the bytes that RAW was
   parsed from are released while they are processed and may only be freed
   afterwards.  */
bool profile_symbolizer_add_memprof (struct profile_symbolizer *symbolizer,
				     const struct memprof_raw *raw,
				     bool may_forget, const char *path,
				     struct profile_error *err);

/* Look up the addresses kept in *PROFILE again, since files missing when it was
   made may be available now, and replace *PROFILE by one with the names found.
   Return false if memory is exhausted; *PROFILE is then unchanged.  */
bool symbolize_late (struct heap_profile **profile,
		     struct address_names *names);

#endif /* HEAPPROF_SYMBOLIZE_PROFILE_H */

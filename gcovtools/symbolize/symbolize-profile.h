/* Raw calling contexts to symbolized ones.
   SPDX-License-Identifier: GPL-3.0-or-later

   Raw contexts are return addresses, the model is a tree of frames: each
   address becomes its frames, inlined ones included, below the node of its
   caller.  The model's numbers of the frames are remembered by module and
   address.  */

#ifndef HEAPPROF_SYMBOLIZE_PROFILE_H
#define HEAPPROF_SYMBOLIZE_PROFILE_H

#include "address-names.h"
#include "heap-profile.h"
#include "memprof-raw.h"
#include "profile-error.h"
#include "raw-profile.h"
#include <stdbool.h>

struct profile_symbolizer;

/* Make a symbolizer that adds to PROFILE what addresses are called by NAMES,
   both of which must outlive it.  NULL if memory is exhausted.  */
struct profile_symbolizer *profile_symbolizer_new (struct heap_profile *profile,
						   struct address_names *names);
void profile_symbolizer_free (struct profile_symbolizer *symbolizer);

/* Add all of RAW, which was read from PATH, to the profile.  A module that is
   not found is warned about once; its frames keep its name.  False and *ERR if
   memory is exhausted.  */
bool profile_symbolizer_add (struct profile_symbolizer *symbolizer,
			     struct raw_profile *raw, const char *path,
			     struct profile_error *err);

/* The same for a profile of LLVM's run-time library, whose modules have build
   IDs and no names.  If MAY_FORGET, the bytes that RAW was parsed from are
   given up as they are folded, and only to be freed then.  */
bool profile_symbolizer_add_memprof (struct profile_symbolizer *symbolizer,
				     const struct memprof_raw *raw,
				     bool may_forget, const char *path,
				     struct profile_error *err);

/* Look the addresses that *PROFILE keeps up again, since what was not found
   when it was made may be there now, and let *PROFILE be one that has the
   names.  False if memory is exhausted; *PROFILE is then as it was.  */
bool symbolize_late (struct heap_profile **profile,
		     struct address_names *names);

#endif /* HEAPPROF_SYMBOLIZE_PROFILE_H */

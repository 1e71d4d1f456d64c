/* The names of a sample profile by their texts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_NAME_INDEX_H
#define HEAPPROF_NAME_INDEX_H

#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is empty.  */
struct name_index
{
  const struct sample_profile *profile;
  uint32_t *names; /* those with a text, by text; those of one by file */
  size_t count;
};

/* Index the names that PROFILE has now; it must outlive INDEX.  Return false if
   memory is exhausted; release INDEX in any case.  */
bool name_index_make (struct name_index *index,
		      const struct sample_profile *profile);
void name_index_release (struct name_index *index);

/* Return the place in INDEX of the first name that is not less than the N bytes
   of TEXT; the number of names if there is none.  */
size_t name_index_find (const struct name_index *index, const char *text,
			size_t n);

/* Return true if the name at PLACE of INDEX, which may be the number of names,
   is the N bytes of TEXT.  */
bool name_index_is (const struct name_index *index, size_t place,
		    const char *text, size_t n);

#endif /* HEAPPROF_NAME_INDEX_H */

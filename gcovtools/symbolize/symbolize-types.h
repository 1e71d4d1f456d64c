/* What is allocated at an address: types into the model.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SYMBOLIZE_TYPES_H
#define HEAPPROF_SYMBOLIZE_TYPES_H

#include "symbolize-addresses.h"

/* Set what LIST, whose frames are NAMED's, says of types, and add the type to
   PROFILE.  False if memory is exhausted.  */
bool symbolize_type (struct heap_profile *profile,
		     const struct named_address *named,
		     struct frame_list *list);

#endif /* HEAPPROF_SYMBOLIZE_TYPES_H */

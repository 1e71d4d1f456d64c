/* Add the types allocated at an address to the model.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SYMBOLIZE_TYPES_H
#define HEAPPROF_SYMBOLIZE_TYPES_H

#include "symbolize-addresses.h"

/* Set the type of LIST from NAMED, its frames, and add the type to PROFILE.
   Return false if memory is exhausted.  */
bool symbolize_type (struct heap_profile *profile,
		     const struct named_address *named,
		     struct frame_list *list);

#endif /* HEAPPROF_SYMBOLIZE_TYPES_H */

/* Frames reduced to what identifies them in several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Equal places in different profiles, entered into a common profile, get the
   same number there; context-match.h says which ones are equal.  */

#ifndef HEAPPROF_PLAIN_FRAME_H
#define HEAPPROF_PLAIN_FRAME_H

#include "heap-profile.h"
#include <stdint.h>

/* Return the frame of COMMON that stands for frame ID of PROFILE; UINT32_MAX if
   memory is exhausted.  */
uint32_t plain_frame_enter (struct heap_profile *common,
			    const struct heap_profile *profile, uint32_t id);

#endif /* HEAPPROF_PLAIN_FRAME_H */

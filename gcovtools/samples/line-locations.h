/* Where frames of debug information are in a profile that counts lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_LINE_LOCATIONS_H
#define HEAPPROF_LINE_LOCATIONS_H

#include "image-list.h"
#include "sample-profile.h"
#include "symbolizer.h"
#include <stdint.h>

/* Return the location in FRAME of IMAGE: of its instruction or, in an outer
   frame, of its call.  clang packs several numbers into the discriminator; the
   result has the base discriminator only.  */
struct sample_location line_location (const struct image *image,
				      const struct symbolizer_frame *frame);

/* The same with all numbers of the discriminator.  */
struct sample_location
line_location_packed (const struct symbolizer_frame *frame);

/* Return how many runs of the source one run of the code at FRAME stands
   for.  */
uint32_t line_location_factor (const struct image *image,
			       const struct symbolizer_frame *frame);

#endif /* HEAPPROF_LINE_LOCATIONS_H */

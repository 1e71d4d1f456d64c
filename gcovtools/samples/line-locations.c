/* Where frames of debug information are in a profile that counts lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "line-locations.h"
#include "packed-discriminator.h"

static bool
is_packed (const struct symbolizer_frame *frame)
{
  return !frame->columns_differ;
}

struct sample_location
line_location_packed (const struct symbolizer_frame *frame)
{
  return (struct sample_location){ (frame->line - frame->start_line) & 0xffff,
				   frame->discriminator };
}

struct sample_location
line_location (const struct image *image, const struct symbolizer_frame *frame)
{
  struct sample_location location = line_location_packed (frame);
  if (is_packed (frame))
    location.discriminator
      = packed_discriminator_base (location.discriminator,
				   image->is_flow_sensitive);
  return location;
}

uint32_t
line_location_factor (const struct image *image,
		      const struct symbolizer_frame *frame)
{
  return is_packed (frame)
	   ? packed_discriminator_factor (frame->discriminator,
					  image->is_flow_sensitive)
	   : 1;
}

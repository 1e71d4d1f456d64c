/* Where the binaries were of which a heap profile keeps addresses.
   SPDX-License-Identifier: GPL-3.0-or-later

   A binary is known by its build ID; its path is the first place to look for it
   when its addresses are looked up later.  Of several paths the least is kept:
   so the result of merging does not depend on order, and does not grow.  */

#ifndef HEAPPROF_HEAP_IMAGES_H
#define HEAPPROF_HEAP_IMAGES_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct heap_image
  {
    uint32_t module;   /* string id, as in frames */
    uint32_t build_id; /* string id, as in frames; not 0 */
    uint32_t path;     /* string id */
  };

  /* Note where *IMAGE is, unless PROFILE knows a lesser path.  An empty one
     says nothing.  False if memory cannot be had.  */
  bool heap_profile_add_image (struct heap_profile *profile,
			       const struct heap_image *image);

  /* String id of the path of the binary that FRAME of PROFILE has its address
     in; 0 if it is not known.  */
  uint32_t heap_profile_image_path (const struct heap_profile *profile,
				    const struct heap_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_IMAGES_H */

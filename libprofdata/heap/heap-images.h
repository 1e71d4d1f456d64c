/* Paths of the binaries whose addresses a heap profile keeps.
   SPDX-License-Identifier: GPL-3.0-or-later

   A binary is identified by its build ID; its path is the first place to look
   for it when its addresses are symbolized later.  Of several paths the least
   is kept, so that the result of merging does not depend on the order and does
   not grow.  */

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

  /* Record the path of *IMAGE, unless PROFILE has a lesser one.  An empty path
     is ignored.  Return false if memory is exhausted.  */
  bool heap_profile_add_image (struct heap_profile *profile,
			       const struct heap_image *image);

  /* Return the string id of the path of the binary that contains the address of
     FRAME of PROFILE; 0 if unknown.  */
  uint32_t heap_profile_image_path (const struct heap_profile *profile,
				    const struct heap_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_IMAGES_H */

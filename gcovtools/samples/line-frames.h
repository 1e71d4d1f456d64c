/* The frames of code by lines.
   SPDX-License-Identifier: GPL-3.0-or-later

   A scope is a function with all calls that it is inlined through, so code of
   one scope differs in its innermost location only.  What debug information
   says of an address is looked up once.  */

#ifndef HEAPPROF_LINE_FRAMES_H
#define HEAPPROF_LINE_FRAMES_H

#include "frame-list.h"
#include "sample-profile.h"
#include "sampled-functions.h"
#include <stdbool.h>
#include <stdint.h>

struct line_scope
{
  const struct line_scope *outer; /* NULL: it is not inlined */
  struct sample_location packed;  /* of the call in OUTER, with all numbers of
				     its discriminator */
  struct sample_location site;	  /* the same, in the profile */
  uint32_t name;
  uint32_t number; /* from 0 */
};

/* The code at ADDRESS.  */
struct line_place
{
  uint64_t address;
  const struct line_scope *scope; /* NULL: unknown */
  struct sample_location packed;
  struct sample_location location;
  uint32_t factor; /* multiplier for its count */
};

struct line_frames;

/* Begin with the current image of FUNCTIONS, which must outlive the result.
   NULL if memory is exhausted.  */
struct line_frames *
line_frames_open (const struct sampled_functions *functions);
void line_frames_close (struct line_frames *frames);

/* Return the code at ADDRESS, NULL if memory is exhausted.  It is valid until
   FRAMES is closed.  */
const struct line_place *line_frames_find (struct line_frames *frames,
					   uint64_t address);

/* Return true if A and B are inlined through the same calls; nothing is known
   of unknown code.  */
bool line_places_share_calls (const struct line_place *a,
			      const struct line_place *b);

/* Append the calls that SCOPE is inlined through to LIST, outermost first.
   Return false if memory is exhausted.  */
bool line_scope_add (const struct line_scope *scope, struct frame_list *list);

#endif /* HEAPPROF_LINE_FRAMES_H */

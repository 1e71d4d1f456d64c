/* The functions that the frames of a heap profile are in.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions of several files may have one name.  A frame has the file of its
   line, which is not that of its function if the source says so (#line), or if
   the line is of an included file.  Frames of functions with equal names and
   start lines in one binary are in the same function.  */

#ifndef HEAPPROF_HEAP_FUNCTIONS_H
#define HEAPPROF_HEAP_FUNCTIONS_H

#include "heap-profile.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* The function of a frame.  */
struct heap_function
{
  const char *file; /* last part of its path, of the profile; NULL: the frame's
		       function is unknown */
  bool is_known;    /* the shape has a function of this name */
};

/* Return the function of each frame of PROFILE, by number, as it is in SHAPE.
   The caller frees the array, not the files.  NULL if memory is exhausted.  */
struct heap_function *heap_functions_find (const struct heap_profile *profile,
					   const struct sample_profile *shape);

/* Return the last part of the path of FRAME's file.  */
const char *heap_function_file (const struct heap_profile *profile,
				const struct heap_frame *frame);

#endif /* HEAPPROF_HEAP_FUNCTIONS_H */

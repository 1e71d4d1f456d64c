/* Reading raw profiles, which may be longer than what they have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_CONTENT_H
#define HEAPPROF_RAW_CONTENT_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Like file_content_read, but of a raw profile not the zeros behind its
     extents, if there are many.  */
  bool raw_content_read (const char *path, void **data, size_t *size,
			 struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_RAW_CONTENT_H */

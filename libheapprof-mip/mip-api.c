/* Functions for programs; each is linked only if it is called.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"

/* Return RESULT, or -1 with errno set if it is an error.  */

static int
with_errno (int result)
{
  if (result >= 0)
    return result;
  errno = -result;
  return -1;
}

int
heapprof_mip_dump (void)
{
  return with_errno (mip_dump (HEAPPROF_MIP_ON_REQUEST));
}

int
heapprof_mip_dump_to (const char *path)
{
  struct mip_image image;
  mip_image_make (&image, HEAPPROF_MIP_ON_REQUEST);
  const int result = mip_image_write (&image, path, O_TRUNC);
  mip_image_release (&image);
  return with_errno (result);
}

void *
heapprof_mip_slots (int kind, size_t *bytes)
{
  for (int i = 0; i < MIP_SECTIONS; i++)
    {
      struct mip_section section;
      mip_section_get (i, &section);
      if (section.kind == kind)
	{
	  *bytes = (size_t) (section.end - section.begin);
	  return section.begin;
	}
    }
  *bytes = 0;
  return NULL;
}

int
heapprof_mip_send (int (*take) (void *data, const void *bytes, size_t n),
		   void *data)
{
  struct mip_image image;
  mip_image_make (&image, HEAPPROF_MIP_ON_REQUEST);
  int result = 0;
  for (int i = 0; i < image.piece_count && result == 0; i++)
    result = take (data, image.pieces[i].iov_base, image.pieces[i].iov_len);
  mip_image_release (&image);
  return result;
}

/* Machine-level profiles as text, for reading, comparing and repairing by hand:
   doc/mip-format.md.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_TEXT_H
#define HEAPPROF_MIP_TEXT_H

#include "byte-writer.h"
#include "mip-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Return true if the file of SIZE bytes at DATA starts like such a text.  */
  bool mip_text_is_text (const void *data, size_t size);

  /* Read the text of SIZE bytes at DATA.  PATH names it in errors.  NULL
     and *ERR on failure.  Free the profile with mip_profile_free.  */
  struct mip_profile *mip_text_read (const char *path, const void *data,
				     size_t size, struct profile_error *err);

  /* Append all of PROFILE as text to WRITER, which fails if memory is
     exhausted.  */
  void mip_text_write (const struct mip_profile *profile,
		       struct byte_writer *writer);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MIP_TEXT_H */

/* Writing indexed profiles to files or to standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "indexed-output.h"
#include "output-file.h"
#include <stdlib.h>

bool
indexed_output_write (const char *output, const struct profile *profile,
		      const struct indexed_profile_options *options,
		      struct profile_error *err)
{
  void *data;
  size_t size;
  if (!output_file_is_stdout (output))
    return indexed_profile_write (output, profile, options, err);
  if (!output_file_check_binary (output, "an indexed profile", err))
    return false;
  if (!indexed_profile_serialize (profile, options, &data, &size, err))
    {
      err->path = "standard output";
      return false;
    }
  bool is_done = output_file_write (output, data, size, err);
  free (data);
  return is_done;
}

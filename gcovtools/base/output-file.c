/* Output of commands: to a file or to standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "output-file.h"
#include "atomic-file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool
output_file_is_stdout (const char *output)
{
  return strcmp (output, "-") == 0;
}

bool
output_file_check_binary (const char *output, const char *what,
			  struct profile_error *err)
{
  if (output_file_is_stdout (output) && isatty (STDOUT_FILENO))
    return profile_error_set (err, "standard output", PROFILE_ERROR_NO_OFFSET,
			      "refusing to write %s to a terminal", what);
  return true;
}

bool
output_file_write (const char *output, const void *data, size_t size,
		   struct profile_error *err)
{
  if (!output_file_is_stdout (output))
    return atomic_file_write (output, data, size, err);
  errno = 0;
  if (fwrite (data, 1, size, stdout) == size && fflush (stdout) == 0)
    return true;
  return profile_error_set_errno (err, "standard output", "cannot write",
				  errno != 0 ? errno : EIO);
}

/* Output of commands: to a file or to standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OUTPUT_FILE_H
#define HEAPPROF_OUTPUT_FILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

/* Return true if OUTPUT is `-', standard output.  */
bool output_file_is_stdout (const char *output);

/* Return true if WHAT, which is binary, may be written to OUTPUT.  Return false
   and set *ERR if that is a terminal.  */
bool output_file_check_binary (const char *output, const char *what,
			       struct profile_error *err);

/* Write SIZE bytes at DATA to OUTPUT.  A file is written completely or not at
   all.  Return false and set *ERR on failure.  */
bool output_file_write (const char *output, const void *data, size_t size,
			struct profile_error *err);

#endif /* HEAPPROF_OUTPUT_FILE_H */

/* Where commands write a profile: a file, or standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OUTPUT_FILE_H
#define HEAPPROF_OUTPUT_FILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

/* Does OUTPUT, `-', mean standard output?  */
bool output_file_is_stdout (const char *output);

/* May WHAT, which is binary, go to OUTPUT?  False and *ERR if that is a
   terminal.  */
bool output_file_check_binary (const char *output, const char *what,
			       struct profile_error *err);

/* Write the SIZE bytes at DATA to OUTPUT; a file is there whole or not at all.
   False and *ERR if that fails.  */
bool output_file_write (const char *output, const void *data, size_t size,
			struct profile_error *err);

#endif /* HEAPPROF_OUTPUT_FILE_H */

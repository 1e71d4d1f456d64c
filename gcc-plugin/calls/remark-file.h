/* Remark files, which the units of a program share.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file has a section for each unit: a header line and as many remarks as it
   announces (doc/remarks-format.md).  A unit that is compiled again replaces
   its own section.  Concurrent compilers take turns.  */

#ifndef HEAPPROF_REMARK_FILE_H
#define HEAPPROF_REMARK_FILE_H

#include "profile-error.h"

/* Make TEXT, of BYTES and COUNT lines, the section of the unit IDENTITY in the
   file PATH.  IDENTITY and SUMS are the rest of the header line.  Return false
   and set *ERR on failure.  */
bool remark_file_write (const char *path, const char *identity,
			const char *sums, unsigned count, const char *text,
			size_t bytes, profile_error *err);

#endif /* HEAPPROF_REMARK_FILE_H */

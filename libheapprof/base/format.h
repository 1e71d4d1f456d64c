/* Text formatting without stdio.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   FORMAT supports %s (const char *), %d (int), %u (uint64_t), %x (uint64_t), %e
   (int: a negative errno as text) and %%.  */

#ifndef HEAPPROF_FORMAT_H
#define HEAPPROF_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Format into BUFFER of BYTES bytes, terminated and truncated to fit; return
   the length.  */
size_t rt_format (char *buffer, size_t bytes, const char *format, ...);

/* Do the same for a message: in strings, which may come from anywhere,
   characters that are not plain text (doc/guarantees.md) become \\xHH.  */
size_t rt_format_plain (char *buffer, size_t bytes, const char *format,
			va_list arguments);

#endif /* HEAPPROF_FORMAT_H */

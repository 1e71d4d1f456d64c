/* Names of allocator wrappers: functions that allocate for their callers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_WRAPPER_NAME_H
#define HEAPPROF_WRAPPER_NAME_H

#include <stdbool.h>

/* Return true if NAME, a linkage name, is of a well-known wrapper: of the C
   library, GLib, APR, talloc, Qt, Redis, SQLite, Lua, CPython, libxml2 and
   others, or of the xmalloc family, in any class or namespace.  Suffixes that
   the compiler adds to names do not matter.  The C++ library is not included
   (function_name_is_library).
 */
bool wrapper_name_is_listed (const char *name);

/* Return true if NAME, without qualifiers, parameters and template arguments,
   says that the function allocates or duplicates.  */
bool wrapper_name_says_allocates (const char *name);

#endif /* HEAPPROF_WRAPPER_NAME_H */

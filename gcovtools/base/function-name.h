/* Names of functions as a reader wants them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUNCTION_NAME_H
#define HEAPPROF_FUNCTION_NAME_H

#include "pattern-list.h"
#include <stdbool.h>

/* Demangle NAME, malloced; a copy of NAME if it is not mangled, NULL if memory
   is exhausted.  WITH_PARAMETERS also gives the types of parameters.  */
char *function_name_demangle (const char *name, bool with_parameters);

/* Shorten the demangled NAME in place: the C++ library's defaulted template
   arguments go, std::string gets its usual name, and long lists of template
   arguments become `<...>'.  */
void function_name_shorten (char *name);

/* Is the function with the linkage name NAME a part of the C++ library, or an
   operator new?  Such a function allocates for somebody else.  */
bool function_name_is_library (const char *name);

/* Does EXPRESSION match the linkage name NAME, or its demangled form with
   parameters, in full or shortened?  */
bool function_name_matches (const char *name,
			    const struct pattern_list *expression);

#endif /* HEAPPROF_FUNCTION_NAME_H */

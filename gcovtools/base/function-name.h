/* Demangling and shortening of function names for display.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUNCTION_NAME_H
#define HEAPPROF_FUNCTION_NAME_H

#include "pattern-list.h"
#include <stdbool.h>

/* Return NAME demangled, malloced; a copy of NAME if it is not mangled; NULL if
   memory is exhausted.  WITH_PARAMETERS includes parameter types.  */
char *function_name_demangle (const char *name, bool with_parameters);

/* The same for a function in the source FILE.  Names of Ada are only recognized
   by it: they are not different from those of C.  */
char *function_name_demangle_in (const char *name, const char *file,
				 bool with_parameters);

/* Shorten the demangled NAME in place: remove default template arguments of the
   C++ library, use std::string for its full name, and abbreviate long template
   argument lists to `<...>'.  */
void function_name_shorten (char *name);

/* The same for the name of a data type, except that long lists remain: they
   tell types from each other.  */
void type_name_shorten (char *name);

/* Return the part of the linkage name NAME that begins with its class, after
   `_Z', an `N' and the qualifiers of member functions; NULL if NAME is not
   mangled.  */
const char *function_name_class (const char *name);

/* Return the name without qualifiers in the demangled NAME, which has no
   parameters.  Set *IS_OF_TEMPLATE if it is a member of a class template.  */
const char *function_name_last (const char *name, bool *is_of_template);

/* Return true if the linkage name NAME belongs to the C++ library or is an
   operator new.  Such functions allocate on behalf of their callers.  */
bool function_name_is_library (const char *name);

/* Return true if the linkage name NAME is of a copy constructor or a copying
   assignment.  */
bool function_name_is_copy (const char *name);

/* Return true if EXPRESSION matches the linkage name NAME, or its demangled
   form with parameters, in full or shortened.  */
bool function_name_matches (const char *name,
			    const struct pattern_list *expression);

/* The same for a function in the source FILE.  */
bool function_name_matches_in (const char *name, const char *file,
			       const struct pattern_list *expression);

#endif /* HEAPPROF_FUNCTION_NAME_H */

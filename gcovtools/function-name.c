/* Names of functions as a reader wants them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-name.h"
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

char *
function_name_demangle (const char *name, bool with_parameters)
{
  char *demangled
    = cplus_demangle (name, DMGL_ANSI | (with_parameters ? DMGL_PARAMS : 0));
  return demangled != NULL ? demangled : strdup (name);
}

/* How the names of the C++ library's functions go on after `_Z', an `N' and
   qualifiers of member functions: std::, its abbreviations, __gnu_cxx::,
   operator new and new [].  */
static const char *const library_names[]
  = { "St", "Sa", "Ss", "Sb", "Si", "So", "Sd", "9__gnu_cxx", "nw", "na" };

bool
function_name_is_library (const char *name)
{
  if (strncmp (name, "_Z", 2) != 0)
    return false;
  name += 2;
  if (*name == 'N')
    name++;
  name += strspn (name, "rVKRO");
  for (size_t i = 0; i < sizeof library_names / sizeof *library_names; i++)
    if (strncmp (name, library_names[i], strlen (library_names[i])) == 0)
      return true;
  return false;
}

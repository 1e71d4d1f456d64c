/* Find the program among the modules of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   Profiles name the modules of frames but not which of them was started.
   Calling contexts reveal it: the program contains main, and the outermost
   frame of the first thread's stack.  */

#ifndef HEAPPROF_PROGRAM_MODULE_H
#define HEAPPROF_PROGRAM_MODULE_H

#include "heap-profile.h"
#include <stdint.h>

/* Return the string ID of the program's module; 0 if unknown, UINT32_MAX if
   memory is exhausted.  If the profile covers several programs, return the one
   with most calling contexts.  */
uint32_t program_module_find (const struct heap_profile *profile);

#endif /* HEAPPROF_PROGRAM_MODULE_H */

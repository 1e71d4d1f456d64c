/* Which of the modules of a heap profile is the program.
   SPDX-License-Identifier: GPL-3.0-or-later

   Profiles name the modules of frames, but do not say which one was started.
   Calling contexts tell: the program has main, and its first frame is where
   the stack of the first thread begins.  */

#ifndef HEAPPROF_PROGRAM_MODULE_H
#define HEAPPROF_PROGRAM_MODULE_H

#include "heap-profile.h"
#include <stdint.h>

/* The string id of the program's module; of those of several programs, of the
   one with most calling contexts; 0: not known.  UINT32_MAX if memory is
   exhausted.  */
uint32_t program_module_find (const struct heap_profile *profile);

#endif /* HEAPPROF_PROGRAM_MODULE_H */

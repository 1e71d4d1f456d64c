/* Programs and libraries that could not be fully symbolized, and why.
   SPDX-License-Identifier: GPL-3.0-or-later

   The reason is recorded during symbolization, since files come and go.
   Merging keeps the records of each input: a module that one input could not
   symbolize is listed even if another could.  */

#ifndef HEAPPROF_HEAP_MODULES_H
#define HEAPPROF_HEAP_MODULES_H

#include "heap-details.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  enum heap_module_problem
  {
    HEAP_MODULE_NOT_FOUND = 0,	   /* no file: functions have no names */
    HEAP_MODULE_OTHER_BUILD = 1,   /* the file has another build ID: the
				      same */
    HEAP_MODULE_UNREADABLE = 2,	   /* not an ELF file, or damaged: the same */
    HEAP_MODULE_NO_DEBUG_INFO = 3, /* names from symbols, no lines */
    HEAP_MODULE_STRIPPED = 4,	   /* names of exported functions only, no
				      lines */
    HEAP_MODULE_DEBUG_INFO_LACKS = 5, /* parts of the debug information are
					 missing */
    HEAP_MODULE_PROBLEMS
  };

  struct heap_module
  {
    uint32_t name;     /* string id, as in frames; 0 if unknown */
    uint32_t build_id; /* string id: hexadecimal; 0: it has none */
    uint32_t cause;    /* string id: details of the problem as text; 0: none */
    enum heap_module_problem problem;
  };

  /* Add *MODULE, unless there is an equal one.  Return false if memory is
     exhausted.  */
  bool heap_details_add_module (struct heap_details *details,
				const struct heap_module *module);

  /* Return the number of modules, and each, in order of addition.  */
  uint32_t heap_details_module_count (const struct heap_details *details);
  const struct heap_module *
  heap_details_module_at (const struct heap_details *details, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_MODULES_H */

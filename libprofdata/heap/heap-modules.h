/* Programs and libraries of which not everything could be named, and why.
   SPDX-License-Identifier: GPL-3.0-or-later

   Why is known only when addresses are looked up: files come and go.  Merging
   keeps what is known of each input: a module that one lacked and another had
   is there all the same.  */

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
    HEAP_MODULE_OTHER_BUILD = 1,   /* nor if the file has another build ID */
    HEAP_MODULE_UNREADABLE = 2,	   /* or is no ELF file, or damaged */
    HEAP_MODULE_NO_DEBUG_INFO = 3, /* names of symbols, no lines */
    HEAP_MODULE_STRIPPED = 4,	   /* names of exported functions, no lines */
    HEAP_MODULE_DEBUG_INFO_LACKS = 5, /* parts of the debug information */
    HEAP_MODULE_PROBLEMS
  };

  struct heap_module
  {
    uint32_t name;     /* string id, as in frames; 0 if unknown */
    uint32_t build_id; /* string id: hexadecimal; 0: it has none */
    uint32_t cause;    /* string id: more of the problem, in words; 0:
			  nothing more is known */
    enum heap_module_problem problem;
  };

  /* Add *MODULE, unless there is an equal one.  False if memory cannot be
     had.  */
  bool heap_details_add_module (struct heap_details *details,
				const struct heap_module *module);

  /* How many there are, and each, in the order of their adding.  */
  uint32_t heap_details_module_count (const struct heap_details *details);
  const struct heap_module *
  heap_details_module_at (const struct heap_details *details, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_MODULES_H */

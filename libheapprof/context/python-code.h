/* CPython: the names and lines of its code objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_PYTHON_CODE_H
#define HEAPPROF_PYTHON_CODE_H

#include "python-layout.h"
#include "sys.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_PYTHON_FILE_BYTES 4096u
#define RT_PYTHON_FUNCTION_BYTES 1024u

/* The interpreter's memory.  A thread that holds its lock may just read; what
   others read may be released meanwhile, so the kernel copies it.  */
struct rt_python_memory
{
  bool is_locked;
};

/* Copy BYTES bytes at ADDRESS; return false if that is impossible.  */

static inline bool
rt_python_read (const struct rt_python_memory *memory, uintptr_t address,
		void *to, size_t bytes)
{
  if (__builtin_expect (!memory->is_locked, 0))
    return sys_copy (to, (const void *) address, bytes);
  __builtin_memcpy (to, (const void *) address, bytes);
  return true;
}

struct rt_python_code
{
  char file[RT_PYTHON_FILE_BYTES]; /* cut if they are longer */
  char function[RT_PYTHON_FUNCTION_BYTES];
  uint32_t first_line;
  uint32_t line; /* 0: unknown */
};

/* Describe the code object at ADDRESS, and the line of its instruction number
   UNIT.  Strings have the type TEXT_TYPE, tables of lines BYTES_TYPE.  Return
   false if it is not as expected.  */
bool rt_python_code_read (const struct rt_python_memory *memory,
			  const struct rt_python_layout *layout,
			  uintptr_t text_type, uintptr_t bytes_type,
			  uintptr_t address, int64_t unit,
			  struct rt_python_code *code);

#endif /* HEAPPROF_PYTHON_CODE_H */

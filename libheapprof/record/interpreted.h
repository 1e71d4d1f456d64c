/* Frames of interpreted code: lines of functions, each stored once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_INTERPRETED_H
#define HEAPPROF_INTERPRETED_H

#include "raw-file.h"
#include <stdbool.h>
#include <stdint.h>

struct rt_interpreted
{
  const char *file;
  const char *function;
  uint32_t first_line;
  uint32_t line;
};

/* Return the address that stands for record INDEX.  */
static inline uintptr_t
rt_interpreted_address (uint32_t index)
{
  return HEAPPROF_RAW_INTERPRETED_FIRST + index;
}

/* True if ADDRESS stands for one.  */
static inline bool
rt_is_interpreted (uintptr_t address)
{
  return address - HEAPPROF_RAW_INTERPRETED_FIRST
	 < HEAPPROF_RAW_INTERPRETED_MAX;
}

/* Return the number of the record of *FRAME, adding it if it is new; 0, that of
   a frame without names, if there is no space; UINT32_MAX if there is no space
   for any.  Takes rt_raw_lock.  */
uint32_t rt_interpreted_find (const struct rt_interpreted *frame);

#endif /* HEAPPROF_INTERPRETED_H */

/* System calls, and the few C library functions needed: each import would add
   some 90 bytes to a program, and might be the program's own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Calls return the kernel's result: on failure a negated error number.
   Everything here is safe in signal handlers.  */

#ifndef HEAPPROF_MIP_SYSTEM_H
#define HEAPPROF_MIP_SYSTEM_H

#include "bytes.h"
#include "system-call.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Make a system call with a fifth argument, and 0 as the sixth: mmap.  Inline,
   to keep this library small.  */

static inline long
mip_map_call (long number, long a, long b, long c, long d, long e)
{
  return system_call_inline_6 (number, a, b, c, d, e, 0);
}

static inline long
mip_system_call_4 (long number, long a, long b, long c, long d)
{
  return system_call_inline_4 (number, a, b, c, d);
}

static inline long
mip_system_call_3 (long number, long a, long b, long c)
{
  return system_call_inline_3 (number, a, b, c);
}

static inline int
mip_close (int file)
{
  return (int) system_call_inline_1 (SYS_close, file);
}

/* Map BYTES bytes of FILE for reading and writing, at ADDRESS if FLAGS say so.
   On failure return a small negative number.  */

static inline long
mip_map (long address, size_t bytes, int flags, int file)
{
  return mip_map_call (SYS_mmap, address, (long) bytes, PROT_READ | PROT_WRITE,
		       flags, file);
}

static inline bool
mip_is_error (long result)
{
  return system_call_failed (result);
}

static inline uint32_t
mip_process (void)
{
  return (uint32_t) system_call_inline_1 (SYS_getpid, 0);
}

/* Inline, as that is smaller than a call.  */

static inline size_t
mip_length (const char *text)
{
  size_t n = 0;
  while (text[n] != '\0')
    n++;
  return n;
}

static inline bool
mip_is_same (const void *a, const void *b, size_t n)
{
  const char *p = a;
  const char *q = b;
  while (n > 0 && *p == *q)
    p++, q++, n--;
  return n == 0;
}

#endif /* HEAPPROF_MIP_SYSTEM_H */

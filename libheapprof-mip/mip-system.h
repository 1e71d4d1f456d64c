/* System calls, and the few functions of the C library that would cost more to
   call than to have: each that a program imports adds some 90 bytes to it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Calls return what the kernel does: an error is its number, negated.  All of
   this is safe in signal handlers.  */

#ifndef HEAPPROF_MIP_SYSTEM_H
#define HEAPPROF_MIP_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__

/* With a fifth argument, and 0 as the sixth: mmap.  */

static inline long
mip_map_call (long number, long a, long b, long c, long d, long e)
{
  register long fourth __asm__ ("r10") = d;
  register long fifth __asm__ ("r8") = e;
  register long sixth __asm__ ("r9") = 0;
  long result;
  __asm__ volatile ("syscall"
		    : "=a" (result)
		    : "0" (number), "D" (a), "S" (b), "d" (c), "r" (fourth),
		      "r" (fifth), "r" (sixth)
		    : "rcx", "r11", "memory");
  return result;
}

static inline long
mip_system_call (long number, long a, long b, long c, long d)
{
  register long fourth __asm__ ("r10") = d;
  long result;
  __asm__ volatile ("syscall"
		    : "=a" (result)
		    : "0" (number), "D" (a), "S" (b), "d" (c), "r" (fourth)
		    : "rcx", "r11", "memory");
  return result;
}

#elif defined __aarch64__

static inline long
mip_map_call (long number, long a, long b, long c, long d, long e)
{
  register long which __asm__ ("x8") = number;
  register long first __asm__ ("x0") = a;
  register long second __asm__ ("x1") = b;
  register long third __asm__ ("x2") = c;
  register long fourth __asm__ ("x3") = d;
  register long fifth __asm__ ("x4") = e;
  register long sixth __asm__ ("x5") = 0;
  __asm__ volatile ("svc	#0"
		    : "+r" (first)
		    : "r" (which), "r" (second), "r" (third), "r" (fourth),
		      "r" (fifth), "r" (sixth)
		    : "memory");
  return first;
}

static inline long
mip_system_call (long number, long a, long b, long c, long d)
{
  return mip_map_call (number, a, b, c, d, 0);
}

#else

static inline long
mip_system_call (long number, long a, long b, long c, long d)
{
  const long result = syscall (number, a, b, c, d);
  return result == -1 ? -errno : result;
}

static inline long
mip_map_call (long number, long a, long b, long c, long d, long e)
{
  const long result = syscall (number, a, b, c, d, e, 0L);
  return result == -1 ? -errno : result;
}

#endif

/* Open PATH; a new file is for its user alone.  */

static inline int
mip_open (const char *path, int flags)
{
  return (int) mip_system_call (SYS_openat, AT_FDCWD, (long) path,
				flags | O_CREAT | O_CLOEXEC, 0600);
}

static inline int
mip_close (int file)
{
  return (int) mip_system_call (SYS_close, file, 0, 0, 0);
}

/* Map BYTES bytes of FILE, to be read and written, at ADDRESS if FLAGS say so.
   An error is a small number below 0.  */

static inline long
mip_map (long address, size_t bytes, int flags, int file)
{
  return mip_map_call (SYS_mmap, address, (long) bytes, PROT_READ | PROT_WRITE,
		       flags, file);
}

static inline bool
mip_is_error (long result)
{
  return (unsigned long) result > -4096ul;
}

static inline uint32_t
mip_process (void)
{
  return (uint32_t) mip_system_call (SYS_getpid, 0, 0, 0, 0);
}

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

/* System calls of libheaphint.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These do not use the C library, whose functions a program may define.  None
   changes errno.  */

#ifndef HEAPPROF_HINT_SYSTEM_H
#define HEAPPROF_HINT_SYSTEM_H

#include "limited-write.h"
#include "system-call.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Map BYTES bytes of anonymous memory with PROTECTION; return NULL on
   failure.  */

static inline void *
hint_map (size_t bytes, int protection, int more_flags)
{
  const long result
    = system_call_6 (SYS_mmap, 0, (long) bytes, protection,
		     MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
  return system_call_failed (result) ? NULL : (void *) result;
}

static inline void
hint_unmap (void *address, size_t bytes)
{
  system_call_4 (SYS_munmap, (long) address, (long) bytes, 0, 0);
}

static inline bool
hint_protect (void *address, size_t bytes, int protection)
{
  return system_call_4 (SYS_mprotect, (long) address, (long) bytes, protection,
			0)
	 == 0;
}

static inline bool
hint_advise (void *address, size_t bytes, int advice)
{
  return system_call_4 (SYS_madvise, (long) address, (long) bytes, advice, 0)
	 == 0;
}

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* Linux 5.7 */
#endif

/* Move the pages of BYTES bytes from FROM to TO, and leave none at FROM.  */
static inline bool
hint_move_pages (void *from, void *to, size_t bytes)
{
  const long flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
  return !system_call_failed (system_call_6 (SYS_mremap, (long) from,
					     (long) bytes, (long) bytes, flags,
					     (long) to, 0));
}

/* Return the limit on the address space, UINT64_MAX if there is none.  */

static inline uint64_t
hint_address_limit (void)
{
  struct rlimit limit;
  if (system_call_4 (SYS_prlimit64, 0, RLIMIT_AS, 0, (long) &limit) != 0
      || limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  return limit.rlim_cur;
}

static inline void
hint_print (const char *text, size_t bytes)
{
  limited_write (STDERR_FILENO, text, bytes);
}

/* End the process with SIGABRT, even if the program handles or blocks it.  */

int __sigaction (int number, const struct sigaction *action,
		 struct sigaction *previous);

static inline _Noreturn void
hint_abort (void)
{
  const struct sigaction action = { .sa_handler = SIG_DFL };
  const uint64_t none = 0;
  const long process = system_call_4 (SYS_getpid, 0, 0, 0, 0);
  const long thread = system_call_4 (SYS_gettid, 0, 0, 0, 0);
  system_call_4 (SYS_rt_sigprocmask, SIG_SETMASK, (long) &none, 0, sizeof none);
  system_call_4 (SYS_tgkill, process, thread, SIGABRT, 0);
  /* The program's handler returned.  */
  __sigaction (SIGABRT, &action, NULL);
  system_call_4 (SYS_tgkill, process, thread, SIGABRT, 0);
  for (;;)
    system_call_4 (SYS_exit_group, 127, 0, 0, 0);
}

#endif /* HEAPPROF_HINT_SYSTEM_H */

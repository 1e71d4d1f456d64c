/* Writing a message, perhaps to a file that has reached its size limit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_LIMITED_WRITE_H
#define HEAPPROF_LIMITED_WRITE_H

#include "system-call.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Write BYTES bytes of DATA to FILE, and return the kernel's result.  If the
   file may not grow, the kernel sends this thread a signal that would end the
   program: no message is worth that, so it is blocked meanwhile and then
   removed.  Safe in signal handlers.  */

static inline long
limited_write (int file, const void *data, size_t bytes)
{
  static const struct timespec now;
  const uint64_t limit_signal = UINT64_C (1) << (SIGXFSZ - 1);
  uint64_t before;
  const long blocked
    = system_call_4 (SYS_rt_sigprocmask, SIG_BLOCK, (long) &limit_signal,
		     (long) &before, sizeof before);
  const long written
    = system_call_4 (SYS_write, file, (long) data, (long) bytes, 0);
  if (written == -EFBIG && blocked == 0)
    system_call_4 (SYS_rt_sigtimedwait, (long) &limit_signal, 0, (long) &now,
		   sizeof limit_signal);
  if (blocked == 0)
    system_call_4 (SYS_rt_sigprocmask, SIG_SETMASK, (long) &before, 0,
		   sizeof before);
  return written;
}

#endif /* HEAPPROF_LIMITED_WRITE_H */

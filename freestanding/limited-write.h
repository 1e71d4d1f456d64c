/* Writing a message, perhaps to a file that has reached its size limit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_LIMITED_WRITE_H
#define HEAPPROF_LIMITED_WRITE_H

#include "system-call.h"
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

typedef long system_caller_4 (long number, long a, long b, long c, long d);

/* Make NUMBER, SYS_write or SYS_writev, write COUNT bytes or pieces of DATA to
   FILE, and return the kernel's result.  If the file may not grow, the kernel
   sends this thread a signal that would end the program: no message is worth
   that, so it is blocked meanwhile and then removed.  CALL makes the system
   calls.  Safe in signal handlers.  */

static inline __attribute__ ((always_inline)) long
limited_write (system_caller_4 *call, long number, int file, const void *data,
	       long count)
{
  static const struct timespec now;
  const uint64_t limit_signal = UINT64_C (1) << (SIGXFSZ - 1);
  uint64_t before;
  const long blocked
    = call (SYS_rt_sigprocmask, SIG_BLOCK, (long) &limit_signal, (long) &before,
	    sizeof before);
  const long written = call (number, file, (long) data, count, 0);
  if (written == -EFBIG && blocked == 0)
    call (SYS_rt_sigtimedwait, (long) &limit_signal, 0, (long) &now,
	  sizeof limit_signal);
  if (blocked == 0)
    call (SYS_rt_sigprocmask, SIG_SETMASK, (long) &before, 0, sizeof before);
  return written;
}

#endif /* HEAPPROF_LIMITED_WRITE_H */

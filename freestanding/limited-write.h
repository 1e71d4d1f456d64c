/* Writing a message, perhaps to a file that has reached its size limit, to a
   pipe that nobody reads, or to a terminal that stops background jobs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_LIMITED_WRITE_H
#define HEAPPROF_LIMITED_WRITE_H

#include "system-call.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The signals that the kernel may send because of a message.  No message is
   worth ending or stopping the program.  If SIGTTOU is blocked, it is not sent,
   and the terminal prints the message.  */
#define MESSAGE_SIGNALS                                                        \
  (UINT64_C (1) << (SIGXFSZ - 1) | UINT64_C (1) << (SIGPIPE - 1)               \
   | UINT64_C (1) << (SIGTTOU - 1))

/* Write BYTES bytes of DATA to FILE, and return the kernel's result.  These
   signals are blocked meanwhile, and removed unless they were pending before.
   Safe in signal handlers.  */

static inline long
limited_write (int file, const void *data, size_t bytes)
{
  static const struct timespec now;
  const uint64_t ours = MESSAGE_SIGNALS;
  uint64_t before, pending = 0;
  const long blocked
    = system_call_4 (SYS_rt_sigprocmask, SIG_BLOCK, (long) &ours,
		     (long) &before, sizeof before);
  system_call_4 (SYS_rt_sigpending, (long) &pending, sizeof pending, 0, 0);
  const long written
    = system_call_4 (SYS_write, file, (long) data, (long) bytes, 0);
  const uint64_t sent = ours & ~pending;
  long taken = 0;
  if ((written == -EFBIG || written == -EPIPE) && blocked == 0)
    taken = system_call_4 (SYS_rt_sigtimedwait, (long) &sent, 0, (long) &now,
			   sizeof sent);
  /* If a filter does not let us take the signal, it must stay blocked.  */
  if (blocked == 0 && taken != -EPERM && taken != -ENOSYS)
    system_call_4 (SYS_rt_sigprocmask, SIG_SETMASK, (long) &before, 0,
		   sizeof before);
  return written;
}

#endif /* HEAPPROF_LIMITED_WRITE_H */

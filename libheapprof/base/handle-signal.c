/* Signals by which the user asks the library for something.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "handle-signal.h"
#include "log.h"
#include "signal-set.h"
#include <errno.h>
#include <stddef.h>

void
rt_handle_signal (int number, void (*handler) (int number))
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
  const int saved = errno;
  if (__sigaction (number, &action, NULL) != 0)
    rt_log ("cannot handle signal %d", number);
  errno = saved;
}

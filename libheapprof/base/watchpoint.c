/* Watchpoints of the processor: Linux.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "watchpoint.h"
#include "sys.h"
#include "system-call.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>

/* Programs rely on small descriptors: the next file gets the lowest free one.
   If no more are allowed, there is no watchpoint.  */
#define LEAST_FD 200

static int
open_event (uintptr_t address, uint64_t limit)
{
  struct perf_event_attr wanted
    = { .type = PERF_TYPE_BREAKPOINT,
	.size = sizeof wanted,
	.sample_period = limit,
	.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
	.disabled = 1,
	.exclude_kernel = 1,
	.exclude_hv = 1,
	.bp_type = HW_BREAKPOINT_RW,
	.bp_addr = address,
	.bp_len = HW_BREAKPOINT_LEN_8 };
  const long low = system_call_6 (SYS_perf_event_open, (long) &wanted, 0, -1,
				  -1, PERF_FLAG_FD_CLOEXEC, 0);
  if (low < 0)
    return (int) low;
  const long fd = system_call_4 (SYS_fcntl, low, F_DUPFD_CLOEXEC, LEAST_FD, 0);
  sys_close ((int) low);
  return (int) fd;
}

static int
control (int fd, unsigned long request, void *argument)
{
  return (int) system_call_4 (SYS_ioctl, fd, (long) request, (long) argument,
			      0);
}

int
rt_watchpoint_open (struct rt_watchpoint *point, uintptr_t address,
		    uint64_t limit)
{
  point->fd = open_event (address, limit);
  if (point->fd < 0)
    return point->fd;
  int error = control (point->fd, PERF_EVENT_IOC_ID, &point->id);
  /* It ends itself after one overflow.  */
  if (error == 0)
    error = control (point->fd, PERF_EVENT_IOC_REFRESH, (void *) 1);
  if (error != 0)
    {
      sys_close (point->fd);
      point->fd = -1;
    }
  return error;
}

bool
rt_watchpoint_close (struct rt_watchpoint *point, uint64_t *hits,
		     uint64_t *counted_ns)
{
  uint64_t id = 0, counted[2] = { 0, 0 };
  size_t got = 0;
  const int fd = point->fd;
  point->fd = -1;
  if (fd < 0 || control (fd, PERF_EVENT_IOC_ID, &id) != 0 || id != point->id)
    return false;
  const bool is_read = sys_read_all (fd, counted, sizeof counted, &got) == 0
		       && got == sizeof counted;
  sys_close (fd);
  *hits = counted[0];
  *counted_ns = counted[1];
  return is_read;
}

uint64_t
rt_thread_cpu_ns (void)
{
  struct timespec now = { 0, 0 };
  system_call_4 (SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long) &now, 0, 0);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* Messages without stdio.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "log.h"
#include "bytes.h"
#include "format.h"
#include "sys.h"
#include <stdarg.h>

/* The file that was standard error at start.  */
static uint64_t error_device, error_inode;
static bool had_error_file;

void
rt_log_start (void)
{
  had_error_file = sys_file_id (2, &error_device, &error_inode) == 0;
}

/* True if descriptor 2 is still standard error.  A program that was started
   without it, or closed it, may have opened a file of its own there.  */

static bool
may_log (void)
{
  uint64_t device, inode;
  return had_error_file && sys_file_id (2, &device, &inode) == 0
	 && device == error_device && inode == error_inode;
}

static void
log_line (const char *format, va_list arguments)
{
  static const char start[] = "heapprof: ";
  const size_t begin = sizeof start - 1;
  char line[1024];
  own_memcpy (line, start, begin);
  size_t used = begin
		+ rt_format_plain (line + begin, sizeof line - 1 - begin,
				   format, arguments);
  line[used++] = '\n';
  if (may_log ())
    sys_write (2, line, used);
}

void
rt_log (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  log_line (format, arguments);
  va_end (arguments);
}

void
rt_log_once (bool *said, const char *format, ...)
{
  if (__atomic_exchange_n (said, true, __ATOMIC_RELAXED))
    return;
  va_list arguments;
  va_start (arguments, format);
  log_line (format, arguments);
  va_end (arguments);
}

/* The debug log.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The file is opened for each line: a descriptor that stays open is one that
   the program may close and use for a file of its own.  */

#include "debug-log.h"

#if HEAPPROF_CHECKING > 0

#include "bytes.h"
#include "format.h"
#include "sys.h"
#include <fcntl.h>
#include <stdarg.h>

static char log_path[RT_PATH_BYTES];

static int
open_log (void)
{
  return sys_open (log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

bool
rt_debug_start (const char *path)
{
  char folder[RT_PATH_BYTES] = "";
  if (*path != '/' && !sys_current_directory (folder, sizeof folder))
    return false;
  const size_t length = rt_format (log_path, sizeof log_path, "%s%s%s", folder,
				   folder[0] != '\0' ? "/" : "", path);
  const int fd = length < sizeof log_path - 1 ? open_log () : -1;
  if (fd >= 0)
    sys_close (fd);
  return fd >= 0;
}

void
rt_debug_line (const char *format, ...)
{
  char line[1024];
  va_list arguments;
  size_t used = rt_format (line, sizeof line, "%u %d %d ", sys_steady_ns (),
			   (int) sys_pid (), (int) sys_thread_id ());
  va_start (arguments, format);
  used
    += rt_format_plain (line + used, sizeof line - 1 - used, format, arguments);
  va_end (arguments);
  line[used++] = '\n';
  const int fd = open_log ();
  if (fd < 0)
    return;
  sys_write (fd, line, used);
  sys_close (fd);
}

#endif

/* The identity of this process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "identity.h"
#include "format.h"
#include "sys.h"
#include <fcntl.h>
#include <stddef.h>

/* Return the start time of process WHO, "self" or a number: field 22 of its
   stat file.  The program's name, in parentheses, may contain any bytes.  */

static uint64_t
start_ticks_of (const char *who)
{
  char path[32], text[1024];
  size_t got = 0;
  rt_format (path, sizeof path, "/proc/%s/stat", who);
  const int fd = sys_open (path, O_RDONLY, 0);
  if (fd < 0)
    return 0;
  sys_read_all (fd, text, sizeof text, &got);
  sys_close (fd);
  size_t at = got;
  while (at > 0 && text[at - 1] != ')')
    at--;
  for (unsigned field = 2; at < got && field < 22; at++)
    field += text[at] == ' ';
  uint64_t ticks = 0;
  for (; at < got && text[at] >= '0' && text[at] <= '9'; at++)
    ticks = ticks * 10 + (uint64_t) (text[at] - '0');
  return ticks;
}

/* Return the number in the link "pid:[NUMBER]".  */

static uint64_t
own_pid_namespace (void)
{
  char text[64];
  uint64_t number = 0;
  if (sys_read_link ("/proc/self/ns/pid", text, sizeof text))
    for (const char *c = text; *c != '\0'; c++)
      if (*c >= '0' && *c <= '9')
	number = number * 10 + (uint64_t) (*c - '0');
  return number;
}

/* Read the digits of the boot ID, a UUID.  */

static void
read_boot_id (uint64_t boot[2])
{
  char text[40];
  size_t got = 0;
  const int fd = sys_open ("/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
  if (fd < 0)
    return;
  sys_read_all (fd, text, sizeof text, &got);
  sys_close (fd);
  unsigned digits = 0;
  for (size_t i = 0; i < got && digits < 32; i++)
    {
      const char c = text[i];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
					       : -1;
      if (digit < 0)
	continue;
      boot[digits / 16] = boot[digits / 16] << 4 | (uint64_t) digit;
      digits++;
    }
}

void
rt_make_run_id (uint8_t *id, size_t bytes)
{
  if (sys_random (id, bytes))
    return;
  /* Data that differs between processes, and between machines that just
     booted.  */
  uint64_t value = sys_calendar_ns () * 0x9e3779b97f4a7c15u;
  value ^= (uint64_t) sys_pid () << 40 ^ sys_steady_ns ();
  for (size_t i = 0; i < bytes; i++)
    {
      value ^= value << 13;
      value ^= value >> 7;
      value ^= value << 17;
      id[i] = (uint8_t) (value >> 24);
    }
}

void
rt_identify (struct rt_identity *identity)
{
  *identity = (struct rt_identity){ .pid = (uint64_t) sys_pid (),
				    .start_ticks = start_ticks_of ("self"),
				    .pid_namespace = own_pid_namespace () };
  read_boot_id (identity->boot);
}

bool
rt_process_is_other (uint64_t pid, uint64_t start_ticks)
{
  char number[24];
  rt_format (number, sizeof number, "%u", pid);
  const uint64_t ticks = start_ticks_of (number);
  return ticks != 0 && start_ticks != 0 && ticks != start_ticks;
}

bool
rt_identity_is_of (const struct rt_identity *identity,
		   const struct heapprof_raw_header *header)
{
  return header->pid == identity->pid
	 && header->start_ticks == identity->start_ticks
	 && header->pid_namespace == identity->pid_namespace
	 && header->boot_id[0] == identity->boot[0]
	 && header->boot_id[1] == identity->boot[1];
}

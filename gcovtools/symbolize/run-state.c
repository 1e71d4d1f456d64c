/* Whether and how the process of a raw profile ended.
   SPDX-License-Identifier: GPL-3.0-or-later

   The process ID may have been reused, or belong to a container or another
   machine.  The profile therefore also contains the process's start time, its
   PID namespace and the boot ID of the machine.  If they cannot be compared,
   the state is unknown.  */

#include "run-state.h"
#include "process-maps.h"
#include "process-stat.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read the boot ID of the machine, a UUID, as two numbers.  Return false if it
   is unknown.  */
static bool
read_boot_id (uint64_t id[2])
{
  char text[64] = "";
  FILE *file = fopen ("/proc/sys/kernel/random/boot_id", "re");
  bool is_read = file != NULL && fgets (text, sizeof text, file) != NULL;
  if (file != NULL)
    fclose (file);
  char digits[33] = "";
  size_t count = 0;
  for (const char *c = text; *c != '\0' && count < 32; c++)
    if (strchr ("0123456789abcdef", *c) != NULL)
      digits[count++] = *c;
  if (!is_read || count != 32)
    return false;
  id[1] = strtoull (digits + 16, NULL, 16);
  digits[16] = '\0';
  id[0] = strtoull (digits, NULL, 16);
  return true;
}

static uint64_t
own_pid_namespace (void)
{
  char text[64];
  ssize_t bytes = readlink ("/proc/self/ns/pid", text, sizeof text - 1);
  if (bytes <= 0)
    return 0;
  text[bytes] = '\0';
  const char *bracket = strchr (text, '[');
  return bracket == NULL ? 0 : strtoull (bracket + 1, NULL, 10);
}

/* Return true if process IDs in HEADER have the same meaning for this
   process.  */
static bool
is_of_here (const struct heapprof_raw_header *header)
{
  uint64_t boot[2];
  return header->start_ticks != 0 && header->pid_namespace != 0
	 && header->pid > 0 && header->pid <= INT_MAX && read_boot_id (boot)
	 && boot[0] == header->boot_id[0] && boot[1] == header->boot_id[1]
	 && own_pid_namespace () == header->pid_namespace;
}

/* Return true if process PID is known to run a program other than PROGRAM.  */
static bool
runs_other_program (uint64_t pid, const char *program)
{
  static const char deleted[] = " (deleted)";
  char path[64], link[PATH_MAX + sizeof deleted];
  snprintf (path, sizeof path, "/proc/%" PRIu64 "/exe", pid);
  ssize_t bytes = readlink (path, link, sizeof link - 1);
  if (bytes <= 0)
    return false;
  link[bytes] = '\0';
  size_t length = strlen (program);
  return strncmp (link, program, length) != 0
	 || (link[length] != '\0' && strcmp (link + length, deleted) != 0);
}

/* Which of a process's mappings have been seen.  */
struct seen
{
  uint64_t inode;
  bool is_known;  /* any */
  bool is_mapped; /* one of the file with the inode */
};

static bool
look_at_map (const struct process_map *map, void *data)
{
  struct seen *seen = data;
  seen->is_known = true;
  seen->is_mapped |= map->inode == seen->inode;
  return true;
}

/* Return true if process PID is known not to map the file PATH.  */
static bool
has_not_mapped (uint64_t pid, const char *path)
{
  struct stat status;
  if (stat (path, &status) != 0)
    return false;
  struct seen seen = { .inode = (uint64_t) status.st_ino };
  process_maps_visit (pid, look_at_map, &seen);
  return seen.is_known && !seen.is_mapped;
}

enum run_state
run_state_of (const struct heapprof_raw_header *header, const char *path,
	      const char *program)
{
  struct process_stat process;
  if (header->state != HEAPPROF_RAW_RUNNING)
    return RUN_COMPLETE;
  if (!is_of_here (header))
    return RUN_UNKNOWN;
  if (!process_stat_read (header->pid, &process))
    return kill ((pid_t) header->pid, 0) != 0 && errno == ESRCH ? RUN_KILLED
								: RUN_UNKNOWN;
  /* A first thread that ended is a zombie while others run.  */
  bool is_dead = strchr ("ZX", process.state) != NULL && process.threads <= 1;
  if (is_dead || process.start_ticks != header->start_ticks)
    return RUN_KILLED;
  /* It executed another program without closing the profile.  */
  if (runs_other_program (header->pid, program)
      && has_not_mapped (header->pid, path))
    return RUN_KILLED;
  return RUN_RUNNING;
}

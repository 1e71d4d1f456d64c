/* Whether a running process can be profiled from now on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "target-check.h"
#include "process-maps.h"
#include "process-stat.h"
#include "program-kind.h"
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Set *ERR: process PID, and FORMAT.  Return false.  */
static bool __attribute__ ((format (printf, 3, 4)))
refuse (pid_t pid, struct profile_error *err, const char *format, ...)
{
  char text[512];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			    "process %ld %s", (long) pid, text);
}

/* Return the number after NAME in the first line of the file /proc/WHO/FILE
   that starts with it, MISSING if there is none.  */
static uint64_t
proc_number (const char *who, const char *file, const char *name, int base,
	     uint64_t missing)
{
  char path[64];
  char line[256];
  uint64_t number = missing;
  snprintf (path, sizeof path, "/proc/%s/%s", who, file);
  FILE *stream = fopen (path, "r");
  if (stream == NULL)
    return missing;
  size_t bytes = strlen (name);
  while (fgets (line, sizeof line, stream) != NULL)
    if (strncmp (line, name, bytes) == 0)
      {
	number = strtoull (line + bytes, NULL, base);
	break;
      }
  fclose (stream);
  return number;
}

static uint64_t
status_number (pid_t pid, const char *name, int base, uint64_t missing)
{
  char who[24];
  snprintf (who, sizeof who, "%ld", (long) pid);
  return proc_number (who, "status", name, base, missing);
}

bool
target_set_refused (pid_t pid, struct profile_error *err)
{
  uint64_t scope = 0;
  FILE *stream = fopen ("/proc/sys/kernel/yama/ptrace_scope", "r");
  if (stream != NULL)
    {
      if (fscanf (stream, "%" SCNu64, &scope) != 1)
	scope = 0;
      fclose (stream);
    }
  if (scope > 0)
    return refuse (pid, err,
		   "may not be traced (kernel.yama.ptrace_scope is %" PRIu64
		   "); %s",
		   scope,
		   scope == 3 ? "the machine must be restarted to change that"
			      : "run this command as root");
  return refuse (pid, err,
		 "may not be traced: it belongs to another user, or has other "
		 "rights; run this command as root");
}

/* ---- State.  */

static bool
check_state (pid_t pid, struct profile_error *err)
{
  struct process_stat stat;
  if (pid == getpid ())
    return refuse (pid, err, "is this command");
  if (!process_stat_read ((uint64_t) pid, &stat))
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "process %ld: no such process", (long) pid);
  if (status_number (pid, "Tgid:", 10, 0) != (uint64_t) pid)
    return refuse (pid, err, "is a thread; give the process, %" PRIu64,
		   status_number (pid, "Tgid:", 10, 0));
  if (stat.state == 'Z' || stat.state == 'X')
    return refuse (pid, err, "has ended");
  uint64_t tracer = status_number (pid, "TracerPid:", 10, 0);
  if (tracer != 0)
    return refuse (pid, err,
		   "is traced by process %" PRIu64 ", such as a debugger; "
		   "detach that first",
		   tracer);
  if (stat.state == 'T')
    return refuse (pid, err, "is stopped; continue it first (kill -CONT %ld)",
		   (long) pid);
  return true;
}

/* ---- Rights.  */

/* Read the auxiliary value TYPE of process PID into *VALUE.  Return false if
   that is not permitted.  */
static bool
read_auxiliary (pid_t pid, uint64_t type, uint64_t *value)
{
  char path[64];
  Elf64_auxv_t entry;
  snprintf (path, sizeof path, "/proc/%ld/auxv", (long) pid);
  FILE *stream = fopen (path, "r");
  *value = 0;
  if (stream == NULL)
    return false;
  bool is_read = false;
  while (fread (&entry, sizeof entry, 1, stream) == 1
	 && entry.a_type != AT_NULL)
    {
      is_read = true;
      if (entry.a_type == type)
	*value = entry.a_un.a_val;
    }
  fclose (stream);
  return is_read;
}

/* ---- Program.  */

static bool
check_kind (pid_t pid, const struct program_kind *kind,
	    struct profile_error *err)
{
  if (!kind->is_elf)
    return refuse (pid, err, "runs no ELF program");
  if (kind->is_32_bit)
    return refuse (pid, err, "is a 32-bit program");
  if (!kind->is_of_machine)
    return refuse (pid, err, "is a program for another machine");
  if (kind->has_runtime)
    return refuse (pid, err,
		   "was built with heapprof and has a profile already");
  if (kind->loader[0] == '\0')
    return refuse (pid, err,
		   "is statically linked, so no library can be loaded into it");
  if (strstr (kind->loader, "/ld-musl") != NULL)
    return refuse (pid, err, "uses another C library, musl");
  return true;
}

static bool
check_program (struct target *target, struct profile_error *err)
{
  char link[64];
  struct program_kind kind;
  struct profile_error unreadable;
  snprintf (link, sizeof link, "/proc/%ld/exe", (long) target->pid);
  ssize_t bytes = readlink (link, target->program, sizeof target->program - 1);
  if (bytes < 0)
    return errno == ENOENT
	     ? refuse (target->pid, err, "is a thread of the kernel")
	     : target_set_refused (target->pid, err);
  target->program[bytes] = '\0';
  if (!program_kind_read (&kind, link, &unreadable))
    return target_set_refused (target->pid, err);
  return check_kind (target->pid, &kind, err);
}

/* ---- What is loaded.  */

/* What is looked for in the list of mappings.  */
struct wanted
{
  const char *name; /* the start of a file's name */
  uint64_t address; /* in it; 0: any */
  bool is_found;
};

static bool
look_at_map (const struct process_map *map, void *data)
{
  struct wanted *wanted = data;
  const char *slash = map->path != NULL ? strrchr (map->path, '/') : NULL;
  wanted->is_found
    = slash != NULL
      && strncmp (slash + 1, wanted->name, strlen (wanted->name)) == 0
      && (wanted->address == 0
	  || (wanted->address >= map->start && wanted->address < map->end));
  return !wanted->is_found;
}

bool
target_maps (pid_t pid, const char *name, uint64_t address)
{
  struct wanted wanted = { .name = name, .address = address };
  process_maps_visit ((uint64_t) pid, look_at_map, &wanted);
  return wanted.is_found;
}

static bool
check_modules (pid_t pid, struct profile_error *err)
{
  if (target_maps (pid, "libheapprof.so.", 0))
    return refuse (pid, err,
		   "contains heapprof's run-time library and has a profile "
		   "already");
  if (!target_maps (pid, "libc.so.6", 0) && !target_maps (pid, "libc-2.", 0))
    return refuse (pid, err, "does not use the GNU C library");
  return true;
}

/* ---- Limits.  */

/* The tool inherits the filters of a container that it runs in itself.  */
static bool
check_seccomp (pid_t pid, struct profile_error *err)
{
  uint64_t mode = status_number (pid, "Seccomp:", 10, 0);
  uint64_t filters = status_number (pid, "Seccomp_filters:", 10, 1);
  uint64_t own = status_number (getpid (), "Seccomp_filters:", 10, 0);
  if (mode == 1 || (mode == 2 && filters > own))
    return refuse (pid, err,
		   "restricts its system calls (seccomp), and might be killed; "
		   "--ignore-seccomp takes that risk");
  return true;
}

static bool
has_shadow_stack (pid_t pid)
{
  char path[64];
  char line[256];
  bool has = false;
  snprintf (path, sizeof path, "/proc/%ld/status", (long) pid);
  FILE *stream = fopen (path, "r");
  if (stream == NULL)
    return false;
  while (fgets (line, sizeof line, stream) != NULL)
    if (strncmp (line, "x86_Thread_features:", 20) == 0)
      has = strstr (line, "shstk") != NULL;
  fclose (stream);
  return has;
}

bool
target_sees (const struct target *target, const char *path)
{
  char name[PATH_MAX + 32];
  struct stat own;
  struct stat other;
  snprintf (name, sizeof name, "/proc/%ld/root%s", (long) target->pid, path);
  return stat (path, &own) == 0 && stat (name, &other) == 0
	 && own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

bool
target_check (struct target *target, pid_t pid, const char *library,
	      bool ignores_seccomp, struct profile_error *err)
{
  uint64_t is_secure;
  const uint64_t fault = (uint64_t) 1 << 10;
  *target = (struct target){ .pid = pid };
  if (!check_state (pid, err) || !check_program (target, err))
    return false;
  if (!read_auxiliary (pid, AT_SECURE, &is_secure))
    return target_set_refused (pid, err);
  if (is_secure != 0)
    return refuse (pid, err,
		   "runs with other rights than its user's (set-user-ID or the "
		   "like)");
  if (!check_modules (pid, err)
      || (!ignores_seccomp && !check_seccomp (pid, err)))
    return false;
  if (has_shadow_stack (pid))
    return refuse (pid, err,
		   "has a shadow stack, so no function can be called in it");
  if ((status_number (pid, "SigIgn:", 16, 0) & fault) != 0)
    return refuse (pid, err, "ignores SIGSEGV, which calling a function needs");
  target->user = (uid_t) status_number (pid, "Uid:", 10, 0);
  target->group = (gid_t) status_number (pid, "Gid:", 10, 0);
  if (!target_sees (target, library))
    return refuse (pid, err,
		   "has another root or mount namespace, where %s is not to be "
		   "found",
		   library);
  return true;
}

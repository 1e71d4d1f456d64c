/* Check that programs can be profiled on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each check tries what the run-time library will do; limits are read only to
   explain a failure.  */

#include "config.h"
#include "doctor.h"
#include "heapprof/abi.h"
#include "table.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A raw profile with many contexts needs slightly more disk space than
   this.  */
#define LITTLE_ROOM_BYTES ((uint64_t) 64 << 20)

/* The memory that profiling needs is proportional to the program's own.  Below
   this limit it deserves a note.  */
#define LITTLE_MEMORY_BYTES ((uint64_t) 256 << 20)

#define OPTIONS_VARIABLE "HEAPPROF_OPTIONS"

/* Return the number in the first line of PATH; -1 if it is missing or
   negative.  */
static long long
read_number (const char *path)
{
  long long number;
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return -1;
  bool is_number = fscanf (file, "%lld", &number) == 1 && number >= 0;
  fclose (file);
  return is_number ? number : -1;
}

/* ---- The folder of raw profiles.  */

/* Return true if FOLDER supports unnamed files, which the run-time library
   tries first.  */
static bool
makes_unnamed_files (const char *folder)
{
  int descriptor = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    close (descriptor);
  return descriptor >= 0;
}

/* Return true if a file can be created in FOLDER; otherwise set errno.  */
static bool
makes_files (const char *folder)
{
  char *path;
  if (asprintf (&path, "%s/heapprof-doctor-XXXXXX", folder) < 0)
    return false;
  int descriptor = mkstemp (path);
  if (descriptor >= 0)
    {
      close (descriptor);
      unlink (path);
    }
  int saved = errno;
  free (path);
  errno = saved;
  return descriptor >= 0;
}

static void
check_folder (struct findings *findings, const char *folder)
{
  struct statvfs system;
  char room[NUMBER_TEXT_BYTES];
  if (!makes_files (folder))
    {
      findings_add (findings, "folder", folder, FINDING_WRONG,
		    "cannot write raw profiles here: %s", strerror (errno));
      findings_mend (
	findings, "run the program in another folder, or set " OPTIONS_VARIABLE
		  "=file=/var/tmp/%%n.%%p.hpraw");
      return;
    }
  uint64_t bytes = UINT64_MAX;
  if (statvfs (folder, &system) == 0)
    bytes = (uint64_t) system.f_bavail * system.f_frsize;
  bytes_text (room, (double) bytes);
  if (bytes < LITTLE_ROOM_BYTES)
    {
      findings_add (findings, "folder", folder, FINDING_NOTE,
		    "only %s free: calling contexts will be dropped when it is "
		    "full",
		    room);
      findings_mend (findings,
		     "free disk space, or set " OPTIONS_VARIABLE "=file=PATH");
    }
  else
    findings_add (findings, "folder", folder, FINDING_OK,
		  "raw profiles can be written, %s free%s", room,
		  makes_unnamed_files (folder)
		    ? ""
		    : "; a program killed at start-up may leave an unreadable "
		      "file");
}

static void
check_file_limit (struct findings *findings)
{
  struct rlimit limit;
  char bytes[NUMBER_TEXT_BYTES];
  if (getrlimit (RLIMIT_FSIZE, &limit) != 0
      || limit.rlim_cur >= LITTLE_ROOM_BYTES)
    return;
  findings_add (findings, "folder", "ulimit -f", FINDING_NOTE,
		"file size limit %s: calling contexts beyond it are dropped",
		bytes_text (bytes, (double) limit.rlim_cur));
  findings_mend (findings, "raise the limit: ulimit -f unlimited");
}

/* ---- Memory.  */

/* Suggest how to make room for all counters.  */
static void
explain_shadow (struct findings *findings)
{
  struct rlimit limit;
  char bytes[NUMBER_TEXT_BYTES];
  if (getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    findings_mend (findings, "raise the limit of %s: ulimit -v unlimited",
		   bytes_text (bytes, (double) limit.rlim_cur));
  else if (getrlimit (RLIMIT_DATA, &limit) == 0
	   && limit.rlim_cur != RLIM_INFINITY)
    findings_mend (findings, "raise the limit of %s: ulimit -d unlimited",
		   bytes_text (bytes, (double) limit.rlim_cur));
  else if (read_number ("/proc/sys/vm/overcommit_memory") == 2)
    findings_mend (findings,
		   "allow memory overcommit: sysctl vm.overcommit_memory=0");
  else
    findings_mend (findings, "run outside valgrind, sandboxes and emulators");
}

/* Return the size in bytes of the access counters for all addresses that a
   program of this machine can have.  Where kernels differ, the run-time library
   takes the number of bits from the program's name, which the kernel puts at
   the upper end of the first stack, at that of the address space.  */
static size_t
counters_bytes (void)
{
  const uintptr_t here = (uintptr_t) __builtin_frame_address (0);
  const uintptr_t name = getauxval (AT_EXECFN);
  const int bits = HOST_ADDRESS_BITS != 0
		     ? HOST_ADDRESS_BITS
		     : 64 - __builtin_clzl (name != 0 ? name : here);
  return ((size_t) 1 << bits) / HEAPPROF_GRANULE_BYTES * HEAPPROF_COUNTER_BYTES;
}

static void
check_shadow (struct findings *findings)
{
  char size[NUMBER_TEXT_BYTES];
  const size_t bytes = counters_bytes ();
  void *counters = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const int error = errno;
  bytes_text (size, (double) bytes);
  if (counters != MAP_FAILED)
    {
      munmap (counters, bytes);
      findings_add (findings, "counters", "address space", FINDING_OK,
		    "%s of access counters can be mapped", size);
      return;
    }
  findings_add (findings, "counters", "address space", FINDING_NOTE,
		"%s of access counters cannot be mapped at once (%s): "
		"mapping them piecewise is slower, and counts may be lost",
		size, strerror (error));
  explain_shadow (findings);
}

static void
check_memory (struct findings *findings)
{
  /* Control groups version 2, then version 1.  */
  long long bytes = read_number ("/sys/fs/cgroup/memory.max");
  char limit[NUMBER_TEXT_BYTES];
  if (bytes < 0)
    bytes = read_number ("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  if (bytes < 0 || (uint64_t) bytes >= LITTLE_MEMORY_BYTES)
    return;
  findings_add (findings, "memory", "control group", FINDING_NOTE,
		"all programs in it are limited to %s of memory",
		bytes_text (limit, (double) bytes));
  findings_mend (
    findings, "give the container more, or bound the profile: " OPTIONS_VARIABLE
	      "=max_memory=64m");
}

static void
check_proc (struct findings *findings)
{
  char path[8];
  if (readlink ("/proc/self/exe", path, sizeof path) < 0)
    {
      findings_add (findings, "kernel", "/proc", FINDING_WRONG,
		    "missing: programs cannot find their own name and their "
		    "libraries");
      findings_mend (findings, "mount -t proc proc /proc");
    }
  else if (access ("/proc/self/pagemap", R_OK) != 0)
    {
      findings_add (findings, "kernel", "/proc/self/pagemap", FINDING_NOTE,
		    "cannot be read: releasing very large blocks takes longer "
		    "and needs more memory");
      findings_mend (findings, "no counts are lost; kernels with "
			       "CONFIG_PROC_PAGE_MONITOR have it");
    }
  else
    findings_add (findings, "kernel", "/proc", FINDING_OK,
		  "available, with page tables");
}

/* ---- The environment.  */

static void
check_options (struct findings *findings)
{
  const char *options = getenv (OPTIONS_VARIABLE);
  const char *preload = getenv ("LD_PRELOAD");
  if (options != NULL && *options != '\0')
    {
      bool is_off = strstr (options, "enabled=0") != NULL;
      findings_add (findings, "environment", OPTIONS_VARIABLE,
		    is_off ? FINDING_WRONG : FINDING_OK, "is %s", options);
      if (is_off)
	findings_mend (findings, "profiling is off: unset " OPTIONS_VARIABLE);
    }
  if (preload != NULL && strstr (preload, "malloc") != NULL)
    {
      findings_add (findings, "environment", "LD_PRELOAD", FINDING_NOTE,
		    "is %s, another allocator", preload);
      findings_mend (findings, "unset LD_PRELOAD: profiled programs use "
			       "heapprof's allocator, which comes first");
    }
}

/* ---- Recordings of perf, for profgen alone.  */

/* Return the error of counting events in this process; 0 on success.  */
static int
perf_error (void)
{
  struct perf_event_attr attributes = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof attributes,
					.config = PERF_COUNT_HW_CPU_CYCLES,
					.disabled = 1,
					.exclude_kernel = 1,
					.exclude_hv = 1 };
  int descriptor
    = (int) syscall (SYS_perf_event_open, &attributes, 0, -1, -1, 0);
  if (descriptor < 0)
    return errno;
  close (descriptor);
  return 0;
}

static void
check_perf (struct findings *findings)
{
  int error = perf_error ();
  long long paranoid = read_number ("/proc/sys/kernel/perf_event_paranoid");
  if (error == 0)
    {
      findings_add (findings, "perf", "events", FINDING_OK,
		    "CPU cycles can be counted");
      return;
    }
  findings_add (findings, "perf", "events", FINDING_NOTE,
		"CPU cycles cannot be counted (%s), so perf record cannot feed "
		"profgen; heap profiles do not need it",
		strerror (error));
  if ((error == EACCES || error == EPERM) && paranoid > 2)
    findings_mend (findings,
		   "sysctl kernel.perf_event_paranoid=2 (currently %lld)",
		   paranoid);
  else if (error == EACCES || error == EPERM)
    findings_mend (findings, "run the container with --cap-add=PERFMON or a "
			     "seccomp profile that allows perf_event_open");
  else
    findings_mend (findings, "use a machine with accessible CPU counters, or "
			     "perf record -e cpu-clock");
}

void
doctor_check_machine (struct findings *findings, const char *folder)
{
  check_folder (findings, folder);
  check_file_limit (findings);
  check_shadow (findings);
  check_memory (findings);
  check_proc (findings);
  check_options (findings);
  check_perf (findings);
}

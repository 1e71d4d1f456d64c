/* The operating system: Linux.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Calls no C library function that a program may define.  */

#include "sys.h"
#include "format.h"
#include "limited-write.h"
#include "own-maps.h"
#include "signal-set.h"
#include "system-call.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static long
call (long number, long a, long b, long c, long d, long e, long f)
{
  return system_call_6 (number, a, b, c, d, e, f);
}

static long
call3 (long number, long a, long b, long c)
{
  return system_call_4 (number, a, b, c, 0);
}

/* These are fstat and lstat: the kernel's struct is the C library's.  */

static int
file_status (int fd, struct stat *status)
{
  return (int) call3 (SYS_fstat, fd, (long) status, 0);
}

static int
link_status (const char *path, struct stat *status)
{
#ifdef SYS_lstat
  return (int) call3 (SYS_lstat, (long) path, (long) status, 0);
#else
  return (int) call (SYS_newfstatat, AT_FDCWD, (long) path, (long) status,
		     AT_SYMLINK_NOFOLLOW, 0, 0);
#endif
}

static void *
map (void *address, size_t bytes, int protection, int flags, int fd,
     uint64_t offset)
{
  const long result = call (SYS_mmap, (long) address, (long) bytes, protection,
			    flags, fd, (long) offset);
  return system_call_failed (result) ? NULL : (void *) result;
}

void *
sys_map (size_t bytes)
{
  void *const start = map (NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start != NULL)
    own_map_add (start, bytes);
  return start;
}

void *
sys_map_for_program (size_t bytes)
{
  return map (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	      -1, 0);
}

void *
sys_map_at (void *address, size_t bytes)
{
  void *const result
    = map (address, bytes, PROT_READ | PROT_WRITE,
	   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
	   -1, 0);
  if (result == NULL || result == address)
    return result;
  /* Kernels before 4.17 treat the address as a hint.  */
  sys_unmap (result, bytes);
  return NULL;
}

void *
sys_reserve (size_t bytes)
{
  return map (NULL, bytes, PROT_NONE,
	      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

bool
sys_reserve_over (void *address, size_t bytes)
{
  return map (address, bytes, PROT_NONE,
	      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
	 != NULL;
}

bool
sys_map_over (void *address, size_t bytes)
{
  return map (address, bytes, PROT_READ | PROT_WRITE,
	      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
	 != NULL;
}

bool
sys_map_file_over (void *address, size_t bytes, int fd, uint64_t offset)
{
  return map (address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
	      fd, offset)
	 != NULL;
}

void
sys_unmap (void *address, size_t bytes)
{
  own_map_remove (address);
  call3 (SYS_munmap, (long) address, (long) bytes, 0);
}

bool
sys_resize_map (void *address, size_t old_bytes, size_t new_bytes)
{
  return call (SYS_mremap, (long) address, (long) old_bytes, (long) new_bytes,
	       0, 0, 0)
	 > 0;
}

bool
sys_move_map (void *address, size_t old_bytes, size_t new_bytes, void *target)
{
  const long result
    = call (SYS_mremap, (long) address, (long) old_bytes, (long) new_bytes,
	    MREMAP_MAYMOVE | MREMAP_FIXED, (long) target, 0);
  return result == (long) target;
}

bool
sys_make_code (void *address, size_t bytes)
{
  return call3 (SYS_mprotect, (long) address, (long) bytes,
		PROT_READ | PROT_EXEC)
	 == 0;
}

bool
sys_copy_map (void *address, size_t bytes, void *target)
{
  return sys_move_map (address, 0, bytes, target);
}

/* The kernel copies a shared mapping if its old size is 0, and the copy may be
   larger.  The copy begins where the original does; so what is before OFFSET is
   mapped for a moment, too, which takes addresses alone.  */

bool
sys_map_more_over (void *address, size_t bytes, void *start, uint64_t offset)
{
  const size_t all = (size_t) offset + bytes;
  const long copy
    = call (SYS_mremap, (long) start, 0, (long) all, MREMAP_MAYMOVE, 0, 0);
  if (system_call_failed (copy))
    return false;
  const bool moved
    = sys_move_map ((char *) copy + offset, bytes, bytes, address);
  call3 (SYS_munmap, copy, (long) (moved ? (size_t) offset : all), 0);
  return moved;
}

bool
sys_discard (void *address, size_t bytes)
{
  return call3 (SYS_madvise, (long) address, (long) bytes, MADV_DONTNEED) == 0;
}

void
sys_touch (void *address, size_t bytes)
{
  call3 (SYS_madvise, (long) address, (long) bytes, MADV_POPULATE_WRITE);
}

/* Make a page of a shared file mapping writable by letting the kernel write to
   it: that fails where a store would be a signal.  */

static int
allocate_page (char *page)
{
  const long error
    = call (SYS_rt_sigprocmask, SIG_BLOCK, 0, (long) page, 8, 0, 0);
  if (error == 0)
    *(volatile uint64_t *) page = 0;
  return (int) error;
}

int
sys_allocate_mapped (void *address, size_t bytes)
{
  long error
    = call3 (SYS_madvise, (long) address, (long) bytes, MADV_POPULATE_WRITE);
  /* Before Linux 5.14, or a filter.  */
  if (error != 0 && error != -EFAULT && error != -ENOMEM)
    {
      error = 0;
      for (size_t at = 0; error == 0 && at < bytes; at += sys_page_bytes ())
	error = allocate_page ((char *) address + at);
    }
  if (error == 0)
    return 0;
  call3 (SYS_madvise, (long) address, (long) bytes, MADV_REMOVE);
  return error == -EFAULT ? -ENOSPC : (int) error;
}

void
sys_mark_sparse (void *address, size_t bytes)
{
  call3 (SYS_madvise, (long) address, (long) bytes, MADV_DONTDUMP);
  call3 (SYS_madvise, (long) address, (long) bytes, MADV_NOHUGEPAGE);
}

void
sys_use_huge_pages (void *address, size_t bytes)
{
  call3 (SYS_madvise, (long) address, (long) bytes, MADV_HUGEPAGE);
}

bool
sys_wipe_on_fork (void *address, size_t bytes)
{
  return call3 (SYS_madvise, (long) address, (long) bytes, MADV_WIPEONFORK)
	 == 0;
}

bool
sys_is_readable (const void *address)
{
  /* The kernel reads the set before it finds that the first argument is
     invalid: EINVAL if it could, EFAULT if not.  */
  return call (SYS_rt_sigprocmask, -1, (long) address, 0, 8, 0, 0) == -EINVAL;
}

bool
sys_copy (void *to, const void *from, size_t bytes)
{
  const struct iovec here = { to, bytes };
  const struct iovec there = { (void *) from, bytes };
  return call (SYS_process_vm_readv, sys_pid (), (long) &here, 1, (long) &there,
	       1, 0)
	 == (long) bytes;
}

int
sys_open (const char *path, int flags, unsigned mode)
{
  return (int) call (SYS_openat, AT_FDCWD, (long) path, flags | O_CLOEXEC, mode,
		     0, 0);
}

int
sys_open_at (int folder, const char *path, int flags)
{
  return (int) call (SYS_openat, folder, (long) path, flags | O_CLOEXEC, 0, 0,
		     0);
}

int
sys_open_unnamed (const char *folder, unsigned mode)
{
  return sys_open (folder, O_TMPFILE | O_RDWR, mode);
}

int
sys_give_name (int fd, const char *path)
{
  char link[32];
  rt_format (link, sizeof link, "/proc/self/fd/%d", fd);
  return (int) call (SYS_linkat, AT_FDCWD, (long) link, AT_FDCWD, (long) path,
		     AT_SYMLINK_FOLLOW, 0);
}

void
sys_close (int fd)
{
  call3 (SYS_close, fd, 0, 0);
}

int
sys_read_all (int fd, void *data, size_t bytes, size_t *got)
{
  *got = 0;
  while (*got < bytes)
    {
      const long n = call3 (SYS_read, fd, (long) data + (long) *got,
			    (long) (bytes - *got));
      if (n == -EINTR)
	continue;
      if (n < 0)
	return (int) n;
      if (n == 0)
	break;
      *got += (size_t) n;
    }
  return 0;
}

int
sys_write (int fd, const void *data, size_t bytes)
{
  while (bytes > 0)
    {
      const long n = limited_write (fd, data, bytes);
      if (n == -EINTR)
	continue;
      if (n <= 0)
	return n < 0 ? (int) n : -EIO;
      data = (const char *) data + n;
      bytes -= (size_t) n;
    }
  return 0;
}

/* True if this process may have a file of BYTES bytes.  Checked before each
   growth: the kernel would send a signal that ends the program.  */

static bool
file_size_is_allowed (uint64_t bytes)
{
  struct rlimit limit;
  return call (SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long) &limit, 0, 0) != 0
	 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

int
sys_write_at (int fd, const void *data, size_t bytes, uint64_t offset)
{
  if (!file_size_is_allowed (offset + bytes))
    return -EFBIG;
  while (bytes > 0)
    {
      const long n = call (SYS_pwrite64, fd, (long) data, (long) bytes,
			   (long) offset, 0, 0);
      if (n == -EINTR)
	continue;
      if (n <= 0)
	return n < 0 ? (int) n : -EIO;
      data = (const char *) data + n;
      bytes -= (size_t) n;
      offset += (uint64_t) n;
    }
  return 0;
}

int
sys_make_directory (const char *path, unsigned mode)
{
  return (int) call (SYS_mkdirat, AT_FDCWD, (long) path, mode, 0, 0, 0);
}

void
sys_remove_file (const char *path)
{
  struct stat status;
  if (link_status (path, &status) == 0
      && (S_ISREG (status.st_mode) || S_ISLNK (status.st_mode)))
    call3 (SYS_unlinkat, AT_FDCWD, (long) path, 0);
}

int
sys_rename (const char *from, const char *to)
{
  return (int) call (SYS_renameat2, AT_FDCWD, (long) from, AT_FDCWD, (long) to,
		     0, 0);
}

int
sys_sync (int fd)
{
  const long error = call3 (SYS_fsync, fd, 0, 0);
  /* Pipes and devices cannot be synced; ignore that.  */
  return error == -EINVAL ? 0 : (int) error;
}

int
sys_truncate (int fd, uint64_t bytes)
{
  if (!file_size_is_allowed (bytes))
    return -EFBIG;
  return (int) call3 (SYS_ftruncate, fd, (long) bytes, 0);
}

/* File systems without holes write the zeros, and those of a network need its
   answer.  */

static bool
has_holes (int fd)
{
  static const unsigned types[] = { BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC,
				    F2FS_SUPER_MAGIC,  OVERLAYFS_SUPER_MAGIC,
				    TMPFS_MAGIC,       0x58465342 /* XFS */,
				    0x2fc12fc1 /* ZFS */ };
  struct statfs system;
  if (call3 (SYS_fstatfs, fd, (long) &system, 0) != 0)
    return false;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if ((unsigned) system.f_type == types[i])
      return true;
  return false;
}

int
sys_lengthen (int fd, uint64_t bytes)
{
  return has_holes (fd) ? sys_truncate (fd, bytes) : -EOPNOTSUPP;
}

int
sys_file_id (int fd, uint64_t *device, uint64_t *inode)
{
  struct stat status;
  const int result = file_status (fd, &status);
  if (result == 0)
    {
      *device = status.st_dev;
      *inode = status.st_ino;
    }
  return result;
}

bool
sys_is_regular (int fd)
{
  struct stat status;
  return file_status (fd, &status) == 0 && S_ISREG (status.st_mode);
}

int
sys_copy_access (int from, int to)
{
  struct stat wanted, had;
  long error = file_status (from, &wanted);
  if (error == 0)
    error = file_status (to, &had);
  if (error == 0
      && (wanted.st_uid != had.st_uid || wanted.st_gid != had.st_gid))
    error = call3 (SYS_fchown, to, (long) wanted.st_uid, (long) wanted.st_gid);
  if (error == 0 && wanted.st_mode != had.st_mode)
    error = call3 (SYS_fchmod, to, (long) (wanted.st_mode & 07777), 0);
  return (int) error;
}

bool
sys_process_exists (uint64_t pid)
{
  return pid > 0 && pid <= INT32_MAX
	 && call3 (SYS_kill, (long) pid, 0, 0) != -ESRCH;
}

int
sys_exec (int folder, const char *path, char *const *arguments,
	  char *const *environment, int flags)
{
  /* valgrind and system call filters may support only the older call.  */
  if (folder == AT_FDCWD && flags == 0)
    return (int) call3 (SYS_execve, (long) path, (long) arguments,
			(long) environment);
  return (int) call (SYS_execveat, folder, (long) path, (long) arguments,
		     (long) environment, flags, 0);
}

bool
sys_read_link (const char *path, char *buffer, size_t bytes)
{
  const long n = call (SYS_readlinkat, AT_FDCWD, (long) path, (long) buffer,
		       (long) bytes, 0, 0);
  if (n <= 0 || (size_t) n >= bytes)
    return false;
  buffer[n] = '\0';
  return true;
}

bool
sys_current_directory (char *buffer, size_t bytes)
{
  return call3 (SYS_getcwd, (long) buffer, (long) bytes, 0) > 0
	 && buffer[0] == '/';
}

bool
sys_host_name (char *buffer, size_t bytes)
{
  struct utsname names;
  if (call3 (SYS_uname, (long) &names, 0, 0) != 0)
    return false;
  size_t i = 0;
  for (; names.nodename[i] != '\0' && i + 1 < bytes; i++)
    buffer[i] = names.nodename[i];
  buffer[i] = '\0';
  return true;
}

/* Never written, but not const: that would store the zeros in the library's
   file.  */
static char zeros[16 * SYS_LEAST_PAGE_BYTES];

/* sys_allocate by writing zeros after the existing data, which must not be
   overwritten.  */

static int
write_zeros (int fd, uint64_t offset, uint64_t bytes)
{
  struct stat status;
  const int unknown = file_status (fd, &status);
  if (unknown != 0)
    return unknown;
  const uint64_t there = (uint64_t) status.st_size;
  const uint64_t end = offset + bytes;
  if (offset < there)
    offset = there;
  while (offset < end)
    {
      const size_t step
	= end - offset < sizeof zeros ? (size_t) (end - offset) : sizeof zeros;
      const int error = sys_write_at (fd, zeros, step, offset);
      if (error != 0)
	{
	  sys_truncate (fd, there);
	  return error;
	}
      offset += step;
    }
  return 0;
}

/* The space that SYS_fallocate allocates is on the disk, and has to be released
   when the file is replaced: ext4 without a journal waits for the disk then, 4
   ms for each range, if it is mounted with "discard".  For zeros in memory most
   file systems only reserve space until they write them to the disk, many
   seconds later.  So the file of a short run is never there.  */

int
sys_allocate (int fd, uint64_t offset, uint64_t bytes)
{
  if (!file_size_is_allowed (offset + bytes))
    return -EFBIG;
  long error;
  if (bytes <= sizeof zeros)
    {
      error = write_zeros (fd, offset, bytes);
      /* A filter of system calls may refuse to write, but not to allocate.  */
      if (error != -EPERM && error != -EACCES && error != -ENOSYS)
	return (int) error;
    }
  do
    error = call (SYS_fallocate, fd, 0, (long) offset, (long) bytes, 0, 0);
  while (error == -EINTR);
  if (error == -EOPNOTSUPP || error == -ENOSYS)
    return write_zeros (fd, offset, bytes);
  return (int) error;
}

void
sys_allocate_ahead (int fd, uint64_t offset, uint64_t bytes)
{
  if (file_size_is_allowed (offset + bytes))
    call (SYS_fallocate, fd, 0, (long) offset, (long) bytes, 0, 0);
}

void
sys_punch (int fd, uint64_t offset, uint64_t bytes)
{
  call (SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	(long) offset, (long) bytes, 0, 0);
}

pid_t
sys_pid (void)
{
  return (pid_t) call3 (SYS_getpid, 0, 0, 0);
}

pid_t
sys_parent_pid (void)
{
  return (pid_t) call3 (SYS_getppid, 0, 0, 0);
}

pid_t
sys_thread_id (void)
{
  return (pid_t) call3 (SYS_gettid, 0, 0, 0);
}

void
sys_thread_name (char name[16])
{
  call3 (SYS_prctl, PR_GET_NAME, (long) name, 0);
}

bool
sys_random (void *data, size_t bytes)
{
  return call3 (SYS_getrandom, (long) data, (long) bytes, 1 /* do not wait */)
	 == (long) bytes;
}

void
sys_exit (int status)
{
  for (;;)
    call3 (SYS_exit_group, status, 0, 0);
}

int
sys_begin_session (void)
{
  const long result = call3 (SYS_setsid, 0, 0, 0);
  return result < 0 ? (int) result : 0;
}

int
sys_change_folder (const char *path)
{
  return (int) call3 (SYS_chdir, (long) path, 0, 0);
}

int
sys_forget_terminal (void)
{
  const int fd = sys_open ("/dev/null", O_RDWR, 0);
  if (fd < 0)
    return fd;
  for (int standard = 0; standard <= 2; standard++)
    if (fd != standard)
      call3 (SYS_dup3, fd, standard, 0);
    else
      call3 (SYS_fcntl, fd, F_SETFD, 0);
  if (fd > 2)
    sys_close (fd);
  return 0;
}

void
sys_raise (int number)
{
  const uint64_t bit = (uint64_t) 1 << (number - 1);
  call (SYS_rt_sigprocmask, SIG_UNBLOCK, (long) &bit, 0, sizeof bit, 0, 0);
  call3 (SYS_tgkill, sys_pid (), sys_thread_id (), number);
}

void
sys_start_timer (int number, void *value, unsigned seconds)
{
  struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
			    .sigev_signo = number,
			    .sigev_value = { .sival_ptr = value } };
  const struct itimerspec when = { .it_value = { .tv_sec = seconds } };
  int timer;
  if (call3 (SYS_timer_create, CLOCK_MONOTONIC, (long) &event, (long) &timer)
      == 0)
    call (SYS_timer_settime, timer, 0, (long) &when, 0, 0, 0);
}

void
sys_block_signals (uint64_t set)
{
  call (SYS_rt_sigprocmask, SIG_SETMASK, (long) &set, 0, sizeof set, 0, 0);
}

/* The C library's getauxval, under a name that no program may define.  */
unsigned long __getauxval (unsigned long type);

unsigned long
sys_auxiliary (unsigned long type)
{
  const int saved = errno;
  const unsigned long value = __getauxval (type);
  errno = saved;
  return value;
}

void
sys_abort (void)
{
  const struct sigaction action = { .sa_handler = SIG_DFL };
  sys_block_signals (0);
  call3 (SYS_tgkill, sys_pid (), sys_thread_id (), SIGABRT);
  /* The program's handler returned.  */
  __sigaction (SIGABRT, &action, NULL);
  call3 (SYS_tgkill, sys_pid (), sys_thread_id (), SIGABRT);
  sys_exit (127);
}

bool
sys_is_privileged (void)
{
  return sys_auxiliary (AT_SECURE) != 0;
}

unsigned
sys_user (void)
{
  return (unsigned) call3 (SYS_geteuid, 0, 0, 0);
}

bool
sys_has_capabilities (void)
{
  struct __user_cap_header_struct header
    = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  return call3 (SYS_capget, (long) &header, (long) sets, 0) == 0
	 && (sets[0].permitted | sets[1].permitted) != 0;
}

uint64_t
sys_memory_limit (void)
{
  static const int resources[] = { RLIMIT_AS, RLIMIT_DATA };
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++)
    {
      struct rlimit limit;
      if (call (SYS_prlimit64, 0, resources[i], 0, (long) &limit, 0, 0) == 0
	  && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < least)
	least = limit.rlim_cur;
    }
  return least;
}

void
sys_wait (uint32_t *word, uint32_t value)
{
  call (SYS_futex, (long) word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
}

void
sys_wake (uint32_t *word, int count)
{
  call (SYS_futex, (long) word, FUTEX_WAKE_PRIVATE, count, 0, 0, 0);
}

void
sys_yield (void)
{
  call3 (SYS_sched_yield, 0, 0, 0);
}

void
sys_barrier (void)
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
#ifdef SYS_membarrier
  /* MEMBARRIER_CMD_PRIVATE_EXPEDITED and its registration.  Without it, assume
     that a processor's stores become visible before the next call returns.  */
  if (call3 (SYS_membarrier, 1 << 4, 0, 0) == 0)
    call3 (SYS_membarrier, 1 << 3, 0, 0);
#endif
}

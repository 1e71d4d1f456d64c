/* The operating system, as far as the run-time library needs it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No function here allocates memory, takes a lock or changes errno: failures
   are returned as NULL, false or a negative error number.  All of them may be
   called in a signal handler and in the child of a fork.  */

#ifndef HEAPPROF_SYS_H
#define HEAPPROF_SYS_H

#include "address-space.h"
#include "thread-pointer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Whatever the kernel's page size is, mappings start and end at multiples of
   this, and what is readable changes at multiples of the other only.  */
#define SYS_PAGE_BYTES MACHINE_MOST_PAGE_BYTES
#define SYS_LEAST_PAGE_BYTES MACHINE_LEAST_PAGE_BYTES

/* What a huge page usually has.  Where it is another size, memory is aligned
   for more of them, or for none.  */
#define SYS_HUGE_PAGE_BYTES ((size_t) 2 << 20)

/* Return the kernel's page size.  */
#if MACHINE_LEAST_PAGE_BYTES == MACHINE_MOST_PAGE_BYTES
static inline size_t
sys_page_bytes (void)
{
  return SYS_PAGE_BYTES;
}
#else
size_t sys_page_bytes (void);
#endif

/* Map BYTES zero bytes that cost nothing until touched, and are not charged
   against swap if the kernel allows that.  NULL if the address space is
   exhausted or limited.  The mapping counts as the library's own until it is
   unmapped (own-maps.h).  */
void *sys_map (size_t bytes);

/* Map memory that the program asks for: the kernel may refuse it as it would
   for the C library.  */
void *sys_map_for_program (size_t bytes);

/* Like sys_map, at exactly ADDRESS, which must be free.  */
void *sys_map_at (void *address, size_t bytes);

/* Reserve BYTES bytes of inaccessible address space.  */
void *sys_reserve (size_t bytes);

/* Turn [ADDRESS, ADDRESS + BYTES) back into reserved address space.  */
bool sys_reserve_over (void *address, size_t bytes);

/* Map zero bytes, readable and writable, over [ADDRESS, ADDRESS + BYTES).  */
bool sys_map_over (void *address, size_t bytes);

/* Map BYTES bytes of file FD from OFFSET, shared, over ADDRESS.  */
bool sys_map_file_over (void *address, size_t bytes, int fd, uint64_t offset);

void sys_unmap (void *address, size_t bytes);

/* Resize a mapping in place; false if its neighbours prevent that.  */
bool sys_resize_map (void *address, size_t old_bytes, size_t new_bytes);

/* Let [ADDRESS, ADDRESS + BYTES) be executed and no longer written; false if
   the system does not allow that.  */
bool sys_make_code (void *address, size_t bytes);

/* Map BYTES bytes at ADDRESS, of shared memory, over TARGET, too.  */
bool sys_copy_map (void *address, size_t bytes, void *target);

/* START is where a file is mapped, shared, from its beginning.  Map BYTES bytes
   of that file from OFFSET over ADDRESS, without opening it.  */
bool sys_map_more_over (void *address, size_t bytes, void *start,
			uint64_t offset);

/* Move a mapping over TARGET, which the caller has reserved.  */
bool sys_move_map (void *address, size_t old_bytes, size_t new_bytes,
		   void *target);

/* Make the pages of [ADDRESS, ADDRESS + BYTES) read as zero and take no
   memory.  False if that is not possible, as with locked ones.  */
bool sys_discard (void *address, size_t bytes);

/* Make the pages of a shared file mapping writable in one go, rather than one
   by one when touched.  Older kernels do nothing.  */
void sys_touch (void *address, size_t bytes);

/* Exclude a range from core dumps and huge pages: it is touched sparsely.  */
void sys_mark_sparse (void *address, size_t bytes);

/* Use huge pages for a range, where they fit in it and nothing was touched yet.
   Without them everything works, only slower.  */
void sys_use_huge_pages (void *address, size_t bytes);

/* Make this range zero in child processes.  False if the kernel does not
   support that.  */
bool sys_wipe_on_fork (void *address, size_t bytes);

/* Pages from START up to END.  */
struct sys_run
{
  uintptr_t start, end;
};

/* Return the first existing pages, in memory or in swap, from START up to END,
   possibly not all contiguous ones; [END, END) if there are none.  Return the
   whole range if that cannot be determined.  FD is sys_open_page_table (); less
   is known if that failed.  */
struct sys_run sys_find_pages (int fd, uintptr_t start, uintptr_t end);
int sys_open_page_table (void);

/* The same for several runs: store at most N of them in RUNS and return how
   many there are; if N, there may be more.  If FD is negative, those in swap
   are missing.  */
unsigned sys_find_runs (int fd, uintptr_t start, uintptr_t end,
			struct sys_run *runs, unsigned n);

/* Set EXISTS of each of the PAGES pages from ADDRESS, which may be mapped
   elsewhere, too, to whether it is in memory.  False if that cannot be
   determined, or some may be in swap.  */
bool sys_find_resident (const void *address, size_t pages,
			unsigned char *exists);

/* True if the 8 bytes at ADDRESS can be read.  */
bool sys_is_readable (const void *address);

/* Copy BYTES bytes at FROM to TO; false if not all of them can be read.  */
bool sys_copy (void *to, const void *from, size_t bytes);

/* Files.  int results are a descriptor or 0, or a negative errno.  */
int sys_open (const char *path, int flags, unsigned mode);
int sys_open_at (int folder, const char *path, int flags);
void sys_close (int fd);

/* Create a file without a name in FOLDER; give it a name.  Not all file systems
   support this.  */
int sys_open_unnamed (const char *folder, unsigned mode);
int sys_give_name (int fd, const char *path);
int sys_read_all (int fd, void *data, size_t bytes, size_t *got);
int sys_write_at (int fd, const void *data, size_t bytes, uint64_t offset);
int sys_write (int fd, const void *data, size_t bytes);
int sys_make_directory (const char *path, unsigned mode);

/* Remove a regular file or a symbolic link, nothing else.  */
void sys_remove_file (const char *path);
int sys_rename (const char *from, const char *to);
int sys_sync (int fd);
int sys_truncate (int fd, uint64_t bytes);
int sys_file_id (int fd, uint64_t *device, uint64_t *inode);
bool sys_is_regular (int fd);

/* Give file TO the owner, group and mode of file FROM.  */
int sys_copy_access (int from, int to);
bool sys_process_exists (uint64_t pid);

/* execveat; returns only on failure, a negative errno.  */
int sys_exec (int folder, const char *path, char *const *arguments,
	      char *const *environment, int flags);

/* Store the target of symbolic link PATH in BUFFER, terminated; false if that
   fails or does not fit.  */
bool sys_read_link (const char *path, char *buffer, size_t bytes);
bool sys_current_directory (char *buffer, size_t bytes);
bool sys_host_name (char *buffer, size_t bytes);

/* Allocate disk space for [OFFSET, OFFSET + BYTES) of a file, so that writing
   to a mapping of it cannot fail later.  Return a negative errno if there is
   none, or if the process may not have files of that size.  */
int sys_allocate (int fd, uint64_t offset, uint64_t bytes);

/* Do the same as a hint, for bytes that will be written with sys_write_at: if
   it fails, nothing happens.  */
void sys_allocate_ahead (int fd, uint64_t offset, uint64_t bytes);

/* Do the same for a hole of a file that is mapped, shared, at ADDRESS, without
   opening it.  */
int sys_allocate_mapped (void *address, size_t bytes);

/* Let file FD be BYTES long, where zeros at the end take no space.  Return a
   negative errno if they would, or if it may not be that long.  */
int sys_lengthen (int fd, uint64_t bytes);

/* Release the disk space of a range, which then reads as zero.  Does nothing if
   the file system does not support that.  */
void sys_punch (int fd, uint64_t offset, uint64_t bytes);

pid_t sys_pid (void);
pid_t sys_parent_pid (void);
pid_t sys_thread_id (void);

/* Store the calling thread's name, padded with zeros, in NAME.  */
void sys_thread_name (char name[16]);

/* Fill DATA with random bytes; false if the machine has just booted and has no
   entropy yet.  */
bool sys_random (void *data, size_t bytes);
_Noreturn void sys_exit (int status);

/* Steps to become a background process: start a session, change the folder, use
   /dev/null as the standard files.  Return 0 or a negative errno.  */
int sys_begin_session (void);
int sys_change_folder (const char *path);
int sys_forget_terminal (void);

/* Unblock signal NUMBER and send it to this thread.  */
void sys_raise (int number);

/* Send signal NUMBER to the process, with VALUE, after SECONDS.  */
void sys_start_timer (int number, void *value, unsigned seconds);

/* Nanoseconds of the monotonic clock and of the calendar clock.  */
uint64_t sys_steady_ns (void);
uint64_t sys_calendar_ns (void);

/* A number that changes at each tick of the kernel's coarse clock, some
   milliseconds apart; SYS_NO_TICK if reading it would take a system call, and
   before sys_find_ticks.  */
#define SYS_NO_TICK 0u
#define SYS_TICK_OF(s, ns) ((s) << 30 | (ns))
void sys_find_ticks (void);
uint64_t sys_tick_slowly (void);

/* Where the kernel keeps the seconds and nanoseconds of that clock, so that
   they can be read in a fifth of the time; NULL if that is unknown.  They may
   be of different ticks: the next call then returns another number.  */
extern const volatile uint64_t *sys_tick_words
  __attribute__ ((visibility ("hidden")));

/* Do not use that place any more.  */
void sys_distrust_ticks (void);

static inline uint64_t
sys_tick (void)
{
  const volatile uint64_t *const words
    = __atomic_load_n (&sys_tick_words, __ATOMIC_RELAXED);
  return __builtin_expect (words != NULL, 1) ? SYS_TICK_OF (words[0], words[1])
					     : sys_tick_slowly ();
}

/* Where the kernel keeps the number of the CPU, from the thread pointer on; 0
   if that is unknown.  Negative numbers are not valid.  */
extern ptrdiff_t sys_cpu_offset __attribute__ ((visibility ("hidden")));
uint32_t sys_cpu_slowly (void);

/* Return the number of the CPU that runs this thread.  */
static inline uint32_t
sys_cpu (void)
{
  const ptrdiff_t offset = __atomic_load_n (&sys_cpu_offset, __ATOMIC_RELAXED);
  const int32_t cpu = machine_thread_word (offset);
  return __builtin_expect (offset != 0 && cpu >= 0, 1) ? (uint32_t) cpu
						       : sys_cpu_slowly ();
}

/* Set the mask of blocked signals to SET.  */
void sys_block_signals (uint64_t set);

/* Return the auxiliary value TYPE (AT_...), 0 if there is none.  */
unsigned long sys_auxiliary (unsigned long type);

/* End the process with SIGABRT, even if the program handles or blocks it.  */
_Noreturn void sys_abort (void);

/* True if this program runs with more rights than its caller.  */
bool sys_is_privileged (void);

/* The effective user ID.  */
unsigned sys_user (void);

/* True if this process has capabilities, which it may give up.  */
bool sys_has_capabilities (void);

/* Return the limit on the process's address space or data, UINT64_MAX if there
   is none.  */
uint64_t sys_memory_limit (void);

/* Sleep while *WORD is VALUE; wake COUNT sleepers.  */
void sys_wait (uint32_t *word, uint32_t value);
void sys_wake (uint32_t *word, int count);
void sys_yield (void);

/* After this call, stores that other threads made before reading this thread's
   latest stores are visible here.  */
void sys_barrier (void);

#endif /* HEAPPROF_SYS_H */

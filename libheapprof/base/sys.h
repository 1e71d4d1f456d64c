/* The operating system, as far as the run-time library needs it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No function here allocates memory or takes a lock, and none changes errno:
   failures come back as NULL, false or a negative error number.  All of them
   may be called in a signal handler and in the child of a fork.  */

#ifndef HEAPPROF_SYS_H
#define HEAPPROF_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SYS_PAGE_BYTES 4096u

/* Memory of BYTES zero bytes that costs nothing until it is touched, and is
   not charged against swap where the kernel allows that.  NULL if the address
   space is used up or limited.  */
void *sys_map (size_t bytes);

/* The same, as memory that the program asks for: the kernel may refuse what it
   would refuse the C library.  */
void *sys_map_for_program (size_t bytes);

/* The same as sys_map at exactly ADDRESS, which must be free.  */
void *sys_map_at (void *address, size_t bytes);

/* BYTES bytes of address space that cannot be accessed.  */
void *sys_reserve (size_t bytes);

/* Make [ADDRESS, ADDRESS + BYTES) such address space again.  */
bool sys_reserve_over (void *address, size_t bytes);

/* Put zero bytes, readable and writable, over [ADDRESS, ADDRESS + BYTES).  */
bool sys_map_over (void *address, size_t bytes);

/* Map BYTES bytes of file FD from OFFSET, shared, over ADDRESS.  */
bool sys_map_file_over (void *address, size_t bytes, int fd, uint64_t offset);

void sys_unmap (void *address, size_t bytes);

/* Resize a mapping where it is; false if its neighbours prevent that.  */
bool sys_resize_map (void *address, size_t old_bytes, size_t new_bytes);

/* Move a mapping over TARGET, which the caller has reserved.  */
bool sys_move_map (void *address, size_t old_bytes, size_t new_bytes,
		   void *target);

/* The pages of [ADDRESS, ADDRESS + BYTES) read as zero again and cost no
   memory.  */
void sys_discard (void *address, size_t bytes);

/* Make the pages of a shared mapping of a file writable now, in one go, rather
   than one by one when they are touched.  Older kernels do nothing.  */
void sys_touch (void *address, size_t bytes);

/* Leave a range out of core dumps and away from huge pages: it is touched
   sparsely.  */
void sys_mark_sparse (void *address, size_t bytes);

/* A child process finds zero bytes in this range.  False where the kernel has
   no such thing.  */
bool sys_wipe_on_fork (void *address, size_t bytes);

/* Pages from START up to END.  */
struct sys_run
{
  uintptr_t start, end;
};

/* The first pages from START up to END that exist, in memory or in swap, not
   always as many as follow one another; [END, END) if there are none.  All of
   them if that cannot be found out.  FD is sys_open_page_table ().  */
struct sys_run sys_find_pages (int fd, uintptr_t start, uintptr_t end);
int sys_open_page_table (void);

/* May the 8 bytes at ADDRESS be read?  */
bool sys_is_readable (const void *address);

/* Files.  The int results are a descriptor or 0, or a negative errno.  */
int sys_open (const char *path, int flags, unsigned mode);
int sys_open_at (int folder, const char *path, int flags);
void sys_close (int fd);

/* A new file in FOLDER that has no name yet, and its name.  Not all file
   systems know such files.  */
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

/* execveat: a negative errno if it returns.  */
int sys_exec (int folder, const char *path, char *const *arguments,
	      char *const *environment, int flags);

/* The target of symbolic link PATH in BUFFER, terminated; false if that
   fails or does not fit.  */
bool sys_read_link (const char *path, char *buffer, size_t bytes);
bool sys_current_directory (char *buffer, size_t bytes);
bool sys_host_name (char *buffer, size_t bytes);

/* Give [OFFSET, OFFSET + BYTES) of a file room on the disk, so that writing to
   a mapping of it cannot fail later.  A negative errno if there is none, or if
   the process may not have files of that size.  */
int sys_allocate (int fd, uint64_t offset, uint64_t bytes);

/* The same as a hint, for bytes that will be written with sys_write_at: where
   there is no room, or the file system cannot do that, nothing happens.  */
void sys_allocate_ahead (int fd, uint64_t offset, uint64_t bytes);

/* Give the room of a range back; it reads as zero.  Nothing happens where the
   file system cannot do that.  */
void sys_punch (int fd, uint64_t offset, uint64_t bytes);

pid_t sys_pid (void);
pid_t sys_parent_pid (void);
pid_t sys_thread_id (void);

/* Fill DATA by chance; false early in the start of a machine, which has no
   chance yet.  */
bool sys_random (void *data, size_t bytes);
_Noreturn void sys_exit (int status);

/* What a process does to become one of the background: lead a session of its
   own, leave its folder, read and write /dev/null as its standard files.  0 or
   a negative errno.  */
int sys_begin_session (void);
int sys_change_folder (const char *path);
int sys_forget_terminal (void);

/* Send signal NUMBER to this thread and let it come.  */
void sys_raise (int number);

/* Have signal NUMBER sent to the process, with VALUE, SECONDS from now on.  */
void sys_start_timer (int number, void *value, unsigned seconds);

/* Nanoseconds of the clock that runs steadily, and of the calendar.  */
uint64_t sys_steady_ns (void);
uint64_t sys_calendar_ns (void);

/* What is another number after each tick of the kernel's coarse clock, some
   milliseconds apart; SYS_NO_TICK where asking would take a system call, and
   before sys_find_ticks.  */
#define SYS_NO_TICK 0u
void sys_find_ticks (void);
uint64_t sys_tick (void);

/* Number of the CPU that runs this thread.  */
uint32_t sys_cpu (void);

/* Block the signals of SET, and no others.  */
void sys_block_signals (uint64_t set);

/* What the kernel told the program about TYPE (AT_...), 0 if nothing.  */
unsigned long sys_auxiliary (unsigned long type);

/* End the process with SIGABRT, whatever the program does about it.  */
_Noreturn void sys_abort (void);

/* Is this program run with more rights than its caller has?  */
bool sys_is_privileged (void);

/* The limit on the process's address space or data, UINT64_MAX if there is
   none.  */
uint64_t sys_memory_limit (void);

/* Sleep while *WORD is VALUE; wake COUNT sleepers.  */
void sys_wait (uint32_t *word, uint32_t value);
void sys_wake (uint32_t *word, int count);
void sys_yield (void);

/* What other threads stored before they read what this one has stored now can
   be seen here.  */
void sys_barrier (void);

#endif /* HEAPPROF_SYS_H */

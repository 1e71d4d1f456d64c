/* Calling functions in a thread of another process.
   SPDX-License-Identifier: GPL-3.0-or-later

   The thread is stopped by ptrace; the others of its process run on.  A call
   gets registers and a stack of its own, and its return address is 0: when the
   function returns, the fault stops the thread, before anything is delivered.
   Signals wait until the thread is released, which then continues where it was,
   in a system call if it was in one, and with the errno it had.  */

#ifndef HEAPPROF_REMOTE_THREAD_H
#define HEAPPROF_REMOTE_THREAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#define REMOTE_ARGUMENTS 6

struct remote_thread
{
  pid_t thread;
  int memory; /* of its process; -1: not open */
  bool is_calling;
  struct user_regs_struct registers; /* when it was stopped */
  char extended[16384];		     /* registers beyond these */
  size_t extended_bytes;
  void (*late) (pid_t thread); /* called once if a call takes long; may be
				  NULL */
  uint64_t mask;	       /* of blocked signals */
  uint64_t stack;	       /* for calls */
};

enum remote_stop
{
  REMOTE_STOPPED,
  REMOTE_BUSY,	 /* it does not stop now */
  REMOTE_GONE,	 /* there is no such thread */
  REMOTE_REFUSED /* not permitted */
};

/* Stop THREAD of PROCESS.  */
enum remote_stop remote_thread_stop (struct remote_thread *remote,
				     pid_t process, pid_t thread);

/* Prepare the stopped thread for calls.  Return false if that fails.  */
bool remote_thread_begin (struct remote_thread *remote);

/* Call FUNCTION with ARGUMENTS.  Return false if it did not return; the thread
   may have ended.  If it is in a call of the dynamic linker that waits for a
   lock, this waits, too: the call cannot be abandoned, nor may the thread be
   released before it has returned.  */
bool remote_thread_call (struct remote_thread *remote, uint64_t function,
			 const uint64_t arguments[REMOTE_ARGUMENTS],
			 uint64_t *result);

/* Read and write memory of its process.  */
bool remote_thread_read (struct remote_thread *remote, uint64_t address,
			 void *data, size_t bytes);
bool remote_thread_write (struct remote_thread *remote, uint64_t address,
			  const void *data, size_t bytes);

/* Let the thread run on.  */
void remote_thread_release (struct remote_thread *remote);

#endif /* HEAPPROF_REMOTE_THREAD_H */

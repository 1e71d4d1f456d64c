/* exec, which ends the program if it succeeds.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_EXEC_H
#define HEAPPROF_EXEC_H

/* Complete the profile and execute PATH in FOLDER, like execveat.  On failure
   restore the profile and return a negative errno.  */
int rt_exec (int folder, const char *path, char *const *arguments,
	     char *const *environment, int flags);

#endif /* HEAPPROF_EXEC_H */

/* The interface of the library that is loaded into running programs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For `heapprof-gcov attach' only.  Both functions return 0 or a negated error
   number: EAGAIN, the thread is inside the library; EBUSY, it is attached
   already; ESRCH, it is not attached; ENOSYS, the program has no malloc that
   can be found; EINVAL, the options are invalid; EIO, the profile cannot be
   written.  */

#ifndef HEAPPROF_ATTACH_H
#define HEAPPROF_ATTACH_H

#define HEAPPROF_ATTACH_LIBRARY "libheapprof-attach.so.1"

/* int NAME (const char *options): start a profile, with OPTIONS as in the
   environment variable HEAPPROF_OPTIONS.  */
#define HEAPPROF_ATTACH_FUNCTION "__heapprof_attach_v1"

/* int NAME (void): complete the profile, and let the program run as before.  */
#define HEAPPROF_DETACH_FUNCTION "__heapprof_detach_v1"

#endif /* HEAPPROF_ATTACH_H */

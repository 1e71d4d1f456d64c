/* Completing the profile of an attached program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_COMPLETION_H
#define HEAPPROF_COMPLETION_H

/* Complete the profile, if one is being recorded and this process may do that
   now.  */
void rt_attach_complete (void);

#endif /* HEAPPROF_COMPLETION_H */

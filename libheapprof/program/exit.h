/* Completing the profile at exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_EXIT_H
#define HEAPPROF_EXIT_H

/* Arrange for the profile to be completed when the program ends, as late as
   possible.  Call inside the library, once, at start.  */
void rt_exit_start (void);

#endif /* HEAPPROF_EXIT_H */

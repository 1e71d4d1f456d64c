/* The options that instrumented code needs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_REQUIRED_OPTIONS_H
#define HEAPPROF_REQUIRED_OPTIONS_H

/* Set the options that the run-time library needs: frames that it can walk, and
   none missing.  Call this before the compiler acts on its options.  */
void required_options_force (void);

/* Set them in each function that has its own options.  Call this at the start
   of the IPA passes.  */
void required_options_of_functions (void);

#endif /* HEAPPROF_REQUIRED_OPTIONS_H */

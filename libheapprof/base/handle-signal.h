/* Signals by which the user asks the library for something.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_HANDLE_SIGNAL_H
#define HEAPPROF_HANDLE_SIGNAL_H

/* Call HANDLER at signal NUMBER.  Report it if that is impossible.  */
void rt_handle_signal (int number, void (*handler) (int number));

#endif /* HEAPPROF_HANDLE_SIGNAL_H */

/* Instructions that only some processors have: none are used.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_VECTORS_H
#define HEAPPROF_VECTORS_H
#endif /* HEAPPROF_VECTORS_H */

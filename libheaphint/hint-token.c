/* The context token.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "hint-token.h"

#ifdef PIC

__attribute__ ((weak,
		visibility ("default"))) __thread int __heapprof_hint_token;

void *(*hint_malloc_by_token) (size_t size);

#endif

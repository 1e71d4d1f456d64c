/* Memory for blocks allocated by signal handlers that interrupt the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_APART_H
#define HEAPPROF_APART_H

/* Return a page of zeros for one block, SYS_LEAST_PAGE_BYTES long; NULL if
   memory is exhausted.  rt_span_find reports it as apart.  Takes no lock.  */
void *rt_apart_take (void);

/* Give back a page that is no longer used.  */
void rt_apart_give (void *page);

#endif /* HEAPPROF_APART_H */

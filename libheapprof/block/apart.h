/* Memory for blocks that signal handlers get while they interrupt the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_APART_H
#define HEAPPROF_APART_H

/* A page of zeros for one block, SYS_PAGE_BYTES long; NULL if memory cannot be
   had.  rt_span_find knows it as apart.  Takes no lock.  */
void *rt_apart_take (void);

/* Give a page back, of which nothing is used any more.  */
void rt_apart_give (void *page);

#endif /* HEAPPROF_APART_H */

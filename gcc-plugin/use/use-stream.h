/* Heap profile data of calls in objects for LTO.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_STREAM_H
#define HEAPPROF_USE_STREAM_H

/* Write the facts of the unit to its object.  */
void use_stream_write (void);

/* Read the facts of all objects of the link.  */
void use_stream_read (void);

#endif /* HEAPPROF_USE_STREAM_H */

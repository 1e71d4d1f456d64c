/* CRC-32, as zlib, Ethernet and PNG have it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CRC32_H
#define HEAPPROF_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Make the tables; not at the same time as other calls.  */
void rt_crc32_start (void);

/* The CRC of what CRC, 0 at first, is of, followed by BYTES bytes at DATA.  */
uint32_t rt_crc32 (uint32_t crc, const void *data, size_t bytes);

/* The same on any processor: a sixth as fast.  */
uint32_t rt_crc32_by_tables (uint32_t crc, const void *data, size_t bytes);

#endif /* HEAPPROF_CRC32_H */

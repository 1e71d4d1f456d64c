/* CRC-32, as used by zlib, Ethernet and PNG.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_CRC32_H
#define HEAPPROF_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Initialize the tables; not concurrently with other calls.  */
void rt_crc32_start (void);

/* Extend CRC, initially 0, by BYTES bytes at DATA.  */
uint32_t rt_crc32 (uint32_t crc, const void *data, size_t bytes);

/* Do the same on any processor, at a sixth of the speed.  */
uint32_t rt_crc32_by_tables (uint32_t crc, const void *data, size_t bytes);

#endif /* HEAPPROF_CRC32_H */

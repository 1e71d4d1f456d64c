/* Call frame information: reading numbers and pointers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_CFI_READER_H
#define HEAPPROF_CFI_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DWARF's codes for pointer encodings.  */
enum
{
  PE_UDATA4 = 0x03,
  PE_SDATA4 = 0x0b,
  PE_UDATA8 = 0x04,
  PE_SDATA8 = 0x0c,
  PE_ABSOLUTE = 0x00,
  PE_RELATIVE = 0x10,
  PE_TABLE_SDATA4 = 0x3b
};

/* Bytes being read.  Reading past the end gives zeros and sets FAILED, to be
   checked afterwards.  */
struct rt_cfi_reader
{
  const uint8_t *at;
  const uint8_t *end;
  bool failed;
};

/* Read a number of BYTES bytes, at most 8, in the machine's byte order.  */
uint64_t rt_cfi_read_fixed (struct rt_cfi_reader *in, size_t bytes);

/* Read LEB128 numbers.  */
uint64_t rt_cfi_read_uleb (struct rt_cfi_reader *in);
int64_t rt_cfi_read_sleb (struct rt_cfi_reader *in);

/* Read a pointer in one of the encodings that linkers use in these tables; set
   FAILED for others.  */
uintptr_t rt_cfi_read_pointer (struct rt_cfi_reader *in, uint8_t encoding);

#endif /* HEAPPROF_CFI_READER_H */

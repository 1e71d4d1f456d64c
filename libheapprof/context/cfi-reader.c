/* Call frame information: reading numbers and pointers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "cfi-reader.h"
#include "bytes.h"

uint64_t
rt_cfi_read_fixed (struct rt_cfi_reader *in, size_t bytes)
{
  uint64_t value = 0;
  if ((size_t) (in->end - in->at) < bytes)
    {
      in->failed = true;
      in->at = in->end;
      return 0;
    }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  own_memcpy ((char *) &value + sizeof value - bytes, in->at, bytes);
#else
  own_memcpy (&value, in->at, bytes);
#endif
  in->at += bytes;
  return value;
}

/* Read a LEB128 number; set *WIDTH to its width in bits, *LAST to the last
   byte.  */

static uint64_t
read_leb (struct rt_cfi_reader *in, unsigned *width, uint8_t *last)
{
  uint64_t value = 0;
  *width = 0;
  do
    {
      *last = (uint8_t) rt_cfi_read_fixed (in, 1);
      if (*width < 64)
	value |= (uint64_t) (*last & 0x7f) << *width;
      *width += 7;
    }
  while ((*last & 0x80) != 0);
  return value;
}

uint64_t
rt_cfi_read_uleb (struct rt_cfi_reader *in)
{
  unsigned width;
  uint8_t last;
  return read_leb (in, &width, &last);
}

int64_t
rt_cfi_read_sleb (struct rt_cfi_reader *in)
{
  unsigned width;
  uint8_t last;
  uint64_t value = read_leb (in, &width, &last);
  if ((last & 0x40) != 0 && width < 64)
    value |= -((uint64_t) 1 << width);
  return (int64_t) value;
}

uintptr_t
rt_cfi_read_pointer (struct rt_cfi_reader *in, uint8_t encoding)
{
  const uintptr_t here = (uintptr_t) in->at;
  uintptr_t value = 0;
  switch (encoding & 0x0f)
    {
    case PE_ABSOLUTE:
    case PE_UDATA8:
    case PE_SDATA8:
      value = rt_cfi_read_fixed (in, 8);
      break;
    case PE_UDATA4:
      value = rt_cfi_read_fixed (in, 4);
      break;
    case PE_SDATA4:
      value = (uintptr_t) (int32_t) (uint32_t) rt_cfi_read_fixed (in, 4);
      break;
    default:
      in->failed = true;
    }
  if ((encoding & 0x70) == PE_RELATIVE)
    value += here;
  else if ((encoding & 0x70) != 0)
    in->failed = true;
  return value;
}

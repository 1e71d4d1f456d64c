/* Operations recorded by AMD's Instruction-Based Sampling.
   SPDX-License-Identifier: GPL-3.0-or-later

   The kernel passes on what the processor can do and its registers (AMD64
   Architecture Programmer's Manual, volume 2, "Instruction-Based Sampling"):

     u32 abilities
     u64 control, instruction, data, data 2, data 3, address of data, physical
	 address of data
     u64 target of the branch   if the processor has the ability
     more, which is not read.  */

#include "ibs-operation.h"

#define REPORTS_TARGETS (1u << 5)

/* Of the register "data".  */
#define TOOK_BRANCH (UINT64_C (1) << 35)
#define IP_IS_INVALID (UINT64_C (1) << 38)

/* Of the register "data 3".  */
#define LOADS (UINT64_C (1) << 0)
#define STORES (UINT64_C (1) << 1)
#define ADDRESS_IS_VALID (UINT64_C (1) << 17)

bool
ibs_operation_read (struct byte_reader *reader, struct ibs_operation *operation)
{
  static const char what[] = "an operation of AMD IBS";
  *operation = (struct ibs_operation){ 0 };
  uint32_t abilities = byte_reader_u32 (reader, what);
  byte_reader_u64 (reader, what);
  operation->ip = byte_reader_u64 (reader, what);
  uint64_t data = byte_reader_u64 (reader, what);
  byte_reader_u64 (reader, what);
  uint64_t access = byte_reader_u64 (reader, what);
  uint64_t address = byte_reader_u64 (reader, what);
  byte_reader_u64 (reader, what);
  uint64_t target = 0;
  if (abilities & REPORTS_TARGETS)
    target = byte_reader_u64 (reader, what);
  operation->has_ip = !(data & IP_IS_INVALID);
  if (data & TOOK_BRANCH)
    operation->target = target;
  if ((access & (LOADS | STORES)) && (access & ADDRESS_IS_VALID))
    operation->address = address;
  operation->is_store = (access & STORES) && !(access & LOADS);
  return !reader->failed;
}

/* Operations recorded by AMD's Instruction-Based Sampling.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_IBS_OPERATION_H
#define HEAPPROF_IBS_OPERATION_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stdint.h>

/* A retired operation.  */
struct ibs_operation
{
  bool has_ip;
  bool is_store;    /* and no load */
  uint64_t ip;	    /* of its instruction */
  uint64_t target;  /* of the branch that it took; 0: none or unknown */
  uint64_t address; /* of the data that it accessed; 0: none or unknown */
};

/* Read an operation from READER, which covers the raw data of a sample.  Return
   false if READER failed.  */
bool ibs_operation_read (struct byte_reader *reader,
			 struct ibs_operation *operation);

#endif /* HEAPPROF_IBS_OPERATION_H */

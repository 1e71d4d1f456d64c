/* perf.data on disk: constants and layouts defined by the kernel and perf.
   SPDX-License-Identifier: GPL-3.0-or-later

   The header, in the byte order of the recording machine:

      0   magic "PERFILE2"
      8   u64 bytes of the header: 104, or 16 for a stream, which has no more
     16   u64 bytes of an entry of the attributes: an attribute, then a section
	  that contains u64 identifiers
     24   section of attributes          section: u64 offset, u64 bytes
     40   section of records
     56   unused section
     72   256 bits, one for each feature that is present

   After the records come the sections of the features that are present.

   An attribute (its longest form has 136 bytes; the second field is its size):

      0   u32 type                     40   u64 flags
      4   u32 bytes                    72   u64 contents of branch stacks
      8   u64 counted event            80   u64 user registers
     16   u64 period                   88   u32, s32
     24   u64 contents of samples      96   u64 interrupt registers
     32   u64 contents of readings

   A record: u32 type, u16 misc, u16 bytes with this header, then data that
   depends on the type. perf-records.c and perf-sample.c have the layouts.  */

#ifndef HEAPPROF_PERF_FORMAT_H
#define HEAPPROF_PERF_FORMAT_H

#include <stdint.h>

/* "PERFILE2", little-endian.  */
#define PERF_MAGIC 0x32454c4946524550

#define PERF_MAGIC_BYTES 8
#define PERF_HEADER_BYTES 104
#define PERF_STREAM_HEADER_BYTES 16
#define PERF_FEATURES_OFFSET 72
#define PERF_FEATURE_COUNT 256
#define PERF_SECTION_BYTES 16
#define PERF_LEAST_ATTRIBUTE_BYTES 64
#define PERF_RECORD_HEADER_BYTES 8
#define PERF_GREATEST_RECORD_BYTES 65535

enum
{
  PERF_FEATURE_BUILD_IDS = 2,
  PERF_FEATURE_UNITS = 16
};

enum perf_record_type
{
  PERF_RECORD_MMAP = 1,
  PERF_RECORD_COMM = 3,
  PERF_RECORD_FORK = 7,
  PERF_RECORD_SAMPLE = 9,
  PERF_RECORD_MMAP2 = 10,
  PERF_RECORD_ITRACE_START = 12,
  PERF_RECORD_ATTRIBUTE = 64,
  PERF_RECORD_TRACING_DATA = 66,
  PERF_RECORD_BUILD_ID = 67,
  PERF_RECORD_AUXTRACE_INFO = 70,
  PERF_RECORD_AUXTRACE = 71,
  PERF_RECORD_TIME_CONVERSION = 79,
  PERF_RECORD_FEATURE = 80,
  PERF_RECORD_COMPRESSED = 81,
  PERF_RECORD_COMPRESSED2 = 83
};

/* Kinds of data that the processor writes by itself.  */
enum perf_aux_kind
{
  PERF_AUX_ARM_SPE = 4
};

/* Of the field misc.  */
enum
{
  PERF_MISC_MMAP_DATA = 1 << 13,
  PERF_MISC_COMM_EXEC = 1 << 13,
  PERF_MISC_MMAP_BUILD_ID = 1 << 14,
  PERF_MISC_BUILD_ID_SIZE = 1 << 15
};

/* Contents of samples.  */
enum perf_sample_bit
{
  PERF_SAMPLE_IP = 1 << 0,
  PERF_SAMPLE_TID = 1 << 1,
  PERF_SAMPLE_TIME = 1 << 2,
  PERF_SAMPLE_ADDR = 1 << 3,
  PERF_SAMPLE_READ = 1 << 4,
  PERF_SAMPLE_CALLCHAIN = 1 << 5,
  PERF_SAMPLE_ID = 1 << 6,
  PERF_SAMPLE_CPU = 1 << 7,
  PERF_SAMPLE_PERIOD = 1 << 8,
  PERF_SAMPLE_STREAM_ID = 1 << 9,
  PERF_SAMPLE_RAW = 1 << 10,
  PERF_SAMPLE_BRANCH_STACK = 1 << 11,
  PERF_SAMPLE_REGS_USER = 1 << 12,
  PERF_SAMPLE_STACK_USER = 1 << 13,
  PERF_SAMPLE_WEIGHT = 1 << 14,
  PERF_SAMPLE_DATA_SRC = 1 << 15,
  PERF_SAMPLE_IDENTIFIER = 1 << 16,
  PERF_SAMPLE_WEIGHT_STRUCT = 1 << 24
};

/* Contents of readings.  */
enum
{
  PERF_READ_TIME_ENABLED = 1,
  PERF_READ_TIME_RUNNING = 2,
  PERF_READ_ID = 4,
  PERF_READ_GROUP = 8,
  PERF_READ_LOST = 16
};

/* Of the attribute's flags: records other than samples end with some fields of
   samples.  */
#define PERF_SAMPLE_ID_ALL (UINT64_C (1) << 18)

/* A branch stack starts with the hardware index of its newest entry; it is
   followed by a u64 with event counts for each entry.  */
#define PERF_BRANCH_HW_INDEX (UINT64_C (1) << 17)
#define PERF_BRANCH_COUNTERS (UINT64_C (1) << 19)

/* In the flags of a branch, from processors that record it: whether it was
   taken speculatively, and whether it turned out to be on the right path.  0 is
   unknown.  Branches on the wrong path did not happen.  */
#define PERF_BRANCH_SPECULATION_SHIFT 24
#define PERF_BRANCH_SPECULATION_MASK 3
#define PERF_BRANCH_WRONG_PATH 1

/* Data source: kind of access.  */
enum
{
  PERF_MEMORY_LOAD = 2,
  PERF_MEMORY_STORE = 4
};

#endif /* HEAPPROF_PERF_FORMAT_H */

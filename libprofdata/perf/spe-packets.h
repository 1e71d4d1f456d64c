/* Operations recorded by Arm's Statistical Profiling Extension.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SPE_PACKETS_H
#define HEAPPROF_SPE_PACKETS_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stdint.h>

enum spe_kind
{
  SPE_OTHER,
  SPE_MEMORY, /* a load, a store, or both */
  SPE_BRANCH
};

/* Bits of an operation's events.  */
enum
{
  SPE_RETIRED = 1 << 1,
  SPE_NOT_TAKEN = 1 << 6,
  SPE_MISPREDICTED = 1 << 7
};

/* A sampled operation.  What was not recorded is 0.  */
struct spe_operation
{
  bool has_ip;
  bool has_address;
  bool has_context;
  bool has_events;
  bool is_store;
  enum spe_kind kind;
  uint64_t ip;
  uint64_t target;  /* of a branch */
  uint64_t address; /* of data, without its tag */
  uint64_t time;    /* of the machine's timer */
  uint64_t events;
  uint32_t context; /* the thread, if the kernel says so */
  uint32_t latency; /* cycles from dispatch to completion */
  uint32_t source;  /* of data; the meaning depends on the processor */
};

/* Read the next operation from READER, whose start is at OFFSET of a buffer of
   the recording machine.  Set *IS_WHOLE to false if the rest of READER is no
   complete operation: the buffer was full.  Return false if READER failed.  */
bool spe_operation_take (struct byte_reader *reader, uint64_t offset,
			 struct spe_operation *operation, bool *is_whole);

/* Return the target of the branch that OPERATION took; 0 if it took none or
   the target is unknown.  */
uint64_t spe_operation_target (const struct spe_operation *operation);

/* Return true if OPERATION was executed, not only begun on a path that turned
   out to be wrong.  */
bool spe_operation_has_happened (const struct spe_operation *operation);

#endif /* HEAPPROF_SPE_PACKETS_H */

/* The header of an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   Magic, u64 version and flags, u64 unused, u64 kind of hash, and file offsets,
   of which newer versions have more (indexed-format.h).  */

#ifndef HEAPPROF_INDEXED_HEADER_H
#define HEAPPROF_INDEXED_HEADER_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stdint.h>

struct indexed_header
{
  unsigned int version;
  unsigned int flags; /* of enum counter_flag */
  size_t bytes;	      /* the summary follows */
  uint64_t functions; /* file offset of the buckets; others: 0 if the file or
			 the version has no such part */
  uint64_t memprof;
  uint64_t binary_ids;
  uint64_t traces;
  uint64_t vtables;
};

/* Read and check the header of the file of READER.  Return false if READER
   failed.  */
bool indexed_header_read (struct byte_reader *reader,
			  struct indexed_header *header);

/* Return the bits of the version word for FLAGS.  */
uint64_t indexed_header_bits (unsigned int flags);

#endif /* HEAPPROF_INDEXED_HEADER_H */

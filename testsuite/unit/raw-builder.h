/* Make raw profiles from records, for tests of their reader.
   SPDX-License-Identifier: GPL-3.0-or-later

   A test fills in records, up to the limits below, and gets the bytes of a file
   in either byte order.  Nothing is checked: tests make broken files on
   purpose.  */

#ifndef HEAPPROF_RAW_BUILDER_H
#define HEAPPROF_RAW_BUILDER_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_BUILDER_RECORDS 600
#define RAW_BUILDER_STRING_BYTES 4000

struct raw_builder
{
  bool big_endian;
  bool is_small;		     /* extents begin anywhere, not at pages */
  struct heapprof_raw_header header; /* extents are set by finish */
  struct heapprof_raw_context contexts[RAW_BUILDER_RECORDS];
  struct heapprof_raw_mib mibs[RAW_BUILDER_RECORDS];
  struct heapprof_raw_segment segments[RAW_BUILDER_RECORDS];
  struct heapprof_raw_live live[RAW_BUILDER_RECORDS];
  struct heapprof_raw_wide wide[RAW_BUILDER_RECORDS];
  struct heapprof_raw_histogram histograms[RAW_BUILDER_RECORDS];
  char strings[RAW_BUILDER_STRING_BYTES];
  uint64_t counts[HEAPPROF_RAW_HISTOGRAM + 1]; /* by kind */
  /* Where not 0: records of a first extent of the kind, full; the others go
     into a second one, and EXTRA_CAPACITY more fit the last.  */
  uint64_t first_extent[HEAPPROF_RAW_HISTOGRAM + 1];
  uint64_t extra_capacity[HEAPPROF_RAW_HISTOGRAM + 1];
};

/* Make *BUILDER a complete profile of nothing: the root, the unused MIB, and
   the empty string.  */
void raw_builder_init (struct raw_builder *builder);

/* Add a string; its offset.  */
uint64_t raw_builder_string (struct raw_builder *builder, const char *text);

/* Add a context; its index.  */
uint32_t raw_builder_context (struct raw_builder *builder, uint32_t parent,
			      uint64_t return_address);

/* Add a MIB for CONTEXT, of zeros; the record, to be filled.  */
struct heapprof_raw_mib *raw_builder_mib (struct raw_builder *builder,
					  uint32_t context);

/* Add a live record of COUNT blocks with BYTES for the MIB of CONTEXT, and a
   second MIB of it, of zeros, for their observations; that record.  */
struct heapprof_raw_mib *raw_builder_live (struct raw_builder *builder,
					   uint32_t context, uint32_t count,
					   uint64_t bytes);

/* Add COUNT accesses to each of the words of CONTEXT's blocks from FIRST_WORD
   on that a histogram has.  */
void raw_builder_histogram (struct raw_builder *builder, uint32_t context,
			    uint32_t first_word, uint64_t count);

/* Add a segment of the file PATH.  */
struct heapprof_raw_segment *raw_builder_segment (struct raw_builder *builder,
						  uint64_t start, uint64_t end,
						  const char *path);

/* Set *MIB, one of the builder's, to COUNT blocks of SIZE bytes with ACCESSES
   accesses, which lived LIFETIME_NS, one after the other from FIRST_NS on; with
   a wide record if it needs one.  */
void raw_builder_observe (struct raw_builder *builder,
			  struct heapprof_raw_mib *mib, uint64_t count,
			  uint64_t size, uint64_t accesses,
			  uint64_t lifetime_ns, uint64_t first_ns);

/* The file: malloced, *SIZE bytes.  */
unsigned char *raw_builder_finish (const struct raw_builder *builder,
				   size_t *size);

/* Where finish puts the first record of KIND.  */
uint64_t raw_builder_offset (const struct raw_builder *builder, uint32_t kind);

/* A profile with something of every kind in it: a tree of contexts, freed,
   live and unfinished blocks, two segments at one address.  */
void raw_builder_sample (struct raw_builder *builder);

#endif /* HEAPPROF_RAW_BUILDER_H */

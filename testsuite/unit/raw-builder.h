/* Make raw profiles from records, for tests of their reader.
   SPDX-License-Identifier: GPL-3.0-or-later

   A test fills in records, up to the limits below, and gets the bytes of a file
   in either byte order.  Nothing is checked: tests make invalid files on
   purpose.  */

#ifndef HEAPPROF_RAW_BUILDER_H
#define HEAPPROF_RAW_BUILDER_H

#include "heapprof/raw-format.h"
#include "raw-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_BUILDER_RECORDS 600
#define RAW_BUILDER_STRING_BYTES 4000

struct raw_builder
{
  bool big_endian;
  bool is_small;		     /* extents may start anywhere, not only at
					pages */
  struct heapprof_raw_header header; /* extents are set by finish */
  struct heapprof_raw_context contexts[RAW_BUILDER_RECORDS];
  struct heapprof_raw_mib mibs[RAW_BUILDER_RECORDS];
  struct heapprof_raw_brief briefs[RAW_BUILDER_RECORDS];
  struct heapprof_raw_origin origins[RAW_BUILDER_RECORDS];
  struct heapprof_raw_brief_6 briefs_6[RAW_BUILDER_RECORDS]; /* of version 6 */
  struct heapprof_raw_segment segments[RAW_BUILDER_RECORDS];
  struct heapprof_raw_live live[RAW_BUILDER_RECORDS];
  struct heapprof_raw_wide wide[RAW_BUILDER_RECORDS];
  struct heapprof_raw_histogram histograms[RAW_BUILDER_RECORDS];
  struct heapprof_raw_affinity affinities[RAW_BUILDER_RECORDS];
  struct heapprof_raw_leak leaks[RAW_BUILDER_RECORDS];
  struct heapprof_raw_thread threads[RAW_BUILDER_RECORDS];
  struct heapprof_raw_interpreted interpreted[RAW_BUILDER_RECORDS];
  struct heapprof_raw_moment moments[RAW_BUILDER_RECORDS]; /* by MIB */
  struct heapprof_raw_timeline timeline;
  struct heapprof_raw_mark marks[RAW_BUILDER_RECORDS];
  struct heapprof_raw_live marked[RAW_BUILDER_RECORDS];
  char strings[RAW_BUILDER_STRING_BYTES];
  uint64_t counts[HEAPPROF_RAW_ORIGINS + 1]; /* by kind */
  /* If not 0: the number of records in a first, full extent of the kind.  The
     others go into a second one.  The last has room for EXTRA_CAPACITY
     more.  */
  uint64_t first_extent[HEAPPROF_RAW_ORIGINS + 1];
  uint64_t extra_capacity[HEAPPROF_RAW_ORIGINS + 1];
};

/* Make *BUILDER a complete but empty profile: the root, the unused MIB, and the
   empty string.  */
void raw_builder_init (struct raw_builder *builder);

/* Add a string.  Return its offset.  */
uint64_t raw_builder_string (struct raw_builder *builder, const char *text);

/* Add a context.  Return its index.  */
uint32_t raw_builder_context (struct raw_builder *builder, uint32_t parent,
			      uint64_t return_address);

/* Add a MIB for CONTEXT with all fields 0.  Return it, to be filled.  */
struct heapprof_raw_mib *raw_builder_mib (struct raw_builder *builder,
					  uint32_t context);

/* Add a timeline of COUNT complete intervals, whose numbers follow from SEED.
 */
void raw_builder_timeline (struct raw_builder *builder, uint32_t count,
			   uint64_t seed);

/* Add a mark at NS.  */
void raw_builder_mark (struct raw_builder *builder, const char *label,
		       uint64_t ns);

/* Add a record to the last mark: COUNT blocks of BYTES in MIB.  */
void raw_builder_marked (struct raw_builder *builder, uint32_t mib,
			 uint32_t count, uint64_t bytes);

/* Add a live record of COUNT blocks with BYTES for the MIB of CONTEXT, and a
   second MIB of CONTEXT, all 0, for their observations.  Return that MIB.  */
struct heapprof_raw_mib *raw_builder_live (struct raw_builder *builder,
					   uint32_t context, uint32_t count,
					   uint64_t bytes);

/* Add COUNT accesses to each word that CONTEXT's histogram has, from FIRST_WORD
   on.  */
void raw_builder_histogram (struct raw_builder *builder, uint32_t context,
			    uint32_t first_word, uint64_t count);

/* Add an affinity of LINES.  */
void raw_builder_affinity (struct raw_builder *builder, uint32_t first,
			   uint32_t second, uint64_t lines);

/* Add THREAD, of the current epoch.  */
void raw_builder_thread (struct raw_builder *builder,
			 const struct heapprof_raw_thread *thread);

/* Add LEAK, of a greater context than that of the record before.  */
void raw_builder_leak (struct raw_builder *builder,
		       const struct heapprof_raw_leak *leak);

/* Add an interpreted frame, after the one without names if it is the first.
   Return the address that stands for it.  */
uint64_t raw_builder_interpreted (struct raw_builder *builder,
				  const char *function, const char *file,
				  uint32_t first_line, uint32_t line);

/* Add a segment of the file PATH.  Return it.  */
struct heapprof_raw_segment *raw_builder_segment (struct raw_builder *builder,
						  uint64_t start, uint64_t end,
						  const char *path);

/* Set *MIB, a MIB of BUILDER, to COUNT blocks of SIZE bytes with ACCESSES
   accesses, which lived LIFETIME_NS, one after the other from FIRST_NS on.  Add
   a wide record if needed.  */
void raw_builder_observe (struct raw_builder *builder,
			  struct heapprof_raw_mib *mib, uint64_t count,
			  uint64_t size, uint64_t accesses,
			  uint64_t lifetime_ns, uint64_t first_ns);

/* Return the file: malloced, *SIZE bytes.  */
unsigned char *raw_builder_finish (const struct raw_builder *builder,
				   size_t *size);

/* Return what the library reads from the file; NULL and *ERR if it refuses
   it.  */
struct raw_profile *raw_builder_parse (const struct raw_builder *builder,
				       struct profile_error *err);

/* Return where finish puts the first record of KIND.  */
uint64_t raw_builder_offset (const struct raw_builder *builder, uint32_t kind);

/* Make a profile with records of every kind: a tree of contexts, freed, live
   and unfinished blocks, two segments at one address.  */
void raw_builder_sample (struct raw_builder *builder);

#endif /* HEAPPROF_RAW_BUILDER_H */

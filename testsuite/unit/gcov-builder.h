/* Make gcc's data and notes files for tests.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_BUILDER_H
#define HEAPPROF_GCOV_BUILDER_H

#include "gcov-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GCOV_BUILDER_BYTES 65536

/* A file under construction.  All fields except MAJOR and BIG_ENDIAN start at
   0.  */
struct gcov_builder
{
  unsigned int major; /* of the compiler */
  bool big_endian;
  size_t size;
  size_t record; /* where the last record starts */
  unsigned char data[GCOV_BUILDER_BYTES];
};

void gcov_build_u32 (struct gcov_builder *builder, uint32_t value);
void gcov_build_u64 (struct gcov_builder *builder, uint64_t value);
void gcov_build_string (struct gcov_builder *builder, const char *text);

/* Append a header with MAGIC and the version word of the compiler.  */
void gcov_build_header (struct gcov_builder *builder, uint32_t magic,
			uint32_t stamp, uint32_t checksum);
uint32_t gcov_build_version (unsigned int major);

/* Start a record with TAG; end it, which sets its length.  */
void gcov_build_begin (struct gcov_builder *builder, uint32_t tag);
void gcov_build_end (struct gcov_builder *builder);

/* Append complete records of data files: the N counters of KIND; N counters
   that are 0; a function.  */
void gcov_build_counters (struct gcov_builder *builder, unsigned int kind,
			  const uint64_t *counters, size_t n);
void gcov_build_zeros (struct gcov_builder *builder, unsigned int kind,
		       uint32_t n);
void gcov_build_function (struct gcov_builder *builder, uint32_t ident,
			  uint32_t lineno_checksum, uint32_t cfg_checksum);
void gcov_build_summary (struct gcov_builder *builder, uint32_t runs,
			 uint32_t sum_max);

/* Append complete records of notes files.  N arcs are pairs of destination and
   flags; N lines are lines of FILE.  */
void gcov_build_notes_function (struct gcov_builder *builder, uint32_t ident,
				const char *name, const char *file,
				uint32_t start, uint32_t end, uint32_t blocks);
void gcov_build_arcs (struct gcov_builder *builder, uint32_t block,
		      const uint32_t *arcs, size_t n);
void gcov_build_lines (struct gcov_builder *builder, uint32_t block,
		       const char *file, const uint32_t *lines, size_t n);

/* A data file with every construct: all kinds of counters that MAJOR has,
   listed and not listed, call sites, positions without a function.  And notes
   for it, whose functions contain a diamond, a loop on one line, two instances
   of a template, and a call that throws.  */
void gcov_build_sample_data (struct gcov_builder *builder, unsigned int major,
			     bool big_endian);
void gcov_build_sample_notes (struct gcov_builder *builder, unsigned int major,
			      bool big_endian);

/* Return a unit with random counters.  Units of the same SHAPE can be added;
   VALUES chooses the values.  */
struct gcov_unit *gcov_random_unit (unsigned int shape, unsigned int values);

#endif /* HEAPPROF_GCOV_BUILDER_H */

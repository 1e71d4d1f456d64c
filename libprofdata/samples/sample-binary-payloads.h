/* Section payloads of LLVM's binary sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   A writer is prepared once.  Then the payloads are written: contexts first,
   functions before their offsets.  */

#ifndef HEAPPROF_SAMPLE_BINARY_PAYLOADS_H
#define HEAPPROF_SAMPLE_BINARY_PAYLOADS_H

#include "byte-writer.h"
#include "sample-binary-format.h"
#include "sample-binary.h"

#define SAMPLE_MOST_SECTIONS 8

struct sample_payload
{
  enum sample_section type;
  bool is_flat; /* holds the flat functions */
  uint64_t flags;
  struct byte_writer bytes; /* as stored */
  uint64_t offset;
};

struct sample_writer
{
  const struct sample_profile *profile;
  const struct sample_binary_options *options;
  struct profile_error *err;
  bool failed;		 /* *ERR is set */
  uint32_t *order;	 /* malloced; functions */
  uint32_t *names;	 /* malloced; the used names, in file order */
  uint32_t *name_places; /* malloced; by number; UINT32_MAX: not used */
  uint32_t name_count;
  uint32_t *context_places;   /* malloced; by function */
  uint64_t *function_offsets; /* malloced; by function */
  bool has_guids;	      /* instead of names */
  bool has_contexts;
  bool has_checksums;
  bool has_attributes;
  bool should_inline; /* set in some attribute */
  struct sample_payload sections[SAMPLE_MOST_SECTIONS];
  size_t section_count;
};

/* Fail and set *ERR, for exhausted memory or with CAUSE.  Return false.  */
bool sample_writer_fail_memory (struct sample_writer *binary);
bool sample_writer_fail (struct sample_writer *binary, const char *cause);

/* Determine what the file will contain.  Return false if the writer fails.  */
bool sample_writer_prepare (struct sample_writer *binary);

/* Free what the writer owns, except the error.  */
void sample_writer_release (struct sample_writer *binary);

/* Append the payload of SECTION to SECTION->bytes.  */
void sample_writer_payload (struct sample_writer *binary,
			    struct sample_payload *section);

/* Return the flags of SECTION except those common to all sections.  */
uint64_t sample_writer_flags (const struct sample_writer *binary,
			      const struct sample_payload *section);

#endif /* HEAPPROF_SAMPLE_BINARY_PAYLOADS_H */

/* The heapprof section: data without a place in LLVM's schema, after LLVM's
   parts of an indexed profile (doc/profdata-extension.md).
   SPDX-License-Identifier: GPL-3.0-or-later

     section   magic, u32 version, u32 number of blocks, then the blocks:
	       u32 kind, u32 encoding, u64 bytes stored, u64 bytes plain,
	       the stored bytes, zeros up to a multiple of 8
     trailer   u64 file offset of the section, u64 its bytes, u32 version,
	       u32 CRC-32 of all bytes of the file before this field, magic

   The section starts at a multiple of 8, the trailer follows it directly, and
   the file ends with the trailer.  */

#ifndef HEAPPROF_HEAPPROF_SECTION_H
#define HEAPPROF_HEAPPROF_SECTION_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "counter-profile.h"
#include "gcov-profile.h"
#include "heap-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#define HEAPPROF_SECTION_MAGIC "\x89HPSEC\r\n"
#define HEAPPROF_SECTION_MAGIC_BYTES 8
#define HEAPPROF_SECTION_VERSION 3
#define HEAPPROF_SECTION_VERSION_LEAST 2
#define HEAPPROF_SECTION_HEADER_BYTES 16
#define HEAPPROF_SECTION_TRAILER_BYTES 32

/* The kinds of blocks, in file order.  The first four are a heap profile:
   either all or none of them are present.  Version 2 had only these.  */
enum heapprof_section_block
{
  HEAPPROF_SECTION_TOTALS = 1,
  HEAPPROF_SECTION_STRINGS = 2,
  HEAPPROF_SECTION_FRAMES = 3,
  HEAPPROF_SECTION_CONTEXTS = 4,
  HEAPPROF_SECTION_HEAP_BLOCKS = 4,
  HEAPPROF_SECTION_VALUES = 5,	/* of counters, beyond those in LLVM's part */
  HEAPPROF_SECTION_GCOV = 6,	/* GCC's own counters */
  HEAPPROF_SECTION_DETAILS = 7, /* of the heap profile, heapprof-details.h */
  HEAPPROF_SECTION_OPTIONAL = 128,   /* the first kind that readers skip if they
					do not know it */
  HEAPPROF_SECTION_MODULES = 128,    /* of the heap profile,
					heapprof-modules.h */
  HEAPPROF_SECTION_ADDRESSES = 129,  /* of its frames, heapprof-addresses.h */
  HEAPPROF_SECTION_CLASSES = 130,    /* of LLVM's stacks, stack-classes.h */
  HEAPPROF_SECTION_MOMENTS = 131,    /* of the heap profile,
					heapprof-moments.h */
  HEAPPROF_SECTION_AFFINITIES = 132, /* of its contexts,
				       heapprof-affinities.h */
  HEAPPROF_SECTION_GROUPS = 133,     /* of calls, stack-classes.h */
  HEAPPROF_SECTION_LEAKS = 134,	     /* of the heap profile,
					heapprof-leaks.h */
  HEAPPROF_SECTION_THREADS = 135,    /* of the runs, heapprof-threads.h */
  /* 136 was an older form of the places of its functions.  */
  HEAPPROF_SECTION_LIFETIMES = 137, /* of the heap profile,
				       heapprof-lifetimes.h */
  HEAPPROF_SECTION_PLACES = 138	    /* of its functions, heapprof-places.h */
};

enum heapprof_section_encoding
{
  HEAPPROF_SECTION_PLAIN = 0,
  HEAPPROF_SECTION_ZLIB = 1
};

/* A block that would shrink more than this is stored plain, so that a small
   file cannot make a reader allocate without bound.  */
#define HEAPPROF_SECTION_MOST_RATIO 100

/* Flags of a frame.  */
enum heapprof_section_frame_flag
{
  HEAPPROF_SECTION_IS_INLINE = 1,
  HEAPPROF_SECTION_DROP_COLUMN = 2,
  HEAPPROF_SECTION_HAS_GUID = 4,	/* differs from the GUID of the name */
  HEAPPROF_SECTION_HAS_LINE_OFFSET = 8, /* differs from what the lines imply */
  HEAPPROF_SECTION_FRAME_FLAGS = 15
};

/* Prediction of a field of a MIB; the field is stored only if it differs.  */
enum heapprof_section_guess
{
  HEAPPROF_SECTION_ZERO, /* stored as it is */
  HEAPPROF_SECTION_MEAN, /* the previous field divided by the number of blocks;
			    the difference is stored, as zigzag */
  HEAPPROF_SECTION_SAME	 /* the previous field; stored likewise */
};

struct heapprof_section_field
{
  size_t offset; /* in struct memory_info */
  size_t bytes;	 /* 4 or 8 */
  enum heapprof_section_guess guess;
};

/* The number of fields of a MIB: heapprof-section-fields.h.  */
#define HEAPPROF_SECTION_FIELDS 42

/* Return the value of *FIELD in *INFO.  */
static inline uint64_t
heapprof_section_get (const struct memory_info *info,
		      const struct heapprof_section_field *field)
{
  const char *place = (const char *) info + field->offset;
  return field->bytes == 4 ? *(const uint32_t *) place
			   : *(const uint64_t *) place;
}

void heapprof_section_set (struct memory_info *info,
			   const struct heapprof_section_field *field,
			   uint64_t value);

/* Return the predicted value of *FIELD if the previous field is BEFORE.  */
static inline uint64_t
heapprof_section_guess (const struct memory_info *info,
			const struct heapprof_section_field *field,
			uint64_t before)
{
  if (field->guess == HEAPPROF_SECTION_ZERO)
    return 0;
  if (field->guess == HEAPPROF_SECTION_SAME || info->alloc_count == 1)
    return before;
  return info->alloc_count == 0 ? 0 : before / info->alloc_count;
}

struct heapprof_section_making;

/* Start making the section for HEAP and GCOV, if they are not NULL, and
   COUNTERS; if they are large, in the background.  Until heapprof_section_end
   they may be read but not modified.  NULL if memory is exhausted.  */
struct heapprof_section_making *
heapprof_section_begin (const struct heap_profile *heap,
			const struct counter_profile *counters,
			const struct gcov_profile *gcov);

/* Append the section and the trailer to WRITER, which holds the file up to
   there, with the blocks CLASSES and GROUPS, unless empty; nothing if LLVM's
   parts hold everything or WRITER failed.  Free MAKING.  Return false if WRITER
   failed before, or fails because memory is exhausted.  */
bool heapprof_section_end (struct heapprof_section_making *making,
			   const struct byte_writer *classes,
			   const struct byte_writer *groups,
			   struct byte_writer *writer);

/* If the file of READER ends with a trailer, check it, make *SECTION a reader
   of the blocks, and make READER end where the section starts.
   Otherwise *SECTION has no bytes.  Return false if READER failed.  */
bool heapprof_section_open (struct byte_reader *reader,
			    struct byte_reader *section);

/* Make *BLOCK a reader of the content of the block of KIND, which must be
   stored plain, in the file of READER; of no bytes if there is none.  The
   checksum of the file is not verified.  Return false on failure.  */
bool heapprof_section_find (const struct byte_reader *reader,
			    enum heapprof_section_block kind,
			    struct byte_reader *block);

/* Read only the frames of the heap profile in the file of READER into HEAP,
   which must be new: none if the file has no such section.  The checksum is not
   verified.  Return false on failure.  */
bool heapprof_section_read_frames (const struct byte_reader *reader,
				   struct heap_profile *heap);

/* Open the section of the file of READER without verifying the checksum.
   Make *SECTION a reader of its blocks; of no bytes if there is none.  Return
   false on failure.  */
bool heapprof_section_enter (const struct byte_reader *reader,
			     struct byte_reader *section);

/* Read the content of the block of totals into *TOTALS.  */
void heapprof_section_read_totals (struct byte_reader *reader,
				   struct heap_totals *totals);

/* Skip the block at SECTION's position.  Return its kind.  */
uint32_t heapprof_section_skip_block (struct byte_reader *section);

/* Return true if SECTION has a block of KIND.  */
bool heapprof_section_has (const struct byte_reader *section,
			   enum heapprof_section_block kind);

/* Read the blocks of SECTION: a heap profile, if any, into HEAP, which must be
   empty; values into COUNTERS, which has LLVM's part of the file and, if there
   is a block of values, nothing else; GCC's counters into GCOV, which must be
   empty, and not NULL if there is a block for it.  Return false if SECTION
   failed.  */
bool heapprof_section_read (struct byte_reader *section,
			    struct heap_profile *heap,
			    struct counter_profile *counters,
			    struct gcov_profile *gcov);

/* Return true if COUNTERS need a block of values; write it; read it.  */
bool heapprof_values_are_needed (const struct counter_profile *counters);
void heapprof_values_write (struct byte_writer *writer,
			    const struct counter_profile *counters);
void heapprof_values_read (struct byte_reader *reader,
			   struct counter_profile *counters);

#endif /* HEAPPROF_HEAPPROF_SECTION_H */

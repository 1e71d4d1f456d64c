/* The heapprof section: what LLVM's schema drops, behind LLVM's parts of an
   indexed profile (doc/profdata-extension.md).
   SPDX-License-Identifier: GPL-3.0-or-later

     section   magic, u32 version, u32 number of blocks, then the blocks:
	       u32 kind, u32 encoding, u64 bytes stored, u64 bytes plain,
	       the stored bytes, zeros up to a multiple of 8
     trailer   u64 file offset of the section, u64 its bytes, u32 version,
	       u32 CRC-32 of all bytes of the file before this field, magic

   The section begins at a multiple of 8, the trailer directly behind it, and
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

/* The kinds of blocks, which come in this order.  The first four are a heap
   profile: all of them are there, or none.  Version 2 had these alone.  */
enum heapprof_section_block
{
  HEAPPROF_SECTION_TOTALS = 1,
  HEAPPROF_SECTION_STRINGS = 2,
  HEAPPROF_SECTION_FRAMES = 3,
  HEAPPROF_SECTION_CONTEXTS = 4,
  HEAPPROF_SECTION_HEAP_BLOCKS = 4,
  HEAPPROF_SECTION_VALUES = 5,	/* of counters, more than LLVM's part takes */
  HEAPPROF_SECTION_GCOV = 6,	/* gcc's own counters */
  HEAPPROF_SECTION_DETAILS = 7, /* of the heap profile, heapprof-details.h */
  HEAPPROF_SECTION_OPTIONAL = 128, /* the first that a reader skips if it does
				      not know it */
  HEAPPROF_SECTION_MODULES = 128,  /* of the heap profile, heapprof-modules.h */
  HEAPPROF_SECTION_ADDRESSES = 129 /* of its frames, heapprof-addresses.h */
};

enum heapprof_section_encoding
{
  HEAPPROF_SECTION_PLAIN = 0,
  HEAPPROF_SECTION_ZLIB = 1
};

/* A block that would shrink more than this is stored plain, so that a reader
   can bound what a small file makes it allocate.  */
#define HEAPPROF_SECTION_MOST_RATIO 100

/* Flags of a frame.  */
enum heapprof_section_frame_flag
{
  HEAPPROF_SECTION_IS_INLINE = 1,
  HEAPPROF_SECTION_DROP_COLUMN = 2,
  HEAPPROF_SECTION_HAS_GUID = 4,	/* it is not that of the name */
  HEAPPROF_SECTION_HAS_LINE_OFFSET = 8, /* it is not what the lines say */
  HEAPPROF_SECTION_FRAME_FLAGS = 15
};

/* How a field of a MIB is foretold; it is stored only if that is wrong.  */
enum heapprof_section_guess
{
  HEAPPROF_SECTION_ZERO, /* stored as it is */
  HEAPPROF_SECTION_MEAN, /* the field before by the number of blocks;
			    stored as the difference, zigzag */
  HEAPPROF_SECTION_SAME	 /* the field before; stored likewise */
};

struct heapprof_section_field
{
  size_t offset; /* in struct memory_info */
  size_t bytes;	 /* 4 or 8 */
  enum heapprof_section_guess guess;
};

/* The fields of a MIB in the order of the bits that say which are stored.  */
#define HEAPPROF_SECTION_FIELDS 34
extern const struct heapprof_section_field
  heapprof_section_fields[HEAPPROF_SECTION_FIELDS];

/* The value of *FIELD in *INFO.  */
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

/* What *FIELD is foretold to be when the field before it has the value
   BEFORE.  */
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

/* Begin to make the section for HEAP and GCOV, if they are not NULL, and
   COUNTERS, beside what the caller does next, if they are large.  Until the end
   they can be read and not changed.  NULL if memory cannot be had.  */
struct heapprof_section_making *
heapprof_section_begin (const struct heap_profile *heap,
			const struct counter_profile *counters,
			const struct gcov_profile *gcov);

/* Append the section and the trailer to WRITER, which holds the file up to
   there, unless LLVM's parts say it all; or nothing, if WRITER failed.  Free
   MAKING. False if WRITER failed before or fails, since memory cannot be
   had.  */
bool heapprof_section_end (struct heapprof_section_making *making,
			   struct byte_writer *writer);

/* If the file of READER ends with a trailer, check that, make *SECTION a reader
   of the blocks, and let READER end where the section begins; if not, *SECTION
   has no bytes.  False if READER failed.  */
bool heapprof_section_open (struct byte_reader *reader,
			    struct byte_reader *section);

/* Make *BLOCK a reader of the content of the block of KIND, which has to be
   stored plain, in the file of READER; of no bytes if there is none.  The
   checksum of the file is not looked at.  False if that failed.  */
bool heapprof_section_find (const struct byte_reader *reader,
			    enum heapprof_section_block kind,
			    struct byte_reader *block);

/* Read the frames, and no more, of the heap profile in the file of READER into
   HEAP, which is new: none if the file has no such section.  The checksum is
   not looked at.  False if that failed.  */
bool heapprof_section_read_frames (const struct byte_reader *reader,
				   struct heap_profile *heap);

/* Enter the section of the file of READER without looking at the checksum.
   *SECTION is then a reader of its blocks; of no bytes if there is none.  False
   if that failed.  */
bool heapprof_section_enter (const struct byte_reader *reader,
			     struct byte_reader *section);

/* Read the content of the block of totals to *TOTALS.  */
void heapprof_section_read_totals (struct byte_reader *reader,
				   struct heap_totals *totals);

/* Go behind the block that SECTION stands at.  Return its kind.  */
uint32_t heapprof_section_skip_block (struct byte_reader *section);

/* Is there a block of KIND in SECTION?  */
bool heapprof_section_has (const struct byte_reader *section,
			   enum heapprof_section_block kind);

/* Read the blocks of SECTION: a heap profile, if there is one, into HEAP, which
   is empty, and the rest into COUNTERS, which has LLVM's part of the file and,
   if there is a block of values, nothing else, and into GCOV, which is empty
   and must be there if there is a block for it.  False if SECTION failed.  */
bool heapprof_section_read (struct byte_reader *section,
			    struct heap_profile *heap,
			    struct counter_profile *counters,
			    struct gcov_profile *gcov);

/* Is there a block of values for COUNTERS?  Writing and reading it.  */
bool heapprof_values_are_needed (const struct counter_profile *counters);
void heapprof_values_write (struct byte_writer *writer,
			    const struct counter_profile *counters);
void heapprof_values_read (struct byte_reader *reader,
			   struct counter_profile *counters);

#endif /* HEAPPROF_HEAPPROF_SECTION_H */

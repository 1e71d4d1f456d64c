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
#include "heap-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#define HEAPPROF_SECTION_MAGIC "\x89HPSEC\r\n"
#define HEAPPROF_SECTION_MAGIC_BYTES 8
#define HEAPPROF_SECTION_VERSION 2
#define HEAPPROF_SECTION_HEADER_BYTES 16
#define HEAPPROF_SECTION_TRAILER_BYTES 32

/* The blocks of version 1, all present, in this order.  */
enum heapprof_section_block
{
  HEAPPROF_SECTION_TOTALS = 1,
  HEAPPROF_SECTION_STRINGS = 2,
  HEAPPROF_SECTION_FRAMES = 3,
  HEAPPROF_SECTION_CONTEXTS = 4,
  HEAPPROF_SECTION_BLOCKS = 4
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
  HEAPPROF_SECTION_HAS_GUID = 4, /* it is not that of the name */
  HEAPPROF_SECTION_HAS_LINE_OFFSET = 8, /* it is not what the lines say */
  HEAPPROF_SECTION_FRAME_FLAGS = 15
};

/* How a field of a MIB is foretold; it is stored only if that is wrong.  */
enum heapprof_section_guess
{
  HEAPPROF_SECTION_ZERO,	/* stored as it is */
  HEAPPROF_SECTION_MEAN,	/* the field before by the number of blocks;
				   stored as the difference, zigzag */
  HEAPPROF_SECTION_SAME		/* the field before; stored likewise */
};

struct heapprof_section_field
{
  size_t offset;		/* in struct memory_info */
  size_t bytes;			/* 4 or 8 */
  enum heapprof_section_guess guess;
};

/* The fields of a MIB in the order of the bits that say which are stored.  */
#define HEAPPROF_SECTION_FIELDS 34
extern const struct heapprof_section_field
  heapprof_section_fields[HEAPPROF_SECTION_FIELDS];

/* The value of *FIELD in *INFO; setting it; and what it is foretold to be when
   the fields before it are known.  */
uint64_t heapprof_section_get (const struct memory_info *info,
			       const struct heapprof_section_field *field);
void heapprof_section_set (struct memory_info *info,
			   const struct heapprof_section_field *field,
			   uint64_t value);
uint64_t heapprof_section_guess (const struct memory_info *info,
				 const struct heapprof_section_field *field);

/* Append section and trailer for PROFILE to WRITER, which holds the file up to
   there.  False and *ERR if memory cannot be had.  */
bool heapprof_section_write (struct byte_writer *writer,
			     const struct heap_profile *profile,
			     struct profile_error *err);

/* Does the file of READER end with a trailer?  */
bool heapprof_section_is_there (const struct byte_reader *reader);

/* Read the section of the file of READER, which ends with a trailer, into
   PROFILE.  False if READER failed.  */
bool heapprof_section_read (struct byte_reader *reader,
			    struct heap_profile *profile);

#endif /* HEAPPROF_HEAPPROF_SECTION_H */

/* Layout of LLVM's binary sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   All numbers are unsigned LEB128, except numbers in the section table and
   GUIDs of fixed length, which are u64, little-endian.

     raw form       magic, version, summary, names, functions to the end
     extended form  magic, version, u64 number of sections, and for each: u64
		    type, u64 flags, u64 offset in the file, u64 bytes; sections
		    are read in this order; those of 0 bytes mean nothing

     compressed     plain bytes, stored bytes, a zlib stream: the payload
     summary        sum of counts, greatest count, greatest head, number of
		    counts and of functions, number of cutoffs, each: cutoff,
		    least count, number
     names          number, each: text and NUL, or GUID
     contexts       number, each: number of frames, outermost first, each: name,
		    line, discriminator; the last frame, at 0, is the function
     functions      to the end of the section; each: head, function
     function       name (or context, at the top level), total,
		    number of bodies, each: line, discriminator, count,
		    number of targets, each: name, count;
		    number of inlined functions, each: line, discriminator,
		    function;
		    if a summary flag is set, number of locations with virtual
		    tables, each: line, discriminator, number of tables, each:
		    name, count
     offsets        number, each: name or context, offset of its head in the
		    plain functions of the section's kind (flat or not)
     list           texts, each with a NUL
     metadata       to the end of the section; each: name or context, function's
     function's     checksum, attributes, each if its flag is set; without
		    contexts, number of inlined functions, each: line,
		    discriminator, name, function's  */

#ifndef HEAPPROF_SAMPLE_BINARY_FORMAT_H
#define HEAPPROF_SAMPLE_BINARY_FORMAT_H

#include <stdint.h>

#define SAMPLE_MAGIC_EXTENDED UINT64_C (0x5350524f46343204)
#define SAMPLE_MAGIC_RAW UINT64_C (0x5350524f463432ff)
#define SAMPLE_VERSION 103

#define SAMPLE_SECTION_ENTRY_BYTES 32

enum sample_section
{
  SAMPLE_SECTION_SUMMARY = 1,
  SAMPLE_SECTION_NAMES = 2,
  SAMPLE_SECTION_LIST = 3,
  SAMPLE_SECTION_OFFSETS = 4,
  SAMPLE_SECTION_METADATA = 5,
  SAMPLE_SECTION_CONTEXTS = 6,
  SAMPLE_SECTION_FUNCTIONS = 32
};

/* Flags of any section.  */
#define SAMPLE_FLAG_COMPRESSED UINT64_C (1)
#define SAMPLE_FLAG_FLAT UINT64_C (2)

/* Flags of the section in their name.  */
#define SAMPLE_SUMMARY_PARTIAL (UINT64_C (1) << 32)
#define SAMPLE_SUMMARY_CONTEXTS (UINT64_C (2) << 32)
#define SAMPLE_SUMMARY_FLOW_SENSITIVE (UINT64_C (4) << 32)
#define SAMPLE_SUMMARY_SHOULD_BE_INLINED (UINT64_C (16) << 32)
#define SAMPLE_SUMMARY_VTABLES (UINT64_C (32) << 32)
#define SAMPLE_SUMMARY_KNOWN (UINT64_C (55) << 32)
#define SAMPLE_NAMES_GUIDS (UINT64_C (1) << 32)
#define SAMPLE_NAMES_FIXED_LENGTH (UINT64_C (2) << 32)
#define SAMPLE_NAMES_UNIQUE (UINT64_C (4) << 32)
#define SAMPLE_NAMES_KNOWN (UINT64_C (7) << 32)
#define SAMPLE_OFFSETS_ORDERED (UINT64_C (1) << 32)
#define SAMPLE_METADATA_CHECKSUMS (UINT64_C (1) << 32)
#define SAMPLE_METADATA_ATTRIBUTES (UINT64_C (2) << 32)

#endif /* HEAPPROF_SAMPLE_BINARY_FORMAT_H */

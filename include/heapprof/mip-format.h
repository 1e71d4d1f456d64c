/* Structures of machine-level profiles (doc/mip-format.md) shared by the
   plugin, the run-time library libheapprof-mip and the readers in libprofdata.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The plugin writes the map, a section that ordinary stripping removes; the
   run-time library writes raw files.  Numbers in both have the byte order and
   word size of the program.  */

#ifndef HEAPPROF_MIP_FORMAT_H
#define HEAPPROF_MIP_FORMAT_H

#include <stdint.h>

#define HEAPPROF_MIP_VERSION 1

/* The version of records of calls of which some have no counters.  */
#define HEAPPROF_MIP_FLOWS_VERSION 2

/* Sections.  The names of slot sections are C identifiers, so that the linker
   defines __start_NAME and __stop_NAME.  */
#define HEAPPROF_MIP_SECTION_COVERAGE "__hpm_cov"
#define HEAPPROF_MIP_SECTION_COUNT "__hpm_cnt"
#define HEAPPROF_MIP_SECTION_ORDER "__hpm_ord"
#define HEAPPROF_MIP_SECTION_CALLS "__hpm_cal"
#define HEAPPROF_MIP_SECTION_POINTER_CALLS "__hpm_ptr"
#define HEAPPROF_MIP_SECTION_MAP ".debug_hpmap"
/* The part of the map about calls: a section for each function, which the
   linker discards with its code.  */
#define HEAPPROF_MIP_SECTION_CALL_MAP ".debug_hpcalls"

/* Symbols that instrumented objects refer to: the start of the run-time
   library; the helper for a function's first call (on AArch64 there is a second
   one, for functions whose calls are counted); the hash of the link unit's
   name, which the objects define; and the helper for a call through a pointer
   to another function than the one that its call site counts.  */
#define HEAPPROF_MIP_SYMBOL_START                                              \
  "__heapprof_link_with_heapprof_gcc_or_lheapprof_mip"
#define HEAPPROF_MIP_SYMBOL_FIRST "__heapprof_mip_first"
#define HEAPPROF_MIP_SYMBOL_FIRST_COUNT "__heapprof_mip_first_count"
#define HEAPPROF_MIP_SYMBOL_LINK_UNIT "__heapprof_mip_link_unit"
#define HEAPPROF_MIP_SYMBOL_POINTER_CALL "__heapprof_mip_pointer_call"

/* Also referenced by objects with block probes: adds up the runs of blocks.  */
#define HEAPPROF_MIP_SYMBOL_BLOCKS "__heapprof_mip_blocks"

/* Referenced by objects with edges: copies them to raw files.  */
#define HEAPPROF_MIP_SYMBOL_EDGES "__heapprof_mip_edges"

/* Serves the same purpose as HEAPPROF_SYMBOL_LTO_GUARD in heapprof/abi.h.  */
#define HEAPPROF_MIP_SYMBOL_LTO_GUARD                                          \
  "__heapprof_link_with_fplugin_arg_heapprof_mip"

/* The type of a slot, and of the chunks of a raw file.  */
enum heapprof_mip_kind
{
  HEAPPROF_MIP_COVERAGE = 1, /* a byte for the function and one for each probed
				block: enum heapprof_mip_encoding */
  HEAPPROF_MIP_COUNT = 2,    /* struct heapprof_mip_count */
  HEAPPROF_MIP_ORDER = 3,    /* u32: the order word of that structure */
  HEAPPROF_MIP_CALLS = 4,    /* u64: calls of the function, followed by calls
				from each of its direct call sites */
  HEAPPROF_MIP_EDGES = 5,    /* older raw files only: struct
				heapprof_mip_edge */
  HEAPPROF_MIP_POINTER_CALLS = 6 /* raw files only: struct
				    heapprof_mip_pointer_calls */
};

/* What a call site that calls through a pointer counts: calls of one function.
   In memory only.  */
struct heapprof_mip_pointer_site
{
  uint64_t target; /* address of the function; 0: no call yet */
  uint64_t calls;
  uint64_t return_address;
};

/* Calls of a function through a pointer from one call site; addresses are those
   at run time.  If the return address is 0, the call sites are not known, as
   the table had no room for them.  The first record of a chunk has no
   addresses: its calls are those of which not even the function is known.  */
struct heapprof_mip_pointer_calls
{
  uint64_t return_address;
  uint64_t target;
  uint64_t calls;
};

struct heapprof_mip_count
{
  uint32_t minus_calls; /* 0 minus the number of calls */
  uint32_t order;	/* rank by first call, from 1; 0: never called */
};

/* The bits of a coverage byte that mark its code as reached: one of these is
   set, or one is clear, depending on the encoding.  */
#define HEAPPROF_MIP_MARKS 0x7f

/* How a chunk stores its slots.  The last two encodings occur in files to which
   several runs were added.  */

enum heapprof_mip_encoding
{
  HEAPPROF_MIP_REACHED_SETS = 0, /* x86-64: initially 128, which is then
				    shifted, or the byte is set to 1 */
  HEAPPROF_MIP_REACHED_CLEARS
  = 1, /* AArch64, which stores 0 with less code than 1: initially 255 */
  HEAPPROF_MIP_SUMS
  = 2, /* coverage: for each byte a u32, the number of runs that marked it;
	  counts and orders: a struct heapprof_mip_sum for each */
  HEAPPROF_MIP_ROWS
  = 3 /* coverage if blocks have bytes: a struct heapprof_mip_row for each
	 distinct set of marked bytes */
};

/* A count or an order, summed over runs.  */
struct heapprof_mip_sum
{
  uint64_t calls;  /* 0 for an order */
  uint64_t orders; /* the sum of the order words' lower bits */
  uint32_t runs;   /* in which it was called */
  uint32_t order;  /* the word with the least order */
};

/* Runs that marked the same bytes of coverage.  Followed by a bit for each
   byte, starting with the lowest bit of a u64, and zeros up to the end of the
   last u64.  */
struct heapprof_mip_row
{
  uint32_t runs;
  uint32_t check; /* lower half of heapprof_mip_row_check */
};

/* Extend CHECK, the check value of the preceding words of a row (0 for none),
   by WORD.  */

static inline uint64_t
heapprof_mip_row_check (uint64_t check, uint64_t word)
{
  check = (check ^ word) * 0x9e3779b97f4a7c15u;
  return check ^ check >> 32;
}

/* The upper bits of the order word hold the time of the first call: on x86-64
   the processor's time stamp counter divided by 2 ^ HEAPPROF_MIP_TICK_SHIFT; on
   AArch64 its virtual counter divided by the greatest power of 2 that does not
   exceed the number of ticks per second.  */
#define HEAPPROF_MIP_ORDER_MASK 0xffffffu
#define HEAPPROF_MIP_TICK_SHIFT 31

/* Calls of a function from one call site.  The first record of a chunk is not
   an edge: its CALLS is the number of edges plus the number of calls for which
   the table had no room.  */
struct heapprof_mip_edge
{
  uint64_t return_address; /* at run time */
  uint32_t slot; /* of the callee: link address minus that of the chunk, modulo
		    2 ^ 32 */
  uint32_t next; /* unused in files */
  uint64_t calls;
};

/* In the point before a direct call, with version HEAPPROF_MIP_FLOWS_VERSION:
   the call has no counter.  */
#define HEAPPROF_MIP_NO_COUNTER 0x80000000u

/* Types of records of the map.  */
enum heapprof_mip_record
{
  HEAPPROF_MIP_RECORD_FUNCTION = 1,
  HEAPPROF_MIP_RECORD_UNIT = 2,
  HEAPPROF_MIP_RECORD_CALLS = 3,
  HEAPPROF_MIP_RECORD_THUNK = 4,
  HEAPPROF_MIP_RECORD_ENTRY = 5
};

/* Flags of a function in the map.  */
enum heapprof_mip_function_flags
{
  HEAPPROF_MIP_LOCAL = 1,      /* no other unit can name it */
  HEAPPROF_MIP_COMDAT = 2,     /* one of several copies may be kept */
  HEAPPROF_MIP_CLONE = 4,      /* its name differs from its origin's */
  HEAPPROF_MIP_ARTIFICIAL = 8, /* made by the compiler */
  HEAPPROF_MIP_HAS_SOURCE_HASH = 64,
  HEAPPROF_MIP_HAS_SHAPE_HASH = 128
};

/* Flags of an inlined copy, in the map.  */
enum heapprof_mip_copy_flags
{
  HEAPPROF_MIP_COPY_LOCAL = 1, /* its source function is local */
  HEAPPROF_MIP_COPY_ALWAYS = 2 /* it runs whenever its function does */
};

/* Fixed parts of the records, in bytes.  */
#define HEAPPROF_MIP_FUNCTION_BYTES 104
#define HEAPPROF_MIP_ORIGIN_BYTES 16
#define HEAPPROF_MIP_COPY_BYTES 16
#define HEAPPROF_MIP_UNIT_BYTES 48
#define HEAPPROF_MIP_BLOCK_BYTES 16

/* Flag in a block's code offset: the block is in the function's second
   range.  */
#define HEAPPROF_MIP_COLD_BLOCK 0x80000000u
#define HEAPPROF_MIP_NO_RULE 0xffffffffu

/* Raw files: consecutive images, each a header, a path and chunks, padded to 8
   bytes.  */
#define HEAPPROF_MIP_RAW_MAGIC "\x89HPMR\r\n\x1a"
#define HEAPPROF_MIP_MAGIC_BYTES 8
#define HEAPPROF_MIP_BYTE_ORDER 0x0102
#define HEAPPROF_MIP_BUILD_ID_BYTES 64

enum heapprof_mip_image_flags
{
  HEAPPROF_MIP_AT_EXIT = 1,
  HEAPPROF_MIP_ON_REQUEST = 2,
  HEAPPROF_MIP_FROM_SIGNAL = 4,
  HEAPPROF_MIP_MERGED = 8, /* the sum of IMAGES */
  HEAPPROF_MIP_UNLOADED = 16,
  HEAPPROF_MIP_FORKED = 32, /* the child of a fork */
  HEAPPROF_MIP_MAPPED = 64  /* the slots were mapped to the file throughout */
};

struct heapprof_mip_image
{
  char magic[HEAPPROF_MIP_MAGIC_BYTES];
  uint16_t version;
  uint16_t byte_order; /* HEAPPROF_MIP_BYTE_ORDER */
  uint16_t pointer_bytes;
  uint16_t header_bytes; /* of this structure */
  uint64_t bytes;	 /* of the image */
  uint64_t bias;	 /* run-time address minus link address */
  uint32_t process;
  uint32_t chunks;
  uint64_t time_ns;  /* of the dump, since 1970 */
  uint64_t start_ns; /* of the program, since 1970 */
  uint32_t flags;    /* enum heapprof_mip_image_flags */
  uint32_t build_id_bytes;
  uint8_t build_id[HEAPPROF_MIP_BUILD_ID_BYTES];
  uint64_t link_unit;  /* hash of its name; 0 if it has none */
  uint32_t path_bytes; /* of the path of the program that follows */
  uint32_t crc;	       /* CRC-32 of all preceding bytes */
  uint32_t images;     /* runs added up in this image, at least 1 */
  uint32_t reserved[5];
};

struct heapprof_mip_chunk
{
  uint16_t kind;     /* enum heapprof_mip_kind */
  uint16_t encoding; /* enum heapprof_mip_encoding */
  uint32_t element_bytes;
  uint64_t address; /* link address of the first byte */
  uint64_t bytes;   /* in memory */
  uint64_t stored;  /* in the file, without padding */
};

#endif /* HEAPPROF_MIP_FORMAT_H */

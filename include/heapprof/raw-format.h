/* Structures of the raw profile (doc/raw-format.md), shared by its one writer
   (libheapprof) and its one reader (libprofdata).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A raw profile is a file that the profiled process maps MAP_SHARED and fills
   in place, so it is valid at every moment, even after SIGKILL.  All numbers
   have the byte order and word size stated in the header; all structures are
   naturally aligned without implicit padding.  Extents are only ever appended,
   and a record is written before the count that makes it visible.  */

#ifndef HEAPPROF_RAW_FORMAT_H
#define HEAPPROF_RAW_FORMAT_H

#include <stdint.h>

#define HEAPPROF_RAW_VERSION 7

/* Readers accept these, too: 6, with the brief MIBs of struct
   heapprof_raw_brief_6; 5, without brief MIBs; 4, for profiles of samples
   or without utilizations, and 3, for others, also without lifetimes in bytes,
   with the moments of struct heapprof_raw_moment_3; and 2, the same as 3
   without moments, a timeline and marks.  */
#define HEAPPROF_RAW_VERSION_ORIGINS 7
#define HEAPPROF_RAW_VERSION_BRIEFS 6
#define HEAPPROF_RAW_VERSION_LIFETIMES 5
#define HEAPPROF_RAW_VERSION_MOMENTS 3
#define HEAPPROF_RAW_VERSION_MIN 2

/* First 8 bytes: not text, not valid UTF-8, and visibly damaged by a transfer
   in text mode.  */
#define HEAPPROF_RAW_MAGIC "\x89HPRAW\r\n"
#define HEAPPROF_RAW_MAGIC_BYTES 8

/* Read back as 0x04030201 when the file has the other byte order.  */
#define HEAPPROF_RAW_BYTE_ORDER 0x01020304u

#define HEAPPROF_RAW_HEADER_BYTES 4096
#define HEAPPROF_RAW_MAX_EXTENTS 112
#define HEAPPROF_RAW_BUILD_ID_BYTES 32
#define HEAPPROF_RAW_NO_INDEX 0u

/* The state of the file.  */
enum heapprof_raw_state
{
  HEAPPROF_RAW_RUNNING = 0,  /* the process runs, or died without exit */
  HEAPPROF_RAW_COMPLETE = 1, /* written at exit, live blocks folded in */
  HEAPPROF_RAW_SNAPSHOT = 2  /* written by a dump, live blocks folded in */
};

/* How the profile was collected and stored.  */
enum heapprof_raw_flags
{
  HEAPPROF_RAW_FOLDED = 1,	/* recursion was folded */
  HEAPPROF_RAW_PACKED = 2,	/* the file has the form of raw-packed.h */
  HEAPPROF_RAW_HISTOGRAMS = 4,	/* packed files: histograms follow MIBs */
  HEAPPROF_RAW_TIMED = 8,	/* packed files: timeline and marks follow */
  HEAPPROF_RAW_AFFINITIES = 16, /* packed files: affinities follow */
  HEAPPROF_RAW_LEAKS = 32,	/* packed files: leaks follow */
  HEAPPROF_RAW_ATTACHED = 64,	/* the program was running before; blocks of
				   that time are not known */
  HEAPPROF_RAW_THREADED = 128	/* packed files: threads are the last part */
};

/* The same in a second byte.  */
enum heapprof_raw_more_flags
{
  HEAPPROF_RAW_NAMED = 1, /* packed files: interpreted frames follow contexts */
  HEAPPROF_RAW_TOTALS = 2,    /* utilizations are unknown */
  HEAPPROF_RAW_UNCOUNTED = 4, /* no code counted accesses, or some that was
				compiled to profile allocations did not */
  HEAPPROF_RAW_WATCHED = 8    /* accesses were estimated by watching words */
};

/* The type of an extent's records.  */
enum heapprof_raw_kind
{
  HEAPPROF_RAW_CONTEXTS = 1,  /* struct heapprof_raw_context */
  HEAPPROF_RAW_MIBS = 2,      /* struct heapprof_raw_mib */
  HEAPPROF_RAW_SEGMENTS = 3,  /* struct heapprof_raw_segment */
  HEAPPROF_RAW_STRINGS = 4,   /* bytes: NUL-terminated paths */
  HEAPPROF_RAW_LIVE = 5,      /* struct heapprof_raw_live */
  HEAPPROF_RAW_WIDE = 6,      /* struct heapprof_raw_wide */
  HEAPPROF_RAW_HISTOGRAM = 7, /* struct heapprof_raw_histogram */
  HEAPPROF_RAW_MOMENTS = 8,   /* struct heapprof_raw_moment, one for each MIB */
  HEAPPROF_RAW_TIMELINE = 9,  /* struct heapprof_raw_timeline, one */
  HEAPPROF_RAW_MARKS = 10,    /* struct heapprof_raw_mark */
  HEAPPROF_RAW_MARKED = 11,   /* struct heapprof_raw_live: blocks at marks */
  HEAPPROF_RAW_AFFINITY = 12, /* struct heapprof_raw_affinity */
  HEAPPROF_RAW_LEAK = 13,     /* struct heapprof_raw_leak */
  HEAPPROF_RAW_THREADS = 14,  /* struct heapprof_raw_thread */
  HEAPPROF_RAW_INTERPRETED = 15, /* struct heapprof_raw_interpreted */
  HEAPPROF_RAW_BRIEFS = 16,	 /* struct heapprof_raw_brief */
  HEAPPROF_RAW_ORIGINS = 17	 /* struct heapprof_raw_origin, one for each
				    brief MIB */
};

/* A mark's label has at most this many bytes, including the NUL.  */
#define HEAPPROF_RAW_LABEL_BYTES 64

/* States of a request for a mark by another process.  */
enum heapprof_raw_request
{
  HEAPPROF_RAW_NO_REQUEST = 0,
  HEAPPROF_RAW_WRITING = 1,	   /* the label is being written */
  HEAPPROF_RAW_REQUESTED = 2,	   /* the process is to set a mark */
  HEAPPROF_RAW_REQUESTED_LEAKS = 3 /* it is to look for lost blocks */
};

/* Whether lost blocks were looked for.  */
enum heapprof_raw_leak_state
{
  HEAPPROF_RAW_LEAKS_UNKNOWN = 0,
  HEAPPROF_RAW_LEAKS_KNOWN = 1,
  HEAPPROF_RAW_LEAKS_REFUSED = 2 /* it was not possible */
};

/* Histograms cover the first HISTOGRAM_WORDS 8-byte words of a block, in
   records of HISTOGRAM_COUNTS words.  */
#define HEAPPROF_RAW_HISTOGRAM_WORDS 511
#define HEAPPROF_RAW_HISTOGRAM_COUNTS 7

/* Accesses to some words of the blocks of a context.  Records for the same
   context and word are added up.  */
struct heapprof_raw_histogram
{
  uint32_t context;				  /* 0: index of the context */
  uint32_t first_word;				  /* 4: of the first count */
  uint64_t counts[HEAPPROF_RAW_HISTOGRAM_COUNTS]; /* 8: accesses to each */
};

/* How often the blocks of two contexts were used together.  Records for the
   same pair are added up.  */
struct heapprof_raw_affinity
{
  uint32_t first;  /* 0: index of a context; 0 if the record is unused */
  uint32_t second; /* 4: the same one, or one with a greater index */
  uint64_t lines;  /* 8: see doc/raw-format.md */
};

/* A run of records of one kind.  The records of a kind are numbered from 0
   across its extents, in the order of the extents.  */
struct heapprof_raw_extent
{
  uint32_t kind;	 /* 0: enum heapprof_raw_kind */
  uint32_t record_bytes; /* 4: size of one record, 1 for strings */
  uint64_t offset;	 /* 8: in the file, multiple of 8 */
  uint64_t capacity;	 /* 16: records that fit */
  uint64_t count;	 /* 24: records written, <= capacity */
};

struct heapprof_raw_header
{
  uint8_t magic[HEAPPROF_RAW_MAGIC_BYTES]; /* 0 */
  uint32_t byte_order;			   /* 8: HEAPPROF_RAW_BYTE_ORDER */
  uint32_t version;			   /* 12: HEAPPROF_RAW_VERSION */
  uint32_t header_bytes;		   /* 16: HEAPPROF_RAW_HEADER_BYTES */
  uint8_t word_bytes;	  /* 20: sizeof (void *) of the process */
  uint8_t granule_shift;  /* 21: log2 of the bytes a counter covers */
  uint8_t flags;	  /* 22: enum heapprof_raw_flags */
  uint8_t more_flags;	  /* 23: enum heapprof_raw_more_flags */
  uint32_t machine;	  /* 24: e_machine of ELF, 62 for x86-64 */
  uint32_t state;	  /* 28: enum heapprof_raw_state */
  uint8_t run_id[16];	  /* 32: random; the same in all snapshots of a process,
			     different after fork */
  uint64_t snapshot;	  /* 48: dump number; 0 in the running file */
  uint64_t pid;		  /* 56 */
  uint64_t parent_pid;	  /* 64 */
  uint64_t start_time_ns; /* 72: Unix time of the start of profiling; a
			     child's is its parent's */
  uint64_t end_time_ns;	 /* 80: nanoseconds after the start, when state was set;
			    0 while running */
  uint64_t program_name; /* 88: offset in the string records */
  uint64_t dropped_contexts; /* 96: allocations and releases counted at the root
				because the file could not grow */
  uint64_t truncated_contexts;	   /* 104: allocations whose context was cut at
				      max_depth */
  uint64_t unprofiled_allocations; /* 112: made where no context could be
				      determined: inside the library, in a
				      signal handler that interrupted it */
  uint64_t foreign_frees;   /* 120: frees of pointers not ours; if attached,
			       of blocks not known */
  uint64_t ended_walks;	    /* 128: allocations whose stack walk met a frame it
			       could not pass before the outermost one */
  uint64_t folded_contexts; /* 136: allocations whose context is missing frames
			       because recursion was folded */
  uint64_t pruned_contexts; /* 144: allocations counted at a caller because of
			       the profile's memory limit */
  uint64_t peak_bytes;	    /* 152: approximate peak of counted blocks */
  uint64_t memory_bytes; /* 160: peak memory occupied by blocks, including gaps
			    between them; set together with the state */
  uint64_t table_bytes;	 /* 168: memory of contexts, counts and other records;
			    set together with the state */
  /* These identify the process beyond its PID, which may be reused, and may
     exist in another namespace or on another machine.  0 if the process could
     not determine them.  */
  uint64_t start_ticks;	  /* 176: its start, clock ticks since boot */
  uint64_t pid_namespace; /* 184: inode number of its PID namespace */
  uint64_t boot_id[2];	  /* 192: of this boot, upper half first */
  uint64_t peak_number;	  /* 208: of the greatest heap size so far: how often it
			     was exceeded by so much that it was recorded */
  uint64_t peak_ns;	  /* 216: when, after the start of profiling */
  uint64_t mark_request;  /* 224: enum heapprof_raw_request */
  char mark_label[HEAPPROF_RAW_LABEL_BYTES]; /* 232: of the mark requested */
  uint64_t leak_state;	 /* 296: enum heapprof_raw_leak_state */
  uint64_t leak_ns;	 /* 304: when, after the start of profiling */
  uint64_t leak_records; /* 312: number of the first record of what was
			    found then, and above 32 bits, of records */
  uint64_t missed_frees; /* 320: blocks whose address was allocated again,
			    although no free was seen, if attached */
  uint64_t sample_bytes; /* 328: mean number of bytes allocated from one
			    sample to the next; 0: all blocks are profiled */

  /* If not all blocks are profiled: the accesses counted to samples, to live
     ones only at the end; and to all other memory, 0: unknown.  */
  uint64_t sample_accesses; /* 336 */
  uint64_t other_accesses;  /* 344 */

  uint64_t reserved1[18]; /* 352 */
  uint64_t extent_count;  /* 496 */
  uint64_t epoch;	  /* 504: MIBs of any other epoch are ignored; 1 to
			     HEAPPROF_RAW_EPOCH_MASK */
  struct heapprof_raw_extent extents[HEAPPROF_RAW_MAX_EXTENTS]; /* 512 */
};

/* One node of the context tree: a return address below its caller's node.
   Record 0 is the root: no address, its own parent, MIB 1.  A parent's index is
   less than its children's.  */
struct heapprof_raw_context
{
  uint64_t return_address; /* 0: as found on the stack, not adjusted */
  uint32_t parent;	   /* 8: context index of the caller */
  uint32_t mib; /* 12: a MIB of this context, 0 if none; its other MIBs refer to
		   it by its index */
};

/* A line of a function that an interpreter runs.  A context whose return
   address is HEAPPROF_RAW_INTERPRETED_FIRST plus the number of such a record is
   that frame; no program has code there.  Record 0 is a frame whose names could
   not be stored.  */
struct heapprof_raw_interpreted
{
  uint64_t function;   /* 0: its name, an offset in the string records */
  uint64_t file;       /* 8: the same of the file's name */
  uint32_t line;       /* 16: 0 if unknown */
  uint32_t first_line; /* 20: of the function, 0 if unknown */
};

#define HEAPPROF_RAW_INTERPRETED_FIRST UINT64_C (0xfff7a5c300000000)
#define HEAPPROF_RAW_INTERPRETED_MAX (UINT64_C (1) << 24)

/* Sum, minimum and maximum of one measured quantity over observations.  The
   minimum and maximum are meaningless if there are no observations.  */
struct heapprof_raw_range
{
  uint64_t total; /* 0 */
  uint64_t min;	  /* 8 */
  uint64_t max;	  /* 16 */
};

/* Observations folded together: an observation is a block from allocation to
   release, or to the end of the profile.  Timestamps are nanoseconds after the
   start of profiling.  */
struct heapprof_raw_observations
{
  uint64_t count;			  /* 0: blocks folded in */
  struct heapprof_raw_range access_count; /* 8 */
  struct heapprof_raw_range size;	  /* 32: requested bytes */
  struct heapprof_raw_range lifetime_ns;  /* 56 */
  struct heapprof_raw_range
    utilization; /* 80: percentage of accessed granules, rounded down */
  struct heapprof_raw_range access_density; /* 104: accesses * 100 / size */
  struct heapprof_raw_range
    lifetime_access_density;  /* 128: access density
			       * 1000 / max (lifetime in ms, 1) */
  uint64_t first_alloc_ns;    /* 152: of the block allocated first */
  uint64_t last_alloc_ns;     /* 160: of the block folded in last */
  uint64_t first_dealloc_ns;  /* 168: of the block folded in first */
  uint64_t last_dealloc_ns;   /* 176: of the block folded in last */
  uint32_t alloc_cpu;	      /* 184: of the block folded in last */
  uint32_t dealloc_cpu;	      /* 188: of the block folded in last */
  uint64_t migrated_cpu;      /* 192: blocks released on another CPU */
  uint64_t lifetime_overlaps; /* 200: blocks allocated before the release of the
				 block folded in just before them */
  uint64_t same_alloc_cpu; /* 208: blocks allocated on the same CPU as the block
			      folded in just before them */
  uint64_t same_dealloc_cpu; /* 216: the same for the release */
};

/* The same in half the space.  Here a sum or count holds only its lower bits.
   The wide record, if there is one, holds the sum as of the last time that the
   field's uppermost bit changed (0 without a wide record):

     sum = wide + ((narrow - wide) modulo 2^bits)

   A minimum, maximum or time that does not fit has all bits set, and only the
   wide record holds it.  So most blocks change no more than two cache lines,
   and a process killed between any two stores leaves correct sums.  */
struct heapprof_raw_narrow_range
{
  uint32_t total; /* 0 */
  uint32_t min;	  /* 4 */
  uint32_t max;	  /* 8 */
};

/* Times, and the total of lifetimes, have 48 bits, enough for 78 hours; the
   other 16 bits of their words hold other fields.  */
#define HEAPPROF_RAW_TIME_BITS 48
#define HEAPPROF_RAW_TIME_MASK (((uint64_t) 1 << HEAPPROF_RAW_TIME_BITS) - 1)

/* The parts of a MIB's state.  */
#define HEAPPROF_RAW_EPOCH_MASK 0x7fffu
#define HEAPPROF_RAW_CHANGING 0x8000u

/* A memory-info block: what one thread at a time recorded of the allocations of
   one context and of the releases of such blocks.  A context may have several
   MIBs; they are added up.  Record 0 is unused.  Record 1 is the root's, for
   blocks whose own context could not be stored.  A record of all zeros holds no
   data.  */
struct heapprof_raw_mib
{
  uint32_t context;	 /* 0: index of the context */
  uint32_t wide;	 /* 4: index of its wide record; 0: none */
  uint64_t alloc_bytes;	 /* 8: sum of the sizes of the blocks
			    allocated, modulo 2^64; 0 counts as 1 */
  uint32_t alloc_count;	 /* 16: blocks allocated, modulo 2^32 */
  uint16_t state;	 /* 20: lower 15 bits: the epoch. If it differs from the
			    header's, only the context is valid. Uppermost bit: set
			    while the record is being changed; a reader that finds it
			    set may find some fields one observation ahead */
  uint16_t migrated_cpu; /* 22 */
  uint32_t count;	 /* 24: blocks folded in */
  uint32_t utilization_total;			 /* 28 */
  struct heapprof_raw_narrow_range access_count; /* 32 */
  struct heapprof_raw_narrow_range size;	 /* 44 */
  uint64_t lifetime;	    /* 56: total lifetime_ns; upper bits:
			       lifetime_overlaps */
  uint32_t min_lifetime_ns; /* 64 */
  uint32_t max_lifetime_ns; /* 68 */
  struct heapprof_raw_narrow_range access_density;	    /* 72 */
  struct heapprof_raw_narrow_range lifetime_access_density; /* 84 */
  uint16_t same_alloc_cpu;				    /* 96 */
  uint16_t same_dealloc_cpu;				    /* 98 */
  uint32_t last_lifetime_ns; /* 100: of the block folded in last: the time from
				its allocation to its release */
  uint64_t first_alloc;	     /* 104: first_alloc_ns; upper bits: alloc_cpu */
  uint64_t first_dealloc;    /* 112: first_dealloc_ns; upper bits:
				dealloc_cpu */
  uint64_t last_dealloc;     /* 120: last_dealloc_ns; upper bits: minimum
				utilization, maximum utilization * 256 */
};

/* A MIB and its moment in less than half of the space, as long as all of its
   blocks have the same size, those folded in the same number of accesses, and
   at most two different utilizations, as these depend on where a block starts:
   most contexts of a program that has very many.  Its number has
   HEAPPROF_RAW_BRIEF added.

   If a block does not fit, the MIB grows: a MIB with its numbers is written,
   whose WIDE is the number of the brief one, so that it does not count yet.
   Then one store changes STATE to HEAPPROF_RAW_GROWN and FULL to the number of
   that MIB, which counts from now on, and whose WIDE is set to 0, or to the
   number of the wide record that it needs, which was written before.  */
#define HEAPPROF_RAW_BRIEF 0x80000000u
#define HEAPPROF_RAW_GROWN HEAPPROF_RAW_CHANGING /* of no epoch */

/* What fits.  */
#define HEAPPROF_RAW_BRIEF_BLOCKS 255u
#define HEAPPROF_RAW_BRIEF_TOTAL_BITS 56

/* Words with a time have it in their lower 48 bits; above it are two numbers of
   8 bits.  It fills a line of the processor's cache.  */
struct heapprof_raw_brief
{
  uint16_t state;      /* 0: as in a MIB, or HEAPPROF_RAW_GROWN */
  uint8_t alloc_count; /* 2: blocks allocated */
  uint8_t count;       /* 3: blocks folded in */
  union
  {
    struct
    {
      uint16_t size;	 /* 4: of each block */
      uint16_t accesses; /* 6: to each block folded in */
    };
    uint32_t full; /* 4: number of the MIB that it has grown to */
  };
  uint32_t number;		    /* 8: of the peak, as in a moment */
  uint32_t lifetime_access_density; /* 12: total */
  uint64_t lifetime;	 /* 16: lower 56 bits: total lifetime_ns; upper 8 bits:
			    blocks with the maximum utilization */
  uint64_t min_lifetime; /* 24: minimum lifetime_ns; blocks allocated on another
			    CPU than the one folded in before; the same for
			    releases */
  uint64_t max_lifetime; /* 32: maximum lifetime_ns; migrated_cpu;
			    lifetime_overlaps */
  uint64_t last_lifetime;  /* 40: lifetime_ns of the block folded in last; its
			      alloc_cpu; its dealloc_cpu */
  uint64_t last_dealloc;   /* 48: last_dealloc_ns; temporary blocks; blocks live
			      at the peak */
  uint64_t lifetime_bytes; /* 56: as in a moment, but a signed number of 48
			      bits; minimum utilization; maximum */
};

/* What a brief MIB has that seldom changes once its first block was folded in.
   The origin of a brief MIB has the same number.  */
struct heapprof_raw_origin
{
  uint32_t context;	  /* 0: index of the context */
  uint16_t first_bytes;	  /* 4: bytes that the process had allocated before the
			     first block (heapprof_raw_small) */
  uint16_t reserved0;	  /* 6 */
  uint64_t first_alloc;	  /* 8: first_alloc_ns */
  uint64_t first_dealloc; /* 16: first_dealloc_ns */
};

/* Both in version 6.  */
#define HEAPPROF_RAW_BRIEF_TOTAL_BITS_6 40

struct heapprof_raw_brief_6
{
  uint32_t context;    /* 0 */
  uint8_t alloc_cpu;   /* 4 */
  uint8_t dealloc_cpu; /* 5 */
  uint8_t migrated_cpu;
  uint8_t lifetime_overlaps;
  uint16_t state;      /* 8 */
  uint8_t alloc_count; /* 10 */
  uint8_t count;       /* 11 */
  union
  {
    struct
    {
      uint16_t size;	 /* 12 */
      uint16_t accesses; /* 14 */
    };
    uint32_t full; /* 12 */
  };
  uint64_t lifetime; /* 16: lower 40 bits: total lifetime_ns; then, 8 bits
			each: blocks allocated on another CPU than the one
			folded in before, the same for releases, and blocks
			with the maximum utilization */
  uint32_t min_lifetime_ns; /* 24 */
  uint32_t max_lifetime_ns; /* 28 */
  uint64_t first_alloc;	    /* 32: first_alloc_ns, 48 bits; 8 bits: temporary
			       blocks; 8 bits: blocks live at the peak */
  uint64_t last_dealloc; /* 40: last_dealloc_ns; upper 16 bits: bytes allocated
			    before the first block (heapprof_raw_small) */
  uint32_t last_lifetime_ns;	    /* 48 */
  uint32_t first_lifetime_ns;	    /* 52: first_dealloc_ns - first_alloc_ns */
  uint32_t lifetime_access_density; /* 56 */
  uint32_t number;		    /* 60 */
  uint64_t lifetime_bytes;	    /* 64 */
};

/* Estimated variances of what a MIB's samples stand for: number of blocks,
   bytes and accesses.  */
struct heapprof_raw_variances
{
  double count;	   /* 0 */
  double bytes;	   /* 8 */
  double accesses; /* 16 */
};

/* Values that did not fit in a MIB.  Record 0 is unused.  */
struct heapprof_raw_wide
{
  uint32_t mib;					 /* 0: index of the MIB */
  uint32_t reserved0;				 /* 4 */
  struct heapprof_raw_observations observations; /* 8 */
  struct heapprof_raw_variances variances;	 /* 232: 0 without samples */
};

/* What a MIB counted at the greatest heap size so far, kept apart from the MIB
   so that the latter stays in two cache lines.  A MIB's moment is brought up to
   date just before the MIB is changed for the first time after a peak.  So if
   NUMBER is not the header's, the MIB has not changed since, and its blocks at
   the peak are those allocated minus those folded in.

   Lifetimes in bytes are those that the process allocated meanwhile: for each
   release, the bytes allocated until then are added, and for each allocation
   subtracted, including the block's own.  Blocks that were not released lack
   the bytes allocated until the end.  */
struct heapprof_raw_moment
{
  uint32_t number;	   /* 0: of the peak, modulo 2^32 */
  uint32_t count;	   /* 4: blocks, as the next, modulo 2^32 */
  uint64_t bytes;	   /* 8: allocated minus folded in then, modulo 2^64 */
  uint64_t lifetime_bytes; /* 16: of all blocks, modulo 2^64 */
  uint64_t temporary;	   /* 24: blocks released by their thread before it
			      allocated another one; upper 16 bits: bytes that
			      the process had allocated before the MIB's first
			      block (heapprof_raw_small) */
};

#define HEAPPROF_RAW_TEMPORARY_BITS 48
#define HEAPPROF_RAW_TEMPORARY_MASK                                            \
  (((uint64_t) 1 << HEAPPROF_RAW_TEMPORARY_BITS) - 1)

/* The same in versions 3 and 4.  */
struct heapprof_raw_moment_3
{
  uint64_t number;    /* 0 */
  uint64_t bytes;     /* 8 */
  uint32_t count;     /* 16 */
  uint32_t reserved0; /* 20 */
  uint64_t temporary; /* 24 */
};

/* Heap size in one interval of time: bytes of counted blocks.  */
struct heapprof_raw_sample
{
  uint64_t max;	 /* 0 */
  uint64_t end;	 /* 8: at the end of the interval */
  uint64_t mean; /* 16: weighted by time */
};

/* Complete intervals, from the start of profiling on.  When the samples are
   used up, pairs are merged into the other array.  */
#define HEAPPROF_RAW_SAMPLES 510
#define HEAPPROF_RAW_TIMELINE_SHIFT_MAX 62

struct heapprof_raw_timeline
{
  uint64_t state;   /* 0: bits 0 to 7: log2 of the length of an interval in ns;
		       bit 8: the array; from bit 16 on: number of samples */
  uint64_t live;    /* 8: bytes at the last update */
  uint64_t time_ns; /* 16: of the last update */
  uint64_t max;	    /* 24: in the current, incomplete interval */
  uint64_t area[2]; /* 32: bytes times ns in it, lower half first */
  uint64_t reserved[6];					       /* 48 */
  struct heapprof_raw_sample samples[2][HEAPPROF_RAW_SAMPLES]; /* 96 */
};

#define HEAPPROF_RAW_TIMELINE_SHIFT(state) ((unsigned) ((state) &0xff))
#define HEAPPROF_RAW_TIMELINE_ARRAY(state) ((unsigned) ((state) >> 8 & 1))
#define HEAPPROF_RAW_TIMELINE_COUNT(state) ((uint64_t) (state) >> 16)
#define HEAPPROF_RAW_TIMELINE_STATE(shift, array, count)                       \
  ((uint64_t) (shift) | (uint64_t) (array) << 8 | (uint64_t) (count) << 16)

/* A moment that the program or its user named.  */
struct heapprof_raw_mark
{
  uint64_t time_ns; /* 0 */
  uint64_t label;   /* 8: offset in the string records */
  uint32_t first;   /* 16: number of its first record of MARKED */
  uint32_t count;   /* 20: of these records */
  uint64_t bytes;   /* 24: their sum */
};

/* The blocks of a context to which the program had no pointer left.  */
struct heapprof_raw_leak
{
  uint32_t context;	   /* 0 */
  uint32_t reserved0;	   /* 4 */
  uint32_t lost_count;	   /* 8: no other lost block leads to them */
  uint32_t indirect_count; /* 12: one does */
  uint64_t lost_bytes;	   /* 16 */
  uint64_t indirect_bytes; /* 24 */
};

/* As long as the kernel's names, including the NUL.  */
#define HEAPPROF_RAW_THREAD_NAME_BYTES 16

/* The blocks that a thread allocated.  Live are those allocated minus both
   kinds of released ones.  Record 0 has the sums of threads that ended and
   whose records were needed for others.  The first half is changed by the
   thread alone, in most of its calls; the rest also by others.  */
struct heapprof_raw_thread
{
  uint32_t tid;	  /* 0: 0 in record 0 */
  uint32_t epoch; /* 4: if it differs from the header's, the record is unused */
  uint64_t start_ns;	  /* 8: after the start of profiling */
  uint64_t end_ns;	  /* 16: 0 while running */
  uint64_t alloc_bytes;	  /* 24 */
  uint64_t alloc_count;	  /* 32 */
  uint64_t free_bytes;	  /* 40: released by the thread itself */
  uint64_t free_count;	  /* 48 */
  uint64_t peak_bytes;	  /* 56: most live at one time; see doc/raw-format.md */
  uint64_t other_bytes;	  /* 64: released by other threads */
  uint64_t other_count;	  /* 72 */
  uint64_t moment_number; /* 80: of the peak to which the next two belong, as in
			     a moment */
  uint64_t moment_bytes;  /* 88: live at the peak, modulo 2^64 */
  uint32_t moment_count;  /* 96: modulo 2^32 */
  uint32_t threads;	  /* 100: how many threads this is the sum of */
  uint32_t before; /* 104: record of the thread before that used the same MIBs;
		      for the process itself */
  uint32_t owner; /* 108: number of these MIBs' owner; for the process itself */
  char name[HEAPPROF_RAW_THREAD_NAME_BYTES]; /* 112 */
};

/* The blocks of one MIB that were not released when the process started to
   complete the file or take the snapshot: those it allocated minus those folded
   into it.  They are then folded into MIBs; the sums over the context's MIBs
   show how many already have been.  */
struct heapprof_raw_live
{
  uint32_t mib;	  /* 0: index of the MIB */
  uint32_t count; /* 4: modulo 2^32 */
  uint64_t bytes; /* 8: modulo 2^64 */
};

/* One executable mapping of a module.  Addresses in [START, END) belong to this
   segment if their context's number is at least FIRST_CONTEXT and less than
   END_CONTEXT: an address reused after dlclose starts a new record, and
   contexts of the old module are never used for the new one.  */
struct heapprof_raw_segment
{
  uint64_t start;	   /* 0: first address */
  uint64_t end;		   /* 8: one past the last byte */
  uint64_t load_bias;	   /* 16: address in memory minus p_vaddr */
  uint64_t path;	   /* 24: offset in the string records */
  uint64_t load_time_ns;   /* 32: after the start of profiling */
  uint64_t unload_time_ns; /* 40: 0 while loaded */
  uint32_t first_context;  /* 48 */
  uint32_t end_context;	   /* 52: 0 while loaded */
  uint32_t build_id_bytes; /* 56: 0 if the module has none */
  uint32_t reserved;	   /* 60 */
  uint8_t build_id[HEAPPROF_RAW_BUILD_ID_BYTES]; /* 64 */
};

#define HEAPPROF_RAW_ASSERT(condition, name)                                   \
  typedef char heapprof_raw_assert_##name[(condition) ? 1 : -1]
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_header)
		       == HEAPPROF_RAW_HEADER_BYTES,
		     header);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_extent) == 32, extent);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_context) == 16, context);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_observations) == 224,
		     observations);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_mib) == 128, mib);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_brief) == 64, brief);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_origin) == 24, origin);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_brief_6) == 72, brief_6);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_wide) == 256, wide);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_live) == 16, live);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_segment) == 96, segment);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_moment) == 32, moment);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_moment_3)
		       == sizeof (struct heapprof_raw_moment),
		     moment_3);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_timeline)
		       == 96 + 2 * HEAPPROF_RAW_SAMPLES * 24,
		     timeline);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_mark) == 32, mark);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_leak) == 32, leak);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_thread) == 128, thread);
HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_raw_interpreted) == 24,
		     interpreted);

#endif /* HEAPPROF_RAW_FORMAT_H */

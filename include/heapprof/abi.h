/* The contract between instrumented code and the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The plugin emits references to the symbols below; libheapprof defines them.
   The names of the initialisers contain the version, so code and a library of
   different versions fail to link instead of counting wrongly.

   If a library is missing at link time, the linker names the undefined
   initialiser; these names are chosen to say what to add.

   Counting an access to address A increments one 8-byte counter:

     counter (A) = *(uint64_t *) (shadow_base + (A >> 6) * 8)

   This is the location that LLVM's MemProf uses, ((A & ~63) >> 3) + base.  The
   increment is neither atomic nor saturating.

   How many accesses an operation counts as:

     scalar load or store of any width, bit-fields included   1
     vector load or store                                     1 per lane
     masked, gather and scatter forms                         1 per active lane
     complex load or store                                    2
     atomic read-modify-write, compare-and-swap               1
     struct copy, memcpy, memmove, memset of N bytes          ceil (N / 8)

   The accesses of a copy are at p, p + 8, p + 16 ..., on both the source and
   the destination; the plugin may count them in a neighbouring granule of the
   same block, unless told exact-granules.  All accesses of a vector or complex
   number are counted at the address of its first byte; those of gathers and
   scatters at each lane's address.  */

#ifndef HEAPPROF_ABI_H
#define HEAPPROF_ABI_H

#define HEAPPROF_ABI_VERSION 1

/* log2 of the bytes of program memory that share one counter.  */
#define HEAPPROF_GRANULE_SHIFT 6
#define HEAPPROF_GRANULE_BYTES (1 << HEAPPROF_GRANULE_SHIFT)
#define HEAPPROF_COUNTER_BYTES 8

/* uintptr_t: where the counters start.  Set before any instrumented code of the
   program runs, and constant after that.  */
#define HEAPPROF_SYMBOL_SHADOW_BASE "__heapprof_shadow_base"

/* uintptr_t: the same, or for a short time where other counters start, which
   the library adds to these.  To be read again after each call that may lead to
   an allocation or a release.  */
#define HEAPPROF_SYMBOL_WINDOW_BASE "__heapprof_window_base"

/* void (void): start the run-time library.  Every instrumented translation unit
   puts its address in .init_array.00001, ahead of all constructors; calls after
   the first return at once.  Constructors in LTO objects use the other
   name.  */
#define HEAPPROF_SYMBOL_START "__heapprof_link_with_heapprof_gcc_v1"
#define HEAPPROF_SYMBOL_INIT "__heapprof_init_v1"

/* void (void): the same for units that do not count accesses.  If there are
   any, or none that count, the accesses to the program's blocks are unknown. */
#define HEAPPROF_SYMBOL_START_ALLOC "__heapprof_link_with_heapprof_gcc_alloc_v1"

/* The symbol left undefined when instrumented objects are linked by a wrapper
   with arguments that use a profile, and so without the run-time library.  */
#define HEAPPROF_SYMBOL_GENERATE                                               \
  "__heapprof_link_with_fplugin_arg_heapprof_generate"

/* void (void): does nothing.  Units whose C allocation functions carry hints
   put its address in .init_array.00001.  Defined by libheaphint.  */
#define HEAPPROF_SYMBOL_HINT_START                                             \
  "__heapprof_link_with_lheaphint_or_fplugin_arg_heapprof_use"

/* Thread-local int, initially 0: the hint of the calling context, exclusive-or
   222, for allocations that have no hint of their own.  Code that sets or reads
   it defines it as a weak symbol.  */
#define HEAPPROF_SYMBOL_HINT_TOKEN "__heapprof_hint_token"

/* void (const void *p, size_t n): count the ceil (N / 8) accesses of a memory
   operation on N bytes at P.  */
#define HEAPPROF_SYMBOL_ACCESS_RANGE "__heapprof_access_range"

/* void (const void *a, const void *b, size_t limit, int stop,
	 unsigned operation): count the accesses of a library function on texts,
   or on memory that it reads up to a certain byte, in steps of 8 bytes from the
   start of each text.  Called before the function.  */
#define HEAPPROF_SYMBOL_ACCESS_TEXT "__heapprof_access_text"

/* What the function does.  "Up to" includes the byte itself; of each text, at
   most LIMIT bytes are accessed.  */
enum heapprof_text_operation
{
  /* strlen: read A up to its NUL.  A may be NULL.  */
  HEAPPROF_TEXT_READ,
  /* strchr: read A up to STOP or its NUL.  */
  HEAPPROF_TEXT_FIND,
  /* memchr: read A up to STOP.  */
  HEAPPROF_TEXT_FIND_BYTE,
  /* strcmp: read A and B up to their first difference or NUL.  */
  HEAPPROF_TEXT_COMPARE,
  /* strcasecmp: the same, with 'a' equal to 'A'.  */
  HEAPPROF_TEXT_COMPARE_FOLDED,
  /* memcmp: read A and B up to their first difference.  */
  HEAPPROF_TEXT_COMPARE_BYTES,
  /* strcpy: write to A what is read from B, up to its NUL.  */
  HEAPPROF_TEXT_COPY,
  /* strncpy: the same, but write LIMIT bytes.  */
  HEAPPROF_TEXT_COPY_PADDED,
  /* strcat: read A up to its NUL, and write B and a NUL there.  */
  HEAPPROF_TEXT_APPEND,
  /* strspn: read B, and A up to the first byte that is not in B.  */
  HEAPPROF_TEXT_SPAN,
  /* strcspn: read B, and A up to the first byte that is in B, or its NUL.  */
  HEAPPROF_TEXT_SPAN_NOT,
  /* strstr: read B, and A to the end of the first copy of B, or of A.  */
  HEAPPROF_TEXT_SEARCH,

  /* Not an operation: the bits of the word that hold it.  */
  HEAPPROF_TEXT_OPERATION = 0xff,
  /* Do not count accesses to A or B: they are not in the heap.  */
  HEAPPROF_TEXT_SKIP_A = 0x100,
  HEAPPROF_TEXT_SKIP_B = 0x200,
  /* Count in histograms, too.  */
  HEAPPROF_TEXT_HISTOGRAM = 0x400
};

/* void (const void *p, ptrdiff_t step, size_t n, size_t weight): count WEIGHT
   accesses at each of P, P + STEP ... P + (N - 1) * STEP.  */
#define HEAPPROF_SYMBOL_ACCESS_STRIDE "__heapprof_access_stride"

/* void (const void *p, ptrdiff_t step, size_t n, size_t weight,
	 ptrdiff_t row_step, size_t rows): do this at each of the ROWS
   addresses P, P + ROW_STEP ...  */
#define HEAPPROF_SYMBOL_ACCESS_GRID "__heapprof_access_grid"

/* Code compiled for histograms of accesses also increments, for an access to A,

     *(uint64_t *) (histogram_base + (A & histogram_mask))

   one counter for each 8 bytes of memory.  A vector access increments the
   counters of all its 8-byte words, its lanes distributed evenly.  In the mask
   the lowest 3 bits are 0, and enough others that blocks do not share counters.
   Base and mask are constant after the first call of the initialiser, which
   such units call after the other one; before that, they lead to a counter that
   is never read.  */
#define HEAPPROF_SYMBOL_HISTOGRAM_BASE "__heapprof_histogram_base"
#define HEAPPROF_SYMBOL_HISTOGRAM_MASK "__heapprof_histogram_mask"
#define HEAPPROF_SYMBOL_INIT_HISTOGRAM "__heapprof_init_histogram_v1"

/* void (void): some code counts accesses in any granule of their block.  Called
   as the one for histograms is.  */
#define HEAPPROF_SYMBOL_INIT_TOTALS "__heapprof_init_totals_v1"
#define HEAPPROF_SYMBOL_ACCESS_RANGE_HISTOGRAM                                 \
  "__heapprof_access_range_histogram"

/* const char []: the folder for raw profiles, as given to the compiler with
   -fplugin-arg-heapprof-generate=DIR.  Comdat in instrumented units, weak and
   empty in the library.  */
#define HEAPPROF_SYMBOL_DIRECTORY "__heapprof_directory"

/* The plugin satisfies an LTO object's reference to this symbol at link time.
   Linked without the plugin, the program would silently lose its counters;
   instead the link fails and the linker prints this name.  */
#define HEAPPROF_SYMBOL_LTO_GUARD "__heapprof_link_with_fplugin_heapprof"

#endif /* HEAPPROF_ABI_H */

/* The limits of advice: what a profile must show before advice is given.
   SPDX-License-Identifier: GPL-3.0-or-later

   Advice costs the reader's time, so a limit is set where following the advice
   would hardly be measurable, or where the evidence has another explanation.
   The manual documents them ("advise").  */

#ifndef HEAPPROF_ADVICE_LIMITS_H
#define HEAPPROF_ADVICE_LIMITS_H

/* Default of --min-share: percent of what the program has of the unit of the
   gain.  Changes below that are lost in the noise of measurements.  */
#define ADVICE_MIN_SHARE_PERCENT 1.0

/* Default of --limit.  The ranking is steep: what follows adds little.  */
#define ADVICE_LIMIT 10

/* Least blocks for advice on the number of allocations, at some 20 ns each, and
   least bytes for advice on memory: below, even all of it does not matter.  */
#define ADVICE_LEAST_BLOCKS 1000
#define ADVICE_LEAST_BYTES 65536

/* A site is the innermost function whose blocks behave alike: this percentage
   of them.  */
#define ADVICE_ALIKE_PERCENT 80

/* Candidates for a site, from the innermost one outwards.  What wraps an
   allocator is thin; functions further out tell what the program did, not what
   allocates.  */
#define ADVICE_SITE_FRAMES 4

/* An array on the stack replaces a temporary block up to this size; larger ones
   may overflow the stacks of threads.  */
#define ADVICE_STACK_BYTES 1024

/* Containers at least double, so growth has sizes that differ by this
   factor.  */
#define ADVICE_GROWTH_RATIO 2

/* Without the name of a function that grows something, sizes are a chain of
   growth only if there are so many, if each is larger than the one before by a
   factor in this range, and if they add up to the bytes allocated, within this
   percentage.  */
#define ADVICE_CHAIN_BLOCKS 5
#define ADVICE_CHAIN_LEAST_FACTOR 1.2
#define ADVICE_CHAIN_MOST_FACTOR 4.0
#define ADVICE_CHAIN_PERCENT 10.0

/* Blocks that a pool makes sense for.  Above this size, the header of a block
   is less than 4% of it; the pool itself costs some pages; and a pool has few
   sizes: the largest is at most this many times the least.  */
#define ADVICE_POOL_BYTES 256
#define ADVICE_POOL_BLOCKS 10000
#define ADVICE_POOL_SIZES_RATIO 4

/* A block of glibc's malloc on 64-bit machines: a header, the next multiple,
   and a least size.  */
#define ADVICE_MALLOC_HEADER 8
#define ADVICE_MALLOC_ALIGNMENT 16
#define ADVICE_MALLOC_LEAST 32

/* Blocks are released together if all releases are in this percentage of the
   run.  */
#define ADVICE_TOGETHER_PERCENT 5

/* A block is oversized if this percentage of it or less is accessed.  Use is
   measured in pieces of 64 bytes, so smaller blocks say little.  What grows by
   doubling is half empty on average, so the limit is lower there.  */
#define ADVICE_USED_PERCENT 50
#define ADVICE_GROWN_USED_PERCENT 25
#define ADVICE_OVERSIZED_BYTES 512

/* Separating cold blocks from others gains nothing if all fit into a cache of
   this size anyway (the second level of current processors).  */
#define ADVICE_CACHE_BYTES 1048576

/* Reasons why there is little to gain: something has most of the accesses, or
   little of the memory; and the size from which blocks fill pages of their
   own.  */
#define ADVICE_MOST_PERCENT 50
#define ADVICE_FEW_PERCENT 5
#define ADVICE_PAGE_BYTES 4096

/* A cache line.  */
#define ADVICE_LINE_BYTES 64

/* Keeping hot blocks apart gains nothing if less than this percentage of the
   memory is between them.  */
#define ADVICE_OTHERS_PERCENT 20

/* A member is cold if it has less than this percentage of the accesses to its
   class.  Splitting a class makes sense if cold members fill a cache line.  */
#define ADVICE_COLD_MEMBER_PERCENT 1
#define ADVICE_SPLIT_BYTES 64

/* Memory that is never freed is not a leak if the program uses it to the end.
   It may be one if blocks are hardly accessed and their number grows throughout
   the run: the youngest lived less than the first percentage of the run, the
   oldest more than the second, of the bytes that the program allocates if that
   is known.  */
#define ADVICE_YOUNG_PERCENT 5
#define ADVICE_OLD_PERCENT 50

#endif /* HEAPPROF_ADVICE_LIMITS_H */

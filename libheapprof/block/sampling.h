/* Sampling: which blocks are profiled, and how many blocks each stands for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread counts down the bytes until the next sample; the distances are
   random, distributed exponentially, with a mean of rt_sample_bytes.  So each
   byte allocated has the same chance to be the end of such a distance, and a
   block of s bytes is profiled with probability p = 1 - exp (-s / mean),
   independently of all others.  It stands for 1/p blocks of its kind.  As
   profiles hold whole numbers, that is rounded up or down at random, so that
   the mean is 1/p; a bit of the block says which.  Blocks of 0 bytes are never
   profiled.  */

#ifndef HEAPPROF_SAMPLING_H
#define HEAPPROF_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The mean distance in bytes; 0 if all blocks are profiled.  */
extern uint32_t rt_sample_bytes __attribute__ ((visibility ("hidden")));

/* A thread's state.  At first LEFT is 0, so that the first allocation gets a
   distance.  The code in sample.c knows that LEFT comes first.  */
struct rt_sampler
{
  uint64_t left;   /* bytes until the next sample, less than 0: it is due */
  uint64_t random; /* state of the generator, 0: not begun */
};

extern __thread struct rt_sampler rt_sampler
  __attribute__ ((visibility ("hidden"), tls_model ("initial-exec")));

/* The calling thread is about to fork the process.  */
void rt_sample_before_fork (void);

/* The process is a child, forked by the calling thread.  Its samples are others
   than those of its parent and of other children, but with the same seed they
   are the same in each run.  */
void rt_sample_become_child (void);

/* Return true if this process has allocated anything, sample or not: a thread
   its first block, or the calling thread, if it forked the process, any block
   since then.  */
bool rt_sample_has_begun (void);

/* Sample with a mean distance of BYTES.  The same SEED leads to the same
   samples in a program that allocates the same; 0: no two runs are equal.  */
void rt_sample_start (uint32_t bytes, uint64_t seed);

/* Subtract SIZE, of a new block, from what was left; return true if there was
   as much, so that the block is no sample.  */
static inline bool
rt_sample_is_before (size_t size)
{
  return !__builtin_sub_overflow (rt_sampler.left, size, &rt_sampler.left);
}

/* There was less.  Begin the next distance; return true if the block is a
   sample.  False only if it is the thread's first block.  */
bool rt_sample_is_due (size_t size);

/* Return whether the number of blocks that a sample of SIZE bytes stands for is
   to be rounded up.  */
bool rt_sample_draw (size_t size);

/* What a sample stands for: a number of blocks; and what it adds to the
   estimate of the variance of the number of all blocks, (1 - p) / p^2 plus the
   variance of rounding.  */
struct rt_estimate
{
  uint32_t weight;
  double variance;
  double access_variance; /* the same for accesses: greater if the block's own
			     number is an estimate */
};

/* Accesses of samples are estimates.  */
extern bool rt_sample_watches __attribute__ ((visibility ("hidden")));

/* Steele's SplitMix64: the next number of *STATE.  */
uint64_t rt_sample_random (uint64_t *state);

/* Return the estimate from a sample of SIZE bytes, rounded up when IS_UP.
   Without sampling a block stands for itself.  */
struct rt_estimate rt_sample_estimate (size_t size, bool is_up);

/* Return how many bytes a sample of SIZE bytes stands for: SIZE / p, without
   sampling SIZE.  */
uint64_t rt_sample_bytes_of (size_t size);

#endif /* HEAPPROF_SAMPLING_H */

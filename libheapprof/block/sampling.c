/* Sampling: random distances and weights.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "sampling.h"
#include "exponential.h"
#include "sys.h"

uint32_t rt_sample_bytes;
bool rt_sample_watches;
__thread struct rt_sampler rt_sampler;

static uint64_t seed;
static bool is_given;	 /* by the user */
static uint64_t threads; /* that have begun */
static uint64_t forks;	 /* that this process has begun */

/* A thread has allocated its first block in this process.  */
static bool has_begun;

/* In a child, what its first thread had left when it was forked.  */
static uint64_t left_at_fork;
static bool is_child;

uint64_t
rt_sample_random (uint64_t *state)
{
  uint64_t value = *state += 0x9e3779b97f4a7c15u;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

/* Return a random number above 0 and at most 1.  */

static double
next_share (void)
{
  return (double) ((rt_sample_random (&rt_sampler.random) >> 11) + 1) * 0x1p-53;
}

/* Start the calling thread's generator far from those of others.  */

static void
begin_thread (void)
{
  uint64_t state
    = seed + __atomic_fetch_add (&threads, 1, __ATOMIC_RELAXED) * 0x5851f42du;
  rt_sampler.random = rt_sample_random (&state) | 1;
  __atomic_store_n (&has_begun, true, __ATOMIC_RELAXED);
}

static uint64_t
next_distance (void)
{
  return (uint64_t) (-rt_log_of (next_share ()) * rt_sample_bytes);
}

void
rt_sample_start (uint32_t bytes, uint64_t given)
{
  seed = given;
  is_given = given != 0;
  if (!is_given)
    seed = sys_steady_ns () ^ (uint64_t) sys_pid () << 32
	   ^ (uint64_t) (uintptr_t) &given;
  __atomic_store_n (&rt_sample_bytes, bytes, __ATOMIC_RELEASE);
}

void
rt_sample_before_fork (void)
{
  __atomic_fetch_add (&forks, 1, __ATOMIC_RELAXED);
}

/* Other children, which allocate the same, must not have the same samples:
   their sum would vary as if one of them stood for all.  What is left has the
   same distribution at any place.  */

void
rt_sample_become_child (void)
{
  has_begun = false;
  is_child = true;
  uint64_t state = seed + rt_sampler.random + forks * 0x5851f42du;
  if (!is_given)
    state += (uint64_t) sys_pid ();
  seed = rt_sample_random (&state);
  if (rt_sampler.random != 0)
    {
      rt_sampler.random = rt_sample_random (&state) | 1;
      rt_sampler.left = next_distance ();
    }
  forks = 0;
  left_at_fork = rt_sampler.left;
}

/* Another thread than the child's first one was created there, which takes
   memory.  */

bool
rt_sample_has_begun (void)
{
  if (__atomic_load_n (&has_begun, __ATOMIC_RELAXED))
    return true;
  return is_child
	 && (sys_thread_id () != sys_pid () || rt_sampler.left != left_at_fork);
}

bool
rt_sample_is_due (size_t size)
{
  if (rt_sampler.random == 0)
    {
      begin_thread ();
      rt_sampler.left = next_distance ();
      if (!__builtin_sub_overflow (rt_sampler.left, size, &rt_sampler.left))
	return false;
    }
  rt_sampler.left = next_distance ();
  return true;
}

/* Return how many blocks a sample of SIZE bytes stands for, not rounded.  */

static double
exact_weight (size_t size)
{
  return 1 / rt_share_of ((double) (size > 0 ? size : 1) / rt_sample_bytes);
}

bool
rt_sample_draw (size_t size)
{
  const double weight = exact_weight (size);
  if (rt_sampler.random == 0)
    begin_thread ();
  return next_share () <= weight - (double) (uint32_t) weight;
}

struct rt_estimate
rt_sample_estimate (size_t size, bool is_up)
{
  if (rt_sample_bytes == 0)
    return (struct rt_estimate){ 1, 0, 0 };
  const double weight = exact_weight (size);
  const uint32_t whole = (uint32_t) weight;
  const double rest = weight - (double) whole;
  const double variance = (weight - 1) * weight + rest * (1 - rest);
  /* The square of an estimate is what a sum of rare events varies by.  */
  return (struct rt_estimate){ whole + is_up, variance,
			       rt_sample_watches ? weight * weight : variance };
}

uint64_t
rt_sample_bytes_of (size_t size)
{
  return rt_sample_bytes == 0
	   ? size
	   : (uint64_t) (exact_weight (size) * (double) size + 0.5);
}

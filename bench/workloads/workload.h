/* Common parts of the workloads: random numbers, checksums, arguments.
   SPDX-License-Identifier: GPL-3.0-or-later

   A workload depends only on its arguments: it computes the same result in each
   run and with every compiler, and prints one line with a checksum.  */

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Tests build workloads that compute a different result.  */
#ifndef HEAPPROF_BENCH_SEED
#define HEAPPROF_BENCH_SEED 0
#endif

/* The next number of the generator whose state is *STATE (splitmix64).  */

static inline uint64_t
workload_random (uint64_t *state)
{
  uint64_t x = *state += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Add VALUE to the checksum SUM; the order matters.  */

static inline uint64_t
workload_mix (uint64_t sum, uint64_t value)
{
  sum = (sum ^ value) * UINT64_C (0x100000001b3);
  return sum ^ sum >> 29;
}

/* Argument number I, at least 1, or VALUE if it is missing.  */

static inline unsigned long
workload_argument (int argc, char **argv, int i, unsigned long value)
{
  if (i >= argc)
    return value;
  char *end;
  const unsigned long number = strtoul (argv[i], &end, 10);
  if (*end != '\0' || number == 0)
    {
      fprintf (stderr, "%s: `%s' is no count\n", argv[0], argv[i]);
      exit (2);
    }
  return number;
}

/* Return BLOCK; exit if memory ran out.  */

static inline void *
workload_block (void *block)
{
  if (block == NULL)
    {
      fputs ("out of memory\n", stderr);
      exit (1);
    }
  return block;
}

static inline void
workload_report (uint64_t sum)
{
  printf ("checksum %016llx\n", (unsigned long long) sum + HEAPPROF_BENCH_SEED);
}

/* Ten functions, so that many calling contexts need few of them: DEFINE (N) for
   each N, and the list of their names, PREFIX followed by N.  */

#define WORKLOAD_TEN(DEFINE)                                                   \
  DEFINE (0)                                                                   \
  DEFINE (1)                                                                   \
  DEFINE (2)                                                                   \
  DEFINE (3)                                                                   \
  DEFINE (4)                                                                   \
  DEFINE (5)                                                                   \
  DEFINE (6)                                                                   \
  DEFINE (7)                                                                   \
  DEFINE (8)                                                                   \
  DEFINE (9)
#define WORKLOAD_TEN_NAMES(PREFIX)                                             \
  PREFIX##0, PREFIX##1, PREFIX##2, PREFIX##3, PREFIX##4, PREFIX##5, PREFIX##6, \
    PREFIX##7, PREFIX##8, PREFIX##9

#endif /* WORKLOAD_H */

/* Variants of a program, run in turns and compared.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROVE_H
#define HEAPPROF_PROVE_H

#include "cache-simulation.h"
#include "growth-limit.h"
#include "limit-cases.h"
#include "page-watch.h"
#include "ratio-interval.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prove_measure
{
  PROVE_TIME, /* CPU time, in nanoseconds, as WALL */
  PROVE_WALL,
  PROVE_RSS,   /* peak of resident memory, in bytes */
  PROVE_PAGES, /* touched in the steady phase (page-watch.h) */
  PROVE_MINOR_FAULTS,
  PROVE_MAJOR_FAULTS,
  PROVE_INSTRUCTIONS, /* simulated, as the following */
  PROVE_D1_MISSES,
  PROVE_LL_MISSES,
  PROVE_MEASURES
};

/* Return the name of MEASURE, or find the measure with NAME.  */
const char *prove_measure_name (enum prove_measure measure);
bool prove_measure_find (const char *name, enum prove_measure *measure);

/* Measurements of a variant, one for each round in which it was made.  */
struct prove_result
{
  double *values;
  size_t count; /* 0: not measured */
  double median;
  struct ratio_interval ratio; /* to the variant's base */
};

struct prove_variant
{
  char *name;
  char *text;	/* what the words below point to */
  char **words; /* the settings, NULL, the command, NULL */
  char **settings;
  char **command;
  const char *allocator; /* as given by the user; NULL: none */
  size_t base;		 /* the variant to compare with; its own number: none */
  struct prove_result results[PROVE_MEASURES];
};

enum prove_output
{
  PROVE_OUTPUT_NOT_COMPARED,
  PROVE_OUTPUT_SAME,
  PROVE_OUTPUT_VARIES /* from run to run of one variant */
};

struct prove
{
  struct prove_variant *variants;
  size_t variant_count;
  size_t rounds;
  size_t warm_up; /* more rounds before these */
  uint64_t seed;
  const char *input;
  int exit_status; /* expected of all variants */
  double timeout_s;
  bool has_pages;
  struct page_phase phase; /* in which pages are counted */
  bool has_simulation;
  struct cache_sizes caches;
  enum prove_output output;
  uint64_t output_bytes; /* if it is the same */
  double load;		 /* average of the last minute, at the start */
  long processors;
};

/* The least CPU time of a variant for PROVE_PAGES.  */
#define PROVE_PAGES_LEAST_NS 50e6

/* Most rounds in which pages are counted.  */
#define PROVE_PAGES_ROUNDS 12

/* Run all variants of PROVE and store their results.  On failure, print an
   error and return false.  */
bool prove_run (struct prove *prove);

void prove_release (struct prove *prove);

/* Print the results.  Return false if memory is exhausted.  */
bool prove_print_text (const struct prove *prove);
bool prove_print_json (const struct prove *prove);

#define PROVE_MAX_LIMITS 16

struct prove_limits
{
  struct
  {
    enum prove_measure measure;
    struct growth_limit growth;
  } limits[PROVE_MAX_LIMITS];
  size_t count;
};

/* Add the limit TEXT.  If it is invalid, print an error and return false.  */
bool prove_limits_add (struct prove_limits *limits, const char *text);

/* Return true if PROVE will measure all that LIMITS apply to; otherwise print
   an error.  */
bool prove_limits_are_measured (const struct prove_limits *limits,
				const struct prove *prove);

/* Add to CASES whether each variant is within each of LIMITS.  If memory is
   exhausted, print an error and return false.  */
bool prove_limits_check (const struct prove_limits *limits,
			 const struct prove *prove, struct limit_cases *cases);

#endif /* HEAPPROF_PROVE_H */

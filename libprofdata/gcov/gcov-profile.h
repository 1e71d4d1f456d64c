/* GCC's own counters in memory: the content of data files (.gcda).
   SPDX-License-Identifier: GPL-3.0-or-later

   A unit is the counters of one object file.  Each of its functions has a
   position, which is its index in the object; a position without a function is
   one whose code is in another object.  A function has a vector of counters for
   each kind that it counts.  A unit is identified by its path, its byte order,
   and the version, stamp, checksum and number of positions in its file; units
   with equal keys are added function by function.  Functions at the same
   position whose checksums or vectors differ, which a file cannot hold, are
   kept separately.

   Merging works as in GCC's run-time library, with three differences: sums
   saturate instead of wrapping (except in vectors of averages); values of TOPN
   are never dropped to make room; the result does not depend on the order.  */

#ifndef HEAPPROF_GCOV_PROFILE_H
#define HEAPPROF_GCOV_PROFILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Kinds of vectors, and how they are merged.  */
  enum gcov_kind
  {
    GCOV_KIND_ARCS = 0,	      /* sum */
    GCOV_KIND_INTERVAL = 1,   /* sum */
    GCOV_KIND_POWER = 2,      /* sum */
    GCOV_KIND_TOPN = 3,	      /* sites: union, sum */
    GCOV_KIND_CALL = 4,	      /* sites; values are idents of callees */
    GCOV_KIND_AVERAGE = 5,    /* sum, which may be negative */
    GCOV_KIND_OR = 6,	      /* OR */
    GCOV_KIND_TIME = 7,	      /* minimum except 0: order of first executions */
    GCOV_KIND_CONDITIONS = 8, /* OR */
    GCOV_KIND_PATHS = 9,      /* OR */
    GCOV_KINDS = 10
  };

  struct gcov_target
  {
    int64_t value;
    int64_t count;
  };

  /* The values seen at one place.  As read they are in file order; after
     merging they are in descending order of counts, then ascending order of
     values.  */
  struct gcov_site
  {
    int64_t total; /* executions; negative: -TOTAL, and values were lost */
    uint32_t target_count;
    struct gcov_target *targets; /* malloced */
  };

  struct gcov_vector
  {
    enum gcov_kind kind;
    uint32_t count;	     /* of counters, or of sites */
    int64_t *counters;	     /* malloced; NULL for sites, and if all are 0 and
				not listed in the file */
    struct gcov_site *sites; /* malloced; NULL for counters */
  };

  struct gcov_function
  {
    uint32_t position;
    uint32_t ident;
    uint32_t lineno_checksum;
    uint32_t cfg_checksum;
    uint32_t vector_count;
    struct gcov_vector *vectors; /* malloced; by kind, each once */
    char *name;			 /* malloced; assembler name, NULL: unknown */
    char *file;			 /* malloced; its source file, NULL: unknown */
  };

  struct gcov_unit
  {
    char *path;	      /* malloced; of the data file */
    uint32_t version; /* as accepted by gcov_format_major */
    uint32_t stamp;
    uint32_t checksum; /* 0 before GCC 12 */
    bool is_big_endian;
    bool has_summary;
    uint32_t runs;
    uint32_t sum_max; /* sum of the runs' greatest arc counters */
    uint32_t position_count;
    uint32_t function_count;
    struct gcov_function *functions; /* malloced; by position, checksums */
  };

  struct gcov_profile
  {
    struct gcov_unit **units; /* malloced, as is each; unordered */
    size_t unit_count;
    bool is_saturated; /* a sum reached its bound */
    size_t capacity;
    void *index; /* finds units by key */
  };

  /* Create an empty profile; NULL if memory is exhausted.  Free it with
     gcov_profile_free, which accepts NULL.  */
  struct gcov_profile *gcov_profile_new (void);
  void gcov_profile_free (struct gcov_profile *profile);

  /* Free UNIT, which may be NULL, and everything it owns.  */
  void gcov_unit_free (struct gcov_unit *unit);

  /* Free what VECTOR owns.  */
  void gcov_vector_clear (struct gcov_vector *vector);

  /* Return true if vectors of KIND have sites.  */
  static inline bool gcov_kind_has_sites (enum gcov_kind kind)
  {
    return kind == GCOV_KIND_TOPN || kind == GCOV_KIND_CALL;
  }

  /* Return the vector of KIND of FUNCTION, NULL if there is none.  */
  const struct gcov_vector *
  gcov_function_vector (const struct gcov_function *function,
			enum gcov_kind kind);

  /* Compare functions of a unit; 0 if they are the same and can be added.  */
  int gcov_function_compare (const struct gcov_function *a,
			     const struct gcov_function *b);

  /* Add the malloced UNIT to PROFILE, which owns it from then on, even on
     failure.  Return false if memory is exhausted.  */
  bool gcov_profile_add (struct gcov_profile *profile, struct gcov_unit *unit);

  /* Merge SOURCE, which must not be PROFILE and is not modified, into PROFILE.
     Return false if memory is exhausted; PROFILE is then incomplete.  */
  bool gcov_profile_merge (struct gcov_profile *profile,
			   const struct gcov_profile *source);

  /* Change PROFILE as if its runs had happened WEIGHT times, at least 1: sums
     are multiplied.  Return false if memory is exhausted; PROFILE is then
     incomplete.  */
  bool gcov_profile_scale (struct gcov_profile *profile, uint64_t weight);

  /* Return the units in file order, by key; malloced.  NULL if memory is
     exhausted.  */
  const struct gcov_unit **
  gcov_profile_order (const struct gcov_profile *profile);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_PROFILE_H */

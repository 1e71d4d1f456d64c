/* gcc's own counters in memory: what data files (.gcda) hold.
   SPDX-License-Identifier: GPL-3.0-or-later

   A unit is what one object file counted.  Its functions have a position each,
   the one in the object; a position without function is one whose code another
   object provides.  A function has a vector of counters for each kind that it
   counts.  A unit is found by its path, its byte order, and the version, stamp,
   checksum and number of positions in its file; units of equal keys are added
   function by function.  Functions at one position whose checksums or vectors
   differ, which a file cannot hold, are kept side by side.

   What is added is added as gcc's run-time library adds it, but for three
   things: sums stop at the greatest number instead of wrapping (but in vectors
   of averages); values of TOPN are never dropped to make room; and the result
   does not depend on the order.  */

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

  /* Kinds of vectors, and how they are added.  */
  enum gcov_kind
  {
    GCOV_KIND_ARCS = 0,	      /* sum */
    GCOV_KIND_INTERVAL = 1,   /* sum */
    GCOV_KIND_POWER = 2,      /* sum */
    GCOV_KIND_TOPN = 3,	      /* sites: union, sum */
    GCOV_KIND_CALL = 4,	      /* sites; values are idents of callees */
    GCOV_KIND_AVERAGE = 5,    /* sum, which may be negative */
    GCOV_KIND_OR = 6,	      /* or */
    GCOV_KIND_TIME = 7,	      /* least but 0: order of first executions */
    GCOV_KIND_CONDITIONS = 8, /* or */
    GCOV_KIND_PATHS = 9,      /* or */
    GCOV_KINDS = 10
  };

  struct gcov_target
  {
    int64_t value;
    int64_t count;
  };

  /* The values seen at one place.  As read they stand in the file's order,
     added they stand by falling count and rising value.  */
  struct gcov_site
  {
    int64_t total; /* executions; negative: -TOTAL, and values
		      were lost */
    uint32_t target_count;
    struct gcov_target *targets; /* malloced */
  };

  struct gcov_vector
  {
    enum gcov_kind kind;
    uint32_t count;	     /* of counters, or of sites */
    int64_t *counters;	     /* malloced; NULL if all are 0 and the file
				does not list them, and for sites */
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
    char *name;			 /* malloced; assembler name, NULL unknown */
    char *file;			 /* malloced; of its source, NULL unknown */
  };

  struct gcov_unit
  {
    char *path;	      /* malloced; of the data file */
    uint32_t version; /* as gcov_format_major takes */
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
    struct gcov_unit **units; /* malloced, as is each; in no order */
    size_t unit_count;
    bool is_saturated; /* some sum reached its bound */
    size_t capacity;
    void *index; /* finds units by key */
  };

  /* Make an empty profile.  NULL if memory cannot be had.  Release it with
     gcov_profile_free, which takes NULL too.  */
  struct gcov_profile *gcov_profile_new (void);
  void gcov_profile_free (struct gcov_profile *profile);

  /* Release UNIT, which may be NULL, and all it owns.  */
  void gcov_unit_free (struct gcov_unit *unit);

  /* Release what VECTOR owns.  */
  void gcov_vector_clear (struct gcov_vector *vector);

  /* Does a vector of KIND have sites?  */
  static inline bool gcov_kind_has_sites (enum gcov_kind kind)
  {
    return kind == GCOV_KIND_TOPN || kind == GCOV_KIND_CALL;
  }

  /* The vector of KIND of FUNCTION, NULL if there is none.  */
  const struct gcov_vector *
  gcov_function_vector (const struct gcov_function *function,
			enum gcov_kind kind);

  /* Orders functions of a unit; 0 if they are the same and can be added.  */
  int gcov_function_compare (const struct gcov_function *a,
			     const struct gcov_function *b);

  /* Add the malloced UNIT to PROFILE, which owns it from then on, even if this
     fails.  False if memory cannot be had.  */
  bool gcov_profile_add (struct gcov_profile *profile, struct gcov_unit *unit);

  /* Add SOURCE, which is not PROFILE and stays as it is, to PROFILE.  False if
     memory cannot be had; PROFILE is then half changed.  */
  bool gcov_profile_merge (struct gcov_profile *profile,
			   const struct gcov_profile *source);

  /* Make PROFILE what WEIGHT, at least 1, times its runs would give: what is
     summed is multiplied.  False if memory cannot be had; PROFILE is then half
     changed.  */
  bool gcov_profile_scale (struct gcov_profile *profile, uint64_t weight);

  /* The units in the order of files, by key; malloced.  NULL if memory cannot
     be had.  */
  const struct gcov_unit **
  gcov_profile_order (const struct gcov_profile *profile);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_PROFILE_H */

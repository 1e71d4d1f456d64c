/* The counter profile in memory: execution counts and values of functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are named as LLVM names them (FILE;NAME for local functions in
   IR-level profiles, FILE:NAME in front-end profiles).  A name has one record
   for each version of the function's body, identified by the hash of the body
   and by its shape, the numbers of things counted.  Records with equal name,
   hash and shape are added up; others are kept separate, so that merging loses
   nothing and does not depend on the order of inputs.

   Names and records are numbered from 0 in order of arrival, which has no
   meaning; counter_profile_order returns the order used in files.  A GUID is
   the first 8 bytes of the MD5 digest of a name.  */

#ifndef HEAPPROF_COUNTER_PROFILE_H
#define HEAPPROF_COUNTER_PROFILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* How the counters were made; 0 for clang's front-end counters.  */
  enum counter_flag
  {
    COUNTER_IR = 1,		   /* the compiler's intermediate
				      representation */
    COUNTER_CONTEXT_SENSITIVE = 2, /* instrumented again after inlining */
    COUNTER_ENTRY_FIRST = 4,	   /* counter 0 counts the entry */
    COUNTER_LOOP_ENTRIES = 8,
    COUNTER_SINGLE_BYTE = 16, /* covered or not, instead of a count */
    COUNTER_ENTRY_ONLY = 32,  /* one counter per function */
    COUNTER_TEMPORAL = 64     /* traces of first executions */
  };

/* Set in the hash of functions of the second instrumentation.  */
#define COUNTER_HASH_CONTEXT_SENSITIVE (UINT64_C (1) << 60)

/* The greatest count.  The two values above it, as counter 0 of a record, mean
   `hot' and `warm' and replace all counts.  */
#define COUNTER_GREATEST (UINT64_MAX - 2)
#define COUNTER_WARM (UINT64_MAX - 1)
#define COUNTER_HOT UINT64_MAX

  enum counter_value_kind
  {
    COUNTER_CALL_TARGET = 0, /* GUID of a function; 0 if unknown */
    COUNTER_MEMOP_SIZE = 1,  /* bytes, rounded by the run-time library */
    COUNTER_VTABLE = 2,	     /* GUID of a virtual table */
    COUNTER_VALUE_KINDS = 3
  };

  struct counter_value
  {
    uint64_t value;
    uint64_t count;
  };

  /* The values seen at one place, in ascending order.  Equal values, which are
     different targets without a known name, are in descending order of counts.
     When sites are added, the first entry of a value is added to the first one
     here, the second to the second, and so on; the result does not depend on
     the order of additions.  */
  struct counter_value_site
  {
    struct counter_value *values;
    uint32_t count;
    uint32_t capacity;
  };

  /* Distinguishes records of the same name and hash.  */
  struct counter_shape
  {
    uint32_t counter_count;
    uint32_t bitmap_bytes;
    uint32_t site_counts[COUNTER_VALUE_KINDS];
    bool is_pseudo; /* counter 0 is COUNTER_HOT or COUNTER_WARM */
  };

  /* A record.  It lives as long as the profile and never moves.  */
  struct counter_function
  {
    uint64_t hash;
    uint32_t name;
    uint32_t next; /* next record of the same name, plus 1; 0: none */
    struct counter_shape shape;
    uint64_t *counters;
    uint8_t *bitmap; /* of tested conditions; merged by OR */
    struct counter_value_site *sites[COUNTER_VALUE_KINDS];
  };

  /* The order in which functions were first executed in a run.  */
  struct counter_trace
  {
    uint64_t weight;
    const uint64_t *guids;
    size_t count;
  };

  /* What to report about a profile.  */
  struct counter_notes
  {
    bool saturated;		/* a count reached COUNTER_GREATEST */
    uint64_t mismatched_names;	/* names whose records have different hashes */
    uint64_t conflicting_names; /* names with different shapes for one hash */
  };

  struct counter_profile;

  /* Create an empty profile; NULL if memory is exhausted.  Free it with
     counter_profile_free, which accepts NULL.  */
  struct counter_profile *counter_profile_new (void);
  void counter_profile_free (struct counter_profile *profile);

  /* Flags of enum counter_flag.  Adding the flags of an input fails, and fills
     *ERR except its path, if its counters and those of PROFILE cannot be
     combined: front end and IR, full functions and entries only, counts and
     coverage.  An input without functions, HAS_FUNCTIONS false, is always
     compatible.  */
  unsigned int counter_profile_flags (const struct counter_profile *profile);
  bool counter_profile_add_flags (struct counter_profile *profile,
				  unsigned int flags, bool has_functions,
				  struct profile_error *err);

  /* ---- Names.  */

  /* Find or add the name of N bytes at TEXT.  Return its number, or UINT32_MAX
     if memory is exhausted.  */
  uint32_t counter_profile_add_name (struct counter_profile *profile,
				     const char *text, size_t n);

  /* The same with a GUID that is, or is claimed to be, the first half of the
     MD5 digest of TEXT.  If it is not, *IS_RIGHT is false and nothing is added.
     No digest is computed for a known name, and lookup is fastest if names
     arrive in the same order as before.  */
  uint32_t counter_profile_add_hashed_name (struct counter_profile *profile,
					    const char *text, size_t n,
					    uint64_t guid, bool *is_right);

  /* Return the number of a name with GUID, UINT32_MAX if there is none.  */
  uint32_t counter_profile_find_guid (const struct counter_profile *profile,
				      uint64_t guid);

  /* Return the text of NAME, NUL-terminated and valid until the profile is
     freed; its length without the NUL; its GUID; the number of names.  */
  const char *counter_profile_name (const struct counter_profile *profile,
				    uint32_t name);
  size_t counter_profile_name_bytes (const struct counter_profile *profile,
				     uint32_t name);
  uint64_t counter_profile_name_guid (const struct counter_profile *profile,
				      uint32_t name);
  uint32_t counter_profile_name_count (const struct counter_profile *profile);

  /* Return true if NAME is the name of a virtual table.  Files list these.  */
  bool counter_profile_is_vtable (const struct counter_profile *profile,
				  uint32_t name);
  void counter_profile_set_vtable (struct counter_profile *profile,
				   uint32_t name);

  /* ---- Records.  */

  /* Find the record of NAME with HASH and SHAPE, or add it with zero counts.
     NULL if memory is exhausted.  */
  struct counter_function *
  counter_profile_add_function (struct counter_profile *profile, uint32_t name,
				uint64_t hash,
				const struct counter_shape *shape);

  /* The same, but NULL if there is no such record.  */
  struct counter_function *
  counter_profile_find_function (const struct counter_profile *profile,
				 uint32_t name, uint64_t hash,
				 const struct counter_shape *shape);

  /* Return true if COUNTER, the first of a record, replaces all counts.  */
  static inline bool counter_is_pseudo (uint64_t counter)
  {
    return counter > COUNTER_GREATEST;
  }

  /* Add WEIGHT times the counters at COUNTERS, as many as FUNCTION has, in host
     byte order and possibly unaligned.  */
  void counter_function_add_counters (struct counter_function *function,
				      const void *counters, uint64_t weight);

  /* Set the bits of VALUE in byte INDEX of the bitmap of FUNCTION.  */
  static inline void
  counter_function_add_bits (struct counter_function *function, uint32_t index,
			     uint8_t value)
  {
    function->bitmap[index] |= value;
  }

  /* Add WEIGHT times the N counts of VALUES, in any order, to SITE of KIND.
     INSERT_VALUES inserts VALUES as new entries instead, even if equal values
     exist.  Return false if memory is exhausted.  */
  bool counter_profile_add_values (struct counter_profile *profile,
				   struct counter_function *function,
				   enum counter_value_kind kind, uint32_t site,
				   const struct counter_value *values, size_t n,
				   uint64_t weight);
  bool counter_profile_insert_values (struct counter_profile *profile,
				      struct counter_function *function,
				      enum counter_value_kind kind,
				      uint32_t site,
				      const struct counter_value *values,
				      size_t n);

  uint32_t
  counter_profile_function_count (const struct counter_profile *profile);
  const struct counter_function *
  counter_profile_function (const struct counter_profile *profile,
			    uint32_t function);

  /* Return the first record of NAME, NULL if it has none; its NEXT member links
     to the others.  */
  struct counter_function *
  counter_profile_first_function (const struct counter_profile *profile,
				  uint32_t name);
  const struct counter_function *
  counter_profile_functions_of (const struct counter_profile *profile,
				uint32_t name);

  /* Return the numbers of all records in file order, malloced: by name,
     bytewise; then by hash; then by descending sum of counters, so that a
     consumer that uses the first record gets the most executed one; then by
     shape.  NULL if memory is exhausted.  */
  uint32_t *counter_profile_order (const struct counter_profile *profile);

  /* Return true if any count of FUNCTION is not zero.  A sparse file omits the
     other functions.  */
  bool counter_function_has_counts (const struct counter_function *function);

  /* ---- Other parts.  */

  /* Add the build ID of N bytes at ID of a profiled binary; duplicates are
     dropped.  Return false if memory is exhausted.  */
  bool counter_profile_add_binary_id (struct counter_profile *profile,
				      const void *id, size_t n);
  uint32_t
  counter_profile_binary_id_count (const struct counter_profile *profile);
  const uint8_t *
  counter_profile_binary_id (const struct counter_profile *profile,
			     uint32_t index, size_t *n);

  /* Append a trace of the COUNT GUIDs at GUIDS, which are copied, in host byte
     order and possibly unaligned.  STREAM is the number of traces from which
     those in the profile were sampled.  */
  bool counter_profile_add_trace (struct counter_profile *profile,
				  uint64_t weight, const void *guids,
				  size_t count);
  void counter_profile_add_stream (struct counter_profile *profile,
				   uint64_t traces);
  uint64_t counter_profile_stream (const struct counter_profile *profile);
  uint32_t counter_profile_trace_count (const struct counter_profile *profile);
  const struct counter_trace *
  counter_profile_trace (const struct counter_profile *profile, uint32_t index);

  /* Return the numbers of all traces in file order, malloced: by length, then
     by GUIDs, then by weight.  NULL if memory is exhausted.  */
  uint32_t *counter_profile_trace_order (const struct counter_profile *profile);

  /* Collect what to report to the user.  Return false if memory is
     exhausted.  */
  bool counter_profile_find_notes (const struct counter_profile *profile,
				   struct counter_notes *notes);

  /* Merge WEIGHT times SOURCE, which must not be PROFILE, into PROFILE.  Return
     false and set *ERR, without a path, if their flags are incompatible or
     memory is exhausted; PROFILE is then incomplete.  */
  bool counter_profile_merge (struct counter_profile *profile,
			      const struct counter_profile *source,
			      uint64_t weight, struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_COUNTER_PROFILE_H */

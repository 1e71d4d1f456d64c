/* The counter profile in memory: execution counts and values of functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is named as LLVM names it (FILE;NAME for local ones of IR-level
   profiles, FILE:NAME for those of clang's front end).  A name has records, one
   for each version of the function's body: a record is found by the hash of
   the body and by its shape, the numbers of what it counts.  Records of equal
   name, hash and shape are added; any others are kept apart, so that folding
   profiles loses nothing and its order does not matter.

   Names and records are numbered from 0 in the order in which they came, which
   means nothing; counter_profile_order gives the order of files.  A GUID is the
   first 8 bytes of the MD5 digest of a name.  */

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

  /* How the counters were made; 0 for those of clang's front end.  */
  enum counter_flag
  {
    COUNTER_IR = 1,		   /* compiler's intermediate code */
    COUNTER_CONTEXT_SENSITIVE = 2, /* also a second time, after inlining */
    COUNTER_ENTRY_FIRST = 4,	   /* counter 0 is the entry's */
    COUNTER_LOOP_ENTRIES = 8,
    COUNTER_SINGLE_BYTE = 16, /* covered or not, instead of how often */
    COUNTER_ENTRY_ONLY = 32,  /* one counter a function */
    COUNTER_TEMPORAL = 64     /* traces of first executions */
  };

/* Functions of the second instrumentation have this bit in their hash.  */
#define COUNTER_HASH_CONTEXT_SENSITIVE (UINT64_C (1) << 60)

/* The greatest count.  The two values above it, in counter 0 of a record, stand
   for `hot' and `warm' in place of all counts.  */
#define COUNTER_GREATEST (UINT64_MAX - 2)
#define COUNTER_WARM (UINT64_MAX - 1)
#define COUNTER_HOT UINT64_MAX

  enum counter_value_kind
  {
    COUNTER_CALL_TARGET = 0, /* GUID of a function; 0 if unknown */
    COUNTER_MEMOP_SIZE = 1,  /* bytes, as the run-time library rounds them */
    COUNTER_VTABLE = 2,	     /* GUID of a virtual table */
    COUNTER_VALUE_KINDS = 3
  };

  struct counter_value
  {
    uint64_t value;
    uint64_t count;
  };

  /* The values seen at one place, by ascending value; equal ones, which are
     different targets that nobody could name, by falling count.  When sites are
     added, the first of a value is added to the first of it, the second to the
     second, and so on, which does not depend on the order of adding.  */
  struct counter_value_site
  {
    struct counter_value *values;
    uint32_t count;
    uint32_t capacity;
  };

  /* What tells records of one name and hash apart.  */
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
    uint32_t next; /* record of the same name, plus 1; 0: none */
    struct counter_shape shape;
    uint64_t *counters;
    uint8_t *bitmap; /* of conditions tested; inputs are ORed */
    struct counter_value_site *sites[COUNTER_VALUE_KINDS];
  };

  /* The order in which functions were first executed in a run.  */
  struct counter_trace
  {
    uint64_t weight;
    const uint64_t *guids;
    size_t count;
  };

  /* What a user should hear about a profile.  */
  struct counter_notes
  {
    bool saturated;		/* some count reached COUNTER_GREATEST */
    uint64_t mismatched_names;	/* names with records of different hashes */
    uint64_t conflicting_names; /* with different shapes of one hash */
  };

  struct counter_profile;

  /* Make an empty profile.  NULL if memory cannot be had.  Release it with
     counter_profile_free, which takes NULL too.  */
  struct counter_profile *counter_profile_new (void);
  void counter_profile_free (struct counter_profile *profile);

  /* Flags of enum counter_flag.  Adding those of an input fails, and fills *ERR
     but for its path, if its counters and those of PROFILE cannot be added:
     front end and IR, whole functions and entries only, counts and coverage.
     An input without functions, HAS_FUNCTIONS false, goes with any.  */
  unsigned int counter_profile_flags (const struct counter_profile *profile);
  bool counter_profile_add_flags (struct counter_profile *profile,
				  unsigned int flags, bool has_functions,
				  struct profile_error *err);

  /* ---- Names.  */

  /* Find or make the name of N bytes at TEXT.  Return its number, or UINT32_MAX
     if memory is exhausted.  */
  uint32_t counter_profile_add_name (struct counter_profile *profile,
				     const char *text, size_t n);

  /* The same if GUID is known to be the first half of the MD5 digest of TEXT,
     or to be claimed to be: *IS_RIGHT is false, and nothing is made, if it is
     not.  This computes no digest of a name that is there, and is fastest if
     names come in the order in which they came before.  */
  uint32_t counter_profile_add_hashed_name (struct counter_profile *profile,
					    const char *text, size_t n,
					    uint64_t guid, bool *is_right);

  /* The number of a name with GUID, UINT32_MAX if there is none.  */
  uint32_t counter_profile_find_guid (const struct counter_profile *profile,
				      uint64_t guid);

  /* The text of NAME, NUL-terminated, valid until the profile is freed; its
     length without the NUL; its GUID; and how many names there are.  */
  const char *counter_profile_name (const struct counter_profile *profile,
				    uint32_t name);
  size_t counter_profile_name_bytes (const struct counter_profile *profile,
				     uint32_t name);
  uint64_t counter_profile_name_guid (const struct counter_profile *profile,
				      uint32_t name);
  uint32_t counter_profile_name_count (const struct counter_profile *profile);

  /* Is NAME one of a virtual table?  A file lists these.  */
  bool counter_profile_is_vtable (const struct counter_profile *profile,
				  uint32_t name);
  void counter_profile_set_vtable (struct counter_profile *profile,
				   uint32_t name);

  /* ---- Records.  */

  /* Find or make, with all counts 0, the record of NAME with HASH and SHAPE.
     NULL if memory is exhausted.  */
  struct counter_function *
  counter_profile_add_function (struct counter_profile *profile, uint32_t name,
				uint64_t hash,
				const struct counter_shape *shape);

  /* The same, but NULL if there is none.  */
  struct counter_function *
  counter_profile_find_function (const struct counter_profile *profile,
				 uint32_t name, uint64_t hash,
				 const struct counter_shape *shape);

  /* Does COUNTER, the first of a record, stand in place of counts?  */
  static inline bool counter_is_pseudo (uint64_t counter)
  {
    return counter > COUNTER_GREATEST;
  }

  /* Add WEIGHT times the counters at COUNTERS, as many as FUNCTION has, in the
     machine's byte order but of any alignment.  */
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
     INSERT_VALUES instead puts VALUES beside those that are there, also beside
     equal ones.  False if memory is exhausted.  */
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

  /* The first record of NAME, NULL if it has none; NEXT of a record leads
     on.  */
  struct counter_function *
  counter_profile_first_function (const struct counter_profile *profile,
				  uint32_t name);
  const struct counter_function *
  counter_profile_functions_of (const struct counter_profile *profile,
				uint32_t name);

  /* The numbers of all records in the order of files, malloced: by name,
     bytewise; then by hash; then, so that who takes the first takes the one
     that counted most, by falling sum of counters; then by shape.  NULL if
     memory cannot be had.  */
  uint32_t *counter_profile_order (const struct counter_profile *profile);

  /* Has FUNCTION counted anything?  If not, a sparse file leaves it out.  */
  bool counter_function_has_counts (const struct counter_function *function);

  /* ---- The rest.  */

  /* Add the build ID of N bytes at ID of a profiled binary; equal ones become
     one.  False if memory is exhausted.  */
  bool counter_profile_add_binary_id (struct counter_profile *profile,
				      const void *id, size_t n);
  uint32_t
  counter_profile_binary_id_count (const struct counter_profile *profile);
  const uint8_t *
  counter_profile_binary_id (const struct counter_profile *profile,
			     uint32_t index, size_t *n);

  /* Append a trace of the COUNT GUIDs at GUIDS, which are copied, in the
     machine's byte order but of any alignment.  STREAM is how many traces the
     ones in the profile were chosen from.  */
  bool counter_profile_add_trace (struct counter_profile *profile,
				  uint64_t weight, const void *guids,
				  size_t count);
  void counter_profile_add_stream (struct counter_profile *profile,
				   uint64_t traces);
  uint64_t counter_profile_stream (const struct counter_profile *profile);
  uint32_t counter_profile_trace_count (const struct counter_profile *profile);
  const struct counter_trace *
  counter_profile_trace (const struct counter_profile *profile, uint32_t index);

  /* The numbers of all traces in the order of files, malloced: by length, then
     by GUIDs, then by weight.  NULL if memory cannot be had.  */
  uint32_t *counter_profile_trace_order (const struct counter_profile *profile);

  /* Find out what to tell the user.  False if memory cannot be had.  */
  bool counter_profile_find_notes (const struct counter_profile *profile,
				   struct counter_notes *notes);

  /* Fold WEIGHT times SOURCE, which is not PROFILE, into PROFILE.  False and
     *ERR, without a path, if their flags do not go together or memory is
     exhausted, with PROFILE half changed.  */
  bool counter_profile_merge (struct counter_profile *profile,
			      const struct counter_profile *source,
			      uint64_t weight, struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_COUNTER_PROFILE_H */

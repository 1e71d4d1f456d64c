/* The sample profile in memory: counts of source lines by function.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function has counts at locations, which are relative to the line where the
   function is declared, so that edits elsewhere in its file do no harm.  A body
   sample says how often the code of a location ran, and which functions its
   calls had as targets; the code that was inlined at a call is a function of
   its own there, and so on; a location may also have counts of the virtual
   tables that it loaded from.

   Names are numbered from 0 in the order in which they came, which means
   nothing; of some only the GUID is known, the first 8 bytes of the MD5
   digest.  Two names with one GUID are one, unless both have a text and these
   differ.

   All that a profile hands out belongs to it and is valid until it is freed,
   but records within functions (bodies, call sites, counts) move when another
   is added to the same function.  */

#ifndef HEAPPROF_SAMPLE_PROFILE_H
#define HEAPPROF_SAMPLE_PROFILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* The number of no name.  */
#define SAMPLE_NO_NAME UINT32_MAX

/* Inlined calls may be nested so deep; top-level functions have depth 0.  */
#define SAMPLE_DEEPEST 1000

  /* What is so of a profile as a whole.  */
  enum sample_flag
  {
    SAMPLE_CONTEXT_SENSITIVE
    = 1,		       /* functions are told apart by their callers */
    SAMPLE_PROBES = 2,	       /* lines are numbers of probes */
    SAMPLE_FLOW_SENSITIVE = 4, /* discriminators are those of machine code */
    SAMPLE_PARTIAL = 8	       /* functions that are not there need not be
				  cold */
  };

  /* What a compiler decided about a function.  */
  enum sample_attribute
  {
    SAMPLE_WAS_INLINED = 1,
    SAMPLE_SHOULD_BE_INLINED = 2,
    SAMPLE_DUPLICATED = 4 /* counted into the function without context */
  };

  /* LINE is that of the source, or of the probe, minus that of the function's
     declaration, modulo 65536.  */
  struct sample_location
  {
    uint32_t line;
    uint32_t discriminator;
  };

  struct sample_count
  {
    uint32_t name;
    uint64_t count;
  };

  /* Counts of names, by ascending number of the name.  */
  struct sample_counts
  {
    struct sample_count *counts;
    uint32_t count;
    uint32_t capacity;
  };

  struct sample_body
  {
    struct sample_location location;
    uint64_t count;
    struct sample_counts targets;
  };

  struct sample_vtables
  {
    struct sample_location location;
    struct sample_counts tables;
  };

  struct sample_call_site
  {
    struct sample_location location;
    struct sample_function *inlinee;
  };

  /* A caller and where in it the next function is called.  */
  struct sample_frame
  {
    uint32_t name;
    struct sample_location location;
  };

  struct sample_function
  {
    uint32_t name;
    uint32_t depth;	   /* how many functions it is inlined into */
    uint32_t caller_count; /* of top-level functions with context */
    const struct sample_frame *callers; /* outermost first */
    uint64_t total;	 /* samples, also of the inlinees; in the unit of
			    the maker, which may be bytes of code */
    uint64_t head;	 /* entries, of top-level functions */
    uint64_t checksum;	 /* of the control flow, if HAS_CHECKSUM */
    uint64_t first_run;	 /* when it first ran, by any clock; 0:
unknown */
    uint32_t attributes; /* of enum sample_attribute */
    bool has_checksum;
    uint32_t body_count;
    uint32_t body_capacity;
    uint32_t call_site_count;
    uint32_t call_site_capacity;
    uint32_t vtables_count;
    uint32_t vtables_capacity;
    struct sample_body *bodies;		 /* by location */
    struct sample_call_site *call_sites; /* by location, then number of name */
    struct sample_vtables *vtables;	 /* by location */
  };

  struct sample_profile;

  /* Make an empty profile.  NULL if memory cannot be had.  Release it with
     sample_profile_free, which takes NULL too.  */
  struct sample_profile *sample_profile_new (void);
  void sample_profile_free (struct sample_profile *profile);

  /* Flags of enum sample_flag.  Adding those of an input fails, and fills *ERR
     but for its path, if its functions and those of PROFILE cannot be added. An
     input without functions, HAS_FUNCTIONS false, goes with any.  */
  unsigned int sample_profile_flags (const struct sample_profile *profile);
  bool sample_profile_add_flags (struct sample_profile *profile,
				 unsigned int flags, bool has_functions,
				 struct profile_error *err);

  /* ---- Names.  */

  /* Find or make the name of N bytes at TEXT; of which only GUID is known; or
     the one of N bytes at TEXT that the source file with the name FILE defines,
     which is not the one of another file, nor of an unknown one.  Return its
     number, or SAMPLE_NO_NAME if memory is exhausted.  */
  uint32_t sample_profile_add_name (struct sample_profile *profile,
				    const char *text, size_t n);
  uint32_t sample_profile_add_guid (struct sample_profile *profile,
				    uint64_t guid);
  uint32_t sample_profile_add_name_in_file (struct sample_profile *profile,
					    const char *text, size_t n,
					    uint32_t file);

  /* The text of NAME, NUL-terminated, NULL if only the GUID is known; its
     length without the NUL; its GUID; the name of its source file,
     SAMPLE_NO_NAME if that is not known; and how many names there are.  */
  const char *sample_profile_name (const struct sample_profile *profile,
				   uint32_t name);
  size_t sample_profile_name_bytes (const struct sample_profile *profile,
				    uint32_t name);
  uint64_t sample_profile_name_guid (const struct sample_profile *profile,
				     uint32_t name);
  uint32_t sample_profile_name_file (const struct sample_profile *profile,
				     uint32_t name);
  uint32_t sample_profile_name_count (const struct sample_profile *profile);

  /* Order names by their bytes, those without text behind by GUID; then by
     file.  */
  int sample_profile_compare_names (const struct sample_profile *profile,
				    uint32_t name1, uint32_t name2);

  /* Is NAME in the list of functions of the binary?  One that is, but has no
     samples, is known to be cold.  */
  bool sample_profile_is_listed (const struct sample_profile *profile,
				 uint32_t name);
  void sample_profile_set_listed (struct sample_profile *profile,
				  uint32_t name);

  /* ---- Functions.  */

  /* Find or make, without samples, the function NAME called from the
     CALLER_COUNT frames at CALLERS, outermost first, which are copied; none but
     in a profile with contexts.  NULL if memory is exhausted.  */
  struct sample_function *
  sample_profile_add_function (struct sample_profile *profile,
			       const struct sample_frame *callers,
			       uint32_t caller_count, uint32_t name);

  /* The same, but NULL if there is none.  */
  struct sample_function *
  sample_profile_find_function (const struct sample_profile *profile,
				const struct sample_frame *callers,
				uint32_t caller_count, uint32_t name);

  /* How many top-level functions there are, and the one numbered INDEX.  */
  uint32_t sample_profile_function_count (const struct sample_profile *profile);
  struct sample_function *
  sample_profile_function (const struct sample_profile *profile,
			   uint32_t index);

  /* Orders locations by line, then by discriminator.  */
  static inline int sample_location_compare (struct sample_location a,
					     struct sample_location b)
  {
    if (a.line != b.line)
      return a.line < b.line ? -1 : 1;
    return (a.discriminator > b.discriminator)
	   - (a.discriminator < b.discriminator);
  }

  /* Add N to *COUNT, which stops at the greatest number.  */
  static inline void sample_count_add (uint64_t *count, uint64_t n)
  {
    if (__builtin_add_overflow (*count, n, count))
      *count = UINT64_MAX;
  }

  /* Find or make in FUNCTION, an inlinee or not, the body sample at LOCATION,
     of count 0.  NULL if memory is exhausted.  */
  struct sample_body *
  sample_function_need_body (struct sample_profile *profile,
			     struct sample_function *function,
			     struct sample_location location);

  /* Add COUNT to the body sample at LOCATION; to the target NAME of the calls
     there, with a body sample of 0 if there was none; to the virtual table NAME
     there.  False if memory is exhausted.  */
  bool sample_function_add_body (struct sample_profile *profile,
				 struct sample_function *function,
				 struct sample_location location,
				 uint64_t count);
  bool sample_function_add_target (struct sample_profile *profile,
				   struct sample_function *function,
				   struct sample_location location,
				   uint32_t name, uint64_t count);
  bool sample_function_add_vtable (struct sample_profile *profile,
				   struct sample_function *function,
				   struct sample_location location,
				   uint32_t name, uint64_t count);

  /* Find or make, without samples, the function NAME inlined at LOCATION.  NULL
     if memory is exhausted or FUNCTION is as deep as SAMPLE_DEEPEST.  */
  struct sample_function *
  sample_function_need_inlinee (struct sample_profile *profile,
				struct sample_function *function,
				struct sample_location location, uint32_t name);

  /* What is there, NULL if nothing.  */
  const struct sample_body *
  sample_function_find_body (const struct sample_function *function,
			     struct sample_location location);
  const struct sample_vtables *
  sample_function_find_vtables (const struct sample_function *function,
				struct sample_location location);
  struct sample_function *
  sample_function_find_inlinee (const struct sample_function *function,
				struct sample_location location, uint32_t name);

  /* Set the checksum of FUNCTION.  False and *ERR, without a path, if it has
     another.  */
  bool sample_function_set_checksum (const struct sample_profile *profile,
				     struct sample_function *function,
				     uint64_t checksum,
				     struct profile_error *err);

  /* FUNCTION ran at TIME, or at an unknown one if that is 0: keep the first. */
  static inline void
  sample_function_set_first_run (struct sample_function *function,
				 uint64_t time)
  {
    if (time != 0 && (function->first_run == 0 || time < function->first_run))
      function->first_run = time;
  }

  /* Set the total of FUNCTION and of all that is inlined into it to the sum of
     the body samples, which is returned.  */
  uint64_t sample_function_sum (struct sample_function *function);

  /* ---- Whole profiles.  */

  /* Order functions by their callers, outermost first, and then by name; one
     whose context begins like another's follows it.  */
  int
  sample_function_compare_contexts (const struct sample_profile *profile,
				    const struct sample_function *function1,
				    const struct sample_function *function2);

  /* The numbers of all top-level functions in the order of files, malloced: by
     falling total, then by context.  NULL if memory cannot be had.  */
  uint32_t *sample_profile_order (const struct sample_profile *profile);

  /* The call sites of FUNCTION by location, then by name; and COUNTS by falling
     count, then by name: malloced copies, not NULL if there are none.  NULL if
     memory cannot be had.  */
  struct sample_call_site *
  sample_function_ordered_sites (const struct sample_profile *profile,
				 const struct sample_function *function);
  struct sample_count *
  sample_counts_ordered (const struct sample_profile *profile,
			 const struct sample_counts *counts);

  /* Sort the N COUNTS in place by name.  */
  void sample_counts_sort_by_name (const struct sample_profile *profile,
				   struct sample_count *counts, size_t n);

  /* Fold SOURCE, which is not PROFILE, into PROFILE.  False and *ERR, without a
     path, if their flags or the checksums of a function do not go together or
     memory is exhausted, with PROFILE half changed.  */
  bool sample_profile_merge (struct sample_profile *profile,
			     const struct sample_profile *source,
			     struct profile_error *err);

  /* Multiply all counts of PROFILE by WEIGHT, at least 1.  */
  void sample_profile_scale (struct sample_profile *profile, uint64_t weight);

  /* What a copy may lack, so that functions that differ in it alone are one. */
  enum sample_drop
  {
    SAMPLE_DROP_FILES = 1,    /* source files of names */
    SAMPLE_DROP_CONTEXTS = 2, /* callers of top-level functions */
    SAMPLE_DROP_SUFFIXES = 4, /* of compilers' own copies (function-id.h) */
    SAMPLE_DROP_WIDE_DISCRIMINATORS = 8 /* their bits above the lower 16 */
  };

  /* A copy of PROFILE without what DROP, of enum sample_drop, says.  NULL and
   *ERR, without a path, if that fails.  */
  struct sample_profile *
  sample_profile_copy (const struct sample_profile *profile, unsigned int drop,
		       struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_PROFILE_H */

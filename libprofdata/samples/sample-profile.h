/* The sample profile in memory: counts of source lines by function.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function has counts at locations.  Locations are relative to the line of
   the function's declaration, so that edits elsewhere in its file do not
   matter.  A body sample has the number of times that the code of a location
   ran, and the targets of its calls.  The code inlined at a call is a function
   of its own there, recursively.  A location may also have counts of the
   virtual tables that it loaded.

   Names are numbered from 0 in order of arrival, which has no meaning.  For
   some only the GUID is known, the first 8 bytes of the MD5 digest.  Two names
   with the same GUID are one name, unless both have texts and these differ.

   Everything returned belongs to the profile and is valid until it is freed,
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

/* No name.  */
#define SAMPLE_NO_NAME UINT32_MAX

/* Deepest nesting of inlined calls; top-level functions have depth 0.  */
#define SAMPLE_DEEPEST 1000

  /* Properties of a profile.  */
  enum sample_flag
  {
    SAMPLE_CONTEXT_SENSITIVE = 1, /* functions are distinguished by their
				     callers */
    SAMPLE_PROBES = 2,		  /* lines are probe numbers */
    SAMPLE_FLOW_SENSITIVE = 4,	  /* discriminators of machine code */
    SAMPLE_PARTIAL = 8 /* functions that are missing are not necessarily
			  cold */
  };

  /* Decisions of the compiler about a function.  */
  enum sample_attribute
  {
    SAMPLE_WAS_INLINED = 1,
    SAMPLE_SHOULD_BE_INLINED = 2,
    SAMPLE_DUPLICATED = 4 /* counted into the function without context */
  };

  /* LINE is the source line, or the probe number, minus the line of the
     function's declaration, modulo 65536.  */
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

  /* Counts of names, sorted by the number of the name.  */
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

  /* A caller, and the location in it of the next call.  */
  struct sample_frame
  {
    uint32_t name;
    struct sample_location location;
  };

  struct sample_function
  {
    uint32_t name;
    uint32_t depth;	   /* number of functions it is inlined into */
    uint32_t caller_count; /* of top-level functions with context */
    const struct sample_frame *callers; /* outermost first */
    uint64_t total;	 /* samples, including inlinees; the producer chooses
			    the unit, which may be bytes of code */
    uint64_t head;	 /* entries, of top-level functions */
    uint64_t checksum;	 /* of the control flow, if HAS_CHECKSUM */
    uint64_t first_run;	 /* when it first ran, by any clock; 0: unknown */
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

  /* Create an empty profile; NULL if memory is exhausted.  Free it with
     sample_profile_free, which accepts NULL.  */
  struct sample_profile *sample_profile_new (void);
  void sample_profile_free (struct sample_profile *profile);

  /* Flags of enum sample_flag.  Adding the flags of an input fails, and fills
     *ERR except its path, if its functions and those of PROFILE cannot be
     combined.  An input without functions, HAS_FUNCTIONS false, is always
     compatible.  */
  unsigned int sample_profile_flags (const struct sample_profile *profile);
  bool sample_profile_add_flags (struct sample_profile *profile,
				 unsigned int flags, bool has_functions,
				 struct profile_error *err);

  /* ---- Names.  */

  /* Find or add the name of N bytes at TEXT; the name of which only GUID is
     known; or the name of N bytes at TEXT defined in the source file with the
     name FILE, which differs from the same name in another or an unknown file.
     Return its number, or SAMPLE_NO_NAME if memory is exhausted.  */
  uint32_t sample_profile_add_name (struct sample_profile *profile,
				    const char *text, size_t n);
  uint32_t sample_profile_add_guid (struct sample_profile *profile,
				    uint64_t guid);
  uint32_t sample_profile_add_name_in_file (struct sample_profile *profile,
					    const char *text, size_t n,
					    uint32_t file);

  /* Add name number NAME of SOURCE to TARGET, with its source file.  Return its
     number there, or SAMPLE_NO_NAME if memory is exhausted.  */
  uint32_t sample_profile_copy_name (struct sample_profile *target,
				     const struct sample_profile *source,
				     uint32_t name);
  /* The same, but its source file is name number FILE of TARGET,
     SAMPLE_NO_NAME: unknown.  */
  uint32_t
  sample_profile_copy_name_to_file (struct sample_profile *target,
				    const struct sample_profile *source,
				    uint32_t name, uint32_t file);

  /* Return the text of NAME, NUL-terminated, NULL if only the GUID is known;
     its length without the NUL; its GUID; the name of its source file,
     SAMPLE_NO_NAME if unknown; the number of names.  */
  const char *sample_profile_name (const struct sample_profile *profile,
				   uint32_t name);
  size_t sample_profile_name_bytes (const struct sample_profile *profile,
				    uint32_t name);
  uint64_t sample_profile_name_guid (const struct sample_profile *profile,
				     uint32_t name);
  uint32_t sample_profile_name_file (const struct sample_profile *profile,
				     uint32_t name);
  uint32_t sample_profile_name_count (const struct sample_profile *profile);

  /* Compare names by their bytes; names without text come last, by GUID; then
     by file.  */
  int sample_profile_compare_names (const struct sample_profile *profile,
				    uint32_t name1, uint32_t name2);

  /* Return true if NAME is in the list of functions of the binary.  A listed
     function without samples is known to be cold.  */
  bool sample_profile_is_listed (const struct sample_profile *profile,
				 uint32_t name);
  void sample_profile_set_listed (struct sample_profile *profile,
				  uint32_t name);

  /* ---- Functions.  */

  /* Find the function NAME called from the CALLER_COUNT frames at CALLERS,
     outermost first, or add it without samples; the frames are copied.  Only
     profiles with contexts have callers.  NULL if memory is exhausted.  */
  struct sample_function *
  sample_profile_add_function (struct sample_profile *profile,
			       const struct sample_frame *callers,
			       uint32_t caller_count, uint32_t name);

  /* The same, but NULL if there is no such function.  */
  struct sample_function *
  sample_profile_find_function (const struct sample_profile *profile,
				const struct sample_frame *callers,
				uint32_t caller_count, uint32_t name);

  /* Return the number of top-level functions, and the one numbered INDEX.  */
  uint32_t sample_profile_function_count (const struct sample_profile *profile);
  struct sample_function *
  sample_profile_function (const struct sample_profile *profile,
			   uint32_t index);

  /* Compare locations by line, then by discriminator.  */
  static inline int sample_location_compare (struct sample_location a,
					     struct sample_location b)
  {
    if (a.line != b.line)
      return a.line < b.line ? -1 : 1;
    return (a.discriminator > b.discriminator)
	   - (a.discriminator < b.discriminator);
  }

  /* Add N to *COUNT, which saturates.  */
  static inline void sample_count_add (uint64_t *count, uint64_t n)
  {
    if (__builtin_add_overflow (*count, n, count))
      *count = UINT64_MAX;
  }

  /* Find the body sample at LOCATION in FUNCTION, which may be an inlinee, or
     add it with count 0.  NULL if memory is exhausted.  */
  struct sample_body *
  sample_function_need_body (struct sample_profile *profile,
			     struct sample_function *function,
			     struct sample_location location);

  /* Add COUNT to the body sample at LOCATION; to the target NAME of the calls
     there, adding a body sample of 0 if there is none; to the virtual table
     NAME there.  Return false if memory is exhausted.  */
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

  /* Find the function NAME inlined at LOCATION, or add it without samples.
     NULL if memory is exhausted or FUNCTION has depth SAMPLE_DEEPEST.  */
  struct sample_function *
  sample_function_need_inlinee (struct sample_profile *profile,
				struct sample_function *function,
				struct sample_location location, uint32_t name);

  /* Make INLINEE, a function of PROFILE that is in no other, the one of its
     name inlined at LOCATION of FUNCTION, where none is yet.  Depths do not
     change: a copy of the profile has the right ones.  Return false if memory
     is exhausted.  */
  bool sample_function_adopt_inlinee (struct sample_profile *profile,
				      struct sample_function *function,
				      struct sample_location location,
				      struct sample_function *inlinee);

  /* Remove the calls of NAME from the body sample at LOCATION, and the body
     sample if its count becomes 0.  Return by how much it became less.  */
  uint64_t sample_function_remove_call (struct sample_function *function,
					struct sample_location location,
					uint32_t name);

  /* Return what is at LOCATION, NULL if nothing.  */
  const struct sample_body *
  sample_function_find_body (const struct sample_function *function,
			     struct sample_location location);
  const struct sample_vtables *
  sample_function_find_vtables (const struct sample_function *function,
				struct sample_location location);
  struct sample_function *
  sample_function_find_inlinee (const struct sample_function *function,
				struct sample_location location, uint32_t name);

  /* Set the checksum of FUNCTION.  Return false and set *ERR, without a path,
     if it has a different one.  */
  bool sample_function_set_checksum (const struct sample_profile *profile,
				     struct sample_function *function,
				     uint64_t checksum,
				     struct profile_error *err);

  /* Record that FUNCTION ran at TIME, 0 if unknown; the earliest time is
     kept.  */
  static inline void
  sample_function_set_first_run (struct sample_function *function,
				 uint64_t time)
  {
    if (time != 0 && (function->first_run == 0 || time < function->first_run))
      function->first_run = time;
  }

  /* Set the totals of FUNCTION and all its inlinees to the sums of their body
     samples.  Return the total of FUNCTION.  */
  uint64_t sample_function_sum (struct sample_function *function);

  /* ---- Complete profiles.  */

  /* Compare functions by their callers, outermost first, and then by name; a
     context that starts with another one follows it.  */
  int
  sample_function_compare_contexts (const struct sample_profile *profile,
				    const struct sample_function *function1,
				    const struct sample_function *function2);

  /* Return the numbers of all top-level functions in file order, malloced: by
     descending total, then by context.  NULL if memory is exhausted.  */
  uint32_t *sample_profile_order (const struct sample_profile *profile);

  /* Return the call sites of FUNCTION by location, then by name; or COUNTS by
     descending count, then by name: malloced copies, not NULL if empty.  NULL
     if memory is exhausted.  */
  struct sample_call_site *
  sample_function_ordered_sites (const struct sample_profile *profile,
				 const struct sample_function *function);
  struct sample_count *
  sample_counts_ordered (const struct sample_profile *profile,
			 const struct sample_counts *counts);

  /* Sort the N COUNTS in place by name.  */
  void sample_counts_sort_by_name (const struct sample_profile *profile,
				   struct sample_count *counts, size_t n);

  /* Merge SOURCE, which must not be PROFILE, into PROFILE.  Return false and
     set *ERR, without a path, if their flags or the checksums of a function are
     incompatible or memory is exhausted; PROFILE is then incomplete.  */
  bool sample_profile_merge (struct sample_profile *profile,
			     const struct sample_profile *source,
			     struct profile_error *err);

  /* Merge FUNCTION, whose names are numbered as those of PROFILE, and its
     inlinees into TARGET of PROFILE, which keeps its attributes.  Return false
     and set *ERR, without a path, on failure.  */
  bool sample_function_merge (struct sample_profile *profile,
			      struct sample_function *target,
			      const struct sample_function *function,
			      struct profile_error *err);

  /* Multiply all counts of PROFILE by WEIGHT, at least 1.  */
  void sample_profile_scale (struct sample_profile *profile, uint64_t weight);

  /* Parts that a copy drops; functions that differ only in them are merged.  */
  enum sample_drop
  {
    SAMPLE_DROP_FILES = 1,		/* source files of names */
    SAMPLE_DROP_CONTEXTS = 2,		/* callers of top-level functions */
    SAMPLE_DROP_SUFFIXES = 4,		/* of function copies made by compilers
					   (function-id.h)  */
    SAMPLE_DROP_WIDE_DISCRIMINATORS = 8 /* their bits above the lower 16 */
  };

  /* Return a copy of PROFILE without the parts in DROP, of enum sample_drop.
     NULL and *ERR, without a path, on failure.  */
  struct sample_profile *
  sample_profile_copy (const struct sample_profile *profile, unsigned int drop,
		       struct profile_error *err);

  /* The same of the top-level functions for which IS_WANTED, called with
     CLOSURE, returns true, with all names.  NULL for IS_WANTED: of all.  */
  struct sample_profile *sample_profile_copy_functions (
    const struct sample_profile *profile, unsigned int drop,
    bool (*is_wanted) (void *closure, const struct sample_function *function),
    void *closure, struct profile_error *err);

  /* The same without functions: names have the same numbers unless files or
     suffixes are dropped.  */
  struct sample_profile *
  sample_profile_copy_names (const struct sample_profile *profile,
			     unsigned int drop, struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_PROFILE_H */

/* Machine-level profiles in memory: which code of which programs ran.
   SPDX-License-Identifier: GPL-3.0-or-later

   doc/mip-format.md defines the files.  A profile starts as the map of one or
   more programs, with nothing covered; raw files of their runs are added to it.
   Functions are sorted by module, then by slot.  */

#ifndef HEAPPROF_MIP_PROFILE_H
#define HEAPPROF_MIP_PROFILE_H

#include "byte-writer.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define MIP_BUILD_ID_BYTES 64

  /* Names are offsets in the strings of the profile, where 0 is the empty
     string.  */

  /* An executable or shared object.  */
  struct mip_module
  {
    uint8_t build_id[MIP_BUILD_ID_BYTES];
    uint32_t build_id_bytes;
    uint32_t path;
    uint64_t link_unit; /* hash of its name; 0: none */
    uint64_t text_low;	/* link addresses of its code */
    uint64_t text_high;
    uint64_t images; /* runs of it in the profile */
    uint32_t first_function;
    uint32_t function_count;
  };

  struct mip_function
  {
    uint64_t source_hash; /* 0: unknown */
    uint64_t shape_hash;
    uint64_t entry; /* link addresses */
    uint64_t slot;
    uint64_t cold; /* of the second range of code; 0: none */
    uint32_t cold_bytes;
    uint32_t code_bytes;
    uint32_t module;
    uint32_t name;
    uint32_t origin; /* the name, unless it is a clone */
    uint32_t file;
    uint32_t line;
    uint16_t kind;  /* enum heapprof_mip_kind */
    uint16_t flags; /* enum heapprof_mip_function_flags */
    uint32_t first_block;
    uint32_t block_count;
    uint64_t runs;	  /* in which it ran */
    uint64_t calls;	  /* saturating; 0 if calls are not counted */
    uint64_t order_sum;	  /* over those runs, saturating */
    uint64_t order_least; /* 0: none */
    uint32_t first_copy;
    uint32_t copy_count;
  };

  struct mip_block
  {
    uint32_t code_offset; /* top bit: in the second range */
    uint32_t line;
    uint32_t slot; /* byte; UINT32_MAX: none */
    uint32_t rule; /* index in the rules; UINT32_MAX: none */
    uint64_t runs; /* in which it ran */
  };

  /* A copy of another function that the compiler inlined into a function.
     Copies inside a copy follow it.  */
  struct mip_copy
  {
    uint32_t name; /* of the function it is a copy of */
    uint32_t file;
    uint32_t line;
    uint32_t flags;  /* enum heapprof_mip_copy_flags */
    uint32_t parent; /* the copy around it, of the same function, from 0;
			UINT32_MAX: none */
    uint32_t rule;   /* as of a block; UINT32_MAX: unknown when it runs, unless
			its flags say so */
    uint64_t runs;   /* in which it is known to have run */
  };

  /* The functions of one run in the order of their first calls.  */
  struct mip_trace
  {
    uint32_t first; /* index in the trace data */
    uint32_t count;
    uint64_t weight;
  };

  /* Calls of one function from one place.  */
  struct mip_edge
  {
    uint32_t callee;
    uint32_t caller; /* MIP_NO_FUNCTION: not in the profile */
    uint64_t site;   /* link address after the call; 0: unknown */
    uint64_t calls;  /* saturating; 0: only known from the map */
    /* Link address of the counter in the program: of calls from this site or,
       without a caller, of all calls of the function.  0: none.
       MIP_EDGE_THUNK: no edge, but SITE is the address of a thunk of the
       function.  MIP_EDGE_SKIPS is added if the function itself does not count
       calls from this site.  */
    uint64_t counter;
  };

  /* A direct call of a function some of whose calls have no counters: their
     number follows from those of the others (mip-flows.h).  */
  struct mip_flow
  {
    uint32_t caller;
    uint32_t from; /* points of its code; the call leads from one to another */
    uint32_t to;
    uint64_t site;    /* link address after the call */
    uint64_t counter; /* its link address; 0: none */
  };

#define MIP_EDGE_THUNK 1
#define MIP_EDGE_SKIPS 2

#define MIP_NO_FUNCTION UINT32_MAX

  struct mip_profile
  {
    struct mip_module *modules;
    size_t module_count, module_capacity;
    struct mip_function *functions;
    size_t function_count, function_capacity;
    struct mip_block *blocks;
    size_t block_count, block_capacity;
    struct mip_copy *copies;
    size_t copy_count, copy_capacity;
    uint32_t *rules; /* of all functions: n, and n blocks */
    size_t rule_count, rule_capacity;
    struct mip_trace *traces;
    size_t trace_count, trace_capacity;
    uint32_t *trace_data; /* functions */
    size_t trace_data_count, trace_data_capacity;
    struct mip_edge *edges; /* sorted by callee, caller, site */
    size_t edge_count, edge_capacity;
    struct mip_flow *flows; /* sorted by caller, site */
    size_t flow_count, flow_capacity;
    uint64_t lost_calls; /* whose edges had no room in the program */
    struct byte_writer strings;
    uint64_t images; /* runs in the profile */
    uint64_t traces_seen;
  };

/* Most traces kept, and most functions of each.  */
#define MIP_MAX_TRACES 100
#define MIP_MAX_TRACE_FUNCTIONS 10000

  /* Return an empty profile; NULL if memory is exhausted.  */
  struct mip_profile *mip_profile_new (void);
  void mip_profile_free (struct mip_profile *profile);

  /* Return the string at OFFSET, valid until one is added.  */
  const char *mip_profile_string (const struct mip_profile *profile,
				  uint32_t offset);

  /* Add the N bytes at TEXT, without a terminating NUL, to the strings and
     return the offset; 0 if N is 0, or if memory is exhausted, which sets
     profile->strings.failed.  */
  uint32_t mip_profile_add_string (struct mip_profile *profile,
				   const char *text, size_t n);

  /* Return the module with the build ID of N bytes at ID or, if N is 0, with
     the link unit LINK_UNIT; SIZE_MAX if there is none.  */
  size_t mip_profile_find_module (const struct mip_profile *profile,
				  const uint8_t *id, size_t n,
				  uint64_t link_unit);

  /* A section with the slots of one kind.  */
  struct mip_slots
  {
    uint16_t kind;    /* enum heapprof_mip_kind */
    uint64_t address; /* link address */
    uint64_t bytes;
  };

  /* A map as stored in an object file.  */
  struct mip_map
  {
    const char *path; /* for errors */
    const void *records;
    size_t bytes;
    bool big_endian;
    const uint8_t *build_id;
    size_t build_id_bytes;
    uint64_t text_low, text_high;
    const struct mip_slots *slots;
    size_t slots_count;
  };

  /* Parts of a map that are not in the profile.  */
  struct mip_map_dropped
  {
    size_t discarded; /* functions that the linker discarded */
    size_t outside;   /* functions whose slot is in no section */
    size_t repeated;  /* further records of the same slot */
    size_t bypassed;  /* entries for calls from other files that are not of the
			 function that the linker has chosen */
  };

  /* Add the functions of MAP as a module that did not run.  Set *DROPPED to
     what was omitted.  Return false and set *ERR if the map is invalid or has
     no functions, or if its module is in the profile already.  */
  bool mip_profile_add_map (struct mip_profile *profile,
			    const struct mip_map *map,
			    struct mip_map_dropped *dropped,
			    struct profile_error *err);

  /* Add the runs in the raw file of SIZE bytes at DATA, WEIGHT times.  PATH
     names it in errors.  Images of programs that are not in the profile, or
     have other slots, are skipped; *SKIPPED is their number, and *ERR has the
     reason for one of them.  Return false and set *ERR if the file is invalid;
     nothing is added then.  */
  bool mip_profile_add_raw (struct mip_profile *profile, const char *path,
			    const void *data, size_t size, uint64_t weight,
			    size_t *skipped, struct profile_error *err);

  /* Read the profile of SIZE bytes at DATA.  PATH names it in errors.  NULL
     and *ERR on failure.  */
  struct mip_profile *mip_profile_read (const char *path, const void *data,
					size_t size, struct profile_error *err);

  /* Append PROFILE as a file to WRITER, which fails if memory is exhausted.  */
  void mip_profile_write (const struct mip_profile *profile,
			  struct byte_writer *writer);

  /* Merge FROM, with its runs, into PROFILE.  Modules with the same build ID
     must have the same functions.  Return false and set *ERR, with PATH, if
     they do not; PROFILE must then be freed.  */
  bool mip_profile_merge (struct mip_profile *profile,
			  const struct mip_profile *from, const char *path,
			  struct profile_error *err);

  /* Return true if the file of SIZE bytes at DATA starts like a profile; like a
     raw file.  */
  bool mip_profile_is_profile (const void *data, size_t size);
  bool mip_profile_is_raw (const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MIP_PROFILE_H */

/* Events of a perf recording, in whatever form it is.
   SPDX-License-Identifier: GPL-3.0-or-later

   A reader passes the events to a handler in file order, which is not the order
   in which they happened: each processor has its own buffer.  ORDER tells which
   of two events came first; it is a time if the recording has times, otherwise
   the position in the file.  */

#ifndef HEAPPROF_PERF_EVENTS_H
#define HEAPPROF_PERF_EVENTS_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* The process of an event that does not specify it.  The kernel is -1.  */
#define PERF_NO_PID INT32_MIN

/* The event of a sample that the processor recorded by itself.  */
#define PERF_NO_EVENT UINT32_MAX

/* The least of the kernel's markers among callers.  */
#define PERF_LEAST_MARKER UINT64_C (0xfffffffffffff000)

/* Callers of a sample that perf and the kernel keep unless told otherwise.  */
#define PERF_USUAL_CALLERS 127

/* Most bytes of a build ID.  */
#define PERF_BUILD_ID_BYTES 20

  /* Permissions of a mapping.  */
  enum perf_protection
  {
    PERF_READ = 1,
    PERF_WRITE = 2,
    PERF_EXECUTE = 4
  };

  /* A part of a file mapped into a process.  */
  struct perf_mapping
  {
    uint64_t order;
    int32_t pid;
    uint32_t protection; /* of enum perf_protection */
    uint64_t start;	 /* address of the first byte */
    uint64_t bytes;
    uint64_t file_offset; /* of the first byte */
    const char *path;	  /* PATH_BYTES, not terminated */
    size_t path_bytes;
    const uint8_t *build_id; /* of the file, BUILD_ID_BYTES; 0: unknown */
    size_t build_id_bytes;
  };

  /* A process started as a copy of PARENT; or it executed another program, and
     PARENT is PERF_NO_PID.  */
  struct perf_process
  {
    uint64_t order;
    int32_t pid;
    int32_t parent;
  };

  /* A branch that was taken.  */
  struct perf_branch
  {
    uint64_t from; /* address of the instruction */
    uint64_t to;
    uint64_t flags; /* of enum perf_branch_flag, and others of struct
		       perf_branch_entry */
  };

  enum perf_branch_flag
  {
    PERF_BRANCH_MISPREDICTED = 1,
    PERF_BRANCH_PREDICTED = 2,
    PERF_BRANCH_IN_TRANSACTION = 4,
    PERF_BRANCH_ABORT = 8
  };

  struct perf_sample
  {
    uint64_t order;
    uint64_t time; /* in ns by the recording's clock, 0: unknown */
    int32_t pid;
    uint32_t event; /* number of the counted event, from 0; or PERF_NO_EVENT */
    bool has_ip;
    bool is_store; /* ADDRESS is known not to belong to a load */
    uint64_t ip;
    uint64_t target;  /* of the branch that the instruction at IP took, without
			 any of BRANCHES; 0: none or unknown */
    uint64_t address; /* of data, 0: unknown */
    uint64_t period;  /* events since the last sample, 0: unknown */
    uint64_t count;   /* number of samples like this */
    const struct perf_branch *branches; /* newest first */
    size_t branch_count;
    const uint64_t *callers; /* innermost first, with the kernel's markers,
				which are greater than any address */
    size_t caller_count;
    size_t caller_limit; /* most callers that the recording keeps, without
			    markers: with that many, outer ones are missing */
  };

  /* The build ID of a file in the recording, for mappings that do not have one
     themselves.  */
  struct perf_build_id
  {
    const char *path; /* PATH_BYTES, not terminated */
    size_t path_bytes;
    const uint8_t *build_id;
    size_t build_id_bytes;
  };

  /* Event handler: functions called with CLOSURE, NULL for events to be
     ignored.  Their arguments are only valid during the call.  A function that
     returns false stops the reading; it sets *ERR, except the path.  */
  struct perf_handler
  {
    void *closure;
    bool (*mapping) (void *closure, const struct perf_mapping *mapping,
		     struct profile_error *err);
    bool (*process) (void *closure, const struct perf_process *process,
		     struct profile_error *err);
    bool (*sample) (void *closure, const struct perf_sample *sample,
		    struct profile_error *err);
    bool (*build_id) (void *closure, const struct perf_build_id *build_id,
		      struct profile_error *err);
    /* Called with PASSED_CLOSURE, which is not CLOSURE, from time to time:
       reading has reached OFFSET of the file and needs nothing before it any
       more.  */
    void (*passed) (void *passed_closure, uint64_t offset);
    void *passed_closure;
  };

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_EVENTS_H */

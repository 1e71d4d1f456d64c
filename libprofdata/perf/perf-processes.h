/* Which file was mapped where in which process, and when.
   SPDX-License-Identifier: GPL-3.0-or-later

   A process is a sequence of moments.  Between two moments its memory does not
   change as far as relevant files are concerned, so samples can be counted by
   moment and address and looked up once at the end.  */

#ifndef HEAPPROF_PERF_PROCESSES_H
#define HEAPPROF_PERF_PROCESSES_H

#include "perf-events.h"
#include "perf-recording.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Not a relevant file; not a known moment.  */
#define PERF_NO_IMAGE UINT32_MAX
#define PERF_NO_MOMENT UINT32_MAX

  /* A part of the file IMAGE in memory.  */
  struct perf_area
  {
    uint32_t image;
    uint32_t protection; /* of enum perf_protection */
    uint64_t start;	 /* address */
    uint64_t bytes;
    uint64_t file_offset;
  };

  /* Selects relevant files: a function called with CLOSURE returns the number
     of the file of MAPPING, PERF_NO_IMAGE if it is not relevant.  */
  struct perf_images
  {
    void *closure;
    uint32_t (*find) (void *closure, const struct perf_mapping *mapping);
    /* As in struct perf_handler; NULL to ignore build IDs.  */
    bool (*build_id) (void *closure, const struct perf_build_id *build_id,
		      struct profile_error *err);
  };

  struct perf_processes;

  /* Read the processes of RECORDING; only PID, unless that is PERF_NO_PID.  If
     its samples do not specify their process, all mappings are treated as those
     of one process.  NULL and *ERR on failure.  */
  struct perf_processes *perf_processes_read (struct perf_recording *recording,
					      const struct perf_images *images,
					      int32_t pid,
					      struct profile_error *err);
  void perf_processes_free (struct perf_processes *processes);

  /* Return the moment of process PID at ORDER; PERF_NO_MOMENT if it has no
     relevant memory then.  If PID is PERF_NO_PID, it is that of the only
     process that mapped relevant files.  */
  uint32_t perf_processes_moment (struct perf_processes *processes, int32_t pid,
				  uint64_t order);

  /* Return what is at ADDRESS at MOMENT; NULL if nothing relevant.  Valid until
     PROCESSES is freed.  */
  const struct perf_area *
  perf_processes_find (const struct perf_processes *processes, uint32_t moment,
		       uint64_t address);

  /* Return the area of a relevant file with number INDEX at MOMENT, counted
     from 0 for the newest; NULL if there are fewer.  Includes areas that were
     replaced by others.  */
  const struct perf_area *
  perf_processes_area (const struct perf_processes *processes, uint32_t moment,
		       uint32_t index);

  /* Return true if any mapping is of a relevant file.  */
  bool perf_processes_has_images (const struct perf_processes *processes);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_PROCESSES_H */

/* Which file was where in which process, and when.
   SPDX-License-Identifier: GPL-3.0-or-later

   A process is a sequence of moments.  Between two of them its memory does not
   change, as far as the files that matter are concerned, so what is counted by
   moment and address may be looked up once in the end.  */

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

/* No file that matters; no moment of which anything is known.  */
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

  /* Which files matter: a function of CLOSURE gives the number of that of
     MAPPING, PERF_NO_IMAGE if it does not matter.  */
  struct perf_images
  {
    void *closure;
    uint32_t (*find) (void *closure, const struct perf_mapping *mapping);
    /* As of struct perf_handler; NULL if build IDs are of no interest.  */
    bool (*build_id) (void *closure, const struct perf_build_id *build_id,
		      struct profile_error *err);
  };

  struct perf_processes;

  /* Read the processes of RECORDING; only PID, unless that is PERF_NO_PID.  If
     its samples do not say their process, all mappings are taken for those of
     one.  NULL and *ERR if that fails.  */
  struct perf_processes *perf_processes_read (struct perf_recording *recording,
					      const struct perf_images *images,
					      int32_t pid,
					      struct profile_error *err);
  void perf_processes_free (struct perf_processes *processes);

  /* The moment of the process PID at ORDER; PERF_NO_MOMENT if it has no memory
     that matters then.  */
  uint32_t perf_processes_moment (struct perf_processes *processes, int32_t pid,
				  uint64_t order);

  /* What is at ADDRESS at MOMENT; NULL if nothing that matters.  Valid until
     PROCESSES is freed.  */
  const struct perf_area *
  perf_processes_find (const struct perf_processes *processes, uint32_t moment,
		       uint64_t address);

  /* The area of a file that matters that is the INDEXth from the newest on at
     MOMENT, counted from 0; NULL if there are fewer.  Areas that another has
     replaced are among them.  */
  const struct perf_area *
  perf_processes_area (const struct perf_processes *processes, uint32_t moment,
		       uint32_t index);

  /* Has any mapping a file that matters?  */
  bool perf_processes_has_images (const struct perf_processes *processes);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_PROCESSES_H */

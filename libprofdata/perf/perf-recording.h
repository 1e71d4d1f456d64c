/* A perf recording in any form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_RECORDING_H
#define HEAPPROF_PERF_RECORDING_H

#include "perf-events.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  enum perf_form
  {
    PERF_FORM_ANY,    /* detect the form */
    PERF_FORM_DATA,   /* perf-data.h */
    PERF_FORM_SCRIPT, /* perf-script.h */
    PERF_FORM_DUMP    /* perf-dump.h */
  };

  struct perf_recording;

  /* Open the recording PATH; "-" is standard input.  PATH must outlive it.
     NULL and *ERR if it cannot be read.  */
  struct perf_recording *perf_recording_open (const char *path,
					      enum perf_form form,
					      struct profile_error *err);

  /* The same for the SIZE bytes at DATA, which must outlive it, too.  */
  struct perf_recording *
  perf_recording_of_memory (const char *path, const void *data, size_t size,
			    enum perf_form form, struct profile_error *err);

  void perf_recording_close (struct perf_recording *recording);

  /* Return the path it was opened with, and its form, never PERF_FORM_ANY.  */
  const char *perf_recording_path (const struct perf_recording *recording);
  enum perf_form perf_recording_form (const struct perf_recording *recording);

  /* Pass all events of RECORDING to HANDLER.  May be called more than once.
     Return false and set *ERR if it is invalid or HANDLER stops the
     reading.  */
  bool perf_recording_read (struct perf_recording *recording,
			    const struct perf_handler *handler,
			    struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_RECORDING_H */

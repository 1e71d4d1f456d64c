/* Identification of inputs: kind of file, and files of the same run.
   SPDX-License-Identifier: GPL-3.0-or-later

   A run may leave several raw profiles: snapshots and the file written at exit.
   Each contains everything in the earlier ones, so only the newest counts.  */

#ifndef HEAPPROF_INPUT_RUNS_H
#define HEAPPROF_INPUT_RUNS_H

#include "diagnostics.h"
#include "input-kinds.h"
#include "input-list.h"
#include "process-group.h"
#include <stdint.h>

struct input
{
  const struct input_file *file;
  const struct input_kind *kind; /* NULL: unknown */
  struct input_source source;	 /* its data is NULL until loaded */
  bool is_elsewhere;		 /* another process reads it */
  bool is_left_out;		 /* invalid and skipped, after a warning */
  bool is_spooled; /* loaded permanently, since it can be read only once */
  bool has_run;	   /* the next three members are valid */
  uint8_t run_id[16];
  int rank; /* of its state */
  uint64_t snapshot;
  const struct input *newer;	  /* newer file of the same run, NULL if none */
  struct diagnostics_lines lines; /* messages printed while it was read */
};

/* True if this process must read INPUT.  */
static inline bool
input_counts (const struct input *input)
{
  return !input->is_elsewhere && !input->is_left_out && input->newer == NULL;
}

/* Fill INPUT, all zeros, from FILE.  Return false and set *ERR if it cannot be
   read or its kind is unknown.  */
bool input_identify (struct input *input, const struct input_file *file,
		     struct profile_error *err);

/* Identify the run of INPUT, whose kind has runs.  Return false and set *ERR if
   it is invalid.  */
bool input_identify_run (struct input *input, struct profile_error *err);

/* Share the identified runs of the COUNT INPUTS with all processes of GROUP;
   each input is identified by one of them.  */
void input_runs_share (struct input *inputs, size_t count,
		       const struct process_group *group);

/* Load the content of INPUT unless it is loaded.  Return false and set *ERR on
   failure.  */
bool input_load (struct input *input, struct profile_error *err);

/* Release the content, unless it can be read only once.  */
void input_unload (struct input *input);

/* Release all of INPUT.  */
void input_release (struct input *input);

/* Set NEWER of each of the COUNT INPUTS for which there is a newer file of the
   same run.  Return false if memory is exhausted.  */
bool input_runs_find_newest (struct input *inputs, size_t count);

#endif /* HEAPPROF_INPUT_RUNS_H */

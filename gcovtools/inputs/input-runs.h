/* Which inputs count: what each is, and which are states of one run.
   SPDX-License-Identifier: GPL-3.0-or-later

   A run may leave several raw profiles: its snapshots and the file at exit.
   Each has all that the ones before it have, so only the newest counts.  */

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
  struct input_source source;	 /* its data is NULL until it is read */
  bool is_elsewhere;		 /* another process reads it */
  bool is_left_out;		 /* invalid, which has been printed */
  bool is_spooled;		 /* read already, since that works only once */
  bool has_run;			 /* the next three are known */
  uint8_t run_id[16];
  int rank; /* of its state */
  uint64_t snapshot;
  const struct input *newer;	  /* of the same run, NULL if there is none */
  struct diagnostics_lines lines; /* printed while it was read */
};

/* Is INPUT to be read here?  */
static inline bool
input_counts (const struct input *input)
{
  return !input->is_elsewhere && !input->is_left_out && input->newer == NULL;
}

/* Fill INPUT, all zeros, from FILE.  False and *ERR if it cannot be read or is
   of no known kind.  */
bool input_identify (struct input *input, const struct input_file *file,
		     struct profile_error *err);

/* Find out which run INPUT, whose kind has runs, is of.  False and *ERR if it
   is invalid.  */
bool input_identify_run (struct input *input, struct profile_error *err);

/* Tell all processes of GROUP which runs the COUNT INPUTS are of that only one
   of them has identified.  */
void input_runs_share (struct input *inputs, size_t count,
		       const struct process_group *group);

/* Read the content of INPUT if that has not been done.  False and *ERR if that
   fails.  */
bool input_load (struct input *input, struct profile_error *err);

/* Release the content, unless it can be read only once.  */
void input_unload (struct input *input);

/* Release all of INPUT.  */
void input_release (struct input *input);

/* Set NEWER of each of the COUNT INPUTS of which there is a newer state of the
   same run.  False if memory is exhausted.  */
bool input_runs_find_newest (struct input *inputs, size_t count);

#endif /* HEAPPROF_INPUT_RUNS_H */

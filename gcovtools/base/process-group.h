/* Several processes that merge together, each a share of the inputs.
   SPDX-License-Identifier: GPL-3.0-or-later

   All run the same command and know the same list of inputs.  They go from step
   to step together: each function below is called by every process, or all wait
   for ever; so a process that fails goes on to the next `agree'.  What the
   processes speak by is not known here: heapprof-merge-mpi has MPI.  */

#ifndef HEAPPROF_PROCESS_GROUP_H
#define HEAPPROF_PROCESS_GROUP_H

#include "profile-error.h"
#include "profile.h"
#include <stdbool.h>
#include <stddef.h>

struct process_group
{
  size_t rank;	/* of this process; 0 writes the output */
  size_t count; /* of processes */

  /* Have all processes done what IS_DONE says of this one?  If not, return
     false with the error of the one of the lowest rank in *ERR of all, whose
     path is valid until the next call.  */
  bool (*agree) (bool is_done, struct profile_error *err);

  /* Replace the N bytes at DATA, at most INT_MAX, by the bitwise OR of those of
     all processes.  */
  void (*combine) (void *data, size_t n);

  /* Fold the profiles of all processes into that of rank 0; what the others
     have then means nothing.  False and *ERR if that fails in this process.  */
  bool (*reduce) (struct profile *profile, struct profile_error *err);
};

/* The same as AGREE of GROUP; IS_DONE if GROUP is NULL: one process alone.  */
static inline bool
process_group_agree (const struct process_group *group, bool is_done,
		     struct profile_error *err)
{
  return group != NULL ? group->agree (is_done, err) : is_done;
}

/* Is this the process that prints and writes?  */
static inline bool
process_group_is_first (const struct process_group *group)
{
  return group == NULL || group->rank == 0;
}

#endif /* HEAPPROF_PROCESS_GROUP_H */

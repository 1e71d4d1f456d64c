/* A group of processes that merge together, each reading a share of the inputs.
   SPDX-License-Identifier: GPL-3.0-or-later

   All run the same command with the same list of inputs.  They proceed in
   lockstep: every process must call each function below or the others wait for
   ever, so a process that fails must continue to the next `agree'.  This
   interface hides the means of communication; heapprof-merge-mpi implements it
   with MPI.  */

#ifndef HEAPPROF_PROCESS_GROUP_H
#define HEAPPROF_PROCESS_GROUP_H

#include "profile-error.h"
#include "profile.h"
#include <stdbool.h>
#include <stddef.h>

struct process_group
{
  size_t rank;	/* of this process; rank 0 writes the output */
  size_t count; /* number of processes */

  /* Return true if IS_DONE is true in all processes.  Otherwise return false
     and set *ERR in every process to the error of the lowest failing rank; its
     path is valid until the next call.  */
  bool (*agree) (bool is_done, struct profile_error *err);

  /* Replace the N bytes at DATA, at most INT_MAX, by the bitwise OR of the data
     of all processes.  */
  void (*combine) (void *data, size_t n);

  /* Merge the profiles of all processes into that of rank 0; the other profiles
     are meaningless afterwards.  Return false and set *ERR if this process
     fails.  */
  bool (*reduce) (struct profile *profile, struct profile_error *err);
};

/* Call AGREE of GROUP; return IS_DONE if GROUP is NULL (a single process).  */
static inline bool
process_group_agree (const struct process_group *group, bool is_done,
		     struct profile_error *err)
{
  return group != NULL ? group->agree (is_done, err) : is_done;
}

/* True if this process prints and writes.  */
static inline bool
process_group_is_first (const struct process_group *group)
{
  return group == NULL || group->rank == 0;
}

#endif /* HEAPPROF_PROCESS_GROUP_H */

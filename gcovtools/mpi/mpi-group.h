/* A group of processes that MPI started.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MPI_GROUP_H
#define HEAPPROF_MPI_GROUP_H

#include "diagnostics.h"
#include "process-group.h"

/* Start MPI, which takes its own arguments off ARGC and ARGV, and return the
   group of all processes.  */
const struct process_group *mpi_group_start (int *argc, char ***argv);

/* Print what processes other than the first hold in *LINES there.  Every
   process calls this.  */
void mpi_group_print_lines (struct diagnostics_lines *lines);

/* End MPI; the group must not be used any more.  */
void mpi_group_end (void);

#endif /* HEAPPROF_MPI_GROUP_H */

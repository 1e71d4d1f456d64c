/* A process group that communicates with MPI.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MPI_GROUP_H
#define HEAPPROF_MPI_GROUP_H

#include "diagnostics.h"
#include "process-group.h"

/* Initialize MPI, which removes its own arguments from ARGC and ARGV.  Return
   the group of all processes.  */
const struct process_group *mpi_group_start (int *argc, char ***argv);

/* Print the *LINES held back by the other processes in the first one.  Every
   process must call this.  */
void mpi_group_print_lines (struct diagnostics_lines *lines);

/* Finalize MPI.  The group must not be used afterwards.  */
void mpi_group_end (void);

#endif /* HEAPPROF_MPI_GROUP_H */

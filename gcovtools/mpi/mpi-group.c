/* A process group that communicates with MPI.
   SPDX-License-Identifier: GPL-3.0-or-later

   Errors of MPI itself terminate all processes, which is MPI's default.  */

#include "mpi-group.h"
#include "indexed-profile.h"
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPI counts in int: profiles are sent in pieces of at most this size.  */
#define MOST_BYTES ((size_t) 1 << 30)

/* More than diagnostics produces.  */
#define MOST_LINE_BYTES 4096

/* Sent as size by a process without a profile because of a failure.  */
#define SIZE_OF_FAILED UINT64_MAX

enum
{
  TAG_SIZE = 1,
  TAG_ANSWER,
  TAG_PROFILE,
  TAG_LINE
};

/* The form in which an error is sent.  */
struct error_message
{
  uint64_t offset;
  int has_path;
  char cause[PROFILE_ERROR_CAUSE_BYTES];
  char path[PATH_MAX];
};

static struct process_group group;

static bool
agree (bool is_done, struct profile_error *err)
{
  static struct error_message message;
  int size = (int) group.count;
  int mine = is_done ? size : (int) group.rank;
  int first = size;
  MPI_Allreduce (&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size)
    return true;
  if (first == (int) group.rank)
    {
      message.offset = err->offset;
      message.has_path = err->path != NULL;
      memcpy (message.cause, err->cause, sizeof message.cause);
      snprintf (message.path, sizeof message.path, "%s",
		err->path != NULL ? err->path : "");
    }
  MPI_Bcast (&message, (int) sizeof message, MPI_BYTE, first, MPI_COMM_WORLD);
  err->path = message.has_path ? message.path : NULL;
  err->offset = message.offset;
  memcpy (err->cause, message.cause, sizeof err->cause);
  return false;
}

static void
combine (void *data, size_t n)
{
  MPI_Allreduce (MPI_IN_PLACE, data, (int) n, MPI_BYTE, MPI_BOR,
		 MPI_COMM_WORLD);
}

static int
piece_bytes (size_t left)
{
  return (int) (left < MOST_BYTES ? left : MOST_BYTES);
}

/* Send PROFILE, NULL after a failure, to the process RECEIVER, which may
   decline it.  Return false and set *ERR if it cannot be serialized.  */
static bool
send_profile (int receiver, const struct profile *profile,
	      struct profile_error *err)
{
  const struct indexed_profile_options defaults = { 0 };
  void *data = NULL;
  size_t size = 0;
  int is_wanted;
  bool is_made
    = profile != NULL
      && indexed_profile_serialize (profile, &defaults, &data, &size, err);
  uint64_t announced = is_made ? size : SIZE_OF_FAILED;
  MPI_Send (&announced, 1, MPI_UINT64_T, receiver, TAG_SIZE, MPI_COMM_WORLD);
  MPI_Recv (&is_wanted, 1, MPI_INT, receiver, TAG_ANSWER, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
  for (size_t done = 0; is_wanted && done < size;)
    {
      int bytes = piece_bytes (size - done);
      MPI_Send ((char *) data + done, bytes, MPI_BYTE, receiver, TAG_PROFILE,
		MPI_COMM_WORLD);
      done += (size_t) bytes;
    }
  free (data);
  return is_made || profile == NULL;
}

/* Receive SENDER's profile and merge it into PROFILE; if PROFILE is NULL, after
   a failure, decline it.  Return false and set *ERR on failure.  */
static bool
receive_profile (int sender, struct profile *profile, struct profile_error *err)
{
  static char name[40];
  uint64_t size;
  MPI_Recv (&size, 1, MPI_UINT64_T, sender, TAG_SIZE, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
  bool is_there = profile != NULL && size != SIZE_OF_FAILED;
  char *data = is_there ? malloc (size) : NULL;
  int is_wanted = data != NULL;
  MPI_Send (&is_wanted, 1, MPI_INT, sender, TAG_ANSWER, MPI_COMM_WORLD);
  if (data == NULL)
    return !is_there || profile_error_set_memory (err, NULL);
  for (uint64_t done = 0; done < size;)
    {
      int bytes = piece_bytes (size - done);
      MPI_Recv (data + done, bytes, MPI_BYTE, sender, TAG_PROFILE,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      done += (uint64_t) bytes;
    }
  snprintf (name, sizeof name, "profile of process %d", sender);
  bool is_done = indexed_profile_fold (profile, name, data, size, err);
  free (data);
  return is_done;
}

/* In round K, each process whose rank is an odd multiple of 2^K sends its
   profile to the process 2^K below and is done.  */
static bool
reduce (struct profile *profile, struct profile_error *err)
{
  int rank = (int) group.rank;
  int size = (int) group.count;
  bool is_done = true;
  for (int step = 1; step < size && step > 0; step *= 2)
    if ((rank & step) != 0)
      return send_profile (rank - step, is_done ? profile : NULL, err)
	     && is_done;
    else if (rank + step < size)
      is_done = receive_profile (rank + step, is_done ? profile : NULL, err)
		&& is_done;
  return is_done;
}

const struct process_group *
mpi_group_start (int *argc, char ***argv)
{
  int rank;
  int size;
  MPI_Init (argc, argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  group.rank = (size_t) rank;
  group.count = (size_t) size;
  group.agree = agree;
  group.combine = combine;
  group.reduce = reduce;
  return &group;
}

/* Send LINES to the first process, followed by an empty line.  */
static void
send_lines (const struct diagnostics_lines *lines)
{
  for (size_t i = 0; i < lines->count; i++)
    {
      size_t n = strlen (lines->texts[i]);
      if (n > 0)
	MPI_Send (lines->texts[i], (int) n, MPI_CHAR, 0, TAG_LINE,
		  MPI_COMM_WORLD);
    }
  MPI_Send ("", 0, MPI_CHAR, 0, TAG_LINE, MPI_COMM_WORLD);
}

/* Print the lines that SENDER sends.  */
static void
receive_lines (int sender)
{
  char text[MOST_LINE_BYTES + 1];
  int n;
  do
    {
      MPI_Status status;
      MPI_Recv (text, MOST_LINE_BYTES, MPI_CHAR, sender, TAG_LINE,
		MPI_COMM_WORLD, &status);
      MPI_Get_count (&status, MPI_CHAR, &n);
      text[n] = '\0';
      if (n > 0)
	diagnostics_print_line (text);
    }
  while (n > 0);
}

void
mpi_group_print_lines (struct diagnostics_lines *lines)
{
  if (group.rank > 0)
    send_lines (lines);
  else
    for (int sender = 1; sender < (int) group.count; sender++)
      receive_lines (sender);
}

void
mpi_group_end (void)
{
  /* A launcher may kill all processes when one fails: wait until the first has
     printed why.  */
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Finalize ();
}

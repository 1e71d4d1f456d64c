/* The formats that inputs may have, and how each is folded into a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The table in input-kinds.c has one row for each; nothing else knows them but
   the search for files of one run, which only our raw profiles have.  */

#ifndef HEAPPROF_INPUT_KINDS_H
#define HEAPPROF_INPUT_KINDS_H

#include "address-names.h"
#include "profile.h"
#include "symbolize-profile.h"
#include <stdbool.h>
#include <stddef.h>

/* Bytes from its beginning by which a file's kind is found.  */
#define INPUT_KIND_START_BYTES 4096

/* The profile being made, and what naming addresses needs.  */
struct input_reading
{
  struct profile *profile;
  struct address_names *names;		 /* shared with other readers */
  struct profile_symbolizer *symbolizer; /* NULL before the first raw profile;
					    adds to PROFILE */
  const char *notes_directory;		 /* NULL: beside the data files */
};

/* A file's content.  */
struct input_source
{
  const char *path;	 /* as errors have it */
  const char *unit_path; /* what a data file of gcc is called */
  const void *data;
  size_t size;
  bool is_kept; /* DATA may be asked for again: folding leaves
		   it as it is */
};

struct input_kind
{
  const char *name; /* as in "no NAME" */
  bool has_runs;    /* several files may be states of one run */
  bool has_samples;

  /* Does the file that begins with the N bytes at DATA look like one?  */
  bool (*recognise) (const void *data, size_t n);

  /* Is SOURCE valid, so that FOLD can fail only for lack of memory?  NULL if
     only FOLD finds out.  */
  bool (*check) (const struct input_source *source, struct profile_error *err);

  /* Fold SOURCE into the profile of READING.  False and *ERR if that fails,
     with the profile half changed.  */
  bool (*fold) (struct input_reading *reading,
		const struct input_source *source, struct profile_error *err);
};

/* The kind of the file PATH that begins with the SIZE bytes at DATA.  NULL and
 *ERR if it is none.  */
const struct input_kind *input_kind_find (const char *path, const void *data,
					  size_t size,
					  struct profile_error *err);

#endif /* HEAPPROF_INPUT_KINDS_H */

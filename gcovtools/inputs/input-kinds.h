/* The input formats, and how each is added to a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The table in input-kinds.c has one row per format.  Nothing else depends on
   the format, except the search for files of the same run, which only
   heapprof's raw profiles have.  */

#ifndef HEAPPROF_INPUT_KINDS_H
#define HEAPPROF_INPUT_KINDS_H

#include "address-names.h"
#include "profile.h"
#include "symbolize-profile.h"
#include <stdbool.h>
#include <stddef.h>

/* How many bytes from its start identify a file's kind.  */
#define INPUT_KIND_START_BYTES 4096

/* The profile being read, and what symbolization needs.  */
struct input_reading
{
  struct profile *profile;
  struct address_names *names; /* shared with other readers */
  struct profile_symbolizer
    *symbolizer; /* adds to PROFILE; NULL before the first raw profile */
  const char *notes_directory; /* NULL: next to the data files */
  bool may_be_brief;	       /* MIBs of PROFILE may have the short form */
};

/* A file's content.  */
struct input_source
{
  const char *path;	 /* for error messages */
  const char *unit_path; /* name of the unit of a gcc data file */
  const void *data;
  size_t size;
  bool is_kept; /* DATA will be needed again, so folding must preserve it */
};

struct input_kind
{
  const char *name; /* noun phrase for messages */
  bool has_runs;    /* several files may be states of one run */
  bool has_samples;

  /* Return true if a file that starts with the N bytes at DATA looks like this
     kind.  */
  bool (*recognise) (const void *data, size_t n);

  /* Return true if SOURCE is valid, so that FOLD can fail only for lack of
     memory.  NULL if only FOLD can tell.  */
  bool (*check) (const struct input_source *source, struct profile_error *err);

  /* Add SOURCE to the profile of READING.  On failure return false and
     set *ERR; the profile may be partly changed.  */
  bool (*fold) (struct input_reading *reading,
		const struct input_source *source, struct profile_error *err);
};

/* Return the kind of the file PATH that starts with the SIZE bytes at DATA.
   Return NULL and set *ERR if it is unknown.  */
const struct input_kind *input_kind_find (const char *path, const void *data,
					  size_t size,
					  struct profile_error *err);

#endif /* HEAPPROF_INPUT_KINDS_H */

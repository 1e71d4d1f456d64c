/* Looking functions up in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "indexed-lookup.h"
#include "reader.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The SIZE bytes at DATA as a file; its path.  */
static const char *
make_file (const unsigned char *data, size_t size)
{
  static int fd = -1;
  static char path[64];
  if (fd < 0)
    {
      fd = memfd_create (READER_PATH, 0);
      snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  if (ftruncate (fd, 0) != 0
      || pwrite (fd, data, size, 0) != (ssize_t) size)
    abort ();
  return path;
}

static bool
read_lookup (const unsigned char *data, size_t size, struct profile_error *err)
{
  const char *path = make_file (data, size);
  struct indexed_lookup *lookup = indexed_lookup_open (path, err);
  struct counter_profile *profile = lookup ? counter_profile_new () : NULL;
  bool done = lookup != NULL && profile != NULL;
  if (lookup && !profile)
    profile_error_set_memory (err, path);
  for (unsigned int i = 0; i < 50 && done; i++)
    {
      struct indexed_counters found;
      char name[40];
      size_t n = snprintf (name, sizeof name, "x.c;function%u", i);
      done = (indexed_lookup_counters (lookup, name, n, i % 3, &found, err)
		!= INDEXED_FAILED
	      && indexed_lookup_fold (lookup, name, n, profile, err)
		   != INDEXED_FAILED);
    }
  reader_has_read ();
  counter_profile_free (profile);
  indexed_lookup_close (lookup);
  err->path = READER_PATH;
  return done;
}

const struct reader reader_lookup = {
  .name = "lookup",
  .read = read_lookup,
  .bounds = { 600000, 300 }
};

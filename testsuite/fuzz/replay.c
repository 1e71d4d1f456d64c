/* Give files to a reader as its fuzzer does: replay READER FILE...
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints `N files, N read'; aborts at the first that breaks the reader.  */

#include "file-content.h"
#include "fuzz-entry.h"
#include <stdio.h>
#include <stdlib.h>

/* Give the file PATH to READER; was it read?  */
static bool
replay (const struct reader *reader, const char *path)
{
  struct profile_error err;
  void *content;
  size_t size;
  if (!file_content_read (path, &content, &size, &err))
    {
      fprintf (stderr, "%s: %s\n", path, err.cause);
      exit (1);
    }
  unsigned char *data = reader_copy (content, size);
  free (content);
  bool done = fuzz_entry (reader, path, data, size);
  free (data);
  return done;
}

int
main (int argc, char **argv)
{
  const struct reader *reader = argc > 1 ? reader_find (argv[1]) : NULL;
  int read = 0;
  if (!reader)
    {
      fprintf (stderr, "usage: replay READER FILE...\n");
      return 2;
    }
  for (int i = 2; i < argc; i++)
    read += replay (reader, argv[i]);
  printf ("%d files, %d read\n", argc - 2, read);
  return 0;
}

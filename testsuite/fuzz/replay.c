/* Pass files to a reader as its fuzzer does: replay [--costs] READER FILE...
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints `N files, N read'; aborts at the first file that breaks the reader.
   With --costs, also prints the files that took the most memory and the most
   CPU time, sanitizers included.  */

#include "file-content.h"
#include "fuzz-entry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Pass the file PATH to READER.  Return true if it was read.  */
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

/* The memory and time that a file took.  */
struct cost
{
  const char *path;
  size_t bytes; /* of memory beyond 8 for each byte of the file */
  clock_t time;
};

static size_t
bytes_beyond (const char *path)
{
  const size_t most = reader_most_bytes ();
  struct stat status;
  const size_t warranted
    = stat (path, &status) == 0 ? 8 * (size_t) status.st_size : 0;
  return most > warranted ? most - warranted : 0;
}

static void
print_costs (const struct cost *largest, const struct cost *slowest)
{
  printf ("most memory: %zu bytes and 8 for each byte: %s\n"
	  "most time: %.0f ms: %s\n",
	  largest->bytes, largest->path,
	  1000.0 * (double) slowest->time / CLOCKS_PER_SEC, slowest->path);
}

int
main (int argc, char **argv)
{
  const bool with_costs = argc > 1 && strcmp (argv[1], "--costs") == 0;
  const int first = with_costs ? 3 : 2;
  const struct reader *reader
    = argc >= first ? reader_find (argv[first - 1]) : NULL;
  struct cost largest = { "none", 0, 0 }, slowest = { "none", 0, 0 };
  int read = 0;
  if (!reader)
    {
      fprintf (stderr, "usage: replay [--costs] READER FILE...\n");
      return 2;
    }
  for (int i = first; i < argc; i++)
    {
      const clock_t start = clock ();
      read += replay (reader, argv[i]);
      const struct cost cost
	= { argv[i], bytes_beyond (argv[i]), clock () - start };
      if (cost.bytes > largest.bytes)
	largest = cost;
      if (cost.time > slowest.time)
	slowest = cost;
    }
  printf ("%d files, %d read\n", argc - first, read);
  if (with_costs)
    print_costs (&largest, &slowest);
  return 0;
}

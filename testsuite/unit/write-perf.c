/* Write perf.data: write-perf file|stream|compressed|big|open OUT <DESCRIPTION
   SPDX-License-Identifier: GPL-3.0-or-later

   perf-builder.h defines the description.  Exits with 77 if this build cannot
   write the layout.  */

#include "perf-builder.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (int argc, char **argv)
{
  static const char *const layouts[PERF_LAYOUTS]
    = { "file", "stream", "compressed", "big", "open" };
  static char description[1 << 20];
  int layout = 0;
  while (argc == 3 && layout < PERF_LAYOUTS
	 && strcmp (layouts[layout], argv[1]) != 0)
    layout++;
  if (argc != 3 || layout == PERF_LAYOUTS)
    return 2;
  description[fread (description, 1, sizeof description - 1, stdin)] = '\0';
  size_t size;
  unsigned char *data
    = perf_build (description, (enum perf_layout) layout, &size);
  if (!data)
    return 77;
  FILE *out = fopen (argv[2], "wb");
  bool done = out && fwrite (data, 1, size, out) == size && fclose (out) == 0;
  free (data);
  return done ? 0 : 1;
}

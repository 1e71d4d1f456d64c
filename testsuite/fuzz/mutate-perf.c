/* Replay damaged perf recordings, in all forms.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mutate.h"
#include "perf-files.h"
#include <stdlib.h>
#include <string.h>

static void
replay (const struct reader *reader, const void *data, size_t size,
	unsigned int variants)
{
  const struct mutate_target target
    = { .name = reader->name, .reader = reader, .bounds = reader->bounds };
  mutate_replay (&target, data, size, variants);
}

int
main (void)
{
  for (int layout = 0; layout < PERF_LAYOUTS; layout++)
    {
      size_t size;
      unsigned char *data
	= perf_build (perf_file_description, (enum perf_layout) layout, &size);
      if (data)
	replay (&reader_perf_data, data, size, 2500);
      free (data);
    }
  size_t size;
  unsigned char *data
    = perf_build (perf_file_operations, PERF_LAYOUT_FILE, &size);
  replay (&reader_perf_data, data, size, 2500);
  free (data);
  replay (&reader_perf_script, perf_file_script, strlen (perf_file_script),
	  2500);
  replay (&reader_perf_dump, perf_file_dump, strlen (perf_file_dump), 2500);
  mutate_summary ();
  return 0;
}

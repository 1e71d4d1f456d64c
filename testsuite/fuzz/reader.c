/* Check readers on damaged files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "reader.h"
#include "count-memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file being read.  */
static const char *label;
static bool keeps;
static const unsigned char *bytes;
static size_t byte_count;
static size_t most_bytes;

const struct reader *
reader_find (const char *name)
{
  static const struct reader *const readers[]
    = { &reader_gcov_data,    &reader_gcov_lookup,   &reader_gcov_notes,
	&reader_gcov_section, &reader_heap_lookup,   &reader_indexed,
	&reader_lookup,	      &reader_memprof_raw,   &reader_mip,
	&reader_mip_map,      &reader_mip_map_file,  &reader_mip_raw,
	&reader_mip_text,     &reader_perf_data,     &reader_perf_dump,
	&reader_perf_script,  &reader_pseudo_probes, &reader_raw,
	&reader_sample_afdo,  &reader_sample_binary, &reader_sample_text,
	&reader_text,	      &reader_yaml };
  for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
    if (strcmp (readers[i]->name, name) == 0)
      return readers[i];
  return NULL;
}

unsigned char *
reader_copy (const void *data, size_t size)
{
  unsigned char *copy = malloc (size ? size : 1);
  if (!copy)
    abort ();
  if (size > 0)
    memcpy (copy, data, size);
  return copy;
}

void
reader_has_read (void)
{
  count_memory_stop ();
}

void
reader_fail (const char *what)
{
  FILE *out = keeps ? fopen ("failed-variant", "wb") : NULL;
  if (out)
    {
      fwrite (bytes, 1, byte_count, out);
      fclose (out);
    }
  printf ("%s%s: %s\n", label, out ? " (kept in failed-variant)" : "", what);
  fflush (stdout);
  abort ();
}

bool
reader_ran_out (struct profile_error *err, const char *what)
{
  if (strcmp (err->cause, "out of memory") != 0)
    {
      printf ("%s\n", err->cause);
      reader_fail (what);
    }
  err->path = READER_PATH;
  return false;
}

/* Return true if the reader's error is one nonempty line.  */
static bool
is_clear (const struct profile_error *err)
{
  size_t n = strnlen (err->cause, sizeof err->cause);
  return (n > 0 && n < sizeof err->cause && !strchr (err->cause, '\n')
	  && err->path && strcmp (err->path, READER_PATH) == 0);
}

void
reader_begin (const char *what, bool keep, const unsigned char *data,
	      size_t size)
{
  label = what;
  keeps = keep;
  bytes = data;
  byte_count = size;
}

bool
reader_check (const struct reader *reader, const struct reader_bounds *bounds)
{
  struct profile_error err = { 0 };
  size_t before = count_memory_live ();
  count_memory_begin ();
  bool done = reader->read (bytes, byte_count, &err);
  count_memory_stop ();
  if (!done && !is_clear (&err))
    reader_fail ("rejected without a clear error");
  if (count_memory_live () != before)
    reader_fail ("memory leak");
  if (count_memory_peak () > most_bytes)
    most_bytes = count_memory_peak ();
  if (count_memory_peak ()
      > bounds->base_bytes + bounds->bytes_per_byte * byte_count)
    reader_fail ("allocated more memory than the bound");
  if (reader->recognise && !reader->recognise (bytes, byte_count) && done)
    reader_fail ("read but not recognised");
  return done;
}

size_t
reader_most_bytes (void)
{
  size_t most = most_bytes;
  most_bytes = 0;
  return most;
}

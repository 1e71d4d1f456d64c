/* Make the seeds of the fuzzers: make-seeds FOLDER.
   SPDX-License-Identifier: GPL-3.0-or-later

   Writes FOLDER/READER/NAME and replaces existing files of these names.  Other
   files, such as findings (`finding-...'), are left alone.  */

#include "gcov-builder.h"
#include "memprof-builder.h"
#include "mip-files.h"
#include "mip-map-file.h"
#include "mip-text.h"
#include "perf-files.h"
#include "probe-files.h"
#include "raw-packer.h"
#include "sample-files.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *folder;

/* Write the N bytes at DATA as a seed of READER, named by the remaining
   arguments.  */
static void put_seed (const char *reader, const void *data, size_t n,
		      const char *name, ...)
  __attribute__ ((format (printf, 4, 5)));

static void
put_seed (const char *reader, const void *data, size_t n, const char *name, ...)
{
  char path[4096];
  int length = snprintf (path, sizeof path, "%s/%s", folder, reader);
  if (mkdir (path, 0777) != 0 && errno != EEXIST)
    {
      perror (path);
      exit (1);
    }
  path[length++] = '/';
  va_list arguments;
  va_start (arguments, name);
  vsnprintf (path + length, sizeof path - length, name, arguments);
  va_end (arguments);
  FILE *out = fopen (path, "wb");
  if (!out || fwrite (data, 1, n, out) != n || fclose (out) != 0)
    {
      perror (path);
      exit (1);
    }
}

/* Write FILE as a seed, and free it.  */
static void
put_file (const char *reader, const char *name, unsigned int number,
	  struct sample_file file)
{
  put_seed (reader, file.data, file.size, "%s-%u", name, number);
  free (file.data);
}

/* Write an indexed file without its heapprof section; and, if it has one, with
   the section inflated.  */
static void
put_indexed (const char *name, unsigned int number, struct sample_file file)
{
  put_seed ("indexed", file.data, sample_section (&file), "%s-llvm-%u", name,
	    number);
  if (sample_section (&file) < file.size)
    put_file ("indexed", name, number, sample_inflated (&file));
  free (file.data);
}

/* Write what a lookup reads of an indexed file with GCOV.  */
static void
put_lookup (const char *name, struct gcov_profile *gcov)
{
  const struct profile profile = { .gcov = gcov };
  struct sample_file file = sample_indexed (&profile, 12, 0);
  put_file ("gcov-lookup", name, gcov->unit_count,
	    sample_section_alone (&file));
  free (file.data);
}

static void
make_indexed (void)
{
  for (unsigned int version = 2; version <= 4; version++)
    {
      put_indexed ("heap", version, sample_heap (6, 9 + version, version));
      put_file ("heap-lookup", "heap", version,
		sample_heap (6, 9 + version, version));
    }
  struct sample_file heap = sample_heap (6, 13, 4);
  put_file ("indexed", "heap-deflated", 4, sample_deflated (&heap));
  free (heap.data);
  for (unsigned int version = 11; version <= 13; version++)
    {
      put_indexed ("counters", version, sample_counters (5, version));
      put_indexed ("values", version, sample_counters (25, version));
      put_file ("lookup", "counters", version, sample_counters (8, version));
    }
  for (unsigned int file = 8; file <= 13; file++)
    for (unsigned int version = 0; version < 5; version++)
      {
	size_t size;
	unsigned char *data = memprof_build (file, version, version % 2, &size);
	if (file == 13 || version == 4 - file % 5)
	  put_seed ("indexed", data, size, "memprof-%u-%u", file, version);
	if (file == 13)
	  put_seed ("heap-lookup", data, size, "memprof-%u", version);
	free (data);
      }
  struct profile profile = { .gcov = sample_gcov () };
  put_indexed ("gcov", 12, sample_indexed (&profile, 12, 0));
  put_lookup ("units", profile.gcov);
  gcov_profile_free (profile.gcov);
  profile.gcov = sample_gcov_copies ();
  put_lookup ("copies", profile.gcov);
  gcov_profile_free (profile.gcov);
}

static void
make_gcov (void)
{
  static struct gcov_builder data;
  static struct gcov_builder notes;
  static unsigned char both[2 * GCOV_BUILDER_BYTES];
  for (unsigned int major = 11; major <= 16; major++)
    {
      gcov_build_sample_data (&data, major, major % 2);
      gcov_build_sample_notes (&notes, major, major % 2);
      put_seed ("gcov-data", data.data, data.size, "gcc-%u", major);
      put_seed ("gcov-notes", notes.data, notes.size, "gcc-%u", major);
      memcpy (both, notes.data, notes.size);
      memcpy (both + notes.size, data.data, data.size);
      put_seed ("gcov-notes", both, notes.size + data.size, "both-%u", major);
    }
  put_file ("gcov-section", "units", 8, sample_gcov_section ());
}

static void
make_raw (void)
{
  static struct raw_builder builder;
  struct sample_file file;
  for (unsigned int is_big = 0; is_big < 2; is_big++)
    {
      raw_builder_sample (&builder);
      builder.big_endian = is_big;
      builder.is_small = true;
      file.data = raw_builder_finish (&builder, &file.size);
      put_file ("raw", "mapped", is_big, file);
    }
  builder.big_endian = false;
  builder.header.state = HEAPPROF_RAW_RUNNING;
  file.data = raw_builder_finish (&builder, &file.size);
  put_file ("raw", "running", 0, file);
  raw_builder_sample (&builder);
  file.data = raw_builder_pack (&builder, &file.size);
  put_file ("raw", "packed", 0, file);
  raw_builder_random (&builder, 4711);
  file.data = raw_builder_pack (&builder, &file.size);
  put_file ("raw", "packed", 1, file);
  for (unsigned int version = 3; version <= 5; version++)
    put_file ("memprof-raw", "version", version, sample_memprof_raw (version));
}

/* Text and YAML that our writers do not write.  */
static void
make_texts (void)
{
  static const char text[]
    = ":csir\n:entry_first\n:instrument_loop_entries\n"
      ":temporal_prof_traces\n2\n7\n1\nmain,f\n3\nf\n"
      "main\n0x10\n2\n1\n18446744073709551615\n$2\n0xff\n0b101\n"
      "f\r\n010\r\n1\r\n5\r\n2\r\n0\r\n1\r\n2\r\nmain:4\r\n"
      "** External Symbol **:1\r\n1\r\n1\r\n1\r\n16:9\r\n";
  static const char yaml[]
    = "--- # one line\n"
      "HeapProfileRecords: [ { GUID: f, AllocSites: [ { Callstack: [ "
      "{ Function: 'f', LineOffset: 1, Column: 2, IsInlineFrame: true }, "
      "{ Function: \"g\\x41\", LineOffset: 0xa, Column: 0, "
      "IsInlineFrame: false } ], MemInfoBlock: { AllocCount: 1 } } ], "
      "CallSites: [ { Frames: [ { Function: 0x1, LineOffset: 1, Column: 2, "
      "IsInlineFrame: false } ], CalleeGuids: [ 0x5, h ] } ] } ]\n"
      "DataAccessProfiles:\n  SampledRecords:\n    - Symbol: x\n"
      "      AccessCount: 3\n      Locations:\n        - FileName: x.c\n"
      "          Line: 1\n    - Hash: 7\n      AccessCount: 1\n"
      "  KnownColdSymbols:\n    - y\n  KnownColdStrHashes: [ 9 ]\n...\n";
  put_file ("text", "counters", 0, sample_text (8));
  put_seed ("text", text, sizeof text - 1, "flags");
  put_file ("yaml", "heap", 0, sample_yaml (4));
  put_seed ("yaml", yaml, sizeof yaml - 1, "flow");
}

static void
make_samples (void)
{
  for (unsigned int i = 0; i < SAMPLE_PROFILES; i++)
    {
      put_file ("sample-text", "profile", i, sample_profile_text (i));
      for (unsigned int choice = 0; choice < 16; choice++)
	{
	  struct sample_file file = sample_profile_binary (i, choice);
	  if (file.size > 0)
	    put_seed ("sample-binary", file.data, file.size, "profile-%u-%u", i,
		      choice);
	  free (file.data);
	}
    }
  for (unsigned int version = 1; version <= 3; version++)
    put_file ("sample-afdo", "version", version, sample_profile_afdo (version));
}

/* Not compressed: a reader built without zstd rejects compressed files.  */
static void
make_perf (void)
{
  for (int layout = 0; layout < PERF_LAYOUTS; layout++)
    {
      size_t size;
      unsigned char *data
	= perf_build (perf_file_description, (enum perf_layout) layout, &size);
      if (data && layout != PERF_LAYOUT_COMPRESSED)
	put_seed ("perf-data", data, size, "layout-%d", layout);
      free (data);
    }
  put_seed ("perf-script", perf_file_script, strlen (perf_file_script),
	    "branches");
  put_seed ("perf-dump", perf_file_dump, strlen (perf_file_dump), "loads");
}

static void
make_probes (void)
{
  for (int has_address = 0; has_address < 2; has_address++)
    {
      struct byte_writer sections = probe_files_sections (has_address);
      put_seed ("pseudo-probes", sections.data, sections.size,
		has_address ? "address" : "distances");
      byte_writer_free (&sections);
    }
}

/* A profile, its raw file and its map.  */
static void
make_mip (void)
{
  struct profile_error err;
  size_t skipped;
  struct byte_writer map = mip_files_map (), raw = mip_files_raw (3);
  struct byte_writer sums = mip_files_sums ();
  struct byte_writer coverage = mip_files_coverage_sums ();
  struct byte_writer file = { 0 }, text = { 0 }, map_file = { 0 };
  struct mip_profile *profile = mip_files_profile ();
  if (profile == NULL
      || !mip_profile_add_raw (profile, "seed", raw.data, raw.size, 1, &skipped,
			       &err))
    exit (1);
  mip_profile_write (profile, &file);
  mip_text_write (profile, &text);
  struct mip_map program = mip_files_program (map.data, map.size);
  mip_map_file_write (&program, &map_file);
  put_seed ("mip", file.data, file.size, "profile");
  put_seed ("mip-text", text.data, text.size, "profile");
  put_seed ("mip-raw", raw.data, raw.size, "images");
  put_seed ("mip-raw", sums.data, sums.size, "sums");
  put_seed ("mip-raw", coverage.data, coverage.size, "coverage-sums");
  put_seed ("mip-map", map.data, map.size, "map");
  put_seed ("mip-map-file", map_file.data, map_file.size, "map");
  mip_profile_free (profile);
  byte_writer_free (&file);
  byte_writer_free (&text);
  byte_writer_free (&map_file);
  byte_writer_free (&coverage);
  byte_writer_free (&sums);
  byte_writer_free (&raw);
  byte_writer_free (&map);
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    {
      fprintf (stderr, "usage: make-seeds FOLDER\n");
      return 2;
    }
  folder = argv[1];
  make_indexed ();
  make_gcov ();
  make_raw ();
  make_texts ();
  make_samples ();
  make_perf ();
  make_probes ();
  make_mip ();
  return 0;
}

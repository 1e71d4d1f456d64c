/* Make indexed profiles in all MemProf versions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Written from the description of LLVM's format, without any code of our
   writer.  */

#include "memprof-builder.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing.  */

struct output
{
  unsigned char data[65536];
  size_t size;
};

static void
put (struct output *out, uint64_t value, size_t n)
{
  for (size_t i = 0; i < n; i++)
    out->data[out->size++] = value >> 8 * i;
}

static void
patch (struct output *out, size_t offset, uint64_t value)
{
  for (size_t i = 0; i < 8; i++)
    out->data[offset + i] = value >> 8 * i;
}

static const struct
{
  uint64_t guid;
  uint32_t line;
  uint32_t column;
  bool is_inline;
} frames[] = { { MEMPROF_BUILDER_LEAF, 2, 5, true },
	       { MEMPROF_BUILDER_MAKE, 1, 13, false },
	       { MEMPROF_BUILDER_LANE, 1, 13, false },
	       { MEMPROF_BUILDER_MAIN, 6, 15, false } };

/* The frames of each stack, innermost first: the two contexts, then the call
   sites.  */
static const struct
{
  unsigned int count;
  unsigned int frames[4];
} stacks[] = { { 4, { 0, 1, 2, 3 } },
	       { 2, { 1, 3 } },
	       { 2, { 0, 1 } },
	       { 1, { 2 } },
	       { 1, { 3 } } };

/* Versions 3 and 4: the same stacks as an array.  A stack is identified by the
   index of its length.  Element 2 is a jump to element 7, the outermost frame
   of stack 0, which stack 1 shares.  */
static const int32_t stack_array[]
  = { 2, 1, -5, 4, 0, 1, 2, 3, 2, 0, 1, 1, 2, 1, 3 };
static const uint32_t stack_positions[] = { 3, 0, 8, 11, 13 };

struct record
{
  uint64_t guid;
  unsigned int alloc_count;
  unsigned int allocs[3];
  unsigned int call_site_count;
  unsigned int call_sites[1];
};

#define RECORDS_MAX 4
static const struct record plain_records[RECORDS_MAX]
  = { { MEMPROF_BUILDER_LEAF, 1, { 0 }, 0, { 0 } },
      { MEMPROF_BUILDER_MAKE, 2, { 0, 1 }, 1, { 2 } },
      { MEMPROF_BUILDER_LANE, 0, { 0 }, 1, { 3 } },
      { MEMPROF_BUILDER_MAIN, 0, { 0 }, 1, { 4 } } };

/* If `make' is inlined into itself, in place of `leaf', LLVM lists the first
   context twice.  */
static const struct record recursive_records[RECORDS_MAX]
  = { { MEMPROF_BUILDER_MAKE, 3, { 0, 0, 1 }, 1, { 2 } },
      { MEMPROF_BUILDER_LANE, 0, { 0 }, 1, { 3 } },
      { MEMPROF_BUILDER_MAIN, 0, { 0 }, 1, { 4 } },
      { MEMPROF_BUILDER_LEAF, 0, { 0 }, 0, { 0 } } };

static const struct record *records;

#define FRAME_ID(i) (0xf000u + 3 * (i))
#define STACK_ID(i) (0x5000u + 5 * (i))

static size_t
field_bytes (unsigned int tag)
{
  return strchr ("\2\3\4\5\12\23\24\27\33", tag) ? 8 : 4;
}

uint64_t
memprof_builder_field (unsigned int tag, unsigned int context)
{
  return tag >= 26 ? 0 : tag == 1 ? 3 + context : tag * 1000 + context;
}

static void
put_frame (struct output *out, unsigned int i)
{
  bool is_recursive = records == recursive_records;
  put (out, i == 0 && is_recursive ? MEMPROF_BUILDER_MAKE : frames[i].guid, 8);
  put (out, frames[i].line, 4);
  put (out, frames[i].column, 4);
  put (out, frames[i].is_inline, 1);
}

static void
put_frame_ids (struct output *out, unsigned int stack)
{
  for (unsigned int i = 0; i < stacks[stack].count; i++)
    put (out, FRAME_ID (stacks[stack].frames[i]), 8);
}

static void
put_stack (struct output *out, unsigned int version, unsigned int stack)
{
  if (version >= 3)
    put (out, stack_positions[stack], 4);
  else if (version == 2)
    put (out, STACK_ID (stack), 8);
  else
    {
      put (out, stacks[stack].count, 8);
      put_frame_ids (out, stack);
    }
}

static void
put_record (struct output *out, unsigned int version, unsigned int i)
{
  put (out, records[i].alloc_count, 8);
  for (unsigned int j = 0; j < records[i].alloc_count; j++)
    {
      put_stack (out, version, records[i].allocs[j]);
      for (unsigned int tag = 1; tag < 28; tag++)
	put (out, memprof_builder_field (tag, records[i].allocs[j]),
	     field_bytes (tag));
    }
  put (out, records[i].call_site_count, 8);
  for (unsigned int j = 0; j < records[i].call_site_count; j++)
    {
      put_stack (out, version, records[i].call_sites[j]);
      if (version == 4)
	{
	  put (out, 1, 8); /* callee GUIDs */
	  put (out, 0xca11ee, 8);
	}
    }
}

enum table
{
  RECORDS,
  FRAMES,
  STACKS
};

/* Append a table with a single bucket, which is valid for any number of
   entries.  Return the offset of the bucket array.  */
static uint64_t
put_table (struct output *out, enum table table, unsigned int version,
	   unsigned int count)
{
  size_t payload = out->size;
  put (out, count, 2);
  for (unsigned int i = 0; i < count; i++)
    {
      uint64_t key = table == RECORDS  ? records[i].guid
		     : table == FRAMES ? FRAME_ID (i)
				       : STACK_ID (i);
      put (out, key, 8);
      if (table != STACKS)
	put (out, 8, 8);
      size_t length = out->size;
      put (out, 0, 8);
      put (out, key, 8);
      size_t start = out->size;
      if (table == RECORDS)
	put_record (out, version, i);
      else if (table == FRAMES)
	put_frame (out, i);
      else
	put_frame_ids (out, i);
      patch (out, length, out->size - start);
    }
  while (out->size % 8 != 0)
    put (out, 0, 1);
  size_t array = out->size;
  put (out, 1, 8);
  put (out, count, 8);
  put (out, payload, 8);
  return array;
}

static void
put_schema (struct output *out)
{
  put (out, 27, 8);
  for (unsigned int tag = 1; tag < 28; tag++)
    put (out, tag, 8);
}

static void
put_memprof_012 (struct output *out, unsigned int version)
{
  if (version > 0)
    put (out, version, 8);
  size_t offsets = out->size;
  for (int i = 0; i < (version == 2 ? 5 : 3); i++)
    put (out, 0, 8);
  put_schema (out);
  patch (out, offsets, put_table (out, RECORDS, version, 4));
  patch (out, offsets + 8, out->size);
  patch (out, offsets + 16, put_table (out, FRAMES, version, 4));
  if (version < 2)
    return;
  patch (out, offsets + 24, out->size);
  patch (out, offsets + 32, put_table (out, STACKS, version, 5));
}

static void
put_memprof_34 (struct output *out, unsigned int version)
{
  put (out, version, 8);
  size_t offsets = out->size;
  for (int i = 0; i < 3; i++)
    put (out, 0, 8);
  if (version == 4)
    {
      put (out, 0, 8);
      put (out, 6, 4);
      for (int i = 0; i < 6; i++)
	put (out, 77, 8);
    }
  put_schema (out);
  for (unsigned int i = 0; i < 4; i++)
    put_frame (out, i);
  patch (out, offsets, out->size);
  for (size_t i = 0; i < sizeof stack_array / sizeof stack_array[0]; i++)
    put (out, stack_array[i], 4);
  patch (out, offsets + 8, out->size);
  patch (out, offsets + 16, put_table (out, RECORDS, version, 4));
}

/* Start a file: the table of functions is empty, and the MemProf section is
   next.  */
static void
begin_file (struct output *out, unsigned int file_version)
{
  static const char magic[] = "\xfflprofi\x81";
  memcpy (out->data, magic, 8);
  out->size = 8;
  put (out, file_version | UINT64_C (1) << 62, 8);
  size_t words = file_version >= 12   ? 7
		 : file_version >= 10 ? 6
		 : file_version >= 9  ? 5
				      : 4;
  for (size_t i = 0; i < words; i++)
    put (out, 0, 8);
  put (out, 6, 8); /* summary: fields, no cutoffs */
  for (int i = 0; i < 7; i++)
    put (out, 0, 8);
  patch (out, 32, out->size); /* no functions */
  put (out, 1, 8);
  put (out, 0, 8);
  put (out, 0, 8);
  patch (out, 40, out->size);
}

/* End the file, without binary IDs or vtable names.  Return a malloced
   copy.  */
static unsigned char *
end_file (struct output *out, unsigned int file_version, size_t *size)
{
  if (file_version >= 9)
    {
      patch (out, 48, out->size);
      put (out, 0, 8);
    }
  if (file_version >= 12)
    {
      patch (out, 64, out->size);
      put (out, 0, 8);
    }
  unsigned char *data = malloc (out->size);
  memcpy (data, out->data, out->size);
  *size = out->size;
  return data;
}

unsigned char *
memprof_build (unsigned int file_version, unsigned int memprof_version,
	       bool recursive, size_t *size)
{
  static struct output out;
  records = recursive ? recursive_records : plain_records;
  begin_file (&out, file_version);
  if (memprof_version < 3)
    put_memprof_012 (&out, memprof_version);
  else
    put_memprof_34 (&out, memprof_version);
  return end_file (&out, file_version, size);
}

unsigned char *
memprof_overlapping (unsigned int elements, size_t *size)
{
  static struct output out;
  begin_file (&out, 12);
  put (&out, 3, 8);
  size_t offsets = out.size;
  for (int i = 0; i < 3; i++)
    put (&out, 0, 8);
  put (&out, 1, 8); /* schema: the number of blocks */
  put (&out, 1, 8);
  for (unsigned int i = 0; i < elements; i++)
    {
      put (&out, MEMPROF_BUILDER_MAIN, 8);
      put (&out, i, 4);
      put (&out, 0, 4);
      put (&out, 0, 1);
    }
  patch (&out, offsets, out.size);
  /* Element I is the length of stack I, and a frame of the stacks before
     it.  */
  for (unsigned int i = 0; i < elements; i++)
    put (&out, elements - 1 - i > i ? elements / 2 - i % 7 : 1, 4);
  patch (&out, offsets + 8, out.size);
  size_t payload = out.size;
  put (&out, 1, 2);
  put (&out, MEMPROF_BUILDER_MAIN, 8);
  put (&out, 8, 8);
  put (&out, 16 + 8 * (elements / 2), 8);
  put (&out, MEMPROF_BUILDER_MAIN, 8);
  put (&out, elements / 2, 8);
  for (unsigned int i = 0; i < elements / 2; i++)
    {
      put (&out, i, 4);
      put (&out, 1, 4);
    }
  put (&out, 0, 8);
  while (out.size % 8 != 0)
    put (&out, 0, 1);
  patch (&out, offsets + 16, out.size);
  put (&out, 1, 8);
  put (&out, 1, 8);
  put (&out, payload, 8);
  return end_file (&out, 12, size);
}

/* ---- Decoding, also written from the description.  */

static uint64_t
get (const unsigned char *data, size_t offset, size_t n)
{
  uint64_t value = 0;
  for (size_t i = 0; i < n; i++)
    value |= (uint64_t) data[offset + i] << 8 * i;
  return value;
}

struct section
{
  const unsigned char *data;
  size_t stacks;
  size_t frames;
  size_t schema_count;
  unsigned int schema[28];
};

static void
print_stack (FILE *out, const struct section *section, uint64_t index)
{
  size_t at = section->stacks + 4 * index;
  uint64_t n = get (section->data, at, 4);
  for (uint64_t i = 0; i < n; i++)
    {
      at += 4;
      int32_t element = get (section->data, at, 4);
      if (element < 0)
	at += 4 * -(int64_t) element;
      uint64_t frame = get (section->data, at, 4);
      size_t place = section->frames + 17 * frame;
      fprintf (out, " %" PRIx64 ":%" PRIu64 ":%" PRIu64 ":%d",
	       get (section->data, place, 8), get (section->data, place + 8, 4),
	       get (section->data, place + 12, 4), section->data[place + 16]);
    }
}

/* Print the record of GUID, BYTES bytes at offset AT.  */
static void
print_record (FILE *out, const struct section *section, uint64_t guid,
	      size_t at, size_t bytes)
{
  size_t end = at + bytes;
  uint64_t allocs = get (section->data, at, 8);
  at += 8;
  for (uint64_t i = 0; i < allocs; i++)
    {
      fprintf (out, "%" PRIx64 " allocates at", guid);
      print_stack (out, section, get (section->data, at, 4));
      at += 4;
      for (size_t j = 0; j < section->schema_count; j++)
	{
	  unsigned int tag = section->schema[j];
	  fprintf (out, " %u=%" PRIu64, tag,
		   get (section->data, at, field_bytes (tag)));
	  at += field_bytes (tag);
	}
      fprintf (out, "\n");
    }
  uint64_t call_sites = get (section->data, at, 8);
  at += 8;
  for (uint64_t i = 0; i < call_sites; i++, at += 4)
    {
      fprintf (out, "%" PRIx64 " calls at", guid);
      print_stack (out, section, get (section->data, at, 4));
      fprintf (out, "\n");
    }
  if (at != end)
    fprintf (out, "record of %zu bytes ends at %zu\n", bytes, at - end);
}

/* Print all records in the order in which LLVM enumerates them: from the
   payload on, bucket by bucket.  Check that each is in the bucket where LLVM
   looks it up.  */
static void
print_records (FILE *out, const struct section *section, size_t payload,
	       size_t array)
{
  const unsigned char *data = section->data;
  uint64_t buckets = get (data, array, 8);
  uint64_t count = get (data, array + 8, 8);
  size_t at = payload;
  while (count > 0)
    {
      size_t bucket_at = at;
      uint64_t n = get (data, at, 2);
      at += 2;
      for (uint64_t i = 0; i < n; i++)
	{
	  uint64_t hash = get (data, at, 8);
	  uint64_t bytes = get (data, at + 16, 8);
	  uint64_t place = array + 16 + 8 * (hash & (buckets - 1));
	  if (get (data, at + 8, 8) != 8 || get (data, at + 24, 8) != hash
	      || get (data, place, 8) != bucket_at)
	    fprintf (out, "%" PRIx64 " cannot be looked up\n", hash);
	  print_record (out, section, hash, at + 32, bytes);
	  at += 32 + bytes;
	}
      count -= n;
    }
}

static int
compare_lines (const void *element1, const void *element2)
{
  return strcmp (*(char *const *) element1, *(char *const *) element2);
}

void
sort_lines (char *text)
{
  size_t n = 0;
  for (const char *c = text; *c; c++)
    n += *c == '\n';
  char **lines = calloc (n + 1, sizeof *lines);
  char *copy = strdup (text);
  size_t i = 0;
  for (char *line = strtok (copy, "\n"); line; line = strtok (NULL, "\n"))
    lines[i++] = line;
  qsort (lines, i, sizeof *lines, compare_lines);
  for (size_t j = 0; j < i; j++)
    text += sprintf (text, "%s\n", lines[j]);
  free (copy);
  free (lines);
}

char *
memprof_text (const unsigned char *data, size_t size)
{
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  size_t memprof = get (data, 40, 8);
  if (get (data, 8, 8) != (12 | UINT64_C (1) << 62)
      || get (data, memprof, 8) != 3)
    fprintf (out, "not of version 12 and 3\n");
  struct section section = { .data = data,
			     .stacks = get (data, memprof + 8, 8),
			     .schema_count = get (data, memprof + 32, 8) };
  for (size_t i = 0; i < section.schema_count; i++)
    section.schema[i] = get (data, memprof + 40 + 8 * i, 8);
  section.frames = memprof + 40 + 8 * section.schema_count;
  print_records (out, &section, get (data, memprof + 16, 8),
		 get (data, memprof + 24, 8));
  if (get (data, 64, 8) + 8 > size)
    fprintf (out, "vtable names after the end\n");
  fclose (out);
  sort_lines (text);
  return text;
}

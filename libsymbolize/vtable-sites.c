/* The promoted virtual calls of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later

   heapprof/vtmap-format.h has the layout of a record.  */

#include "vtable-sites.h"
#include "byte-reader.h"
#include "elf-section.h"
#include "heapprof/vtmap-format.h"
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

/* Name of what is read, for errors.  */
static const char *const what = "a record of " HEAPPROF_VTMAP_SECTION;

static bool
add_site (struct vtable_sites *sites, const struct vtable_site *site)
{
  /* The array is full at powers of two.  */
  if ((sites->count & (sites->count - 1)) == 0)
    {
      size_t capacity = sites->count > 0 ? 2 * sites->count : 1;
      void *grown = realloc (sites->sites, capacity * sizeof *site);
      if (grown == NULL)
	return false;
      sites->sites = grown;
    }
  sites->sites[sites->count++] = *site;
  return true;
}

/* Read the record of BYTES bytes, whose size was read at START.  */
static bool
read_record (struct byte_reader *reader, size_t start, uint32_t bytes,
	     struct vtable_sites *sites)
{
  uint16_t version = byte_reader_u16 (reader, what);
  uint16_t flags = byte_reader_u16 (reader, what);
  struct vtable_site site
    = { .is_continued = (flags & HEAPPROF_VTMAP_CONTINUED) != 0,
	.is_function = (flags & HEAPPROF_VTMAP_FUNCTION) != 0 };
  if (version != HEAPPROF_VTMAP_VERSION)
    return byte_reader_fail (reader, start,
			     HEAPPROF_VTMAP_SECTION ": unsupported version %u",
			     version);
  site.jump = byte_reader_u64 (reader, what);
  site.same = byte_reader_u64 (reader, what);
  site.other = byte_reader_u64 (reader, what);
  site.name
    = byte_reader_bytes (reader, bytes - HEAPPROF_VTMAP_HEAD_BYTES, what);
  if (site.name == NULL)
    return false;
  if (memchr (site.name, 0, bytes - HEAPPROF_VTMAP_HEAD_BYTES) == NULL)
    return byte_reader_fail (reader, start,
			     HEAPPROF_VTMAP_SECTION ": unterminated name");
  /* A record discarded by the linker has no address.  */
  return site.jump == 0 || add_site (sites, &site)
	 || byte_reader_fail_memory (reader);
}

static bool
read_records (struct byte_reader *reader, struct vtable_sites *sites)
{
  while (byte_reader_left (reader) > 0)
    {
      size_t start = reader->position;
      uint32_t bytes = byte_reader_u32 (reader, what);
      if (reader->failed)
	return false;
      if (bytes % 8 != 0 || bytes <= HEAPPROF_VTMAP_HEAD_BYTES
	  || bytes - 4 > byte_reader_left (reader))
	return byte_reader_fail (reader, start,
				 HEAPPROF_VTMAP_SECTION
				 ": invalid record size %u bytes",
				 bytes);
      if (!read_record (reader, start, bytes, sites))
	return false;
    }
  return true;
}

static int
compare_sites (const void *a, const void *b)
{
  const struct vtable_site *x = a;
  const struct vtable_site *y = b;
  return x->jump < y->jump ? -1 : x->jump > y->jump;
}

bool
vtable_sites_read (struct vtable_sites *sites, struct object_file *file,
		   struct profile_error *err)
{
  struct byte_reader reader;
  GElf_Addr bias;
  *sites = (struct vtable_sites){ 0 };
  Elf_Data *data
    = elf_section_data (dwfl_module_getelf (object_file_module (file), &bias),
			HEAPPROF_VTMAP_SECTION);
  if (data == NULL)
    return true;
  byte_reader_init (&reader, object_file_path (file), data->d_buf, data->d_size,
		    err);
  if (!read_records (&reader, sites))
    {
      vtable_sites_release (sites);
      return false;
    }
  if (sites->count > 0)
    qsort (sites->sites, sites->count, sizeof *sites->sites, compare_sites);
  return true;
}

void
vtable_sites_release (struct vtable_sites *sites)
{
  free (sites->sites);
  *sites = (struct vtable_sites){ 0 };
}

size_t
vtable_sites_first (const struct vtable_sites *sites, uint64_t address)
{
  size_t low = 0;
  size_t high = sites->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (sites->sites[middle].jump < address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

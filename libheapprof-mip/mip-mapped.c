/* Slots that are in the raw file all the time, for programs that may be killed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With map=1, the pages of the slots are those of the raw file, which is
   complete from the start and has what ran at every moment:

     header | filler | head of a chunk | slots, whole pages | filler | ...

   A filler is a chunk of no kind that is as long as it takes for the slots to
   begin with a page.  This is linked only if the linker is told to,

     -Wl,-u,__heapprof_mip_map

   and then sees to it that sections of slots begin and end with pages.  Where
   they do not, as they are when something comes behind this object, the file is
   written at the end as ever.  Edges are not in it.  */

#include "mip-runtime.h"
#include "fork.h"
#include "mip-system.h"

/* Of the largest pages that a kernel may have.  */
#ifdef __aarch64__
#define PAGE_BYTES 65536
#define PAGE_BYTES_TEXT "65536"
#else
#define PAGE_BYTES 4096
#define PAGE_BYTES_TEXT "4096"
#endif

/* Sections are as long as this makes them if it comes last.  */
#define ALIGN_SECTION(NAME, TYPE)                                              \
  __asm__(".pushsection\t" NAME ",\"aw\",@" TYPE "\n"                          \
	  "\t.balign\t" PAGE_BYTES_TEXT "\n\t.popsection\n")

ALIGN_SECTION (HEAPPROF_MIP_SECTION_COVERAGE, "progbits");
ALIGN_SECTION (HEAPPROF_MIP_SECTION_COUNT, "nobits");
ALIGN_SECTION (HEAPPROF_MIP_SECTION_ORDER, "nobits");

/* Make the file: what is there is left alone, one is made beside it.  The open
   file, or the number of an error, negated.  */

static int
create (const struct heapprof_mip_image *header)
{
  char path[MIP_PATH_BYTES];
  mip_name (path, header, false);
  const int file = mip_open (path, O_RDWR | O_EXCL, header->bytes);
  if (file != -EEXIST)
    return file;
  mip_name (path, header, true);
  mip_system_call (SYS_unlinkat, AT_FDCWD, (long) path, 0, 0);
  return mip_open (path, O_RDWR | O_EXCL, header->bytes);
}

/* Where the slots begin of a chunk whose filler begins at OFFSET.  */

static size_t
slots_offset (size_t offset)
{
  return (offset + 2 * sizeof (struct heapprof_mip_chunk) + PAGE_BYTES - 1)
	 & -(size_t) PAGE_BYTES;
}

/* Set the bytes and chunks of IMAGE to those of the file; false if no section
   has slots, or one is not of whole pages.  */

static bool
lay_out (struct mip_image *image)
{
  struct heapprof_mip_image *const header = &image->header;
  header->chunks = 0;
  header->bytes = sizeof *header;
  for (int i = 0; i < MIP_SECTIONS; i++)
    {
      struct mip_section section;
      mip_section_get (i, &section);
      if (((uintptr_t) section.begin | (uintptr_t) section.end) % PAGE_BYTES
	  != 0)
	return false;
      if (section.begin == section.end)
	continue;
      header->chunks += 2;
      header->bytes
	= slots_offset (header->bytes) + (size_t) (section.end - section.begin);
    }
  return header->chunks > 0;
}

/* Write IMAGE to the file, which is mapped at TO, and have its slots be those
   of the program.  0, or the number of an error, negated.  */

static int
move_slots (char *to, const struct mip_image *image)
{
  own_memcpy (to, &image->header, sizeof image->header);
  size_t offset = sizeof image->header;
  for (uint32_t i = 0; i < image->header.chunks / 2; i++)
    {
      const struct heapprof_mip_chunk *const chunk = &image->chunks[i];
      struct heapprof_mip_chunk *const filler = (void *) (to + offset);
      const size_t slots = slots_offset (offset);
      char *const address = (char *) (chunk->address + image->header.bias);
      filler->element_bytes = 1;
      filler->bytes = filler->stored = slots - offset - 2 * sizeof *chunk;
      own_memcpy (to + slots - sizeof *chunk, chunk, sizeof *chunk);
      own_memcpy (to + slots, address, chunk->bytes);
      const long result
	= mip_map_call (SYS_mremap, (long) (to + slots), (long) chunk->bytes,
			(long) chunk->bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			(long) address);
      if (mip_is_error (result))
	return (int) result;
      offset = slots + chunk->bytes;
    }
  return 0;
}

/* A child has its parent's slots: they become its own.  */

static void
begin_child (void)
{
  mip_is_mapped = false;
  __heapprof_mip_map ();
}

int
__heapprof_mip_map (void)
{
  static bool was_registered;
  struct mip_image image;
  mip_image_make (&image, HEAPPROF_MIP_MAPPED);
  if (!lay_out (&image))
    return -EINVAL;
  mip_image_seal (&image.header);
  const size_t bytes = image.header.bytes;
  const int file = create (&image.header);
  if (file < 0)
    return file;
  /* No program is to be killed because a page of it finds no room.  */
  long result = mip_system_call (SYS_fallocate, file, 0, 0, (long) bytes);
  if (result == 0)
    {
      result = mip_map (0, bytes, MAP_SHARED, file);
      if (!mip_is_error (result))
	result = move_slots ((char *) result, &image);
    }
  mip_close (file);
  if (result != 0)
    return (int) result;
  mip_is_mapped = true;
  if (!was_registered)
    at_fork (NULL, NULL, begin_child);
  was_registered = true;
  return 0;
}

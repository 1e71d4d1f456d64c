/* Slots mapped to the raw file, for programs that may be killed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With map=1, the slots' pages are those of the raw file, which is complete
   from the start and always up to date:

     header | filler | head of a chunk | slots, whole pages | filler | ...

   A filler is a chunk of no kind that pads the file so that the slots start on
   a page boundary.  This is linked only on request,

     -Wl,-u,__heapprof_mip_map

   and aligns the ends of the slot sections to pages.  If they are not aligned,
   because some object comes after this one, the file is written at the end as
   usual.  Calls through pointers are not stored, so readers ignore edges.  */

#include "mip-runtime.h"
#include "fork.h"
#include "mip-system.h"

/* Pads a section to whole pages if this object comes last.  */
#define ALIGN_SECTION_TO(BYTES, NAME, TYPE)                                    \
  __asm__(".pushsection\t" NAME ",\"aw\",@" TYPE "\n"                          \
	  "\t.balign\t" #BYTES "\n\t.popsection\n")
#define ALIGN_SECTION_TO_PAGE(BYTES, NAME, TYPE)                               \
  ALIGN_SECTION_TO (BYTES, NAME, TYPE)
#define ALIGN_SECTION(NAME, TYPE)                                              \
  ALIGN_SECTION_TO_PAGE (MIP_PAGE_BYTES, NAME, TYPE)

ALIGN_SECTION (HEAPPROF_MIP_SECTION_COVERAGE, "progbits");
ALIGN_SECTION (HEAPPROF_MIP_SECTION_COUNT, "nobits");
ALIGN_SECTION (HEAPPROF_MIP_SECTION_ORDER, "nobits");
ALIGN_SECTION (HEAPPROF_MIP_SECTION_CALLS, "nobits");

/* Create the file; if one exists, leave it alone and create another next to it.
   Return the open file, or a negated error number.  */

static int
create (const struct heapprof_mip_image *header)
{
  char path[MIP_PATH_BYTES];
  mip_name (path, header, false);
  const int file = mip_open (path, O_RDWR | O_EXCL, header->bytes);
  if (file != -EEXIST)
    return file;
  mip_name (path, header, true);
  mip_system_call_3 (SYS_unlinkat, AT_FDCWD, (long) path, 0);
  return mip_open (path, O_RDWR | O_EXCL, header->bytes);
}

/* Return the offset of the slots of a chunk whose filler starts at OFFSET.  */

static size_t
slots_offset (size_t offset)
{
  return (offset + 2 * sizeof (struct heapprof_mip_chunk) + MIP_PAGE_BYTES - 1)
	 & -(size_t) MIP_PAGE_BYTES;
}

/* Set the bytes and chunks of IMAGE to those of the file.  Return false if no
   section has slots, or one is not made of whole pages.  */

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
      if (((uintptr_t) section.begin | (uintptr_t) section.end) % MIP_PAGE_BYTES
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

/* Write IMAGE to the file, which is mapped at TO, and move the mapping of its
   slots onto the program's.  Return 0, or a negated error number.  */

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

/* The child has a copy of its parent's slots: give it its own file.  */

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
  /* Allocate space now, so that the program is not killed when a page cannot be
     written.  */
  long result = mip_system_call_4 (SYS_fallocate, file, 0, 0, (long) bytes);
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

int (*mip_map_function) (void) = __heapprof_mip_map;

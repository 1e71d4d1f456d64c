/* The content of a raw file: a header, and the slots as in memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Addresses and build ID come from the program headers of this link unit, found
   through the linker's symbol __ehdr_start, so no dynamic linker is needed.
   Everything here is safe in signal handlers.  */

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"
#include <elf.h>
#include <link.h>
#include <time.h>

#define DECLARE_SECTION(name)                                                  \
  extern char __start_##name[] __attribute__ ((weak, visibility ("hidden")));  \
  extern char __stop_##name[] __attribute__ ((weak, visibility ("hidden")))

DECLARE_SECTION (__hpm_cov);
DECLARE_SECTION (__hpm_cnt);
DECLARE_SECTION (__hpm_ord);
DECLARE_SECTION (__hpm_cal);

extern const ElfW (Ehdr) __ehdr_start
  __attribute__ ((weak, visibility ("hidden")));
extern const uint64_t __heapprof_mip_link_unit
  __attribute__ ((weak, visibility ("hidden")));

/* Defined here so that mip-first.c is linked only if a probe calls it; its
   users are in assembler code.  */
uint32_t mip_last_order __attribute__ ((used));

const struct mip_edge_functions *mip_edge_functions __attribute__ ((weak));

static const char zeros[8];

_Static_assert(HEAPPROF_MIP_COUNT == HEAPPROF_MIP_COVERAGE + 1
		 && HEAPPROF_MIP_ORDER == HEAPPROF_MIP_COVERAGE + 2
		 && HEAPPROF_MIP_CALLS == HEAPPROF_MIP_COVERAGE + 3,
	       "sections are in the order of their kinds");

void
mip_section_get (int number, struct mip_section *section)
{
  static const uint8_t element_bytes[MIP_SECTIONS]
    = { 1, sizeof (struct heapprof_mip_count), sizeof (uint32_t),
	sizeof (uint64_t) };
  section->kind = (uint16_t) (HEAPPROF_MIP_COVERAGE + number);
  section->element_bytes = element_bytes[number];
  section->begin = number == 0	 ? __start___hpm_cov
		   : number == 1 ? __start___hpm_cnt
		   : number == 2 ? __start___hpm_ord
				 : __start___hpm_cal;
  section->end = number == 0   ? __stop___hpm_cov
		 : number == 1 ? __stop___hpm_cnt
		 : number == 2 ? __stop___hpm_ord
			       : __stop___hpm_cal;
}

void
heapprof_mip_reset (void)
{
  for (int i = 0; i < MIP_SECTIONS; i++)
    {
      struct mip_section section;
      mip_section_get (i, &section);
      const int unmarked
	= section.kind == HEAPPROF_MIP_COVERAGE ? MIP_UNMARKED : 0;
      for (char *byte = section.begin; byte != section.end; byte++)
	*byte = (char) unmarked;
    }
  mip_last_order = 0;
  if (mip_edge_functions != NULL)
    mip_edge_functions->forget ();
}

uint64_t
mip_clock_ns (void)
{
  struct timespec now;
  mip_system_call_3 (SYS_clock_gettime, CLOCK_REALTIME, (long) &now, 0);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* Read the build ID from the BYTES bytes of notes at NOTES.  */

static void
read_notes (struct heapprof_mip_image *header, const char *notes, size_t bytes)
{
  uint32_t gnu;
  own_memcpy (&gnu, "GNU", sizeof gnu);
  while (bytes >= sizeof (ElfW (Nhdr)))
    {
      const ElfW (Nhdr) *const note = (const void *) notes;
      const size_t name = (note->n_namesz + 3u) & ~3u;
      const size_t size
	= sizeof *note + name + ((note->n_descsz + 3u) & ~(size_t) 3u);
      if (size > bytes)
	return;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof gnu
	  && *(const uint32_t *) (note + 1) == gnu
	  && note->n_descsz <= HEAPPROF_MIP_BUILD_ID_BYTES)
	{
	  header->build_id_bytes = note->n_descsz;
	  own_memcpy (header->build_id, (const char *) (note + 1) + name,
		      note->n_descsz);
	  return;
	}
      notes += size;
      bytes -= size;
    }
}

static void
read_program_headers (struct heapprof_mip_image *header)
{
  const ElfW (Ehdr) *const elf = &__ehdr_start;
  if (elf == NULL)
    return;
  const ElfW (Phdr) *phdr = (const void *) ((const char *) elf + elf->e_phoff);
  const ElfW (Phdr) *const end = phdr + elf->e_phnum;
  for (const ElfW (Phdr) *each = phdr; each < end; each++)
    if (each->p_type == PT_LOAD && each->p_offset == 0)
      header->bias = (uint64_t) elf - each->p_vaddr;
  for (; phdr < end && header->build_id_bytes == 0; phdr++)
    if (phdr->p_type == PT_NOTE)
      read_notes (header, (const char *) header->bias + phdr->p_vaddr,
		  phdr->p_memsz);
}

static void
add_piece (struct mip_image *image, const void *bytes, size_t n)
{
  image->header.bytes += n;
  if (n > 0)
    image->pieces[image->piece_count++] = (struct iovec){ (void *) bytes, n };
}

/* Add SECTION as a chunk.  */

static void
add_chunk (struct mip_image *image, const struct mip_section *section)
{
  struct heapprof_mip_chunk *const chunk
    = &image->chunks[image->header.chunks++];
  const size_t bytes = (size_t) (section->end - section->begin);
  *chunk = (struct heapprof_mip_chunk){
    .kind = section->kind,
    .encoding
    = section->kind == HEAPPROF_MIP_COVERAGE ? MIP_COVERAGE_ENCODING : 0,
    .element_bytes = section->element_bytes,
    .address = (uint64_t) section->begin - image->header.bias,
    .bytes = bytes,
    .stored = bytes
  };
  add_piece (image, chunk, sizeof *chunk);
  add_piece (image, section->begin, bytes);
  add_piece (image, zeros, -bytes & 7);
}

/* Add the edges as a chunk, also if there are none so far: a reader without it
   would take calls through pointers for calls from outside.  */

static void
add_edges (struct mip_image *image)
{
  struct heapprof_mip_chunk *const chunk
    = &image->chunks[image->header.chunks++];
  mip_edge_functions->copy (image, chunk);
  add_piece (image, chunk, sizeof *chunk);
  add_piece (image, &image->edge_total, sizeof image->edge_total);
  add_piece (image, image->edges, chunk->bytes - sizeof image->edge_total);
}

void
mip_image_seal (struct heapprof_mip_image *header)
{
  const unsigned char *byte = (const unsigned char *) header;
  uint32_t rest = ~0u;
  for (size_t i = 0; i < offsetof (struct heapprof_mip_image, crc); i++)
    {
      rest ^= byte[i];
      for (int bit = 0; bit < 8; bit++)
	rest = rest >> 1 ^ (0xedb88320u & -(rest & 1));
    }
  header->crc = ~rest;
}

void
mip_image_make (struct mip_image *image, uint32_t flags)
{
  struct heapprof_mip_image *const header = &image->header;
  own_memset (image, 0, sizeof *image);
  own_memcpy (header->magic, HEAPPROF_MIP_RAW_MAGIC, sizeof header->magic);
  header->version = HEAPPROF_MIP_VERSION;
  header->byte_order = HEAPPROF_MIP_BYTE_ORDER;
  header->pointer_bytes = sizeof (void *);
  header->header_bytes = sizeof *header;
  header->process = mip_process ();
  header->flags = flags;
  if (header->process != mip_start_process)
    header->flags |= HEAPPROF_MIP_FORKED;
  header->time_ns = mip_clock_ns ();
  header->start_ns = mip_start_ns;
  header->images = 1;
  if (&__heapprof_mip_link_unit != NULL)
    header->link_unit = __heapprof_mip_link_unit;
  read_program_headers (header);
  add_piece (image, header, sizeof *header);
  for (int i = 0; i < MIP_SECTIONS; i++)
    {
      struct mip_section section;
      mip_section_get (i, &section);
      if (section.begin != section.end)
	add_chunk (image, &section);
    }
  if (mip_edge_functions != NULL && flags != HEAPPROF_MIP_MAPPED)
    add_edges (image);
  mip_image_seal (header);
}

void
mip_image_release (struct mip_image *image)
{
  if (image->edges != NULL)
    mip_system_call_3 (SYS_munmap, (long) image->edges, (long) image->edge_room,
		       0);
}

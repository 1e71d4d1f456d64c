/* The compressed sections of a separate debug file, uncompressed as far as they
   are read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "debug-content.h"
#include <elf.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* In part, what is asked for is uncompressed with this much after it.  */
#define PIECE_BYTES 65536

/* zlib makes no more than this of one byte.  */
#define MOST_OF_A_BYTE 1032

#define PAGE_BYTES 4096

/* Sections of debug information, those of enum debug_part first.  */
static const char *const parts[]
  = { ".debug_info", ".debug_abbrev",	".debug_line",	 ".debug_aranges",
      ".debug_str",  ".debug_line_str", ".debug_ranges", ".debug_rnglists" };
#define PARTS (sizeof parts / sizeof *parts)

/* Sections of which heapprof reads nothing.  */
static const char *const left_out[]
  = { ".debug_loc",	 ".debug_loclists",	".debug_frame",
      ".debug_macro",	 ".debug_macinfo",	".debug_pubnames",
      ".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes",
      ".debug_names" };
#define LEFT_OUT (sizeof left_out / sizeof *left_out)

struct part
{
  const uint8_t *from; /* the compressed bytes */
  size_t from_bytes;
  uint8_t *bytes; /* in the copy; NULL: there is none */
  size_t size;
  size_t done; /* uncompressed bytes */
  bool is_begun;
  bool is_damaged;
  z_stream stream;
};

struct debug_content
{
  const uint8_t *file; /* mapped */
  size_t file_bytes;
  uint8_t *copy; /* mapped, shared with the descriptor */
  size_t copy_bytes;
  struct part parts[PARTS];
};

/* Return the index of NAME in NAMES; COUNT if it is none of them.  */
static size_t
find_name (const char *const *names, size_t count, const char *name)
{
  size_t i = 0;
  while (i < count && strcmp (names[i], name) != 0)
    i++;
  return i;
}

static bool
lies_in (uint64_t offset, uint64_t bytes, uint64_t end)
{
  return offset <= end && bytes <= end - offset;
}

/* The section headers of a file, and their names.  */
struct headers
{
  const Elf64_Shdr *all;
  size_t count;
  const char *names; /* terminated */
  size_t name_bytes;
};

/* Read the headers of CONTENT's file.  Return false if they are not as
   expected.  Other classes and byte orders are left to libdw.  */
static bool
read_headers (const struct debug_content *content, struct headers *headers)
{
  const Elf64_Ehdr *file = (const void *) content->file;
  const unsigned char order
    = __BYTE_ORDER == __BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB;
  if (content->file_bytes < sizeof *file
      || memcmp (file->e_ident, ELFMAG, SELFMAG) != 0
      || file->e_ident[EI_CLASS] != ELFCLASS64
      || file->e_ident[EI_DATA] != order
      || file->e_shentsize != sizeof *headers->all
      || file->e_shoff % sizeof (uint64_t) != 0 || file->e_shnum == 0
      || file->e_shstrndx >= file->e_shnum
      || !lies_in (file->e_shoff, file->e_shnum * sizeof *headers->all,
		   content->file_bytes))
    return false;
  headers->all = (const void *) (content->file + file->e_shoff);
  headers->count = file->e_shnum;
  const Elf64_Shdr *names = &headers->all[file->e_shstrndx];
  if (names->sh_type != SHT_STRTAB || names->sh_size == 0
      || !lies_in (names->sh_offset, names->sh_size, content->file_bytes))
    return false;
  headers->names = (const char *) content->file + names->sh_offset;
  headers->name_bytes = names->sh_size;
  return headers->names[names->sh_size - 1] == '\0';
}

/* Note where the part of SECTION is, which is compressed, and move *END behind
   its place in the copy.  Return false if it is not as expected.  */
static bool
add_part (struct debug_content *content, struct part *part,
	  const Elf64_Shdr *section, uint64_t *end)
{
  Elf64_Chdr header;
  if (part->size != 0 || section->sh_size < sizeof header)
    return false;
  const uint8_t *bytes = content->file + section->sh_offset;
  memcpy (&header, bytes, sizeof header);
  part->from = bytes + sizeof header;
  part->from_bytes = section->sh_size - sizeof header;
  part->size = header.ch_size;
  *end += (header.ch_size + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  return header.ch_type == ELFCOMPRESS_ZLIB && header.ch_size > 0
	 && part->from_bytes <= UINT32_MAX
	 && header.ch_size / MOST_OF_A_BYTE <= part->from_bytes;
}

/* Find the parts; set the size of the copy.  Return false if the file is not as
   expected, or units have what the reading of parts does not know: types in
   sections of their own, a common file of dwz, or parts that may be in other
   files.  */
static bool
find_parts (struct debug_content *content, const struct headers *headers)
{
  static const char *const unknown[]
    = { ".debug_types", ".gnu_debugaltlink", ".debug_sup", ".debug_addr" };
  uint64_t end
    = (content->file_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  for (size_t i = 0; i < headers->count; i++)
    {
      const Elf64_Shdr *section = &headers->all[i];
      if (section->sh_type == SHT_NOBITS)
	continue;
      if (section->sh_name >= headers->name_bytes
	  || !lies_in (section->sh_offset, section->sh_size,
		       content->file_bytes))
	return false;
      const char *name = headers->names + section->sh_name;
      size_t number = find_name (parts, PARTS, name);
      if (find_name (unknown, sizeof unknown / sizeof *unknown, name)
	  < sizeof unknown / sizeof *unknown)
	return false;
      if (number < PARTS && (section->sh_flags & SHF_COMPRESSED) != 0
	  && !add_part (content, &content->parts[number], section, &end))
	return false;
    }
  content->copy_bytes = end;
  return content->parts[DEBUG_PART_INFO].size > 0
	 && content->parts[DEBUG_PART_ABBREVIATIONS].size > 0
	 && content->parts[DEBUG_PART_LINES].size > 0
	 && content->parts[DEBUG_PART_ARANGES].size > 0;
}

/* Copy what is not uncompressed to the same place, and change the headers.  */
static void
fill_copy (struct debug_content *content, const struct headers *headers)
{
  const Elf64_Ehdr *file = (const void *) content->file;
  Elf64_Shdr *changed = (void *) (content->copy + file->e_shoff);
  uint64_t end
    = (content->file_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  memcpy (content->copy, content->file, sizeof *file);
  if (lies_in (file->e_phoff, file->e_phnum * sizeof (Elf64_Phdr),
	       content->file_bytes))
    memcpy (content->copy + file->e_phoff, content->file + file->e_phoff,
	    file->e_phnum * sizeof (Elf64_Phdr));
  memcpy (changed, headers->all, headers->count * sizeof *changed);
  for (size_t i = 0; i < headers->count; i++)
    {
      Elf64_Shdr *section = &changed[i];
      if (section->sh_type == SHT_NOBITS)
	continue;
      const char *name = headers->names + section->sh_name;
      size_t number = find_name (parts, PARTS, name);
      if (find_name (left_out, LEFT_OUT, name) < LEFT_OUT)
	section->sh_type = SHT_NOBITS;
      else if (number < PARTS && content->parts[number].size > 0)
	{
	  struct part *part = &content->parts[number];
	  part->bytes = content->copy + end;
	  section->sh_flags &= ~(uint64_t) SHF_COMPRESSED;
	  section->sh_addralign = 1;
	  section->sh_offset = end;
	  section->sh_size = part->size;
	  end += (part->size + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	}
      else
	memcpy (content->copy + section->sh_offset,
		content->file + section->sh_offset, section->sh_size);
    }
}

static bool
map_file (struct debug_content *content, int descriptor)
{
  struct stat status;
  if (fstat (descriptor, &status) != 0 || status.st_size <= 0)
    return false;
  content->file_bytes = (size_t) status.st_size;
  void *bytes
    = mmap (NULL, content->file_bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED)
    return false;
  content->file = bytes;
  return true;
}

/* Return the descriptor of a new file of CONTENT's copy, mapped; -1 if that
   fails.  A limit of files' sizes applies to it: a larger one is a signal.  */
static int
make_copy (struct debug_content *content)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_FSIZE, &limit) != 0
      || (limit.rlim_cur != RLIM_INFINITY
	  && limit.rlim_cur < content->copy_bytes))
    return -1;
  int copy = memfd_create ("heapprof-debug", MFD_CLOEXEC);
  if (copy < 0)
    return -1;
  if (ftruncate (copy, (off_t) content->copy_bytes) == 0)
    {
      void *bytes = mmap (NULL, content->copy_bytes, PROT_READ | PROT_WRITE,
			  MAP_SHARED, copy, 0);
      if (bytes != MAP_FAILED)
	{
	  content->copy = bytes;
	  return copy;
	}
    }
  close (copy);
  return -1;
}

/* Uncompress PART up to END, and some more.  */
static bool
inflate_to (struct part *part, uint64_t end)
{
  if (part->size == 0)
    return end == 0;
  if (end <= part->done)
    return true;
  if (part->is_damaged || end > part->size)
    return false;
  z_stream *stream = &part->stream;
  if (!part->is_begun)
    {
      if (inflateInit (stream) != Z_OK)
	return false;
      part->is_begun = true;
      stream->next_in = (Bytef *) part->from;
      stream->avail_in = (uInt) part->from_bytes;
    }
  int result = Z_OK;
  size_t left = part->size - part->done;
  size_t wanted = end - part->done;
  if (left - wanted > PIECE_BYTES)
    left = wanted + PIECE_BYTES;
  while (left > 0 && result == Z_OK)
    {
      size_t piece = left < UINT32_MAX ? left : UINT32_MAX;
      stream->next_out = part->bytes + part->done;
      stream->avail_out = (uInt) piece;
      result = inflate (stream, Z_NO_FLUSH);
      piece -= stream->avail_out;
      part->done += piece;
      left -= piece;
    }
  part->is_damaged = left > 0;
  return end <= part->done;
}

int
debug_content_open (int descriptor, struct debug_content **content)
{
  struct headers headers;
  struct debug_content *made = calloc (1, sizeof *made);
  if (made == NULL)
    return -1;
  int copy = -1;
  if (map_file (made, descriptor) && read_headers (made, &headers)
      && find_parts (made, &headers))
    copy = make_copy (made);
  bool is_done = copy >= 0;
  if (is_done)
    fill_copy (made, &headers);
  for (size_t i = DEBUG_PART_OTHERS; i < PARTS && is_done; i++)
    is_done = inflate_to (&made->parts[i], made->parts[i].size);
  if (!is_done)
    {
      if (copy >= 0)
	close (copy);
      debug_content_close (made);
      return -1;
    }
  *content = made;
  return copy;
}

void
debug_content_close (struct debug_content *content)
{
  if (content == NULL)
    return;
  for (size_t i = 0; i < PARTS; i++)
    if (content->parts[i].is_begun)
      inflateEnd (&content->parts[i].stream);
  if (content->file != NULL)
    munmap ((void *) content->file, content->file_bytes);
  if (content->copy != NULL)
    munmap (content->copy, content->copy_bytes);
  free (content);
}

bool
debug_content_reach (struct debug_content *content, enum debug_part part,
		     uint64_t end, const uint8_t **bytes)
{
  *bytes = content->parts[part].bytes;
  return inflate_to (&content->parts[part], end);
}

size_t
debug_content_bytes (const struct debug_content *content, enum debug_part part)
{
  return content->parts[part].size;
}

bool
debug_content_complete (struct debug_content *content)
{
  bool is_done = true;
  for (size_t i = 0; i < PARTS; i++)
    is_done &= inflate_to (&content->parts[i], content->parts[i].size);
  return is_done;
}

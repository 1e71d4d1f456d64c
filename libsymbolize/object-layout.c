/* Load addresses and symbols of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "object-layout.h"
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>

/* Page size of mappings; larger ones are multiples.  */
#define PAGE_BYTES 4096

bool
object_layout_read (struct object_layout *layout, struct object_file *file)
{
  GElf_Addr bias;
  size_t count = 0;
  *layout = (struct object_layout){ 0 };
  Elf *elf = dwfl_module_getelf (object_file_module (file), &bias);
  if (elf == NULL || elf_getphdrnum (elf, &count) != 0)
    return true;
  layout->segments = calloc (count > 0 ? count : 1, sizeof *layout->segments);
  if (layout->segments == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr header;
      if (gelf_getphdr (elf, (int) i, &header) == NULL
	  || header.p_type != PT_LOAD)
	continue;
      layout->segments[layout->count++]
	= (struct object_segment){ .file_offset = header.p_offset,
				   .file_bytes = header.p_filesz,
				   .address = header.p_vaddr,
				   .bytes = header.p_memsz,
				   .is_code = (header.p_flags & PF_X) != 0 };
    }
  return true;
}

void
object_layout_release (struct object_layout *layout)
{
  free (layout->segments);
  *layout = (struct object_layout){ 0 };
}

/* Return true if SEGMENT contains the page at FILE_OFFSET.  Its first page may
   start before it.  */
static bool
has_page (const struct object_segment *segment, uint64_t file_offset)
{
  uint64_t first = segment->file_offset & ~(uint64_t) (PAGE_BYTES - 1);
  return file_offset >= first
	 && file_offset - first
	      < segment->file_bytes + (segment->file_offset - first);
}

static uint64_t
bias_of (const struct object_segment *segment, uint64_t file_offset,
	 uint64_t start)
{
  return start - (segment->address - segment->file_offset + file_offset);
}

bool
object_layout_has_bias (const struct object_layout *layout,
			uint64_t file_offset, uint64_t start, uint64_t bias)
{
  for (size_t i = 0; i < layout->count; i++)
    if (has_page (&layout->segments[i], file_offset)
	&& bias_of (&layout->segments[i], file_offset, start) == bias)
      return true;
  return false;
}

bool
object_layout_bias (const struct object_layout *layout, uint64_t file_offset,
		    bool is_code, uint64_t start, uint64_t *bias)
{
  /* The last page of one segment may be the first of the next: the protection
     tells which of them is mapped.  */
  const struct object_segment *best = NULL;
  for (size_t i = 0; i < layout->count; i++)
    {
      const struct object_segment *segment = &layout->segments[i];
      if (has_page (segment, file_offset)
	  && (best == NULL
	      || (segment->is_code == is_code && best->is_code != is_code)))
	best = segment;
    }
  if (best == NULL)
    return false;
  *bias = bias_of (best, file_offset, start);
  return true;
}

bool
object_layout_holds (const struct object_layout *layout, uint64_t address)
{
  for (size_t i = 0; i < layout->count; i++)
    if (address >= layout->segments[i].address
	&& address - layout->segments[i].address < layout->segments[i].bytes)
      return true;
  return false;
}

bool
object_visit_symbols (struct object_file *file,
		      bool (*visit) (void *closure, const char *name,
				     uint64_t address, uint64_t bytes,
				     bool is_code),
		      void *closure)
{
  Dwfl_Module *module = object_file_module (file);
  int count = dwfl_module_getsymtab (module);
  for (int i = 0; i < count; i++)
    {
      GElf_Sym symbol;
      GElf_Addr address;
      GElf_Word section;
      const char *name = dwfl_module_getsym_info (module, i, &symbol, &address,
						  &section, NULL, NULL);
      unsigned int type
	= name != NULL ? GELF_ST_TYPE (symbol.st_info) : STT_NOTYPE;
      if (name == NULL || *name == '\0' || section == SHN_UNDEF
	  || section == SHN_ABS || type == STT_SECTION || type == STT_FILE
	  || type == STT_TLS)
	continue;
      bool is_code
	= type == STT_FUNC || type == STT_GNU_IFUNC
	  || (type == STT_NOTYPE && object_file_is_code (file, address));
      if (!visit (closure, name, address, symbol.st_size, is_code))
	return false;
    }
  return true;
}

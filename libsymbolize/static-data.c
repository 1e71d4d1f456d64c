/* The static data of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "static-data.h"
#include "object-layout.h"
#include "pointer-relocations.h"
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Not in every elf.h.  */
#ifndef SHT_RELR
#define SHT_RELR 19
#endif

#define POINTER_BYTES sizeof (uint64_t)

/* A section with static data.  */
struct section
{
  uint64_t address;
  uint64_t bytes;
  enum static_data_section kind;
};

struct reading
{
  struct static_data *data;
  Elf *elf;
  struct pointer_relocations types;
  struct section *sections; /* malloced */
  size_t section_count;
  uint64_t *copies; /* where it copies objects of other files to; malloced */
  size_t copy_count, copy_capacity;
};

/* Return ARRAY, of COUNT elements of BYTES each, with room for one more; NULL
   if memory is exhausted.  */
static void *
with_room (void *array, size_t count, size_t *capacity, size_t bytes)
{
  if (count < *capacity)
    return array;
  size_t more = *capacity > 0 ? 2 * *capacity : 256;
  void *grown = realloc (array, more * bytes);
  if (grown != NULL)
    *capacity = more;
  return grown;
}

/* Set *KIND for a section of that NAME.  Return false if it has no static data
   that can be moved.  */
static bool
kind_of (const char *name, enum static_data_section *kind)
{
  static const char *const names[STATIC_DATA_SECTIONS]
    = { [STATIC_DATA_RODATA] = ".rodata",
	[STATIC_DATA_DATA_REL_RO] = ".data.rel.ro",
	[STATIC_DATA_DATA] = ".data",
	[STATIC_DATA_BSS] = ".bss" };
  /* .data.rel.ro also begins like .data.  */
  for (int i = 0; i < STATIC_DATA_SECTIONS; i++)
    {
      size_t bytes = strlen (names[i]);
      if (strncmp (name, names[i], bytes) == 0
	  && (name[bytes] == '\0' || name[bytes] == '.'))
	{
	  *kind = (enum static_data_section) i;
	  return true;
	}
    }
  return false;
}

static bool
read_sections (struct reading *reading)
{
  size_t names, count;
  Elf_Scn *section = NULL;
  if (elf_getshdrstrndx (reading->elf, &names) != 0
      || elf_getshdrnum (reading->elf, &count) != 0)
    return true;
  reading->sections = calloc (count + 1, sizeof *reading->sections);
  if (reading->sections == NULL)
    return false;
  while ((section = elf_nextscn (reading->elf, section)) != NULL)
    {
      GElf_Shdr header;
      struct section *added = &reading->sections[reading->section_count];
      if (reading->section_count == count
	  || gelf_getshdr (section, &header) == NULL
	  || (header.sh_flags & SHF_ALLOC) == 0
	  || (header.sh_flags & (SHF_EXECINSTR | SHF_TLS)) != 0)
	continue;
      const char *name = elf_strptr (reading->elf, names, header.sh_name);
      if (name == NULL || !kind_of (name, &added->kind))
	continue;
      added->address = header.sh_addr;
      added->bytes = header.sh_size;
      reading->section_count++;
    }
  return true;
}

static const struct section *
find_section (const struct reading *reading, uint64_t address)
{
  for (size_t i = 0; i < reading->section_count; i++)
    if (address >= reading->sections[i].address
	&& address - reading->sections[i].address < reading->sections[i].bytes)
      return &reading->sections[i];
  return NULL;
}

/* Return true if the linker copied the object at ADDRESS.  */
static bool
is_copy (const struct reading *reading, uint64_t address)
{
  for (size_t i = 0; i < reading->copy_count; i++)
    if (reading->copies[i] == address)
      return true;
  return false;
}

static bool
add_object (void *closure, const char *name, uint64_t address, uint64_t bytes,
	    bool is_code)
{
  struct reading *reading = closure;
  struct static_data *data = reading->data;
  const struct section *section = find_section (reading, address);
  if (is_code || bytes == 0 || section == NULL
      || bytes > section->bytes - (address - section->address)
      || is_copy (reading, address))
    return true;
  void *objects = with_room (data->objects, data->count, &data->capacity,
			     sizeof *data->objects);
  if (objects == NULL)
    return false;
  data->objects = objects;
  data->objects[data->count++]
    = (struct static_object){ address, bytes, name, section->kind };
  return true;
}

static bool
add_pointer (struct reading *reading, uint64_t place, uint64_t target,
	     bool is_relocated)
{
  struct static_data *data = reading->data;
  void *pointers = with_room (data->pointers, data->pointer_count,
			      &data->pointer_capacity, sizeof *data->pointers);
  if (pointers == NULL)
    return false;
  data->pointers = pointers;
  data->pointers[data->pointer_count++] = (struct static_pointer){
    place, target, find_section (reading, place) != NULL, is_relocated
  };
  return true;
}

/* Add the pointers that the linker stored in SECTION, with HEADER, of a file at
   fixed addresses.  */
static bool
add_stored_pointers (struct reading *reading, Elf_Scn *section,
		     const GElf_Shdr *header)
{
  const Elf_Data *content = elf_getdata (section, NULL);
  if (content == NULL || content->d_buf == NULL)
    return true;
  for (size_t at = -header->sh_addr % POINTER_BYTES;
       content->d_size >= POINTER_BYTES
       && at <= content->d_size - POINTER_BYTES;
       at += POINTER_BYTES)
    {
      uint64_t target
	= pointer_stored_at (reading->elf, (char *) content->d_buf + at);
      if (find_section (reading, target) != NULL
	  && !add_pointer (reading, header->sh_addr + at, target, false))
	return false;
    }
  return true;
}

/* Add the pointer at PLACE, which the dynamic linker relocates and whose value
   is in the file.  */
static bool
add_stored_pointer (struct reading *reading, uint64_t place)
{
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (reading->elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) == NULL
	  || (header.sh_flags & SHF_ALLOC) == 0 || header.sh_type == SHT_NOBITS
	  || place < header.sh_addr || place - header.sh_addr >= header.sh_size)
	continue;
      const Elf_Data *content = elf_getdata (section, NULL);
      uint64_t offset = place - header.sh_addr;
      if (content == NULL || content->d_buf == NULL
	  || content->d_size < POINTER_BYTES
	  || offset > content->d_size - POINTER_BYTES)
	return true;
      return add_pointer (reading, place,
			  pointer_stored_at (reading->elf,
					     (char *) content->d_buf + offset),
			  true);
    }
  return true;
}

/* Add the relative relocations in SECTION, packed: an address, or a set of bits
   for the 63 pointers that follow those before.  */
static bool
add_packed_relocations (struct reading *reading, Elf_Scn *section)
{
  const Elf_Data *content = elf_rawdata (section, NULL);
  uint64_t next = 0;
  for (size_t at = 0; content != NULL && content->d_size >= POINTER_BYTES
		      && at <= content->d_size - POINTER_BYTES;
       at += POINTER_BYTES)
    {
      uint64_t word
	= pointer_stored_at (reading->elf, (char *) content->d_buf + at);
      uint64_t bits = (word & 1) != 0 ? word >> 1 : 1;
      uint64_t place = (word & 1) != 0 ? next : word;
      next = place + ((word & 1) != 0 ? 63 : 1) * POINTER_BYTES;
      for (; bits != 0; bits >>= 1, place += POINTER_BYTES)
	if ((bits & 1) != 0 && !add_stored_pointer (reading, place))
	  return false;
    }
  return true;
}

/* Note that the linker copies an object of another file to ADDRESS.  */
static bool
add_copy (struct reading *reading, uint64_t address)
{
  void *copies = with_room (reading->copies, reading->copy_count,
			    &reading->copy_capacity, sizeof *reading->copies);
  if (copies == NULL)
    return false;
  reading->copies = copies;
  reading->copies[reading->copy_count++] = address;
  return true;
}

/* Use RELOCATION, with its symbol in SYMBOLS, which may be NULL.  */
static bool
add_relocation (struct reading *reading, const GElf_Rela *relocation,
		Elf_Data *symbols)
{
  GElf_Sym symbol;
  const struct pointer_relocations *types = &reading->types;
  unsigned int type = GELF_R_TYPE (relocation->r_info);
  uint64_t addend = (uint64_t) relocation->r_addend;
  if (type == types->relative)
    return add_pointer (reading, relocation->r_offset, addend, true);
  if (type == types->copy)
    return add_copy (reading, relocation->r_offset);
  if ((type != types->absolute && type != types->symbol) || symbols == NULL
      || gelf_getsym (symbols, (int) GELF_R_SYM (relocation->r_info), &symbol)
	   == NULL
      || symbol.st_shndx == SHN_UNDEF)
    return true;
  return add_pointer (reading, relocation->r_offset, symbol.st_value + addend,
		      true);
}

static bool
add_relocations (struct reading *reading, Elf_Scn *section,
		 const GElf_Shdr *header)
{
  GElf_Rela relocation;
  Elf_Scn *linked = elf_getscn (reading->elf, header->sh_link);
  Elf_Data *symbols = linked != NULL ? elf_getdata (linked, NULL) : NULL;
  Elf_Data *data = elf_getdata (section, NULL);
  for (int i = 0; data != NULL && gelf_getrela (data, i, &relocation) != NULL;
       i++)
    if (!add_relocation (reading, &relocation, symbols))
      return false;
  return true;
}

/* Read the relocations and pointers of SECTION; IS_FIXED if the file has fixed
   addresses.  */
static bool
read_pointers (struct reading *reading, Elf_Scn *section, bool is_fixed)
{
  GElf_Shdr header;
  if (gelf_getshdr (section, &header) == NULL
      || (header.sh_flags & SHF_ALLOC) == 0)
    return true;
  if (header.sh_type == SHT_RELA)
    return add_relocations (reading, section, &header);
  if (header.sh_type == SHT_RELR)
    return add_packed_relocations (reading, section);
  return !is_fixed || header.sh_type != SHT_PROGBITS
	 || (header.sh_flags & SHF_EXECINSTR) != 0
	 || add_stored_pointers (reading, section, &header);
}

static int
compare_objects (const void *a, const void *b)
{
  const struct static_object *x = a;
  const struct static_object *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return strcmp (x->name, y->name);
}

static int
compare_pointers (const void *a, const void *b)
{
  const struct static_pointer *x = a;
  const struct static_pointer *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->target > y->target) - (x->target < y->target);
}

/* Sort what was read, and remove objects of the same name and place, which are
   in two symbol tables.  */
static void
tidy (struct static_data *data)
{
  size_t kept = 0;
  if (data->pointer_count > 0)
    qsort (data->pointers, data->pointer_count, sizeof *data->pointers,
	   compare_pointers);
  if (data->count > 0)
    qsort (data->objects, data->count, sizeof *data->objects, compare_objects);
  for (size_t i = 0; i < data->count; i++)
    if (kept == 0
	|| compare_objects (&data->objects[kept - 1], &data->objects[i]) != 0)
      data->objects[kept++] = data->objects[i];
  data->count = kept;
}

bool
static_data_read (struct static_data *data, struct object_file *file)
{
  GElf_Addr bias;
  GElf_Ehdr header;
  struct reading reading
    = { .data = data,
	.elf = dwfl_module_getelf (object_file_module (file), &bias) };
  Elf_Scn *section = NULL;
  *data = (struct static_data){ 0 };
  if (reading.elf == NULL || gelf_getehdr (reading.elf, &header) == NULL
      || !pointer_relocations_of (reading.elf, &reading.types))
    return true;
  bool is_done = read_sections (&reading);
  while (is_done && (section = elf_nextscn (reading.elf, section)) != NULL)
    is_done = read_pointers (&reading, section, header.e_type == ET_EXEC);
  is_done = is_done && object_visit_symbols (file, add_object, &reading);
  free (reading.sections);
  free (reading.copies);
  if (is_done)
    tidy (data);
  else
    static_data_release (data);
  return is_done;
}

void
static_data_release (struct static_data *data)
{
  free (data->objects);
  free (data->pointers);
  *data = (struct static_data){ 0 };
}

size_t
static_data_find (const struct static_data *data, uint64_t address)
{
  size_t low = 0;
  size_t high = data->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (data->objects[middle].address <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0)
    return SIZE_MAX;
  const struct static_object *found = &data->objects[low - 1];
  if (address - found->address >= found->bytes)
    return SIZE_MAX;
  while (found > data->objects && found[-1].address == found->address)
    found--;
  return (size_t) (found - data->objects);
}

size_t
static_data_pointer (const struct static_data *data, uint64_t address)
{
  size_t low = 0;
  size_t high = data->pointer_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (data->pointers[middle].place < address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

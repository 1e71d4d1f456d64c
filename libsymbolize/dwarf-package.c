/* Packages of split debug information, .dwp files.
   SPDX-License-Identifier: GPL-3.0-or-later

   The index is the section .debug_cu_index:

     u32 version 2, or u16 version 5 and u16 padding
     u32 columns, u32 units, u32 slots
     u64 id of the unit in each slot, 0 if it is empty
     u32 row of each slot, from 1; 0 if it is empty
     u32 kind of section of each column
     u32 offset into that section, for each row and column
     u32 bytes of it, for each row and column

   Only .debug_str.dwo is shared by all units.  A unit refers to it by its part
   of .debug_str_offsets.dwo, so a .dwo file needs just these strings.  */

#include "dwarf-package.h"
#include "byte-reader.h"
#include "elf-section.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A section of a .dwo file that has names and places of functions.  */
enum part
{
  PART_INFO,
  PART_ABBREVIATIONS,
  PART_LINES,
  PART_STRING_OFFSETS,
  PART_RANGES,
  PART_COUNT, /* how many have columns in the index */
  PART_STRINGS = PART_COUNT,
  SECTION_COUNT
};

static const char *const section_names[SECTION_COUNT] = {
  [PART_INFO] = ".debug_info.dwo",
  [PART_ABBREVIATIONS] = ".debug_abbrev.dwo",
  [PART_LINES] = ".debug_line.dwo",
  [PART_STRING_OFFSETS] = ".debug_str_offsets.dwo",
  [PART_RANGES] = ".debug_rnglists.dwo",
  [PART_STRINGS] = ".debug_str.dwo",
};

/* The kinds of sections that the index of a version knows.  Kind 8 is something
   else in version 2.  */
#define KIND_COUNT 9
#define NO_PART PART_COUNT
static const uint8_t parts_2[KIND_COUNT] = { NO_PART,
					     PART_INFO,
					     NO_PART,
					     PART_ABBREVIATIONS,
					     PART_LINES,
					     NO_PART,
					     PART_STRING_OFFSETS,
					     NO_PART,
					     NO_PART };
static const uint8_t parts_5[KIND_COUNT]
  = { NO_PART, PART_INFO,	    NO_PART, PART_ABBREVIATIONS, PART_LINES,
      NO_PART, PART_STRING_OFFSETS, NO_PART, PART_RANGES };

struct bytes
{
  const uint8_t *start;
  size_t count;
};

struct packed_unit
{
  uint64_t id;
  struct bytes parts[PART_COUNT];
};

struct dwarf_package
{
  int descriptor;
  Elf *elf;
  GElf_Ehdr header;
  bool is_big_endian;
  uint16_t version;
  struct bytes sections[SECTION_COUNT];
  struct bytes index;
  struct packed_unit *units; /* sorted by ID */
  size_t unit_count;
};

void
dwarf_package_close (struct dwarf_package *package)
{
  if (package == NULL)
    return;
  elf_end (package->elf);
  if (package->descriptor >= 0)
    close (package->descriptor);
  free (package->units);
  free (package);
}

/* Set *WHOLE to the content of the section NAME, uncompressed; nothing if there
   is none.  */
static bool
read_section (Elf *elf, const char *name, struct bytes *whole)
{
  GElf_Shdr header;
  Elf_Scn *section = elf_section_find (elf, name, &header);
  if (section == NULL)
    return true;
  if ((header.sh_flags & SHF_COMPRESSED) != 0
      && elf_compress (section, 0, 0) < 0)
    return false;
  const Elf_Data *data = elf_rawdata (section, NULL);
  if (data == NULL)
    return false;
  whole->start = data->d_buf;
  whole->count = data->d_buf != NULL ? data->d_size : 0;
  return true;
}

static bool
read_sections (struct dwarf_package *package)
{
  if (gelf_getehdr (package->elf, &package->header) == NULL)
    return false;
  package->is_big_endian = package->header.e_ident[EI_DATA] == ELFDATA2MSB;
  for (size_t i = 0; i < SECTION_COUNT; i++)
    if (!read_section (package->elf, section_names[i], &package->sections[i]))
      return false;
  return read_section (package->elf, ".debug_cu_index", &package->index);
}

static struct byte_reader
start_reading (const struct dwarf_package *package, const struct bytes *bytes,
	       struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, "", bytes->start, bytes->count, err);
  reader.big_endian = package->is_big_endian;
  return reader;
}

/* The tables of the index.  */
struct tables
{
  uint32_t columns;
  uint32_t units;
  uint32_t slots;
  struct byte_reader ids;
  struct byte_reader rows;
  struct byte_reader kinds;
  struct byte_reader offsets;
  struct byte_reader sizes;
};

static bool
read_tables (struct dwarf_package *package, struct tables *tables,
	     struct byte_reader *index)
{
  package->version = byte_reader_u16 (index, "version");
  uint16_t padding = byte_reader_u16 (index, "version");
  if (package->version == 0) /* version 2, big-endian */
    package->version = padding;
  if (package->version != 2 && package->version != 5)
    return false;
  tables->columns = byte_reader_u32 (index, "columns");
  tables->units = byte_reader_u32 (index, "units");
  tables->slots = byte_reader_u32 (index, "slots");
  uint64_t slots = tables->slots;
  if (tables->columns > KIND_COUNT)
    return false;
  uint64_t cells = (uint64_t) tables->units * tables->columns;
  tables->ids = byte_reader_part (index, 8 * slots, "ids");
  tables->rows = byte_reader_part (index, 4 * slots, "rows");
  tables->kinds
    = byte_reader_part (index, 4 * (uint64_t) tables->columns, "kinds");
  tables->offsets = byte_reader_part (index, 4 * cells, "offsets");
  tables->sizes = byte_reader_part (index, 4 * cells, "sizes");
  return !index->failed;
}

/* Set PARTS to those of ROW, from 0.  Return false if they are not in their
   sections.  */
static bool
read_row (const struct dwarf_package *package, const struct tables *tables,
	  uint32_t row, struct bytes *parts)
{
  const uint8_t *known = package->version == 2 ? parts_2 : parts_5;
  size_t cell = (size_t) 4 * row * tables->columns;
  struct byte_reader kinds = tables->kinds;
  struct byte_reader offsets = tables->offsets;
  struct byte_reader sizes = tables->sizes;
  byte_reader_bytes (&offsets, cell, "offsets");
  byte_reader_bytes (&sizes, cell, "sizes");
  for (uint32_t i = 0; i < tables->columns; i++)
    {
      uint32_t kind = byte_reader_u32 (&kinds, "kinds");
      uint32_t offset = byte_reader_u32 (&offsets, "offsets");
      uint32_t size = byte_reader_u32 (&sizes, "sizes");
      if (kind >= KIND_COUNT || known[kind] == NO_PART)
	continue;
      const struct bytes *section = &package->sections[known[kind]];
      if (offset > section->count || size > section->count - offset)
	return false;
      if (size > 0)
	parts[known[kind]] = (struct bytes){ section->start + offset, size };
    }
  return true;
}

static int
compare_units (const void *a, const void *b)
{
  const struct packed_unit *x = a;
  const struct packed_unit *y = b;
  return x->id < y->id ? -1 : x->id > y->id;
}

static bool
read_index (struct dwarf_package *package)
{
  struct profile_error err;
  struct tables tables;
  struct byte_reader index = start_reading (package, &package->index, &err);
  if (!read_tables (package, &tables, &index))
    return false;
  package->units = calloc ((size_t) tables.units + 1, sizeof *package->units);
  if (package->units == NULL)
    return false;
  for (uint32_t i = 0; i < tables.slots; i++)
    {
      uint64_t id = byte_reader_u64 (&tables.ids, "ids");
      uint32_t row = byte_reader_u32 (&tables.rows, "rows");
      if (row == 0)
	continue;
      struct packed_unit *unit = &package->units[package->unit_count];
      if (row > tables.units || package->unit_count == tables.units
	  || !read_row (package, &tables, row - 1, unit->parts))
	return false;
      unit->id = id;
      package->unit_count++;
    }
  qsort (package->units, package->unit_count, sizeof *package->units,
	 compare_units);
  return true;
}

struct dwarf_package *
dwarf_package_open (const char *path, bool *is_damaged)
{
  *is_damaged = false;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return NULL;
  *is_damaged = true;
  struct dwarf_package *package = calloc (1, sizeof *package);
  if (package == NULL)
    {
      close (descriptor);
      return NULL;
    }
  package->descriptor = descriptor;
  elf_version (EV_CURRENT);
  package->elf = elf_begin (descriptor, ELF_C_READ_MMAP, NULL);
  if (package->elf == NULL || elf_kind (package->elf) != ELF_K_ELF
      || !read_sections (package) || !read_index (package))
    {
      dwarf_package_close (package);
      return NULL;
    }
  *is_damaged = false;
  return package;
}

static const struct packed_unit *
find_unit (const struct dwarf_package *package, uint64_t id)
{
  struct packed_unit wanted = { .id = id };
  return bsearch (&wanted, package->units, package->unit_count,
		  sizeof *package->units, compare_units);
}

bool
dwarf_package_has (const struct dwarf_package *package, uint64_t id)
{
  return find_unit (package, id) != NULL;
}

/* Return OFFSET in the byte order of the package.  */
static uint32_t
stored_offset (const struct dwarf_package *package, size_t offset)
{
  return package->is_big_endian ? htobe32 ((uint32_t) offset)
				: htole32 ((uint32_t) offset);
}

/* The strings of one unit.  */
struct unit_strings
{
  char *texts;
  size_t bytes;
  size_t capacity;
};

static bool
add_string (struct unit_strings *strings, const char *text, size_t bytes)
{
  if (bytes > strings->capacity - strings->bytes)
    {
      size_t capacity = 2 * strings->capacity + bytes + 1024;
      char *grown
	= capacity <= UINT32_MAX ? realloc (strings->texts, capacity) : NULL;
      if (grown == NULL)
	return false;
      strings->texts = grown;
      strings->capacity = capacity;
    }
  memcpy (strings->texts + strings->bytes, text, bytes);
  strings->bytes += bytes;
  return true;
}

/* Change the offsets of a unit, in OFFSETS, to those in STRINGS, to which the
   texts are added.  */
static bool
move_strings (const struct dwarf_package *package, struct bytes *offsets,
	      uint8_t *moved, struct unit_strings *strings)
{
  struct profile_error err;
  const struct bytes *texts = &package->sections[PART_STRINGS];
  struct byte_reader reader = start_reading (package, offsets, &err);
  /* Version 5 has a header: the length, the version, padding.  */
  if (package->version == 5
      && (byte_reader_u32 (&reader, "length") == UINT32_MAX
	  || byte_reader_bytes (&reader, 4, "version") == NULL))
    return false;
  while (byte_reader_left (&reader) >= sizeof (uint32_t))
    {
      size_t place = reader.position;
      uint32_t offset = byte_reader_u32 (&reader, "offset");
      if (offset >= texts->count)
	return false;
      const char *text = (const char *) texts->start + offset;
      const char *end = memchr (text, '\0', texts->count - offset);
      uint32_t now = stored_offset (package, strings->bytes);
      if (end == NULL || !add_string (strings, text, end + 1 - text))
	return false;
      memcpy (moved + place, &now, sizeof now);
    }
  return true;
}

/* Add a section of TYPE, whose name is at offset NAME of the names, with
   BYTES.  */
static bool
add_section (Elf *elf, Elf64_Word type, size_t name, const struct bytes *bytes)
{
  GElf_Shdr header;
  Elf_Scn *section = elf_newscn (elf);
  Elf_Data *data = section != NULL ? elf_newdata (section) : NULL;
  if (data == NULL || gelf_getshdr (section, &header) == NULL)
    return false;
  data->d_buf = (void *) bytes->start; /* only read */
  data->d_size = bytes->count;
  data->d_type = ELF_T_BYTE;
  data->d_align = 1;
  data->d_version = EV_CURRENT;
  header.sh_name = (Elf64_Word) name;
  header.sh_type = type;
  header.sh_addralign = 1;
  return gelf_update_shdr (section, &header) != 0;
}

/* Add SECTIONS, those that are not empty, and their names.  */
static bool
add_sections (Elf *elf, const struct bytes *sections)
{
  char names[SECTION_COUNT * 24 + 16] = "";
  size_t used = 1;
  for (size_t i = 0; i < SECTION_COUNT; i++)
    {
      size_t length = strlen (section_names[i]) + 1;
      memcpy (names + used, section_names[i], length);
      if (sections[i].count > 0
	  && !add_section (elf, SHT_PROGBITS, used, &sections[i]))
	return false;
      used += length;
    }
  static const char own_name[] = ".shstrtab";
  memcpy (names + used, own_name, sizeof own_name);
  struct bytes all = { (const uint8_t *) names, used + sizeof own_name };
  return add_section (elf, SHT_STRTAB, used, &all)
	 && elf_update (elf, ELF_C_WRITE) >= 0;
}

/* Write SECTIONS to the empty file DESCRIPTOR.  */
static bool
write_sections (const struct dwarf_package *package,
		const struct bytes *sections, int descriptor)
{
  GElf_Ehdr header;
  Elf *elf = elf_begin (descriptor, ELF_C_WRITE, NULL);
  bool is_fine
    = elf != NULL
      && gelf_newehdr (elf, package->header.e_ident[EI_CLASS]) != NULL
      && gelf_getehdr (elf, &header) != NULL;
  if (is_fine)
    {
      size_t number = 1; /* after the empty section, and before the names */
      for (size_t i = 0; i < SECTION_COUNT; i++)
	number += sections[i].count > 0;
      memcpy (header.e_ident, package->header.e_ident, EI_NIDENT);
      header.e_type = ET_REL;
      header.e_machine = package->header.e_machine;
      header.e_version = EV_CURRENT;
      header.e_shstrndx = (Elf64_Half) number;
      is_fine
	= gelf_update_ehdr (elf, &header) != 0 && add_sections (elf, sections);
    }
  elf_end (elf);
  return is_fine;
}

int
dwarf_package_unpack (const struct dwarf_package *package, uint64_t id)
{
  const struct packed_unit *unit = find_unit (package, id);
  if (unit == NULL)
    return -1;
  struct bytes sections[SECTION_COUNT] = { 0 };
  memcpy (sections, unit->parts, sizeof unit->parts);
  struct bytes *offsets = &sections[PART_STRING_OFFSETS];
  struct unit_strings strings = { 0 };
  uint8_t *moved = malloc (offsets->count + 1);
  int descriptor = -1;
  if (moved == NULL)
    return -1;
  if (offsets->count > 0)
    memcpy (moved, offsets->start, offsets->count);
  if (offsets->count == 0 || move_strings (package, offsets, moved, &strings))
    {
      offsets->start = moved;
      sections[PART_STRINGS]
	= (struct bytes){ (const uint8_t *) strings.texts, strings.bytes };
      descriptor = memfd_create ("unit.dwo", MFD_CLOEXEC);
      if (descriptor >= 0 && !write_sections (package, sections, descriptor))
	{
	  close (descriptor);
	  descriptor = -1;
	}
    }
  free (strings.texts);
  free (moved);
  return descriptor;
}

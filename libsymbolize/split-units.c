/* The parts of units in packages of split debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdw links a unit only with a file that it opens itself, by the name in the
   skeleton.  So that name is replaced, in the copy of the section that libdw
   reads, by that of one of this process' descriptors, and before libdw opens
   it, that becomes the unit's .dwo file, unpacked in memory.  */

#include "split-units.h"
#include "dwarf-package.h"
#include "elf-section.h"
#include <dwarf.h>
#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A section of the program, and a copy with changes that replaces it.  */
struct copied_section
{
  Elf *elf; /* NULL if there is none */
  const char *name;
  void *original;
  size_t original_bytes;
  uint8_t *copy;
  size_t bytes;
};

struct split_units
{
  struct dwarf_package *package;
  Dwarf *dwarf;
  int descriptor;
  struct copied_section info;
  struct copied_section strings;
  struct copied_section offsets;
  size_t name;	   /* the offset of the descriptor's name in STRINGS */
  size_t replaced; /* names */
};

/* Copy the section NAME of ELF, if it has one, with EXTRA bytes after it.  */
static bool
copy_section (struct copied_section *section, Elf *elf, const char *name,
	      size_t extra)
{
  const Elf_Data *data = elf_section_data (elf, name);
  if (data == NULL)
    return true;
  section->elf = elf;
  section->name = name;
  section->original = data->d_buf;
  section->original_bytes = data->d_size;
  section->bytes = data->d_size + extra;
  section->copy = malloc (section->bytes + 1);
  if (section->copy == NULL)
    return false;
  memcpy (section->copy, data->d_buf, data->d_size);
  return true;
}

/* Let libdw read the copy.  */
static void
use_copy (struct copied_section *section)
{
  if (section->elf != NULL)
    elf_section_replace (section->elf, section->name, section->copy,
			 section->bytes);
}

static void
release_copy (struct copied_section *section)
{
  if (section->elf != NULL)
    elf_section_replace (section->elf, section->name, section->original,
			 section->original_bytes);
  free (section->copy);
}

/* Copy the sections with names of .dwo files, and add the new name to the
   strings.  */
static bool
copy_sections (struct split_units *units, Elf *elf)
{
  char name[32];
  size_t bytes = 1
		 + (size_t) snprintf (name, sizeof name, "/proc/self/fd/%d",
				      units->descriptor);
  if (!copy_section (&units->info, elf, ".debug_info", 0)
      || !copy_section (&units->strings, elf, ".debug_str", bytes)
      || !copy_section (&units->offsets, elf, ".debug_str_offsets", 0))
    return false;
  if (units->strings.elf == NULL)
    return true;
  units->name = units->strings.original_bytes;
  memcpy (units->strings.copy + units->name, name, bytes);
  return true;
}

static bool
is_big_endian (Elf *elf)
{
  GElf_Ehdr header;
  return gelf_getehdr (elf, &header) != NULL
	 && header.e_ident[EI_DATA] == ELFDATA2MSB;
}

/* Write the offset of the new name at PLACE of SECTION.  */
static bool
write_offset (const struct split_units *units, struct copied_section *section,
	      uint64_t place, bool is_big)
{
  uint32_t name = (uint32_t) units->name;
  uint32_t offset = is_big ? htobe32 (name) : htole32 (name);
  if (section->elf == NULL || section->bytes < sizeof offset
      || place > section->bytes - sizeof offset)
    return false;
  memcpy (section->copy + place, &offset, sizeof offset);
  return true;
}

/* Set *PLACE to where the offset of the string NAME of UNIT is among the
   offsets of strings, which has 4 bytes each.  */
static bool
find_place (Dwarf_Die *unit, const Dwarf_Attribute *name, bool is_big,
	    uint64_t *place)
{
  Dwarf_Attribute attribute;
  Dwarf_Word base;
  uint64_t number = 0;
  size_t bytes = name->form == DW_FORM_strx1   ? 1
		 : name->form == DW_FORM_strx2 ? 2
		 : name->form == DW_FORM_strx3 ? 3
		 : name->form == DW_FORM_strx4 ? 4
					       : 0;
  if (bytes == 0
      || dwarf_attr (unit, DW_AT_str_offsets_base, &attribute) == NULL
      || dwarf_formudata (&attribute, &base) != 0)
    return false;
  for (size_t i = 0; i < bytes; i++)
    number |= (uint64_t) name->valp[i] << 8 * (is_big ? bytes - 1 - i : i);
  *place = base + sizeof (uint32_t) * number;
  return true;
}

/* Replace the name of the .dwo file in the skeleton UNIT.  Forms that no
   compiler uses for it are left.  */
static bool
replace_name (struct split_units *units, Dwarf_Die *unit, bool is_big)
{
  Dwarf_Attribute name;
  uint64_t place;
  if (dwarf_attr (unit, DW_AT_dwo_name, &name) == NULL
      && dwarf_attr (unit, DW_AT_GNU_dwo_name, &name) == NULL)
    return false;
  if (name.form == DW_FORM_strp)
    {
      const uint8_t *start = units->info.original;
      return write_offset (units, &units->info, (uint64_t) (name.valp - start),
			   is_big);
    }
  return find_place (unit, &name, is_big, &place)
	 && write_offset (units, &units->offsets, place, is_big);
}

/* Replace the names of all units that the package has.  */
static void
replace_names (struct split_units *units, Dwarf *dwarf)
{
  Dwarf_CU *cu = NULL;
  Dwarf_Die die;
  uint8_t type;
  bool is_big = is_big_endian (dwarf_getelf (dwarf));
  while (dwarf_get_units (dwarf, cu, &cu, NULL, &type, &die, NULL) == 0)
    {
      uint64_t id;
      uint8_t offset_bytes;
      if (type == DW_UT_skeleton
	  && dwarf_cu_info (cu, NULL, NULL, NULL, NULL, &id, NULL,
			    &offset_bytes)
	       == 0
	  && offset_bytes == sizeof (uint32_t)
	  && dwarf_package_has (units->package, id)
	  && replace_name (units, &die, is_big))
	units->replaced++;
    }
}

static bool
read_units (struct split_units *units, Dwarf *dwarf)
{
  Elf *elf = dwarf_getelf (dwarf);
  units->descriptor = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (units->descriptor < 0 || !copy_sections (units, elf))
    return false;
  if (units->info.elf != NULL && units->strings.elf != NULL
      && units->name <= UINT32_MAX)
    replace_names (units, dwarf);
  if (units->replaced == 0)
    return true;
  use_copy (&units->info);
  use_copy (&units->strings);
  use_copy (&units->offsets);
  units->dwarf = dwarf_begin_elf (elf, DWARF_C_READ, NULL);
  return units->dwarf != NULL;
}

struct split_units *
split_units_open (Dwarf *dwarf, const char *path, bool *is_damaged)
{
  struct dwarf_package *package = dwarf_package_open (path, is_damaged);
  if (package == NULL)
    return NULL;
  struct split_units *units = calloc (1, sizeof *units);
  if (units == NULL)
    {
      dwarf_package_close (package);
      *is_damaged = true;
      return NULL;
    }
  units->package = package;
  units->descriptor = -1;
  *is_damaged = !read_units (units, dwarf);
  if (!*is_damaged && units->replaced > 0)
    return units;
  split_units_close (units);
  return NULL;
}

Dwarf *
split_units_dwarf (struct split_units *units)
{
  return units->dwarf;
}

void
split_units_close (struct split_units *units)
{
  if (units == NULL)
    return;
  dwarf_end (units->dwarf);
  dwarf_package_close (units->package);
  if (units->descriptor >= 0)
    close (units->descriptor);
  release_copy (&units->info);
  release_copy (&units->strings);
  release_copy (&units->offsets);
  free (units);
}

/* Unpack the part ID, so that libdw opens it.  */
static bool
unpack (struct split_units *units, uint64_t id)
{
  int file = dwarf_package_unpack (units->package, id);
  bool is_there = file >= 0 && dup3 (file, units->descriptor, O_CLOEXEC) >= 0;
  if (file >= 0)
    close (file);
  return is_there;
}

/* Free the memory of the file, unless libdw has mapped it.  */
static void
leave (struct split_units *units)
{
  int nothing = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0)
    return;
  dup3 (nothing, units->descriptor, O_CLOEXEC);
  close (nothing);
}

bool
split_units_find (struct split_units *units, Dwarf_Die *unit, Dwarf_Die *part)
{
  uint64_t id;
  bool is_packed
    = units != NULL
      && dwarf_cu_info (unit->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) == 0
      && dwarf_package_has (units->package, id) && unpack (units, id);
  part->addr = NULL;
  int result
    = dwarf_cu_info (unit->cu, NULL, NULL, NULL, part, NULL, NULL, NULL);
  if (is_packed)
    leave (units);
  return result == 0 && part->addr != NULL;
}

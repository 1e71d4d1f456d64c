/* The map of a machine-level profile in an object file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-object.h"
#include "file-content.h"
#include "heapprof/mip-format.h"
#include "mip-map-file.h"
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KINDS 4

struct mip_object
{
  int descriptor;
  Elf *elf;
  struct mip_map map;
  struct mip_slots slots[KINDS];
  /* The records if they are in two sections, joined; malloced.  */
  char *records;
  struct mip_map_file *map_file; /* if the file is just a map; the members above
				    are unused then */
  void *map_file_data;		 /* malloced */
};

/* Return the kind of the slots in the section NAME; 0 if it has no slots.  */
static uint16_t
kind_of (const char *name)
{
  static const struct
  {
    const char *name;
    uint16_t kind;
  } kinds[KINDS] = { { HEAPPROF_MIP_SECTION_COVERAGE, HEAPPROF_MIP_COVERAGE },
		     { HEAPPROF_MIP_SECTION_COUNT, HEAPPROF_MIP_COUNT },
		     { HEAPPROF_MIP_SECTION_ORDER, HEAPPROF_MIP_ORDER },
		     { HEAPPROF_MIP_SECTION_CALLS, HEAPPROF_MIP_CALLS } };
  for (size_t i = 0; i < KINDS; i++)
    if (strcmp (name, kinds[i].name) == 0)
      return kinds[i].kind;
  return 0;
}

/* Add the BYTES bytes of records at RECORDS to the map.  Return false if memory
   is exhausted.  */
static bool
add_records (struct mip_object *object, const void *records, size_t bytes)
{
  struct mip_map *map = &object->map;
  if (map->records == NULL)
    {
      map->records = records;
      map->bytes = bytes;
      return true;
    }
  /* Records are aligned to 8 bytes; zeros between them are skipped.  */
  size_t first = (map->bytes + 7) & ~(size_t) 7;
  char *joined = calloc (1, first + bytes);
  if (joined == NULL)
    return false;
  memcpy (joined, map->records, map->bytes);
  memcpy (joined + first, records, bytes);
  free (object->records);
  map->records = object->records = joined;
  map->bytes = first + bytes;
  return true;
}

/* Use the content of SECTION, with HEADER and NAME.  Return false and set *ERR
   if it is the map and cannot be read.  */
static bool
take_section (struct mip_object *object, Elf_Scn *section,
	      const GElf_Shdr *header, const char *name,
	      struct profile_error *err)
{
  struct mip_map *map = &object->map;
  uint16_t kind = kind_of (name);
  if (kind != 0 && map->slots_count < KINDS)
    object->slots[map->slots_count++]
      = (struct mip_slots){ kind, header->sh_addr, header->sh_size };
  if ((strcmp (name, HEAPPROF_MIP_SECTION_MAP) != 0
       && strcmp (name, HEAPPROF_MIP_SECTION_CALL_MAP) != 0)
      || header->sh_type == SHT_NOBITS)
    return true;
  if ((header->sh_flags & SHF_COMPRESSED) != 0
      && elf_compress (section, 0, 0) < 0)
    return profile_error_set (err, map->path, header->sh_offset,
			      "cannot decompress the map: %s", elf_errmsg (-1));
  Elf_Data *data = elf_rawdata (section, NULL);
  if (data == NULL)
    return profile_error_set (err, map->path, header->sh_offset,
			      "cannot read the map: %s", elf_errmsg (-1));
  return add_records (object, data->d_buf, data->d_size)
	 || profile_error_set_memory (err, map->path);
}

static bool
read_sections (struct mip_object *object, struct profile_error *err)
{
  size_t names;
  Elf_Scn *section = NULL;
  if (elf_getshdrstrndx (object->elf, &names) != 0)
    return true;
  while ((section = elf_nextscn (object->elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) == NULL)
	continue;
      const char *name = elf_strptr (object->elf, names, header.sh_name);
      if (name != NULL && !take_section (object, section, &header, name, err))
	return false;
    }
  return true;
}

static void
read_segments (struct mip_object *object)
{
  struct mip_map *map = &object->map;
  size_t count;
  if (elf_getphdrnum (object->elf, &count) != 0)
    return;
  map->text_low = UINT64_MAX;
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr header;
      if (gelf_getphdr (object->elf, (int) i, &header) == NULL
	  || header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0)
	continue;
      if (header.p_vaddr < map->text_low)
	map->text_low = header.p_vaddr;
      if (header.p_vaddr + header.p_memsz > map->text_high)
	map->text_high = header.p_vaddr + header.p_memsz;
    }
}

/* Read all of OBJECT.  */
static bool
read_object (struct mip_object *object, struct profile_error *err)
{
  struct mip_map *map = &object->map;
  GElf_Ehdr header;
  object->elf = elf_begin (object->descriptor, ELF_C_READ, NULL);
  if (object->elf == NULL || elf_kind (object->elf) != ELF_K_ELF
      || gelf_getehdr (object->elf, &header) == NULL)
    return profile_error_set (err, map->path, PROFILE_ERROR_NO_OFFSET,
			      "not an ELF file");
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return profile_error_set (err, map->path, PROFILE_ERROR_NO_OFFSET,
			      "neither an executable nor a shared object");
  if (!read_sections (object, err))
    return false;
  if (map->records == NULL || map->bytes == 0)
    return profile_error_set (err, map->path, PROFILE_ERROR_NO_OFFSET,
			      "no map of a machine-level profile: stripped, "
			      "or compiled without one");
  const void *id;
  ssize_t id_bytes = dwelf_elf_gnu_build_id (object->elf, &id);
  if (id_bytes > 0 && id_bytes <= MIP_BUILD_ID_BYTES)
    {
      map->build_id = id;
      map->build_id_bytes = (size_t) id_bytes;
    }
  map->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  map->slots = object->slots;
  read_segments (object);
  return true;
}

/* Return true if OBJECT's file is just a map.  */
static bool
is_map_file (const struct mip_object *object)
{
  char magic[MIP_MAP_FILE_MAGIC_BYTES];
  ssize_t n = pread (object->descriptor, magic, sizeof magic, 0);
  return n > 0 && mip_map_file_is_map (magic, (size_t) n);
}

static bool
read_map_file (struct mip_object *object, struct profile_error *err)
{
  const char *path = object->map.path;
  size_t size;
  if (file_content_read (path, &object->map_file_data, &size, err))
    object->map_file
      = mip_map_file_read (path, object->map_file_data, size, err);
  return object->map_file != NULL;
}

struct mip_object *
mip_object_open (const char *path, struct profile_error *err)
{
  struct mip_object *object = calloc (1, sizeof *object);
  if (object == NULL)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  elf_version (EV_CURRENT);
  object->map.path = path;
  object->descriptor = open (path, O_RDONLY | O_CLOEXEC);
  if (object->descriptor < 0)
    profile_error_set_errno (err, path, "cannot open", errno);
  else if (is_map_file (object) ? read_map_file (object, err)
				: read_object (object, err))
    return object;
  mip_object_close (object);
  return NULL;
}

void
mip_object_close (struct mip_object *object)
{
  if (object == NULL)
    return;
  mip_map_file_free (object->map_file);
  free (object->map_file_data);
  free (object->records);
  elf_end (object->elf);
  if (object->descriptor >= 0)
    close (object->descriptor);
  free (object);
}

const struct mip_map *
mip_object_map (const struct mip_object *object)
{
  return object->map_file != NULL ? mip_map_file_map (object->map_file)
				  : &object->map;
}

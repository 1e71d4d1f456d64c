/* Units of debug information that is uncompressed in part.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "partial-units.h"
#include "byte-reader.h"
#include "line-discriminators.h"
#include <dwarf.h>

/* Lengths from here on are escapes; those of 64 bits are left to libdw.  */
#define LAST_LENGTH UINT32_C (0xfffffff0)

/* A table of abbreviations is sought in this many bytes first.  */
#define TABLE_BYTES 1024

/* Read from the FIRST byte of PART up to END.  Return false if it has not that
   many.  */
static bool
begin_reading (struct partial_units *partial, enum debug_part part,
	       uint64_t first, uint64_t end, struct byte_reader *reader,
	       struct profile_error *err)
{
  const uint8_t *bytes;
  if (first > end || !debug_content_reach (partial->content, part, end, &bytes))
    return false;
  byte_reader_init (reader, "debug information", bytes, end, err);
  reader->big_endian = partial->is_big_endian;
  return byte_reader_seek (reader, first, "contribution");
}

/* Read the length at START of PART, and from there to the *END of what has
   it.  */
static bool
begin_contribution (struct partial_units *partial, enum debug_part part,
		    uint64_t start, struct byte_reader *reader,
		    struct profile_error *err)
{
  if (!begin_reading (partial, part, start, start + sizeof (uint32_t), reader,
		      err))
    return false;
  uint32_t length = byte_reader_u32 (reader, "length");
  uint64_t first = start + sizeof length;
  return length < LAST_LENGTH
	 && begin_reading (partial, part, first, first + length, reader, err);
}

/* Add a unit at OFFSET to MAP.  */
static bool
add_unit (struct unit_map *map, uint64_t offset)
{
  struct unit *unit = unit_map_add (map);
  if (unit == NULL)
    return false;
  unit->offset = offset;
  map->count++;
  return true;
}

/* Add the ranges of one unit, which READER is at the version of; START is the
   offset of its length.  */
static bool
add_set (struct byte_reader *reader, uint64_t start, struct unit_map *map,
	 const struct object_file *file, uint64_t bias)
{
  uint16_t version = byte_reader_u16 (reader, "version");
  uint32_t offset = byte_reader_u32 (reader, "unit");
  uint8_t bytes = byte_reader_u8 (reader, "bytes of an address");
  uint8_t segment = byte_reader_u8 (reader, "bytes of a segment");
  if (reader->failed || version != 2 || bytes != sizeof (uint64_t)
      || segment != 0 || !add_unit (map, offset))
    return false;
  /* Pairs are aligned to their size.  */
  size_t pair = 2 * sizeof (uint64_t);
  byte_reader_bytes (reader, (pair - (reader->position - start) % pair) % pair,
		     "padding");
  /* An empty one is at the end, or where a linker dropped a function.  */
  while (byte_reader_left (reader) > 0)
    {
      uint64_t low = byte_reader_u64 (reader, "address");
      uint64_t size = byte_reader_u64 (reader, "size");
      if (!reader->failed && low != 0 && object_file_is_code (file, low + bias)
	  && !range_map_add (&map->map, low, low + size, 0,
			     (uint32_t) map->count - 1))
	return false;
    }
  return !reader->failed;
}

bool
partial_units_list (struct partial_units *partial, struct unit_map *map,
		    const struct object_file *file, uint64_t bias)
{
  GElf_Ehdr header;
  if (gelf_getehdr (dwarf_getelf (partial->dwarf), &header) == NULL)
    return false;
  partial->is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  uint64_t size = debug_content_bytes (partial->content, DEBUG_PART_ARANGES);
  uint64_t offset = 0;
  while (offset < size)
    {
      struct profile_error err;
      struct byte_reader reader;
      if (!begin_contribution (partial, DEBUG_PART_ARANGES, offset, &reader,
			       &err)
	  || !add_set (&reader, offset, map, file, bias))
	return false;
      offset = reader.end;
    }
  return range_map_seal (&map->map);
}

/* Return true if FORM leads out of a unit, or is not known before it is
   read.  */
static bool
is_foreign (uint64_t form)
{
  switch (form)
    {
    case DW_FORM_ref_addr:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_indirect:
      return true;
    default:
      return false;
    }
}

/* Read over a table of abbreviations.  Return false if one has a foreign
   form.  */
static bool
read_table (struct byte_reader *reader)
{
  while (byte_reader_uleb128 (reader, "code") != 0)
    {
      byte_reader_uleb128 (reader, "tag");
      byte_reader_u8 (reader, "children");
      uint64_t name;
      uint64_t form;
      do
	{
	  name = byte_reader_uleb128 (reader, "attribute");
	  form = byte_reader_uleb128 (reader, "form");
	  if (form == DW_FORM_implicit_const)
	    byte_reader_uleb128 (reader, "number");
	  if (is_foreign (form))
	    return false;
	}
      while (name != 0 || form != 0);
    }
  return true;
}

/* Uncompress the abbreviations up to the end of the table at OFFSET.  Tables
   follow each other.  */
static bool
reach_abbreviations (struct partial_units *partial, uint64_t offset)
{
  const enum debug_part part = DEBUG_PART_ABBREVIATIONS;
  uint64_t size = debug_content_bytes (partial->content, part);
  uint64_t wanted = TABLE_BYTES;
  while (partial->abbreviations_end <= offset)
    {
      struct profile_error err;
      struct byte_reader reader;
      uint64_t left = size - partial->abbreviations_end;
      bool is_rest = wanted >= left;
      if (!begin_reading (partial, part, partial->abbreviations_end,
			  partial->abbreviations_end
			    + (is_rest ? left : wanted),
			  &reader, &err)
	  || !read_table (&reader) || (reader.failed && is_rest))
	return false;
      if (reader.failed)
	wanted *= 2;
      else
	partial->abbreviations_end = reader.position;
    }
  return true;
}

/* Uncompress the units from the last one that is known to the one at OFFSET,
   and their abbreviations.  Set *HEADER_BYTES to the size of its header.  */
static bool
reach_units (struct partial_units *partial, uint64_t offset,
	     uint64_t *header_bytes)
{
  /* The unit may be known already; its header is read again.  */
  uint64_t start = partial->units_end <= offset ? partial->units_end : offset;
  while (start <= offset)
    {
      struct profile_error err;
      struct byte_reader reader;
      uint8_t kind = DW_UT_compile;
      if (!begin_contribution (partial, DEBUG_PART_INFO, start, &reader, &err))
	return false;
      uint16_t version = byte_reader_u16 (&reader, "version");
      if (version >= 5)
	{
	  kind = byte_reader_u8 (&reader, "kind");
	  byte_reader_u8 (&reader, "bytes of an address");
	}
      uint32_t abbreviations = byte_reader_u32 (&reader, "abbreviations");
      if (version < 5)
	byte_reader_u8 (&reader, "bytes of an address");
      if (reader.failed || version < 2 || version > 5 || kind != DW_UT_compile
	  || !reach_abbreviations (partial, abbreviations))
	return false;
      *header_bytes = reader.position - start;
      if (start == offset && partial->units_end > offset)
	return true;
      if (start == offset)
	{
	  partial->units_end = reader.end;
	  return true;
	}
      start = reader.end;
      partial->units_end = start;
    }
  return false;
}

/* Uncompress the line table of DIE's unit.  */
static bool
reach_lines (struct partial_units *partial, Dwarf_Die *die)
{
  struct profile_error err;
  struct byte_reader table;
  Dwarf_Attribute attribute;
  Dwarf_Word offset;
  if (dwarf_attr (die, DW_AT_stmt_list, &attribute) == NULL)
    return true;
  return dwarf_formudata (&attribute, &offset) == 0
	 && begin_contribution (partial, DEBUG_PART_LINES, offset, &table, &err)
	 && line_discriminators_are_small (&table);
}

bool
partial_units_reach (struct partial_units *partial, struct unit_map *map,
		     uint64_t address)
{
  uint32_t number = range_map_find (&map->map, address);
  if (number == RANGE_MAP_NONE)
    return false;
  struct unit *unit = &map->units[number];
  uint64_t header_bytes;
  Dwarf_Die die;
  if (unit->die.addr != NULL)
    return true;
  if (!reach_units (partial, unit->offset, &header_bytes)
      || dwarf_offdie (partial->dwarf, unit->offset + header_bytes, &die)
	   == NULL
      || dwarf_hasattr (&die, DW_AT_GNU_dwo_id)
      || dwarf_haspc (&die, address) != 1 || !reach_lines (partial, &die))
    return false;
  unit->die = die;
  return true;
}

/* The machine instructions of an object file by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "code-map.h"
#include "disassembler.h"
#include "object-layout.h"
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* An instruction, at OFFSET of its block.  */
struct place
{
  uint32_t offset;
  uint8_t bytes;
  bool leaves;
};

/* Code from one symbol to the next.  */
struct block
{
  uint64_t start;
  uint64_t end;		/* after the last byte */
  const uint8_t *code;	/* of START */
  struct place *places; /* malloced; NULL before the first use */
  uint32_t count;
};

struct code_map
{
  struct object_file *file;
  struct block *blocks; /* by address */
  size_t count;
  size_t capacity;
  size_t last; /* the block found last */
};

bool
code_map_is_supported (void)
{
  return disassembler_is_supported ();
}

static bool
add_block (struct code_map *map, uint64_t start, uint64_t end,
	   const uint8_t *code)
{
  if (map->count == map->capacity)
    {
      size_t capacity = map->capacity > 0 ? 2 * map->capacity : 256;
      void *grown = realloc (map->blocks, capacity * sizeof *map->blocks);
      if (grown == NULL)
	return false;
      map->blocks = grown;
      map->capacity = capacity;
    }
  map->blocks[map->count++] = (struct block){ start, end, code, NULL, 0 };
  return true;
}

static bool
is_stubs (const char *name)
{
  return name != NULL && strcmp (name, ".plt") == 0;
}

/* Add each section with code as one block.  */
static bool
add_sections (struct code_map *map)
{
  GElf_Addr bias;
  size_t names;
  Elf *elf = dwfl_module_getelf (object_file_module (map->file), &bias);
  if (elf == NULL || elf_getshdrstrndx (elf, &names) != 0)
    return true;
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) == NULL
	  || (header.sh_flags & SHF_EXECINSTR) == 0
	  || header.sh_type == SHT_NOBITS
	  || is_stubs (elf_strptr (elf, names, header.sh_name)))
	continue;
      Elf_Data *data = elf_getdata (section, NULL);
      if (data != NULL && data->d_size > 0
	  && !add_block (map, header.sh_addr, header.sh_addr + data->d_size,
			 data->d_buf))
	return false;
    }
  return true;
}

static int
compare_blocks (const void *a, const void *b)
{
  const struct block *x = a;
  const struct block *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* Return the block that contains ADDRESS; NULL if none does.  */
static struct block *
find_block (struct code_map *map, uint64_t address)
{
  struct block *last = &map->blocks[map->last];
  if (map->last < map->count && address >= last->start && address < last->end)
    return last;
  size_t low = 0;
  size_t high = map->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (map->blocks[middle].start <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0 || address >= map->blocks[low - 1].end)
    return NULL;
  map->last = low - 1;
  return &map->blocks[low - 1];
}

/* Start a block at the code symbol at ADDRESS, unless one starts there already:
   it gets the rest of the section, and the block before it ends here.  MAP's
   count is the number of sections; new blocks are appended after these,
   unsorted.  */
struct splitting
{
  struct code_map *map;
  size_t section_count;
};

static bool
split_at_symbol (void *closure, const char *name, uint64_t address,
		 uint64_t bytes, bool is_code)
{
  struct splitting *splitting = closure;
  struct code_map *map = splitting->map;
  (void) name;
  (void) bytes;
  if (!is_code)
    return true;
  for (size_t i = 0; i < splitting->section_count; i++)
    {
      struct block *section = &map->blocks[i];
      if (address > section->start && address < section->end)
	return add_block (map, address, section->end,
			  section->code + (address - section->start));
    }
  return true;
}

/* Make every block end where the next starts, and remove duplicates.  */
static void
join_blocks (struct code_map *map)
{
  size_t kept = 0;
  qsort (map->blocks, map->count, sizeof *map->blocks, compare_blocks);
  for (size_t i = 0; i < map->count; i++)
    {
      struct block *block = &map->blocks[i];
      if (kept > 0 && map->blocks[kept - 1].start == block->start)
	continue;
      if (kept > 0 && map->blocks[kept - 1].end > block->start)
	map->blocks[kept - 1].end = block->start;
      map->blocks[kept++] = *block;
    }
  map->count = kept;
}

struct code_map *
code_map_open (struct object_file *file)
{
  struct code_map *map = calloc (1, sizeof *map);
  if (map == NULL)
    return NULL;
  map->file = file;
  bool is_done = add_sections (map);
  struct splitting splitting = { map, map->count };
  is_done = is_done && object_visit_symbols (file, split_at_symbol, &splitting);
  if (!is_done)
    {
      code_map_close (map);
      return NULL;
    }
  if (map->count > 0)
    join_blocks (map);
  return map;
}

void
code_map_close (struct code_map *map)
{
  if (map == NULL)
    return;
  for (size_t i = 0; i < map->count; i++)
    free (map->blocks[i].places);
  free (map->blocks);
  free (map);
}

/* Disassemble BLOCK unless that was done already.  Return false if memory is
   exhausted.  */
static bool
fill_block (struct block *block)
{
  if (block->places != NULL)
    return true;
  size_t bytes = block->end - block->start;
  /* An instruction has at least one byte; few have less than three.  */
  struct place *places = malloc (bytes * sizeof *places);
  if (places == NULL)
    return false;
  struct disassembler *disassembler
    = disassembler_open (block->code, bytes, block->start);
  uint32_t count = 0;
  for (size_t at = 0; disassembler != NULL && at < bytes;)
    {
      bool leaves;
      unsigned int size = disassembler_take (disassembler, at, &leaves);
      places[count++] = (struct place){ (uint32_t) at, (uint8_t) size, leaves };
      at += size;
    }
  disassembler_close (disassembler);
  void *shrunk = realloc (places, (count > 0 ? count : 1) * sizeof *places);
  block->places = shrunk != NULL ? shrunk : places;
  block->count = count;
  return disassembler != NULL;
}

/* Find the first instruction of BLOCK at or after ADDRESS.  */
static bool
find_place (struct block *block, uint64_t address,
	    struct code_instruction *instruction)
{
  if (!fill_block (block))
    return false;
  uint64_t offset = address - block->start;
  uint32_t low = 0;
  uint32_t high = block->count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (block->places[middle].offset < offset)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == block->count)
    return false;
  const struct place *place = &block->places[low];
  *instruction
    = (struct code_instruction){ .address = block->start + place->offset,
				 .bytes = place->bytes,
				 .leaves = place->leaves };
  return true;
}

bool
code_map_find (struct code_map *map, uint64_t address,
	       struct code_instruction *instruction)
{
  struct block *block = find_block (map, address);
  return block != NULL && find_place (block, address, instruction)
	 && instruction->address == address;
}

bool
code_map_next (struct code_map *map, uint64_t address,
	       struct code_instruction *instruction)
{
  struct block *block;
  while ((block = find_block (map, address)) != NULL)
    {
      if (find_place (block, address, instruction))
	return true;
      address = block->end;
    }
  return false;
}

bool
code_map_target (struct code_map *map,
		 const struct code_instruction *instruction, uint64_t *target)
{
  const struct block *block = find_block (map, instruction->address);
  return block != NULL
	 && disassembler_find_target (block->code
					+ (instruction->address - block->start),
				      instruction->bytes, instruction->address,
				      target);
}

bool
code_map_visit (struct code_map *map,
		bool (*visit) (void *closure,
			       const struct code_instruction *where),
		void *closure)
{
  for (size_t i = 0; i < map->count; i++)
    {
      struct block *block = &map->blocks[i];
      if (!fill_block (block))
	return false;
      for (uint32_t k = 0; k < block->count; k++)
	{
	  const struct place *place = &block->places[k];
	  const struct code_instruction where
	    = { block->start + place->offset, place->bytes, place->leaves };
	  if (!visit (closure, &where))
	    return false;
	}
    }
  return true;
}

/* The machine instructions of an object file by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "code-map.h"
#include "arm-instructions.h"
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
  struct instruction_flow flow;
};

/* What a symbol without a meaning of its own tells about the bytes from there
   on.  */
enum mark
{
  MARK_NONE, /* the same as before it; code at the start of a section */
  MARK_DATA,
  MARK_CODE
};

/* Code from one symbol to the next.  */
struct block
{
  uint64_t start;
  uint64_t end;	       /* after the last byte */
  const uint8_t *code; /* of START */
  uint64_t section_end;
  enum mark mark;
  struct place *places; /* malloced; NULL before the first use */
  uint32_t count;
};

struct code_map
{
  struct object_file *file;
  unsigned int machine;
  bool is_fixed;	/* it is loaded at its own addresses */
  struct block *blocks; /* by address */
  size_t count;
  size_t capacity;
  size_t last; /* the block found last */
};

const char *
code_map_problem (const struct code_map *map)
{
  return disassembler_problem (map->machine);
}

static bool
add_block (struct code_map *map, uint64_t start, uint64_t end,
	   const uint8_t *code, enum mark mark)
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
  map->blocks[map->count++]
    = (struct block){ start, end, code, end, mark, NULL, 0 };
  return true;
}

/* Return true if the section NAME has stubs: .plt, .plt.got or .plt.sec.  */
static bool
is_stubs (const char *name)
{
  return name != NULL && strncmp (name, ".plt", 4) == 0
	 && (name[4] == '\0' || name[4] == '.');
}

/* Add each section with code as one block.  */
static bool
add_sections (struct code_map *map)
{
  GElf_Addr bias;
  size_t names;
  GElf_Ehdr file_header;
  Elf *elf = dwfl_module_getelf (object_file_module (map->file), &bias);
  if (elf == NULL || elf_getshdrstrndx (elf, &names) != 0
      || gelf_getehdr (elf, &file_header) == NULL)
    return true;
  map->machine = file_header.e_machine;
  map->is_fixed = file_header.e_type == ET_EXEC;
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
			 data->d_buf, MARK_NONE))
	return false;
    }
  return true;
}

/* Order by address.  There may be data of no bytes before code.  */
static int
compare_blocks (const void *a, const void *b)
{
  const struct block *x = a;
  const struct block *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->mark < y->mark ? -1 : x->mark > y->mark;
}

/* Return how many blocks of MAP start at or before ADDRESS.  */
static size_t
count_blocks_to (const struct code_map *map, uint64_t address)
{
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
  return low;
}

/* Return the block that contains ADDRESS; NULL if none does.  */
static struct block *
find_block (struct code_map *map, uint64_t address)
{
  struct block *last = &map->blocks[map->last];
  if (map->last < map->count && address >= last->start && address < last->end)
    return last;
  size_t count = count_blocks_to (map, address);
  if (count == 0 || address >= map->blocks[count - 1].end)
    return NULL;
  map->last = count - 1;
  return &map->blocks[count - 1];
}

/* Return what the symbol NAME marks.  */
static enum mark
mark_of (const struct code_map *map, const char *name)
{
  if (map->machine != EM_AARCH64 || name[0] != '$'
      || (name[1] != 'x' && name[1] != 'd')
      || (name[2] != '\0' && name[2] != '.'))
    return MARK_NONE;
  return name[1] == 'd' ? MARK_DATA : MARK_CODE;
}

struct splitting
{
  struct code_map *map;
  size_t section_count;
};

/* Start a block at the code symbol at ADDRESS: it gets the rest of the section,
   and the block before it will end there.  SECTION_COUNT is the number of
   sections; new blocks are appended after these, unsorted.  */
static bool
split_at_symbol (void *closure, const char *name, uint64_t address,
		 uint64_t bytes, bool is_code)
{
  struct splitting *splitting = closure;
  struct code_map *map = splitting->map;
  (void) bytes;
  if (!is_code)
    return true;
  for (size_t i = 0; i < splitting->section_count; i++)
    {
      struct block *section = &map->blocks[i];
      if (address >= section->start && address < section->end)
	return add_block (map, address, section->end,
			  section->code + (address - section->start),
			  mark_of (map, name));
    }
  return true;
}

/* Make every block end where the next starts, and remove duplicates.  A block
   without a mark continues what is before it in its section.  */
static void
join_blocks (struct code_map *map)
{
  size_t kept = 0;
  qsort (map->blocks, map->count, sizeof *map->blocks, compare_blocks);
  for (size_t i = 0; i < map->count; i++)
    {
      struct block *block = &map->blocks[i];
      struct block *last = kept > 0 ? &map->blocks[kept - 1] : NULL;
      if (last != NULL && last->start == block->start)
	{
	  if (block->mark != MARK_NONE)
	    last->mark = block->mark;
	  continue;
	}
      if (last != NULL && last->end > block->start)
	last->end = block->start;
      if (block->mark == MARK_NONE)
	block->mark = last != NULL && block->start < last->section_end
			? last->mark
			: MARK_CODE;
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
fill_block (const struct code_map *map, struct block *block)
{
  if (block->places != NULL)
    return true;
  size_t bytes = block->end - block->start;
  /* An instruction has at least one byte; few have less than three.  */
  struct place *places = malloc (bytes * sizeof *places);
  if (places == NULL)
    return false;
  struct disassembler *disassembler
    = disassembler_open (map->machine, block->code, bytes, block->start);
  uint32_t count = 0;
  for (size_t at = 0; disassembler != NULL && at < bytes;)
    {
      struct instruction_flow flow;
      unsigned int size = disassembler_take (disassembler, at, &flow);
      places[count++] = (struct place){ (uint32_t) at, (uint8_t) size, flow };
      at += size;
    }
  disassembler_close (disassembler);
  void *shrunk = realloc (places, (count > 0 ? count : 1) * sizeof *places);
  block->places = shrunk != NULL ? shrunk : places;
  block->count = count;
  return disassembler != NULL;
}

static struct code_instruction
instruction_at (const struct block *block, const struct place *place)
{
  return (struct code_instruction){ .address = block->start + place->offset,
				    .bytes = place->bytes,
				    .leaves = place->flow.leaves,
				    .returns = place->flow.returns,
				    .calls = place->flow.calls };
}

/* Return how many instructions of BLOCK start before OFFSET.  */
static uint32_t
count_places_before (const struct block *block, uint64_t offset)
{
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
  return low;
}

/* Find the first instruction of BLOCK at or after ADDRESS.  */
static bool
find_place (const struct code_map *map, struct block *block, uint64_t address,
	    struct code_instruction *instruction)
{
  if (block->mark == MARK_DATA || !fill_block (map, block))
    return false;
  uint32_t number = count_places_before (block, address - block->start);
  if (number == block->count)
    return false;
  *instruction = instruction_at (block, &block->places[number]);
  return true;
}

bool
code_map_find (struct code_map *map, uint64_t address,
	       struct code_instruction *instruction)
{
  struct block *block = find_block (map, address);
  return block != NULL && find_place (map, block, address, instruction)
	 && instruction->address == address;
}

bool
code_map_next (struct code_map *map, uint64_t address,
	       struct code_instruction *instruction)
{
  struct block *block;
  while ((block = find_block (map, address)) != NULL)
    {
      if (find_place (map, block, address, instruction))
	return true;
      address = block->end;
    }
  return false;
}

bool
code_map_before (struct code_map *map, uint64_t address,
		 struct code_instruction *instruction)
{
  size_t i = address > 0 ? count_blocks_to (map, address - 1) : 0;
  while (i-- > 0)
    {
      struct block *block = &map->blocks[i];
      if (block->mark == MARK_DATA)
	continue;
      if (!fill_block (map, block))
	return false;
      uint32_t count = count_places_before (block, address - block->start);
      if (count > 0)
	{
	  *instruction = instruction_at (block, &block->places[count - 1]);
	  return true;
	}
    }
  return false;
}

bool
code_map_is_straight (struct code_map *map, uint64_t begin, uint64_t end)
{
  struct code_instruction instruction;
  if (begin > end)
    return false;
  for (uint64_t at = begin; at < end;
       at = instruction.address + instruction.bytes)
    if (!code_map_next (map, at, &instruction)
	|| (instruction.address < end && instruction.leaves))
      return false;
  return true;
}

bool
code_map_target (struct code_map *map,
		 const struct code_instruction *instruction, uint64_t *target)
{
  const struct block *block = find_block (map, instruction->address);
  return block != NULL
	 && disassembler_find_target (map->machine,
				      block->code
					+ (instruction->address - block->start),
				      instruction->bytes, instruction->address,
				      target);
}

bool
code_map_veneer (struct code_map *map, uint64_t address, uint64_t *target)
{
  if (map->machine != EM_AARCH64)
    return false;
  const struct block *block = find_block (map, address);
  if (block == NULL || block->mark == MARK_DATA)
    return false;
  const char *name = object_file_symbol (map->file, address, NULL);
  return arm_veneer_target (block->code + (address - block->start),
			    block->section_end - address, address,
			    name != NULL && arm_veneer_has_name (name), target);
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
      if (block->mark == MARK_DATA)
	continue;
      if (!fill_block (map, block))
	return false;
      for (uint32_t k = 0; k < block->count; k++)
	{
	  const struct code_instruction where
	    = instruction_at (block, &block->places[k]);
	  if (!visit (closure, &where))
	    return false;
	}
    }
  return true;
}

/* Where to report references.  */
struct reference_visit
{
  bool (*visit) (void *closure, uint64_t place, uint64_t address);
  void *closure;
};

/* Visit the references of the BYTES of code of MAP at CODE, loaded at
   ADDRESS.  */
static bool
visit_block_references (const struct code_map *map, const uint8_t *code,
			size_t bytes, uint64_t address,
			const struct reference_visit *visit)
{
  struct instruction_references found;
  struct disassembler *disassembler
    = disassembler_open (map->machine, code, bytes, address);
  bool is_done = disassembler != NULL;
  for (size_t at = 0, size; is_done && at < bytes; at += size)
    {
      size = disassembler_take_references (disassembler, at, map->is_fixed,
					   &found);
      for (unsigned int i = 0; i < found.count && is_done; i++)
	is_done
	  = visit->visit (visit->closure, address + at, found.addresses[i]);
    }
  disassembler_close (disassembler);
  return is_done;
}

bool
code_map_visit_references (struct code_map *map, uint64_t begin, uint64_t end,
			   bool (*visit) (void *closure, uint64_t place,
					  uint64_t address),
			   void *closure)
{
  const struct reference_visit wanted = { visit, closure };
  const struct block *block;
  for (; begin < end && (block = find_block (map, begin)) != NULL;
       begin = block->end)
    {
      uint64_t stop = block->end < end ? block->end : end;
      if (block->mark != MARK_DATA
	  && !visit_block_references (map, block->code + (begin - block->start),
				      stop - begin, begin, &wanted))
	return false;
    }
  return true;
}

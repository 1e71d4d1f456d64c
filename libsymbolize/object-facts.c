/* How an executable or shared object was built.
   SPDX-License-Identifier: GPL-3.0-or-later

   A translation unit that counts accesses has a pointer to the initialiser of
   the run-time library among the constructors (abi.h); linkers keep one for all
   units.  In a file that can be loaded anywhere it is a relocation; otherwise
   it is stored as it is.  */

#include "object-facts.h"
#include "heapprof/abi.h"
#include "object-layout.h"
#include "pointer-relocations.h"
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <string.h>

#define RUNTIME_NAME "libheapprof.so"

/* For x86-64: push %rbp; mov %rsp, %rbp is complete within this many bytes of a
   function, if present.  Shorter functions often need no frame.  */
#define PROLOGUE_BYTES 32

static const unsigned char set_frame_pointer[] = { 0x48, 0x89, 0xe5 };

/* The initialisers of translation units: of those that count accesses, and of
   those that were compiled to profile only allocations.  */
enum initialiser
{
  INIT_COUNTING,
  INIT_ALLOC,
  INITIALISERS
};

static const char *const init_names[INITIALISERS]
  = { HEAPPROF_SYMBOL_START, HEAPPROF_SYMBOL_START_ALLOC };

/* Names of malloc, and of the run-time library's, which stays if the program
   has its own.  */
static const char *const malloc_names[] = { "malloc", "__hpr_rt_own_malloc" };

struct reading
{
  struct object_facts *facts;
  Elf *elf;
  uint64_t malloc_addresses[2]; /* by name; 0 if not in this file */
  /* Of the initialisers, by enum initialiser; 0 if not in this file.  */
  uint64_t init_addresses[INITIALISERS];
  uint64_t array_address; /* of the pointers to constructors */
  uint64_t array_bytes;
  bool is_library; /* has a name for its users, as the C library has, which can
		      also be executed */
};

/* Return the bytes of ELF from ADDRESS to the end of their section, and
   set *SIZE to their number; NULL if there are none.  */
static const unsigned char *
bytes_at (Elf *elf, uint64_t address, size_t *size)
{
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) == NULL
	  || header.sh_type == SHT_NOBITS
	  || (header.sh_flags & (SHF_ALLOC | SHF_TLS)) != SHF_ALLOC
	  || address < header.sh_addr
	  || address - header.sh_addr >= header.sh_size)
	continue;
      Elf_Data *data = elf_rawdata (section, NULL);
      uint64_t offset = address - header.sh_addr;
      if (data == NULL || data->d_buf == NULL || offset >= data->d_size)
	return NULL;
      *size = data->d_size - offset;
      return (const unsigned char *) data->d_buf + offset;
    }
  return NULL;
}

static bool
take_symbol (void *closure, const char *name, uint64_t address, uint64_t bytes,
	     bool is_code)
{
  struct reading *reading = closure;
  size_t size = 0;
  if (!is_code)
    return true;
  for (int i = 0; i < INITIALISERS; i++)
    if (strcmp (name, init_names[i]) == 0)
      reading->init_addresses[i] = address;
  for (int i = 0; i < 2; i++)
    if (strcmp (name, malloc_names[i]) == 0)
      reading->malloc_addresses[i] = address;
  const unsigned char *code
    = bytes < PROLOGUE_BYTES ? NULL : bytes_at (reading->elf, address, &size);
  if (code == NULL || size < PROLOGUE_BYTES)
    return true;
  reading->facts->functions++;
  reading->facts->framed_functions
    += memmem (code, PROLOGUE_BYTES, set_frame_pointer,
	       sizeof set_frame_pointer)
       != NULL;
  return true;
}

/* Read what SECTION, .dynamic with HEADER, lists: libraries, and where the
   pointers to constructors are.  */
static void
take_dynamic (struct reading *reading, Elf_Scn *section,
	      const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (section, NULL);
  GElf_Dyn entry;
  for (int i = 0; data != NULL && gelf_getdyn (data, i, &entry) != NULL; i++)
    if (entry.d_tag == DT_NEEDED)
      {
	const char *name
	  = elf_strptr (reading->elf, header->sh_link, entry.d_un.d_val);
	if (name != NULL
	    && strncmp (name, RUNTIME_NAME, strlen (RUNTIME_NAME)) == 0)
	  reading->facts->needs_runtime = true;
      }
    else if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0)
      reading->facts->is_executable = true;
    else if (entry.d_tag == DT_SONAME)
      reading->is_library = true;
}

/* A constructor of the file is initialiser INIT.  */
static void
take_initialiser (struct reading *reading, int init)
{
  if (init == INIT_COUNTING)
    reading->facts->counts_accesses = true;
  else if (init == INIT_ALLOC)
    reading->facts->omits_accesses = true;
}

/* Return which initialiser symbol NUMBER in the table SECTION_INDEX is;
   INITIALISERS if none.  */
static int
init_of_symbol (const struct reading *reading, size_t section_index,
		size_t number)
{
  GElf_Shdr header;
  GElf_Sym symbol;
  int init = 0;
  Elf_Scn *section = elf_getscn (reading->elf, section_index);
  Elf_Data *data = section != NULL ? elf_getdata (section, NULL) : NULL;
  if (data == NULL || gelf_getshdr (section, &header) == NULL
      || gelf_getsym (data, (int) number, &symbol) == NULL)
    return INITIALISERS;
  const char *name = elf_strptr (reading->elf, header.sh_link, symbol.st_name);
  if (name == NULL)
    return INITIALISERS;
  while (init < INITIALISERS && strcmp (name, init_names[init]) != 0)
    init++;
  return init;
}

/* Return which initialiser is at ADDRESS; INITIALISERS if none.  */
static int
init_at (const struct reading *reading, uint64_t address)
{
  int init = 0;
  while (init < INITIALISERS
	 && (address == 0 || reading->init_addresses[init] != address))
    init++;
  return init;
}

/* Search the relocations of SECTION with HEADER for those that put pointers to
   initialisers among those to constructors.  */
static void
take_relocations (struct reading *reading, Elf_Scn *section,
		  const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (section, NULL);
  GElf_Rela entry;
  struct pointer_relocations types;
  pointer_relocations_of (reading->elf, &types);
  for (int i = 0; data != NULL && gelf_getrela (data, i, &entry) != NULL; i++)
    {
      if (entry.r_offset < reading->array_address
	  || entry.r_offset - reading->array_address >= reading->array_bytes)
	continue;
      if (GELF_R_TYPE (entry.r_info) == types.absolute)
	take_initialiser (reading, init_of_symbol (reading, header->sh_link,
						   GELF_R_SYM (entry.r_info)));
      else if (GELF_R_TYPE (entry.r_info) == types.relative)
	take_initialiser (reading,
			  init_at (reading, (uint64_t) entry.r_addend));
    }
}

/* The same for pointers that need no relocation.  */
static void
take_pointers (struct reading *reading)
{
  size_t size = 0;
  const unsigned char *bytes
    = bytes_at (reading->elf, reading->array_address, &size);
  if (bytes == NULL)
    return;
  if (size > reading->array_bytes)
    size = reading->array_bytes;
  for (size_t i = 0; i + sizeof (uint64_t) <= size; i += sizeof (uint64_t))
    {
      const uint64_t pointer = pointer_stored_at (reading->elf, bytes + i);
      take_initialiser (reading, init_at (reading, pointer));
    }
}

/* Call TAKE for each section of TYPE.  */
static void
for_each_section (struct reading *reading, uint32_t type,
		  void (*take) (struct reading *, Elf_Scn *, const GElf_Shdr *))
{
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (reading->elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) != NULL && header.sh_type == type)
	take (reading, section, &header);
    }
}

static void
take_symbol_table (struct reading *reading, Elf_Scn *section,
		   const GElf_Shdr *header)
{
  (void) section;
  (void) header;
  reading->facts->has_symbols = true;
}

static void
take_constructors (struct reading *reading, Elf_Scn *section,
		   const GElf_Shdr *header)
{
  (void) section;
  reading->array_address = header->sh_addr;
  reading->array_bytes = header->sh_size;
}

static void
read_segments (struct reading *reading)
{
  size_t count = 0;
  GElf_Ehdr file_header;
  if (gelf_getehdr (reading->elf, &file_header) != NULL
      && file_header.e_type == ET_EXEC)
    reading->facts->is_executable = true;
  if (elf_getphdrnum (reading->elf, &count) != 0)
    return;
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr header;
      if (gelf_getphdr (reading->elf, (int) i, &header) == NULL)
	continue;
      if (header.p_type == PT_INTERP)
	reading->facts->is_executable = true;
      else if (header.p_type == PT_GNU_EH_FRAME)
	reading->facts->has_unwind_index = true;
    }
}

void
object_facts_read (struct object_facts *facts, struct object_file *file)
{
  struct Dwfl_Module *module = object_file_module (file);
  GElf_Addr bias;
  *facts = (struct object_facts){ 0 };
  struct reading reading = { .facts = facts };
  reading.elf = dwfl_module_getelf (module, &bias);
  if (reading.elf == NULL)
    return;
  read_segments (&reading);
  for_each_section (&reading, SHT_SYMTAB, take_symbol_table);
  for_each_section (&reading, SHT_DYNAMIC, take_dynamic);
  if (reading.is_library)
    facts->is_executable = false;
  for_each_section (&reading, SHT_INIT_ARRAY, take_constructors);
  object_visit_symbols (file, take_symbol, &reading);
  facts->has_runtime = reading.init_addresses[INIT_COUNTING] != 0;
  facts->replaces_malloc
    = reading.malloc_addresses[0] != 0 && reading.malloc_addresses[1] != 0
      && reading.malloc_addresses[0] != reading.malloc_addresses[1];
  for_each_section (&reading, SHT_RELA, take_relocations);
  take_pointers (&reading);
  dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, NULL,
		    &facts->debug_path);
}

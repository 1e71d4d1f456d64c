/* Loaded modules: their symbols and relocations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "module.h"
#include "bytes.h"
#include "sys.h"
#include "text.h"

/* Return the address in the dynamic entry VALUE.  The dynamic linker adds the
   base to most entries, but not to those of a module whose dynamic section is
   read-only.  */

static uintptr_t
address_of (const struct rt_attach_module *module, uintptr_t value)
{
  return value < module->base ? module->base + value : value;
}

static void
read_entry (struct rt_attach_module *module, const Elf64_Dyn *entry)
{
  struct rt_attach_relocations *const data = &module->relocations[0];
  struct rt_attach_relocations *const calls = &module->relocations[1];
  const uintptr_t address = address_of (module, entry->d_un.d_ptr);
  switch (entry->d_tag)
    {
    case DT_SYMTAB:
      module->symbols = (const Elf64_Sym *) address;
      break;
    case DT_STRTAB:
      module->names = (const char *) address;
      break;
    case DT_GNU_HASH:
      module->gnu_hash = (const uint32_t *) address;
      break;
    case DT_HASH:
      module->hash = (const uint32_t *) address;
      break;
    case DT_RELA:
      data->first = (const Elf64_Rela *) address;
      break;
    case DT_RELASZ:
      data->count = entry->d_un.d_val / sizeof (Elf64_Rela);
      break;
    case DT_JMPREL:
      calls->first = (const Elf64_Rela *) address;
      break;
    case DT_PLTRELSZ:
      calls->count = entry->d_un.d_val / sizeof (Elf64_Rela);
      break;
    default:
      break;
    }
}

/* Describe the segments of INFO; return its dynamic section, NULL if it has
   none.  */

static const Elf64_Dyn *
read_segments (const struct dl_phdr_info *info, struct rt_attach_module *module)
{
  const Elf64_Dyn *dynamic = NULL;
  module->start = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const Elf64_Phdr *const header = &info->dlpi_phdr[i];
      const uintptr_t start = info->dlpi_addr + header->p_vaddr;
      const uintptr_t end = start + header->p_memsz;
      if (header->p_type == PT_DYNAMIC)
	dynamic = (const Elf64_Dyn *) start;
      else if (header->p_type == PT_GNU_RELRO)
	{
	  /* The end of the last page stays writable.  */
	  module->protected_start = start & -(uintptr_t) SYS_PAGE_BYTES;
	  module->protected_end = end & -(uintptr_t) SYS_PAGE_BYTES;
	}
      else if (header->p_type == PT_LOAD)
	{
	  module->start = start < module->start ? start : module->start;
	  module->end = end > module->end ? end : module->end;
	}
    }
  return dynamic;
}

static bool
contains (const struct rt_attach_module *module, uintptr_t address)
{
  return address >= module->start && address < module->end;
}

bool
rt_attach_module_read (const struct dl_phdr_info *info,
		       struct rt_attach_module *module)
{
  *module = (struct rt_attach_module){ .base = info->dlpi_addr };
  const Elf64_Dyn *entry = read_segments (info, module);
  if (entry == NULL || contains (module, (uintptr_t) rt_attach_module_read)
      || contains (module, sys_auxiliary (AT_SYSINFO_EHDR))
      || (sys_auxiliary (AT_BASE) != 0
	  && contains (module, sys_auxiliary (AT_BASE))))
    return false;
  for (; entry->d_tag != DT_NULL; entry++)
    read_entry (module, entry);
  return module->symbols != NULL && module->names != NULL;
}

static bool
is_function (const struct rt_attach_module *module, uint32_t index,
	     const char *name)
{
  const Elf64_Sym *const symbol = &module->symbols[index];
  return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0
	 && ELF64_ST_TYPE (symbol->st_info) == STT_FUNC
	 && text_is (module->names + symbol->st_name, name);
}

/* Return the index of the function NAME by the GNU hash table; 0 if there is
   none.  */

static uint32_t
find_by_gnu_hash (const struct rt_attach_module *module, const char *name)
{
  const uint32_t *const table = module->gnu_hash;
  const uint32_t bucket_count = table[0], first = table[1];
  const uint32_t *const buckets
    = table + 4 + table[2] * (sizeof (Elf64_Addr) / sizeof *table);
  const uint32_t *const chains = buckets + bucket_count;
  uint32_t hash = 5381;
  for (const char *c = name; *c != '\0'; c++)
    hash = hash * 33 + (unsigned char) *c;
  if (bucket_count == 0)
    return 0;
  uint32_t index = buckets[hash % bucket_count];
  if (index < first)
    return 0;
  for (;; index++)
    {
      const uint32_t other = chains[index - first];
      if ((other | 1) == (hash | 1) && is_function (module, index, name))
	return index;
      if ((other & 1) != 0)
	return 0;
    }
}

/* The same by the older kind of hash table.  */

static uint32_t
find_by_hash (const struct rt_attach_module *module, const char *name)
{
  const uint32_t *const table = module->hash;
  const uint32_t bucket_count = table[0];
  const uint32_t *const chains = table + 2 + bucket_count;
  uint32_t hash = 0;
  for (const char *c = name; *c != '\0'; c++)
    {
      hash = (hash << 4) + (unsigned char) *c;
      hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
  if (bucket_count == 0)
    return 0;
  for (uint32_t index = table[2 + hash % bucket_count]; index != STN_UNDEF;
       index = chains[index])
    if (is_function (module, index, name))
      return index;
  return 0;
}

uintptr_t
rt_attach_module_find (const struct rt_attach_module *module, const char *name)
{
  const uint32_t index = module->gnu_hash != NULL
			   ? find_by_gnu_hash (module, name)
			 : module->hash != NULL ? find_by_hash (module, name)
						: 0;
  return index == 0 ? 0 : module->base + module->symbols[index].st_value;
}

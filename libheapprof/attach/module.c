/* Loaded modules: their symbols and relocations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "module.h"
#include "bytes.h"
#include "sys.h"

static void
read_entry (struct rt_attach_module *module, const Elf64_Dyn *entry)
{
  struct rt_attach_relocations *const data = &module->relocations[0];
  struct rt_attach_relocations *const calls = &module->relocations[1];
  const uintptr_t address = rt_module_address (module->base, entry->d_un.d_ptr);
  switch (entry->d_tag)
    {
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
  const bool has_symbols
    = rt_module_symbols_read (module->base, entry, &module->symbols);
  for (; entry->d_tag != DT_NULL; entry++)
    read_entry (module, entry);
  return has_symbols;
}

uintptr_t
rt_attach_module_find (const struct rt_attach_module *module, const char *name)
{
  return rt_module_symbols_find (&module->symbols, name, STT_FUNC, NULL);
}

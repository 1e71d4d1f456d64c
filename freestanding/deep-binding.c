/* Changing symbols of modules in memory, where the dynamic linker looks them
   up.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "deep-binding.h"
#include "system-call.h"
#include <sys/auxv.h>
#include <sys/mman.h>

#define WEAK __attribute__ ((weak))

/* The C library's getauxval, under a name that no program may define.  */
unsigned long __getauxval (unsigned long type);

struct search
{
  const struct deep_function *functions;
  size_t count;
  const uintptr_t *marks;
  bool has_failed;
};

/* Return the segment of the module INFO that contains ADDRESS; NULL if there is
   none.  */

static const Elf64_Phdr *
segment_of (const struct dl_phdr_info *info, uintptr_t address)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const Elf64_Phdr *const segment = &info->dlpi_phdr[i];
      if (segment->p_type == PT_LOAD
	  && address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
	return segment;
    }
  return NULL;
}

/* Let the pages of the entry SYMBOL be used as FLAGS say (PF_R and so on).  */

static bool
protect (const Elf64_Sym *symbol, uint32_t flags)
{
  const uintptr_t page_mask = __getauxval (AT_PAGESZ) - 1;
  const uintptr_t start = (uintptr_t) symbol & ~page_mask;
  const uintptr_t end = ((uintptr_t) (symbol + 1) + page_mask) & ~page_mask;
  const int protection = ((flags & PF_R) != 0 ? PROT_READ : 0)
			 | ((flags & PF_W) != 0 ? PROT_WRITE : 0)
			 | ((flags & PF_X) != 0 ? PROT_EXEC : 0);
  return system_call_4 (SYS_mprotect, (long) start, (long) (end - start),
			protection, 0)
	 == 0;
}

/* The dynamic linker adds the module's address to the symbol's.  */

WEAK bool
deep_binding_change_symbol (const struct dl_phdr_info *info,
			    const Elf64_Sym *symbol, uintptr_t address)
{
  const Elf64_Phdr *const segment = segment_of (info, (uintptr_t) symbol);
  if (segment == NULL || !protect (symbol, segment->p_flags | PF_W))
    return false;
  __atomic_store_n ((Elf64_Addr *) &symbol->st_value, address - info->dlpi_addr,
		    __ATOMIC_RELEASE);
  protect (symbol, segment->p_flags);
  return true;
}

WEAK bool
deep_binding_is_wanted (const struct dl_phdr_info *info,
			const uintptr_t marks[2],
			struct rt_module_symbols *symbols)
{
  return (segment_of (info, marks[0]) != NULL
	  || segment_of (info, marks[1]) != NULL)
	 && rt_module_symbols_of (info, symbols);
}

static int
change_module (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  struct search *const search = data;
  struct rt_module_symbols symbols;
  if (!deep_binding_is_wanted (info, search->marks, &symbols))
    return 0;
  for (size_t i = 0; i < search->count; i++)
    {
      const struct deep_function *const function = &search->functions[i];
      const Elf64_Sym *symbol = NULL;
      while ((symbol
	      = rt_module_symbols_next (&symbols, function->name, symbol))
	     != NULL)
	if (info->dlpi_addr + symbol->st_value != function->address
	    && !deep_binding_change_symbol (info, symbol, function->address))
	  search->has_failed = true;
    }
  return 0;
}

WEAK bool
deep_binding_change (const struct deep_function *functions, size_t count,
		     const uintptr_t marks[2])
{
  struct search search
    = { .functions = functions, .count = count, .marks = marks };
  dl_iterate_phdr (change_module, &search);
  return !search.has_failed;
}

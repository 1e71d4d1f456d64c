/* Modules that are opened with RTLD_DEEPBIND.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "deep-binding.h"
#include "module-symbols.h"
#include "next.h"
#include "replaced.h"
#include "route.h"
#include "sys.h"
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>

/* Missing in static programs.  */
#pragma weak dlsym

/* The module to change contains one of MARKS: addresses in that of the next
   malloc, and in the C library.  */
struct search
{
  const struct rt_deep_function *functions;
  size_t count;
  uintptr_t marks[2];
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

/* Let the entry SYMBOL of the module INFO lead to ADDRESS, which the dynamic
   linker calculates by adding to the module's.  */

static bool
change (const struct dl_phdr_info *info, const Elf64_Sym *symbol,
	uintptr_t address)
{
  const Elf64_Phdr *const segment = segment_of (info, (uintptr_t) symbol);
  if (segment == NULL
      || !sys_protect (symbol, sizeof *symbol, segment->p_flags | PF_W))
    return false;
  __atomic_store_n ((Elf64_Addr *) &symbol->st_value, address - info->dlpi_addr,
		    __ATOMIC_RELEASE);
  sys_protect (symbol, sizeof *symbol, segment->p_flags);
  return true;
}

static bool
is_wanted (const struct dl_phdr_info *info, const struct search *search,
	   struct rt_module_symbols *symbols)
{
  return (segment_of (info, search->marks[0]) != NULL
	  || segment_of (info, search->marks[1]) != NULL)
	 && rt_module_symbols_of (info, symbols);
}

/* The dynamic linker calls this, and the next one, for one module at a time,
   also if several threads open modules.  */

static int
change_next (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  struct search *const search = data;
  struct rt_module_symbols symbols;
  if (!is_wanted (info, search, &symbols))
    return 0;
  for (size_t i = 0; i < search->count; i++)
    {
      const Elf64_Sym *symbol = NULL;
      while ((symbol
	      = rt_module_symbols_next (&symbols, search->functions[i].name,
					symbol))
	     != NULL)
	if (info->dlpi_addr + symbol->st_value != search->functions[i].address
	    && !change (info, symbol, search->functions[i].address))
	  search->has_failed = true;
    }
  return 0;
}

#ifndef PIC

/* Another copy of this library, which modules need if they were linked with the
   shared one: all its names are to lead to this copy's.  */

static int
change_copy (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  struct search *const search = data;
  struct rt_module_symbols symbols;
  if (!is_wanted (info, search, &symbols))
    return 0;
  const uint32_t count = rt_module_symbols_count (&symbols);
  for (uint32_t i = 1; i < count; i++)
    {
      const Elf64_Sym *const symbol = &symbols.symbols[i];
      const uintptr_t own
	= symbol->st_shndx == SHN_UNDEF
	    ? 0
	    : (uintptr_t) rt_next_find_first (symbols.names + symbol->st_name);
      if (own != 0 && own != info->dlpi_addr + symbol->st_value
	  && !change (info, symbol, own))
	search->has_failed = true;
    }
  return 0;
}

/* It is opened as the program would open it, so that it finds this copy, and
   does nothing.  If it is not found, modules do not need it.  */

static bool
prepare_copy (rt_open_function *open)
{
  void *const copy = open ("libheapprof.so.1", RTLD_LAZY);
  struct search search = { .has_failed = false };
  if (copy != NULL)
    {
      search.marks[0] = search.marks[1] = (uintptr_t) dlsym (copy, "free");
      dl_iterate_phdr (change_copy, &search);
    }
  rt_next_forget_error ();
  return !search.has_failed;
}

#else

static bool
prepare_copy (rt_open_function *open)
{
  (void) open;
  return true;
}

#endif

bool
rt_deep_binding_prepare (const struct rt_deep_function *functions, size_t count,
			 rt_open_function *open)
{
  static uint32_t is_done;
  if (__atomic_load_n (&is_done, __ATOMIC_ACQUIRE) != 0)
    return true;
  if (!rt_route_is_own () || rt_malloc_is_foreign () || RT_IS_REPLACED (malloc))
    return true;
  struct search search
    = { .functions = functions,
	.count = count,
	.marks = { (uintptr_t) rt_next_find ("malloc"),
		   (uintptr_t) rt_next_find ("gnu_get_libc_version") } };
  dl_iterate_phdr (change_next, &search);
  if (search.has_failed || !prepare_copy (open))
    return false;
  __atomic_store_n (&is_done, 1, __ATOMIC_RELEASE);
  return true;
}

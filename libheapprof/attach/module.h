/* Loaded modules: their symbols and relocations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MODULE_H
#define HEAPPROF_MODULE_H

#include "module-symbols.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_attach_relocations
{
  const Elf64_Rela *first;
  size_t count;
};

struct rt_attach_module
{
  uintptr_t base;
  uintptr_t start, end; /* of the addresses */
  /* What the dynamic linker makes read-only when it has relocated the
     module.  */
  uintptr_t protected_start, protected_end;
  struct rt_module_symbols symbols;
  struct rt_attach_relocations relocations[2]; /* of data, of calls */
};

/* Describe the module INFO in *MODULE.  Return false if it has no symbols, or
   is the dynamic linker, the kernel's module, or this library.  */
bool rt_attach_module_read (const struct dl_phdr_info *info,
			    struct rt_attach_module *module);

/* Return the address of the function NAME that MODULE defines; 0 if it does
   not, or chooses the address when it is loaded.  */
uintptr_t rt_attach_module_find (const struct rt_attach_module *module,
				 const char *name);

#endif /* HEAPPROF_MODULE_H */

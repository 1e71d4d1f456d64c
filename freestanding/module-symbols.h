/* The symbols that a loaded module defines.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Read from the dynamic section in memory, which the dynamic linker uses, too:
   this works for stripped and for deleted files.  */

#ifndef HEAPPROF_MODULE_SYMBOLS_H
#define HEAPPROF_MODULE_SYMBOLS_H

#include "bytes.h"
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_module_symbols
{
  uintptr_t base;
  const Elf64_Sym *symbols;
  const char *names;
  const uint32_t *gnu_hash; /* NULL: none */
  const uint32_t *hash;
};

/* Return the address in the dynamic entry VALUE of a module at BASE.  The
   dynamic linker adds the base to most entries, but not to those of a module
   whose dynamic section is read-only.  */

static inline uintptr_t
rt_module_address (uintptr_t base, uintptr_t value)
{
  return value < base ? base + value : value;
}

/* Describe the symbols of the module at BASE with the dynamic section DYNAMIC.
   Return false if it has none.  */
OWN_HIDDEN bool
rt_module_symbols_read (uintptr_t base, const Elf64_Dyn *dynamic,
			struct rt_module_symbols
			  *symbols) __asm__("__hpr_module_symbols_read");

/* The same for the module INFO.  */
OWN_HIDDEN bool
rt_module_symbols_of (const struct dl_phdr_info *info,
		      struct rt_module_symbols
			*symbols) __asm__("__hpr_module_symbols_of");

/* Return the address of the symbol NAME of TYPE (STT_...) that the module
   defines; 0 if it does not, or chooses the address when it is loaded.  Set
   *BYTES to its size, unless it is NULL.  */
OWN_HIDDEN uintptr_t
rt_module_symbols_find (const struct rt_module_symbols *symbols,
			const char *name, unsigned type,
			size_t *bytes) __asm__("__hpr_module_symbols_find");

/* Return the entry, after the one AFTER unless that is NULL, of the function
   NAME that the module defines; NULL if there is none.  Functions can have
   several versions.  */
OWN_HIDDEN const Elf64_Sym *rt_module_symbols_next (
  const struct rt_module_symbols *symbols, const char *name,
  const Elf64_Sym *after) __asm__("__hpr_module_symbols_next");

/* Return how many entries there are, the first of which is empty.  */
OWN_HIDDEN uint32_t
rt_module_symbols_count (const struct rt_module_symbols
			   *symbols) __asm__("__hpr_module_symbols_count");

#endif /* HEAPPROF_MODULE_SYMBOLS_H */

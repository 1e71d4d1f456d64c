/* The symbols that a loaded module defines.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "module-symbols.h"
#include "text.h"

#define WEAK __attribute__ ((weak))

WEAK bool
rt_module_symbols_read (uintptr_t base, const Elf64_Dyn *dynamic,
			struct rt_module_symbols *symbols)
{
  *symbols = (struct rt_module_symbols){ .base = base };
  for (; dynamic->d_tag != DT_NULL; dynamic++)
    {
      const uintptr_t address = rt_module_address (base, dynamic->d_un.d_ptr);
      if (dynamic->d_tag == DT_SYMTAB)
	symbols->symbols = (const Elf64_Sym *) address;
      else if (dynamic->d_tag == DT_STRTAB)
	symbols->names = (const char *) address;
      else if (dynamic->d_tag == DT_GNU_HASH)
	symbols->gnu_hash = (const uint32_t *) address;
      else if (dynamic->d_tag == DT_HASH)
	symbols->hash = (const uint32_t *) address;
    }
  return symbols->symbols != NULL && symbols->names != NULL;
}

WEAK bool
rt_module_symbols_of (const struct dl_phdr_info *info,
		      struct rt_module_symbols *symbols)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return rt_module_symbols_read (info->dlpi_addr,
				     (const Elf64_Dyn *) (info->dlpi_addr
							  + info->dlpi_phdr[i]
							      .p_vaddr),
				     symbols);
  return false;
}

static bool
is_wanted (const struct rt_module_symbols *symbols, uint32_t index,
	   const char *name, unsigned type)
{
  const Elf64_Sym *const symbol = &symbols->symbols[index];
  return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0
	 && ELF64_ST_TYPE (symbol->st_info) == type
	 && text_is (symbols->names + symbol->st_name, name);
}

/* Return the index, above AFTER, of the symbol NAME by the GNU hash table; 0 if
   there is none.  */

static uint32_t
find_by_gnu_hash (const struct rt_module_symbols *symbols, const char *name,
		  unsigned type, uint32_t after)
{
  const uint32_t *const table = symbols->gnu_hash;
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
      if ((other | 1) == (hash | 1) && index > after
	  && is_wanted (symbols, index, name, type))
	return index;
      if ((other & 1) != 0)
	return 0;
    }
}

/* The same by the older kind of hash table, whose entries are in any order: the
   first symbol.  */

static uint32_t
find_by_hash (const struct rt_module_symbols *symbols, const char *name,
	      unsigned type)
{
  const uint32_t *const table = symbols->hash;
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
    if (is_wanted (symbols, index, name, type))
      return index;
  return 0;
}

WEAK uintptr_t
rt_module_symbols_find (const struct rt_module_symbols *symbols,
			const char *name, unsigned type, size_t *bytes)
{
  const uint32_t index
    = symbols->gnu_hash != NULL ? find_by_gnu_hash (symbols, name, type, 0)
      : symbols->hash != NULL	? find_by_hash (symbols, name, type)
				: 0;
  if (index == 0)
    return 0;
  if (bytes != NULL)
    *bytes = symbols->symbols[index].st_size;
  return symbols->base + symbols->symbols[index].st_value;
}

WEAK const Elf64_Sym *
rt_module_symbols_next (const struct rt_module_symbols *symbols,
			const char *name, const Elf64_Sym *after)
{
  const uint32_t last
    = after != NULL ? (uint32_t) (after - symbols->symbols) : 0;
  uint32_t index = 0;
  if (symbols->gnu_hash != NULL)
    index = find_by_gnu_hash (symbols, name, STT_FUNC, last);
  else if (symbols->hash != NULL && after == NULL)
    index = find_by_hash (symbols, name, STT_FUNC);
  return index != 0 ? &symbols->symbols[index] : NULL;
}

/* A GNU hash table has no number of symbols: the last one is the end of the
   chain that starts last.  */

WEAK uint32_t
rt_module_symbols_count (const struct rt_module_symbols *symbols)
{
  if (symbols->gnu_hash == NULL)
    return symbols->hash != NULL ? symbols->hash[1] : 0;
  const uint32_t *const table = symbols->gnu_hash;
  const uint32_t *const buckets
    = table + 4 + table[2] * (sizeof (Elf64_Addr) / sizeof *table);
  const uint32_t *const chains = buckets + table[0];
  uint32_t last = 0;
  for (uint32_t i = 0; i < table[0]; i++)
    if (buckets[i] > last)
      last = buckets[i];
  if (last < table[1])
    return 0;
  while ((chains[last - table[1]] & 1) == 0)
    last++;
  return last + 1;
}

/* Lookup of functions in the vDSO, a shared object that the kernel maps into
   each process, linked for address 0.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "vdso.h"
#include "sys.h"
#include "text.h"
#include <elf.h>
#include <link.h>
#include <stdint.h>

struct object
{
  const char *bias;
  const ElfW (Sym) *symbols;
  const char *names;
  const uint32_t *hash;	    /* DT_HASH */
  const uint32_t *gnu_hash; /* DT_GNU_HASH */
};

static bool
read_dynamic (const ElfW (Dyn) *entry, struct object *object)
{
  for (; entry->d_tag != DT_NULL; entry++)
    {
      const void *const value = object->bias + entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB)
	object->symbols = value;
      else if (entry->d_tag == DT_STRTAB)
	object->names = value;
      else if (entry->d_tag == DT_HASH)
	object->hash = value;
      else if (entry->d_tag == DT_GNU_HASH)
	object->gnu_hash = value;
    }
  return object->symbols != NULL && object->names != NULL;
}

static bool
open_object (struct object *object)
{
  const ElfW (Ehdr) *const header
    = (const void *) sys_auxiliary (AT_SYSINFO_EHDR);
  if (header == NULL)
    return false;
  const char *const start = (const char *) header;
  const ElfW (Phdr) *const program = (const void *) (start + header->e_phoff);
  const ElfW (Phdr) *dynamic = NULL;
  for (unsigned i = 0; i < header->e_phnum; i++)
    if (program[i].p_type == PT_LOAD && object->bias == NULL)
      object->bias = start + program[i].p_offset - program[i].p_vaddr;
    else if (program[i].p_type == PT_DYNAMIC)
      dynamic = &program[i];
  return object->bias != NULL && dynamic != NULL
	 && read_dynamic ((const void *) (start + dynamic->p_offset), object);
}

/* Return the number of symbols.  Newer kernels have only the GNU table, where
   the end of the last chain is the last symbol.  */

static uint32_t
count_symbols (const struct object *object)
{
  if (object->hash != NULL)
    return object->hash[1];
  if (object->gnu_hash == NULL)
    return 0;
  const uint32_t buckets = object->gnu_hash[0];
  const uint32_t first = object->gnu_hash[1];
  const uint32_t filter_words = object->gnu_hash[2];
  const uint32_t *const bucket
    = object->gnu_hash + 4 + filter_words * (sizeof (uintptr_t) / 4);
  const uint32_t *const chain = bucket + buckets;
  uint32_t last = 0;
  for (uint32_t i = 0; i < buckets; i++)
    if (bucket[i] > last)
      last = bucket[i];
  if (last < first)
    return 0;
  while ((chain[last - first] & 1) == 0)
    last++;
  return last + 1;
}

void *
vdso_find (const char *name)
{
  struct object object = { .bias = NULL };
  if (!open_object (&object))
    return NULL;
  const uint32_t count = count_symbols (&object);
  for (uint32_t i = 0; i < count; i++)
    {
      const ElfW (Sym) *const symbol = &object.symbols[i];
      if (symbol->st_shndx != SHN_UNDEF
	  && text_is (object.names + symbol->st_name, name))
	return (void *) (object.bias + symbol->st_value);
    }
  return NULL;
}

/* Finding the definition of a function without calling it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "definition.h"
#include "bytes.h"
#include "text.h"
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* The dynamic linker's.  If a static program contains it, r_ldbase is 0.  */
extern __typeof__ (_r_debug) _r_debug __attribute__ ((weak));

static const char *const names[HINT_NAMES]
  = { [HINT_FREE] = "free",
      [HINT_MALLOC] = "malloc",
      [HINT_CALLOC] = "calloc",
      [HINT_MALLOCX] = "mallocx",
      [HINT_MI_HEAP_NEW] = "mi_heap_new",
      [HINT_THROW_BAD_ALLOC] = "_ZSt17__throw_bad_allocv",
      [HINT_CXA_THROW] = "__cxa_throw",
      [HINT_NEW] = "_Znwm",
      [HINT_NEW_ARRAY] = "_Znam",
      [HINT_NEW_ALIGNED] = "_ZnwmSt11align_val_t",
      [HINT_NEW_ARRAY_ALIGNED] = "_ZnamSt11align_val_t",
      [HINT_DELETE] = "_ZdlPv",
      [HINT_DELETE_ARRAY] = "_ZdaPv",
      [HINT_DELETE_ALIGNED] = "_ZdlPvSt11align_val_t",
      [HINT_DELETE_ARRAY_ALIGNED] = "_ZdaPvSt11align_val_t",
      [HINT_DELETE_SIZED] = "_ZdlPvm",
      [HINT_DELETE_ARRAY_SIZED] = "_ZdaPvm",
      [HINT_DELETE_SIZED_ALIGNED] = "_ZdlPvmSt11align_val_t",
      [HINT_DELETE_ARRAY_SIZED_ALIGNED] = "_ZdaPvmSt11align_val_t" };

/* The first definitions, once they are known.  */
static struct hint_definition definitions[HINT_NAMES];
static bool are_known;

/* Contents of a module's dynamic section.  */
struct module
{
  const ElfW (Sym) *symbols;
  const char *names;
  const uint32_t *gnu_hash;
  const uint32_t *hash;
  const ElfW (Rela) *jumps;
  size_t jumps_bytes;
  const ElfW (Rela) *others;
  size_t others_bytes;
};

/* Return the program, the first of the modules; NULL if it is static.  */

static const struct link_map *
first_module (void)
{
  return &_r_debug == NULL || _r_debug.r_ldbase == 0 ? NULL : _r_debug.r_map;
}

bool
hint_program_is_static (void)
{
  return first_module () == NULL;
}

/* Return VALUE as an address: the dynamic linker has already relocated it,
   except in the kernel's module.  */

static const void *
address_in (const struct link_map *map, ElfW (Addr) value)
{
  return (const void *) (value < map->l_addr ? map->l_addr + value : value);
}

static struct module
read_module (const struct link_map *map)
{
  struct module module = { 0 };
  bool with_addends = false;
  for (const ElfW (Dyn) *entry = map->l_ld;
       entry != NULL && entry->d_tag != DT_NULL; entry++)
    {
      const void *const address = address_in (map, entry->d_un.d_ptr);
      switch (entry->d_tag)
	{
	case DT_SYMTAB:
	  module.symbols = address;
	  break;
	case DT_STRTAB:
	  module.names = address;
	  break;
	case DT_GNU_HASH:
	  module.gnu_hash = address;
	  break;
	case DT_HASH:
	  module.hash = address;
	  break;
	case DT_JMPREL:
	  module.jumps = address;
	  break;
	case DT_PLTRELSZ:
	  module.jumps_bytes = entry->d_un.d_val;
	  break;
	case DT_PLTREL:
	  with_addends = entry->d_un.d_val == DT_RELA;
	  break;
	case DT_RELA:
	  module.others = address;
	  break;
	case DT_RELASZ:
	  module.others_bytes = entry->d_un.d_val;
	  break;
	default:
	  break;
	}
    }
  if (!with_addends)
    module.jumps_bytes = 0;
  return module;
}

static bool
defines (const struct module *module, const ElfW (Sym) *symbol,
	 const char *name)
{
  return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0
	 && ELF64_ST_BIND (symbol->st_info) != STB_LOCAL
	 && text_is (module->names + symbol->st_name, name);
}

/* The table starts with the number of buckets, the index of the first symbol in
   it, the number of words of the filter, and a shift count.  Then follow the
   filter, the buckets, and the hash of each symbol, whose lowest bit marks the
   end of a bucket.  */

static const ElfW (Sym) *
find_by_gnu_hash (const struct module *module, const char *name)
{
  const uint32_t *const table = module->gnu_hash;
  const uint32_t buckets = table[0];
  const uint32_t first = table[1];
  const uint32_t *const bucket
    = table + 4 + table[2] * (sizeof (ElfW (Addr)) / sizeof *table);
  uint32_t hash = 5381;
  for (const char *c = name; *c != '\0'; c++)
    hash = hash * 33 + (unsigned char) *c;
  if (buckets == 0 || bucket[hash % buckets] < first)
    return NULL;
  for (uint32_t i = bucket[hash % buckets];; i++)
    {
      const uint32_t found = bucket[buckets + i - first];
      if ((found | 1) == (hash | 1)
	  && defines (module, &module->symbols[i], name))
	return &module->symbols[i];
      if ((found & 1) != 0)
	return NULL;
    }
}

/* The second word of the old table is the number of symbols.  */

static const ElfW (Sym) *
find_symbol (const struct module *module, const char *name)
{
  if (module->symbols == NULL || module->names == NULL)
    return NULL;
  if (module->gnu_hash != NULL)
    return find_by_gnu_hash (module, name);
  const uint32_t count = module->hash == NULL ? 0 : module->hash[1];
  for (uint32_t i = 0; i < count; i++)
    if (defines (module, &module->symbols[i], name))
      return &module->symbols[i];
  return NULL;
}

#ifdef PIC

/* True if the definition of NAME in MAP is this library's and passes on to the
   one in question.  Each module has its own _DYNAMIC.  */

static bool
passes_on (const struct link_map *map, enum hint_name name)
{
  return (name == HINT_MALLOC || name == HINT_CALLOC
	  || name >= HINT_DELETE_SIZED)
	 && map->l_ld == _DYNAMIC;
}

#else

static bool
passes_on (const struct link_map *map, enum hint_name name)
{
  (void) map;
  (void) name;
  return false;
}

#endif

/* Add the definitions in MAP of names without one.  */

static void
add_definitions (const struct link_map *map, bool is_program)
{
  const struct module module = read_module (map);
  for (unsigned i = 0; i < HINT_NAMES; i++)
    {
      const ElfW (Sym) *const symbol = definitions[i].module == NULL
					 ? find_symbol (&module, names[i])
					 : NULL;
      if (symbol != NULL && !passes_on (map, i))
	definitions[i] = (struct hint_definition){
	  .module = map,
	  .is_program = is_program,
	  .address = (const void *) (map->l_addr + symbol->st_value)
	};
    }
}

/* Runs before other constructors, so there is no other thread yet, or under the
   lock of dlopen.  */

static void __attribute__ ((constructor (101))) find_definitions (void)
{
  const struct link_map *const first = first_module ();
  if (are_known)
    return;
  for (const struct link_map *map = first; map != NULL; map = map->l_next)
    add_definitions (map, map == first);
  are_known = true;
}

/* The first hint may be in the constructor of another library.  */

struct hint_definition
hint_find_definition (enum hint_name name)
{
  find_definitions ();
  return definitions[name];
}

#if defined __x86_64__ && defined __LP64__

/* True if one of the program's RELOCATIONS, of BYTES bytes, stores the address
   of NAME in SLOT.  */

static bool
has_slot (const struct link_map *program, const struct module *module,
	  const ElfW (Rela) *relocations, size_t bytes, const void *slot,
	  enum hint_name name)
{
  for (size_t i = 0; i < bytes / sizeof *relocations; i++)
    {
      const ElfW (Rela) *const one = &relocations[i];
      const unsigned type = ELF64_R_TYPE (one->r_info);
      if ((const void *) (program->l_addr + one->r_offset) == slot
	  && (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT)
	  && text_is (module->names
			+ module->symbols[ELF64_R_SYM (one->r_info)].st_name,
		      names[name]))
	return true;
    }
  return false;
}

static bool
slot_is_of (const void *slot, enum hint_name name)
{
  const struct link_map *const program = first_module ();
  if (program == NULL)
    return false;
  const struct module module = read_module (program);
  return module.symbols != NULL && module.names != NULL
	 && (has_slot (program, &module, module.jumps, module.jumps_bytes, slot,
		       name)
	     || has_slot (program, &module, module.others, module.others_bytes,
			  slot, name));
}

/* Return CODE after any endbr64 and after the bnd prefix of a jump.  */

static const unsigned char *
skip_marks (const unsigned char *code)
{
  static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
  if (own_memcmp (code, endbr64, sizeof endbr64) == 0)
    code += sizeof endbr64;
  return *code == 0xf2 ? code + 1 : code;
}

/* Return the target of an instruction at CODE whose displacement follows its
   first LENGTH bytes.  */

static const void *
relative_to (const unsigned char *code, unsigned length)
{
  int32_t distance;
  own_memcpy (&distance, code + length, sizeof distance);
  return code + length + sizeof distance + distance;
}

/* jmp *slot(%rip).  */

static bool
jumps_by_slot (const unsigned char *code, enum hint_name name)
{
  return code[0] == 0xff && code[1] == 0x25
	 && slot_is_of (relative_to (code, 2), name);
}

bool
hint_jumps_to (const void *code, const void *target, enum hint_name name)
{
  const unsigned char *const jump = skip_marks (code);
  if (*jump != 0xe9)
    return jumps_by_slot (jump, name);
  const unsigned char *const next = relative_to (jump, 1);
  return next == target || jumps_by_slot (skip_marks (next), name);
}

#else

bool
hint_jumps_to (const void *code, const void *target, enum hint_name name)
{
  (void) code;
  (void) target;
  (void) name;
  return false;
}

#endif

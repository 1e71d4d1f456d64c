/* Redirecting calls between modules to functions of this library, and back.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Other threads are running meanwhile.  A slot is changed by one store.  Where
   the dynamic linker protects slots, they are changed only once it has done so:
   until then it is still writing there.  Modules cannot be unloaded, as
   dl_iterate_phdr holds the lock for that.  */

#include "redirect.h"
#include "module.h"
#include "protection.h"
#include "sys.h"
#include "system-call.h"
#include "text.h"
#include <sys/mman.h>

/* The work on the slots of all modules.  */
struct work
{
  const struct rt_attach_function *functions;
  size_t count;
  bool restores;
  size_t changed;
  bool is_started;
  struct rt_attach_protection protection;
  uint64_t beginnings; /* a bit for each first character of a name */
};

static uint64_t
beginning (const char *name)
{
  const unsigned char second = name[0] == '\0' ? 0 : (unsigned char) name[1];
  return (uint64_t) 1 << (((unsigned char) name[0] * 5 + second) & 63);
}

/* Return the function NAME; NULL if it is not to be replaced.  */

static const struct rt_attach_function *
find_function (const struct work *work, const char *name)
{
  if ((work->beginnings & beginning (name)) == 0)
    return NULL;
  for (size_t i = 0; i < work->count; i++)
    if (work->functions[i].found != 0
	&& text_is (work->functions[i].name, name))
      return &work->functions[i];
  return NULL;
}

/* Store VALUE in SLOT of MODULE, if that can be done safely.  */

static bool
store (struct work *work, const struct rt_attach_module *module,
       uintptr_t *slot, uintptr_t value)
{
  const uintptr_t address = (uintptr_t) slot;
  const int access = rt_attach_protection_at (&work->protection, address);
  const bool is_protected
    = address >= module->protected_start && address < module->protected_end;
  if (is_protected != ((access & PROT_WRITE) == 0) || (access & PROT_READ) == 0)
    return false;
  const long page = (long) (address & -(uintptr_t) SYS_PAGE_BYTES);
  if (is_protected
      && system_call_inline_3 (SYS_mprotect, page, SYS_PAGE_BYTES,
			       access | PROT_WRITE)
	   != 0)
    return false;
  __atomic_store_n (slot, value, __ATOMIC_SEQ_CST);
  if (is_protected)
    system_call_inline_3 (SYS_mprotect, page, SYS_PAGE_BYTES, access);
  return true;
}

/* A relocation whose symbol is a function to be replaced.  */
struct reference
{
  const struct rt_attach_function *function;
  uintptr_t *slot;
  unsigned type;
};

/* Describe RELOCATION of MODULE.  Return false if it is of another kind, or not
   within the module.  */

static bool
read_reference (const struct work *work, const struct rt_attach_module *module,
		const Elf64_Rela *relocation, struct reference *reference)
{
  const unsigned type = ELF64_R_TYPE (relocation->r_info);
  const uint64_t symbol = ELF64_R_SYM (relocation->r_info);
  if (symbol == 0
      || (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT
	  && (type != R_X86_64_64 || relocation->r_addend != 0)))
    return false;
  const uintptr_t slot = module->base + relocation->r_offset;
  reference->function
    = find_function (work, module->symbols.names
			     + module->symbols.symbols[symbol].st_name);
  reference->slot = (uintptr_t *) slot;
  reference->type = type;
  return reference->function != NULL && slot >= module->start
	 && slot + sizeof slot <= module->end && slot % sizeof slot == 0;
}

/* True if the slot REFERENCE of MODULE, which contains VALUE, is to be bound to
   MODULE's own code that looks the function up.  */

static bool
is_unbound (const struct rt_attach_module *module,
	    const struct reference *reference, uintptr_t value)
{
  return reference->type == R_X86_64_JUMP_SLOT && value >= module->start
	 && value < module->end
	 && rt_attach_module_find (module, reference->function->name) == 0;
}

static void
visit_reference (struct work *work, const struct rt_attach_module *module,
		 const struct reference *reference, bool has_bound)
{
  const struct rt_attach_function *const function = reference->function;
  const uintptr_t value = __atomic_load_n (reference->slot, __ATOMIC_RELAXED);
  const uintptr_t original = function->found;
  bool matches = value == (work->restores ? function->replacement : original);
  if (!work->restores && !matches && (function->definitions == 1 || has_bound))
    matches = is_unbound (module, reference, value);
  if (matches)
    work->changed += store (work, module, reference->slot,
			    work->restores ? original : function->replacement);
}

/* True if a slot of MODULE is bound to an original, or was before it was
   changed.  */

static bool
has_bound_slot (const struct work *work, const struct rt_attach_module *module)
{
  struct reference reference;
  for (unsigned i = 0; i < 2; i++)
    for (size_t j = 0; j < module->relocations[i].count; j++)
      if (read_reference (work, module, &module->relocations[i].first[j],
			  &reference)
	  && reference.function->definitions > 1
	  && (*reference.slot == reference.function->found
	      || *reference.slot == reference.function->replacement))
	return true;
  return false;
}

static int
visit_module (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  struct work *const work = data;
  struct rt_attach_module module;
  struct reference reference;
  if (!work->is_started)
    rt_attach_protection_read (&work->protection);
  work->is_started = true;
  if (!rt_attach_module_read (info, &module))
    return 0;
  const bool has_bound = has_bound_slot (work, &module);
  for (unsigned i = 0; i < 2; i++)
    for (size_t j = 0; j < module.relocations[i].count; j++)
      if (read_reference (work, &module, &module.relocations[i].first[j],
			  &reference))
	visit_reference (work, &module, &reference, has_bound);
  return 0;
}

static size_t
visit_all (struct work *work)
{
  for (size_t i = 0; i < work->count; i++)
    work->beginnings |= beginning (work->functions[i].name);
  dl_iterate_phdr (visit_module, work);
  rt_attach_protection_release (&work->protection);
  return work->changed;
}

size_t
rt_attach_redirect (const struct rt_attach_function *functions, size_t count)
{
  struct work work = { .functions = functions, .count = count };
  return visit_all (&work);
}

size_t
rt_attach_restore (const struct rt_attach_function *functions, size_t count)
{
  struct work work
    = { .functions = functions, .count = count, .restores = true };
  return visit_all (&work);
}

struct search
{
  struct rt_attach_function *functions;
  size_t count;
};

static int
find_in_module (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  const struct search *const search = data;
  struct rt_attach_module module;
  if (!rt_attach_module_read (info, &module))
    return 0;
  for (size_t i = 0; i < search->count; i++)
    {
      struct rt_attach_function *const function = &search->functions[i];
      const uintptr_t address = rt_attach_module_find (&module, function->name);
      if (address == 0)
	continue;
      if (function->definitions++ == 0)
	function->found = address;
    }
  return 0;
}

/* Modules are visited in the order in which the dynamic linker looks names
   up.  */

void
rt_attach_find_originals (struct rt_attach_function *functions, size_t count)
{
  struct search search = { functions, count };
  for (size_t i = 0; i < count; i++)
    {
      functions[i].definitions = 0;
      functions[i].found = 0;
    }
  dl_iterate_phdr (find_in_module, &search);
  for (size_t i = 0; i < count; i++)
    if (functions[i].found != 0)
      __atomic_store_n (functions[i].original, functions[i].found,
			__ATOMIC_RELEASE);
}

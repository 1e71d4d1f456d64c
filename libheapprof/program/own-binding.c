/* Modules that are opened with RTLD_DEEPBIND.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "own-binding.h"
#include "next.h"
#include "replaced.h"
#include "route.h"
#include <dlfcn.h>
#include <stdlib.h>

/* Missing in static programs.  */
#pragma weak dlsym

#ifndef PIC

/* Another copy of this library, which modules need if they were linked with the
   shared one: all its names are to lead to this copy's.  */

struct copy
{
  uintptr_t marks[2]; /* addresses in it */
  bool has_failed;
};

static int
change_copy (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  struct copy *const copy = data;
  struct rt_module_symbols symbols;
  if (!deep_binding_is_wanted (info, copy->marks, &symbols))
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
	  && !deep_binding_change_symbol (info, symbol, own))
	copy->has_failed = true;
    }
  return 0;
}

/* It is opened as the program would open it, so that it finds this copy, and
   does nothing.  If it is not found, modules do not need it.  */

static bool
prepare_copy (rt_open_function *open)
{
  void *const handle = open ("libheapprof.so.1", RTLD_LAZY);
  struct copy copy = { .has_failed = false };
  if (handle != NULL)
    {
      copy.marks[0] = copy.marks[1] = (uintptr_t) dlsym (handle, "free");
      dl_iterate_phdr (change_copy, &copy);
    }
  rt_next_forget_error ();
  return !copy.has_failed;
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
rt_own_binding_prepare (const struct deep_function *functions, size_t count,
			rt_open_function *open)
{
  static uint32_t is_done;
  if (__atomic_load_n (&is_done, __ATOMIC_ACQUIRE) != 0)
    return true;
  if (!rt_route_is_own () || rt_malloc_is_foreign () || RT_IS_REPLACED (malloc))
    return true;
  /* In the module of the next malloc, and in the C library.  */
  const uintptr_t marks[]
    = { (uintptr_t) rt_next_find ("malloc"),
	(uintptr_t) rt_next_find ("gnu_get_libc_version") };
  if (!deep_binding_change (functions, count, marks) || !prepare_copy (open))
    return false;
  __atomic_store_n (&is_done, 1, __ATOMIC_RELEASE);
  return true;
}

/* Changing symbols of modules in memory, where the dynamic linker looks them
   up.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A module that is opened with RTLD_DEEPBIND looks names up in itself and its
   dependencies before the rest of the program, so it would find the C library's
   free, and not ours, for blocks of ours.  If the C library's symbol leads to
   ours, whoever looks for free there finds that, in constructors and by dlsym,
   too.  Everything else about such a module stays.  Modules that are bound
   already are not affected, nor is the C library itself.  */

#ifndef HEAPPROF_DEEP_BINDING_H
#define HEAPPROF_DEEP_BINDING_H

#include "module-symbols.h"
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* dlopen has to find the return address of its caller, where it looks for the
   module: functions JUMPS that return its result JUMP to it.  */
#ifdef __clang__
#define JUMPS
#define JUMP __attribute__ ((musttail)) return
#else
#define JUMPS __attribute__ ((optimize ("optimize-sibling-calls")))
#define JUMP return
#endif

/* A name, and the function of this program that it is to lead to.  */
struct deep_function
{
  const char *name;
  uintptr_t address;
};

/* FUNCTION, by its own name.  */
#define DEEP_FUNCTION(function)                                                \
  {                                                                            \
    .name = #function, .address = (uintptr_t) (function)                       \
  }

/* Let the symbols of the COUNT FUNCTIONS lead there, all versions of them, in
   the modules that contain one of the addresses MARKS.  Return false if the
   system does not allow it.  No lock is held.  */
OWN_HIDDEN bool
deep_binding_change (const struct deep_function *functions, size_t count,
		     const uintptr_t
		       marks[2]) __asm__("__hpr_deep_binding_change");

/* Let the entry SYMBOL of the module INFO lead to ADDRESS.  Only while the
   dynamic linker visits the module, as it then does for no other thread.  */
OWN_HIDDEN bool deep_binding_change_symbol (
  const struct dl_phdr_info *info, const Elf64_Sym *symbol,
  uintptr_t address) __asm__("__hpr_deep_binding_change_symbol");

/* True if the module INFO contains one of the addresses MARKS, and has SYMBOLS.
 */
OWN_HIDDEN bool deep_binding_is_wanted (
  const struct dl_phdr_info *info, const uintptr_t marks[2],
  struct rt_module_symbols *symbols) __asm__("__hpr_deep_binding_is_wanted");

#endif /* HEAPPROF_DEEP_BINDING_H */

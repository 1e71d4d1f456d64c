/* Which allocator stands behind the hints of this process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What cannot be seen from names is tried: free (NULL), which does nothing
   whoever defines it, tells whether the program's releases come to this
   library, and the operators delete of a null pointer whether theirs do.  */

#include "select.h"
#include "bytes.h"
#include "intercept.h"
#include "pool.h"
#include "text.h"
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))

/* Of the heap profiler, and of the sanitizers with an allocator: they are to
   see the program's allocations as they are.  */
extern void __heapprof_init_v1 (void) WEAK;
extern size_t __sanitizer_get_allocated_size (const void *) WEAK;

/* Absent from static programs that do not use them themselves.  */
extern __typeof__ (dladdr) dladdr WEAK;

/* What the C++ library always defines, and what a program may replace.  */
extern void throw_bad_alloc (void) __asm__ ("_ZSt17__throw_bad_allocv") WEAK;
extern void cxa_throw (void) __asm__ ("__cxa_throw") WEAK;
extern void *_Znwm (size_t) WEAK;
extern void *_Znam (size_t) WEAK;
extern void *_ZnwmSt11align_val_t (size_t, size_t) WEAK;
extern void *_ZnamSt11align_val_t (size_t, size_t) WEAK;
extern void _ZdlPv (void *) WEAK;
extern void _ZdaPv (void *) WEAK;
extern void _ZdlPvSt11align_val_t (void *, size_t) WEAK;
extern void _ZdaPvSt11align_val_t (void *, size_t) WEAK;

const struct hint_choice *hint_chosen;
static struct hint_choice the_choice;

/* Not known to the compiler.  */
static void *volatile null_pointer;

/* What holds the code of FUNCTION; NULL in a static program.  */

static void *
module_of (void *function)
{
  Dl_info info;
  if (dladdr == NULL || function == NULL || dladdr (function, &info) == 0)
    return NULL;
  return info.dli_fbase;
}

/* Is FUNCTION the C++ library's, as far as its place tells?  Absent ones
   nobody calls.  In a static program everything is in one place.  */

static bool
is_of_library (void *function)
{
  void *const module = module_of (function);
  return module == NULL || module == module_of ((void *) throw_bad_alloc)
	 || module == module_of ((void *) cxa_throw);
}

static bool
free_is_ours (void)
{
  hint_free_saw_null = false;
  free (null_pointer);
  return hint_free_saw_null;
}

static bool
delete_frees (void (*delete) (void *))
{
  hint_free_saw_null = false;
  if (delete != NULL)
    delete (null_pointer);
  return delete == NULL || hint_free_saw_null;
}

static bool
aligned_delete_frees (void (*delete) (void *, size_t))
{
  hint_free_saw_null = false;
  if (delete != NULL)
    delete (null_pointer, 64);
  return delete == NULL || hint_free_saw_null;
}

/* Note for which operators the pools can serve.  */

static void
try_operators (bool *serves)
{
  serves[HINT_OPERATOR]
    = is_of_library ((void *) _Znwm) && delete_frees (_ZdlPv);
  serves[HINT_OPERATOR_ARRAY]
    = serves[HINT_OPERATOR] && is_of_library ((void *) _Znam)
      && delete_frees (_ZdaPv);
  serves[HINT_OPERATOR_ALIGNED]
    = is_of_library ((void *) _ZnwmSt11align_val_t)
      && aligned_delete_frees (_ZdlPvSt11align_val_t);
  serves[HINT_OPERATOR_ALIGNED_ARRAY]
    = serves[HINT_OPERATOR_ALIGNED]
      && is_of_library ((void *) _ZnamSt11align_val_t)
      && aligned_delete_frees (_ZdaPvSt11align_val_t);
}

/* The same for another allocator, which may define operators of its own.  */

static void
place_operators (bool *serves)
{
  void *const operators[HINT_OPERATORS] = {
    [HINT_OPERATOR] = (void *) _Znwm,
    [HINT_OPERATOR_ARRAY] = (void *) _Znam,
    [HINT_OPERATOR_ALIGNED] = (void *) _ZnwmSt11align_val_t,
    [HINT_OPERATOR_ALIGNED_ARRAY] = (void *) _ZnamSt11align_val_t
  };
  void *const allocator = module_of ((void *) malloc);
  for (unsigned i = 0; i < HINT_OPERATORS; i++)
    serves[i] = allocator != NULL
		&& (is_of_library (operators[i])
		    || module_of (operators[i]) == allocator);
}

/* The C library's getauxval, under the name that no program may define.  */
unsigned long __getauxval (unsigned long type);

/* Whoever starts a program with more rights than his own has no say in it.  */

static const char *
environment (const char *name)
{
  return __getauxval (AT_SECURE) != 0 ? NULL : environment_value (name);
}

/* By the user, or by valgrind, which preloads libraries of its own: blocks of
   pools would be none to it.  */

static bool
is_switched_off (void)
{
  const char *const value = environment ("HEAPHINT");
  const char *const preloaded = environment ("LD_PRELOAD");
  return (value != NULL && text_is (value, "off"))
	 || (preloaded != NULL && text_has (preloaded, "/vgpreload_"));
}

static void
choose (struct hint_choice *choice)
{
  const bool wanted = !is_switched_off () && __heapprof_init_v1 == NULL
		      && __sanitizer_get_allocated_size == NULL;
  if (wanted)
    choice->backend = hint_jemalloc_backend ();
  if (wanted && choice->backend == NULL)
    choice->backend = hint_mimalloc_backend ();
  if (choice->backend != NULL)
    {
      place_operators (choice->for_operator);
      hint_area_start (false);
      return;
    }
  if (wanted && free_is_ours ())
    {
      try_operators (choice->for_operator);
      if (hint_pool_start ())
	choice->backend = &hint_pool_backend;
    }
  else
    hint_area_start (false);
  if (choice->backend == NULL)
    own_memset (choice->for_operator, 0, sizeof choice->for_operator);
}

const struct hint_choice *
hint_choose (void)
{
  static const struct hint_choice none;
  static bool begun;
  if (__atomic_exchange_n (&begun, true, __ATOMIC_ACQ_REL))
    {
      const struct hint_choice *const choice
	= __atomic_load_n (&hint_chosen, __ATOMIC_ACQUIRE);
      return choice != NULL ? choice : &none;
    }
  choose (&the_choice);
  __atomic_store_n (&hint_chosen, &the_choice, __ATOMIC_RELEASE);
  return &the_choice;
}

__attribute__ ((visibility ("default"))) const char *
heapprof_hint_backend (void)
{
  const struct hint_backend *const backend = hint_choice ()->backend;
  return backend == NULL ? "none" : backend->name;
}

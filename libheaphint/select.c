/* Selection of this process's backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No function is called to find out: functions with the names of the C and C++
   libraries' may be the program's own and have side effects.  If the owner of a
   function cannot be determined, hints are ignored.  */

#include "select.h"
#include "bytes.h"
#include "definition.h"
#include "intercept.h"
#include "pool.h"
#include "text.h"
#include <elf.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))

/* Symbols of the heap profiler, and of sanitizers with an allocator: both must
   see the program's allocations unchanged.  */
extern void __heapprof_init_v1 (void) WEAK;
extern size_t __sanitizer_get_allocated_size (const void *) WEAK;

/* Missing if there is no C++ library.  A program may replace them.  */
extern void *_Znwm (size_t) WEAK;
extern void *_Znam (size_t) WEAK;
extern void *_ZnwmSt11align_val_t (size_t, size_t) WEAK;
extern void *_ZnamSt11align_val_t (size_t, size_t) WEAK;
extern void _ZdlPv (void *) WEAK;
extern void _ZdaPv (void *) WEAK;
extern void _ZdlPvSt11align_val_t (void *, size_t) WEAK;
extern void _ZdaPvSt11align_val_t (void *, size_t) WEAK;

const struct hint_choice *hint_chosen;
bool hint_pools_serve[HINT_OPERATORS];
bool hint_hot_is_plain;
bool hint_hot_is_passed;
size_t hint_deletes_range[HINT_OPERATORS];

/* The operators of each form, and the function that its delete jumps to in the
   C++ library.  */
static const struct operators
{
  enum hint_name allocate_name;
  const void *allocate;
  enum hint_name release_name;
  const void *release;
  enum hint_name leads_to_name;
  const void *leads_to;
} operators[HINT_OPERATORS]
  = { [HINT_OPERATOR] = { HINT_NEW, (void *) _Znwm, HINT_DELETE,
			  (void *) _ZdlPv, HINT_FREE, (void *) free },
      [HINT_OPERATOR_ARRAY]
      = { HINT_NEW_ARRAY, (void *) _Znam, HINT_DELETE_ARRAY, (void *) _ZdaPv,
	  HINT_DELETE, (void *) _ZdlPv },
      [HINT_OPERATOR_ALIGNED]
      = { HINT_NEW_ALIGNED, (void *) _ZnwmSt11align_val_t, HINT_DELETE_ALIGNED,
	  (void *) _ZdlPvSt11align_val_t, HINT_FREE, (void *) free },
      [HINT_OPERATOR_ALIGNED_ARRAY]
      = { HINT_NEW_ARRAY_ALIGNED, (void *) _ZnamSt11align_val_t,
	  HINT_DELETE_ARRAY_ALIGNED, (void *) _ZdaPvSt11align_val_t,
	  HINT_DELETE_ALIGNED, (void *) _ZdlPvSt11align_val_t } };

/* True if ONE is in the C++ library.  No program defines the first function
   looked up; the other is for C++ libraries without it.  */

static bool
is_of_library (struct hint_definition one)
{
  return one.module != NULL
	 && (one.module == hint_find_definition (HINT_THROW_BAD_ALLOC).module
	     || (!one.is_program
		 && one.module
		      == hint_find_definition (HINT_CXA_THROW).module));
}

/* True if the operator new NAME is the C++ library's, as far as its module
   shows.  Missing operators are never called.  In a static program everything
   is in one module.  */

static bool
new_is_of_library (enum hint_name name, const void *function)
{
  return function == NULL || hint_program_is_static ()
	 || is_of_library (hint_find_definition (name));
}

/* True if the operator delete of FORM is the C++ library's.  A definition in
   the program may also be, which its code then shows.  */

static bool
delete_is_of_library (const struct operators *form)
{
  if (form->release == NULL)
    return true;
  if (hint_program_is_static ())
    return hint_jumps_to (form->release, form->leads_to, form->leads_to_name);
  const struct hint_definition one = hint_find_definition (form->release_name);
  return is_of_library (one)
	 && (!one.is_program
	     || hint_jumps_to (one.address, form->leads_to,
			       form->leads_to_name));
}

static bool
free_is_ours (void)
{
  if (hint_program_is_static ())
    return hint_is_own_free ((const void *) free) && hint_wraps_library ();
  return hint_is_own_free (hint_find_definition (HINT_FREE).address);
}

/* Set SERVES to the operators that the pools can serve: the C++ library's,
   whose operators delete release by free, and array forms if the other forms
   are served.  */

static void
place_operators (bool *serves)
{
  for (unsigned i = 0; i < HINT_OPERATORS; i++)
    serves[i]
      = new_is_of_library (operators[i].allocate_name, operators[i].allocate)
	&& delete_is_of_library (&operators[i]);
  serves[HINT_OPERATOR_ARRAY] &= serves[HINT_OPERATOR];
  serves[HINT_OPERATOR_ALIGNED_ARRAY] &= serves[HINT_OPERATOR_ALIGNED];
}

/* Set SERVES for another allocator, which may define operators of its own.  */

static void
place_operators_of_allocator (bool *serves)
{
  const void *const allocator = hint_find_definition (HINT_MALLOC).module;
  for (unsigned i = 0; i < HINT_OPERATORS; i++)
    {
      const struct hint_definition one
	= hint_find_definition (operators[i].allocate_name);
      serves[i] = allocator != NULL
		  && (operators[i].allocate == NULL || is_of_library (one)
		      || one.module == allocator);
    }
}

/* The C library's getauxval, under a name that no program may define.  */
unsigned long __getauxval (unsigned long type);

/* Return the environment variable NAME; NULL in a program with more rights than
   its user, who must not influence it.  */

static const char *
environment (const char *name)
{
  return __getauxval (AT_SECURE) != 0 ? NULL : environment_value (name);
}

/* What the libraries that valgrind preloads say about it.  */
enum valgrind
{
  VALGRIND_ABSENT,
  VALGRIND_KEEPS_MALLOC,   /* none, cachegrind, callgrind, lackey */
  VALGRIND_REPLACES_MALLOC /* memcheck, dhat, massif, helgrind, drd */
};

static enum valgrind
find_valgrind (void)
{
  static const char library[] = "/vgpreload_";
  const char *preloaded = environment ("LD_PRELOAD");
  enum valgrind found = VALGRIND_ABSENT;
  for (; preloaded != NULL && *preloaded != '\0'; preloaded++)
    {
      const char *const tool = text_after (preloaded, library);
      if (tool == NULL)
	continue;
      /* Nothing is loaded into static programs.  */
      if (!text_begins (tool, "core") && !hint_program_is_static ())
	return VALGRIND_REPLACES_MALLOC;
      found = VALGRIND_KEEPS_MALLOC;
    }
  return found;
}

/* True if the heap profiler or a sanitizer is in the program.  */

static bool
is_examined (void)
{
  return __heapprof_init_v1 != NULL || __sanitizer_get_allocated_size != NULL;
}

bool
hint_sized_delete_frees (enum hint_operator form)
{
  static const enum hint_name sized[HINT_OPERATORS]
    = { [HINT_OPERATOR] = HINT_DELETE_SIZED,
	[HINT_OPERATOR_ARRAY] = HINT_DELETE_ARRAY_SIZED,
	[HINT_OPERATOR_ALIGNED] = HINT_DELETE_SIZED_ALIGNED,
	[HINT_OPERATOR_ALIGNED_ARRAY] = HINT_DELETE_ARRAY_SIZED_ALIGNED };
  const struct hint_definition one = hint_find_definition (sized[form]);
  if (is_examined () || find_valgrind () == VALGRIND_REPLACES_MALLOC
      || (one.module != NULL && (one.is_program || !is_of_library (one))))
    return false;
  for (unsigned i = 0; i < HINT_OPERATORS; i++)
    if (!delete_is_of_library (&operators[i]))
      return false;
  return true;
}

/* True if hints are turned off by the user, or because valgrind, as far as the
   user does not insist, is to see the program's own allocations.  */

static bool
is_switched_off (enum valgrind valgrind)
{
  const char *const value = environment ("HEAPHINT");
  if (value != NULL && text_is (value, "off"))
    return true;
  return valgrind != VALGRIND_ABSENT
	 && (value == NULL || !text_is (value, "force"));
}

/* Start the pools and set SERVES to the operators that they can serve.  Return
   NULL if blocks would not come back to them.  */

static const struct hint_backend *
start_pools (bool *serves, enum valgrind valgrind)
{
  if (!hint_pool_start ())
    return NULL;
  if (valgrind != VALGRIND_REPLACES_MALLOC)
    {
      place_operators (serves);
      for (unsigned i = 0; i < HINT_OPERATORS; i++)
	if (hint_sized_delete_frees (i))
	  __atomic_store_n (&hint_deletes_range[i], hint_range_bytes,
			    __ATOMIC_RELEASE);
    }
  /* The tool executes functions of its own in place of the C and C++
     libraries', operator delete among them, and of this library's free if the
     user names it with --soname-synonyms.  */
  else if (!hint_intercepts_calls ())
    return NULL;
  return &hint_pool_backend;
}

static void
choose (struct hint_choice *choice)
{
  const enum valgrind valgrind = find_valgrind ();
  const bool wanted = !is_switched_off (valgrind) && !is_examined ();
  if (wanted && valgrind != VALGRIND_REPLACES_MALLOC)
    {
      choice->backend = hint_jemalloc_backend ();
      if (choice->backend == NULL)
	choice->backend = hint_mimalloc_backend ();
    }
  if (choice->backend != NULL)
    {
      place_operators_of_allocator (choice->for_operator);
      __atomic_store_n (&hint_hot_is_plain, true, __ATOMIC_RELAXED);
      __atomic_store_n (&hint_hot_is_passed, !free_is_ours (),
			__ATOMIC_RELAXED);
      hint_area_start (false);
      return;
    }
  if (wanted && free_is_ours ())
    choice->backend = start_pools (choice->for_operator, valgrind);
  else
    hint_area_start (false);
}

const struct hint_choice *
hint_choose (void)
{
  static const struct hint_choice none;
  static struct hint_choice the_choice;
  static bool begun;
  if (__atomic_exchange_n (&begun, true, __ATOMIC_ACQ_REL))
    {
      const struct hint_choice *const choice
	= __atomic_load_n (&hint_chosen, __ATOMIC_ACQUIRE);
      return choice != NULL ? choice : &none;
    }
  choose (&the_choice);
  __atomic_store_n (&hint_are_ignored, the_choice.backend == NULL,
		    __ATOMIC_RELAXED);
  for (unsigned i = 0; i < HINT_OPERATORS; i++)
    __atomic_store_n (&hint_pools_serve[i],
		      the_choice.for_operator[i] && !hint_hot_is_plain,
		      __ATOMIC_RELEASE);
  __atomic_store_n (&hint_chosen, &the_choice, __ATOMIC_RELEASE);
  return &the_choice;
}

void *
hint_allocate (unsigned pool, size_t size, size_t alignment, bool zeroed)
{
  const struct hint_backend *const backend = hint_choice ()->backend;
  return backend == NULL || hint_is_plain (pool)
	   ? NULL
	   : backend->allocate (pool, size, alignment, zeroed);
}

__attribute__ ((visibility ("default"))) const char *
heapprof_hint_backend (void)
{
  const struct hint_backend *const backend = hint_choice ()->backend;
  return backend == NULL ? "none" : backend->name;
}

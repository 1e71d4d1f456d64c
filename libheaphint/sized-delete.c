/* C++'s sized operators delete, which otherwise come to free by way of two
   others.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The size does not help: a block's tag has to be read anyway for its pool, and
   has the size, too.  What is not in the range, or everything if there are no
   pools, goes to the next definition, or to plain free if that does the same.
   Only in the shared library: a static program has the C++ library's.  */

#include "cache.h"
#include "definition.h"
#include "intercept.h"
#include "select.h"
#include <stdlib.h>

#ifdef PIC

#define WEAK __attribute__ ((weak))
#define ENTRY WEAK __attribute__ ((visibility ("default")))

extern void _ZdlPv (void *) WEAK;
extern void _ZdaPv (void *) WEAK;
extern void _ZdlPvSt11align_val_t (void *, size_t) WEAK;
extern void _ZdaPvSt11align_val_t (void *, size_t) WEAK;

static void
free_sized_plain (void *data, size_t size)
{
  (void) size;
  hint_pass_on (data);
}

static void
free_aligned_sized_plain (void *data, size_t size, size_t alignment)
{
  (void) size;
  (void) alignment;
  hint_pass_on (data);
}

/* For a program that contains the C++ library: the linker does not add a sized
   operator, since there is the one here.  Do the same: call the one without a
   size, which may be the program's own.  */

static void
delete_plain (void *data, size_t size)
{
  (void) size;
  (_ZdlPv != NULL ? _ZdlPv : hint_pass_on) (data);
}

static void
delete_array_plain (void *data, size_t size)
{
  if (_ZdaPv != NULL)
    _ZdaPv (data);
  else
    delete_plain (data, size);
}

static void
delete_aligned_plain (void *data, size_t size, size_t alignment)
{
  (void) size;
  if (_ZdlPvSt11align_val_t != NULL)
    _ZdlPvSt11align_val_t (data, alignment);
  else
    hint_pass_on (data);
}

static void
delete_array_aligned_plain (void *data, size_t size, size_t alignment)
{
  if (_ZdaPvSt11align_val_t != NULL)
    _ZdaPvSt11align_val_t (data, alignment);
  else
    delete_aligned_plain (data, size, alignment);
}

#define DELETE(name, form, definition, simple, missing, arguments, ...)        \
  static void first_##name (__VA_ARGS__);                                      \
  static void (*next_##name) (__VA_ARGS__) = first_##name;                     \
  static void first_##name (__VA_ARGS__)                                       \
  {                                                                            \
    void (*const found) (__VA_ARGS__)                                          \
      = (void (*) (__VA_ARGS__)) hint_find_definition (definition).address;    \
    __atomic_store_n (&next_##name,                                            \
		      hint_sized_delete_frees (form) ? simple                  \
		      : found != NULL		     ? found                   \
						     : missing,                               \
		      __ATOMIC_RELAXED);                                       \
    next_##name arguments;                                                     \
  }                                                                            \
  ENTRY void name (__VA_ARGS__);                                               \
  ENTRY void name (__VA_ARGS__)                                                \
  {                                                                            \
    const size_t bytes                                                         \
      = __atomic_load_n (&hint_deletes_range[form], __ATOMIC_ACQUIRE);         \
    const size_t offset                                                        \
      = (uintptr_t) data                                                       \
	- __atomic_load_n (&hint_range_start, __ATOMIC_RELAXED);               \
    if (offset >= bytes)                                                       \
      next_##name arguments;                                                   \
    else if (!hint_cache_give (data, offset))                                  \
      free (data);                                                             \
  }

DELETE (_ZdlPvm, HINT_OPERATOR, HINT_DELETE_SIZED, free_sized_plain,
	delete_plain, (data, size), void *data, size_t size)
DELETE (_ZdaPvm, HINT_OPERATOR_ARRAY, HINT_DELETE_ARRAY_SIZED, free_sized_plain,
	delete_array_plain, (data, size), void *data, size_t size)
DELETE (_ZdlPvmSt11align_val_t, HINT_OPERATOR_ALIGNED,
	HINT_DELETE_SIZED_ALIGNED, free_aligned_sized_plain,
	delete_aligned_plain, (data, size, alignment), void *data, size_t size,
	size_t alignment)
DELETE (_ZdaPvmSt11align_val_t, HINT_OPERATOR_ALIGNED_ARRAY,
	HINT_DELETE_ARRAY_SIZED_ALIGNED, free_aligned_sized_plain,
	delete_array_aligned_plain, (data, size, alignment), void *data,
	size_t size, size_t alignment)

#endif

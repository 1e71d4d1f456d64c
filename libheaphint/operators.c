/* The C++ operators new with a hint, under the names that tcmalloc gives them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Written in C under their mangled names, so that no C++ library is needed.
   They are weak: tcmalloc's own ones come first.  What no backend serves, and
   what fails, goes to the plain operator, which calls the new-handler and
   throws.  A program that replaces the plain operators gets its own.

   The hint is a number of 8 bits in an int's register; compilers differ on who
   clears the rest.  */

#include "select.h"
#include "system.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))
#define ENTRY WEAK __attribute__ ((visibility ("default")))

/* Memory for an operator new whose operator delete is FORM; NULL if the plain
   operator is to be called.  */

static inline void *
allocate (enum hint_operator form, size_t size, size_t alignment, int hint)
{
  const enum hint_kind kind = hint_kind_of (hint & 0xff);
  if (kind == HINT_PLAIN)
    return NULL;
  const struct hint_choice *const choice = hint_choice ();
  if (!choice->for_operator[form])
    return NULL;
  return choice->backend->allocate (kind, size, alignment, false);
}

/* The shared library must load into C programs, too.  The archive's operators
   are taken by programs that have a C++ library, which must give the plain ones
   even if nothing else calls them.  */
#ifdef PIC
#define PLAIN WEAK
#define CALL_PLAIN(name, arguments, fallback)                                  \
  (name != NULL ? name arguments : fallback)

extern void *_Znwm (size_t) WEAK;
extern void *_Znam (size_t) WEAK;
extern void *_ZnwmSt11align_val_t (size_t, size_t) WEAK;
extern void *_ZnamSt11align_val_t (size_t, size_t) WEAK;

/* For a C++ program that calls no other function of the C++ library than these,
   so that the linker, told --as-needed, has left it out.  There is no
   new-handler then, and nobody to catch an exception; MAY_FAIL says whether the
   program expects NULL.  */

static void *
without_library (size_t size, size_t alignment, bool may_fail)
{
  void *data = NULL;
  if (alignment <= _Alignof(max_align_t))
    data = malloc (size > 0 ? size : 1);
  else if (posix_memalign (&data, alignment, size > 0 ? size : 1) != 0)
    data = NULL;
  if (data == NULL && !may_fail)
    hint_abort ();
  return data;
}

/* A program that has the C++ library as part of itself lacks the operators that
   it does not call: what these would call there, which may be the program's
   own.  One that throws does so here even if the absent one would not.  */

static void *
plain_new (void *(*form) (size_t), size_t size, bool may_fail)
{
  if (form == NULL)
    form = _Znwm;
  return form != NULL ? form (size)
		      : without_library (size, HINT_ALIGNMENT, may_fail);
}

static void *
plain_aligned_new (void *(*form) (size_t, size_t), size_t size,
		   size_t alignment, bool may_fail)
{
  if (form == NULL)
    form = _ZnwmSt11align_val_t;
  return form != NULL ? form (size, alignment)
		      : without_library (size, alignment, may_fail);
}
#else
#define PLAIN
#define CALL_PLAIN(name, arguments, fallback) (name arguments)
#endif

/* NAME is the mangled name of the operator without a hint.  */
#define OPERATOR_NEW(name, form, alignment, arguments, fallback, ...)          \
  extern void *name (__VA_ARGS__) PLAIN;                                       \
  ENTRY void *name##12__hot_cold_t(__VA_ARGS__, int hint);                     \
  ENTRY void *name##12__hot_cold_t(__VA_ARGS__, int hint)                      \
  {                                                                            \
    void *const data = allocate (form, size, alignment, hint);                 \
    return data != NULL ? data : CALL_PLAIN (name, arguments, fallback);       \
  }

#define FORMS(new, form, aligned_form)                                         \
  OPERATOR_NEW (new, form, HINT_ALIGNMENT, (size),                             \
		plain_new (new, size, false), size_t size)                     \
  OPERATOR_NEW (new##RKSt9nothrow_t, form, HINT_ALIGNMENT, (size, nothrow),    \
		plain_new (new, size, true), size_t size, const void *nothrow) \
  OPERATOR_NEW (new##St11align_val_t, aligned_form, alignment,                 \
		(size, alignment),                                             \
		plain_aligned_new (new##St11align_val_t, size, alignment,      \
				   false),                                     \
		size_t size, size_t alignment)                                 \
  OPERATOR_NEW (new##St11align_val_tRKSt9nothrow_t, aligned_form, alignment,   \
		(size, alignment, nothrow),                                    \
		plain_aligned_new (new##St11align_val_t, size, alignment,      \
				   true),                                      \
		size_t size, size_t alignment, const void *nothrow)

FORMS (_Znwm, HINT_OPERATOR, HINT_OPERATOR_ALIGNED)
FORMS (_Znam, HINT_OPERATOR_ARRAY, HINT_OPERATOR_ALIGNED_ARRAY)

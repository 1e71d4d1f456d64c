/* The C++ operators new with a hint, under tcmalloc's names for them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Written in C under their mangled names, so that no C++ library is needed.
   They are weak: tcmalloc's own take precedence.  Calls that no backend serves,
   or that fail, go to the plain operator, which calls the new-handler and
   throws.  A program that replaces the plain operators gets its own.

   The hint is an 8-bit number in an int's register; compilers differ on who
   clears the other bits.  */

#include "cache.h"
#include "hint-token.h"
#include "select.h"
#include "system.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))
#define ENTRY WEAK __attribute__ ((visibility ("default")))

/* Store in *DATA memory of POOL for an operator new whose operator delete is
   FORM, if it is at hand; or return false.  */

static inline bool
take (enum hint_operator form, size_t size, unsigned pool, void **data)
{
  return __atomic_load_n (&hint_pools_serve[form], __ATOMIC_RELAXED)
	 && hint_cache_take (pool, size, data);
}

/* The same, whatever it takes; NULL if the plain operator must be called.  */

static void *
allocate (enum hint_operator form, size_t size, size_t alignment, unsigned pool)
{
  if (pool == HINT_NO_POOL)
    return NULL;
  const struct hint_choice *const choice = hint_choice ();
  if (!choice->for_operator[form] || hint_is_plain (pool))
    return NULL;
  return choice->backend->allocate (pool, size, alignment, false);
}

/* The shared library must also load into C programs.  The archive's operators
   are linked only into programs that have a C++ library; that must provide the
   plain ones even if nothing else calls them.  */
#ifdef PIC
/* A jump to the operator's address, without the linker's jump in between.  */
#if __has_attribute(noplt)
#define NOPLT __attribute__ ((noplt))
#else
#define NOPLT
#endif
#define PLAIN WEAK NOPLT
#define HAS_PLAIN(name) (name != NULL)
#define CALL_PLAIN(name, arguments, fallback)                                  \
  (name != NULL ? name arguments : fallback)

extern void *_Znwm (size_t) WEAK;
extern void *_Znam (size_t) WEAK;
extern void *_ZnwmSt11align_val_t (size_t, size_t) WEAK;
extern void *_ZnamSt11align_val_t (size_t, size_t) WEAK;

/* For C++ programs that call no other functions of the C++ library, so that the
   linker dropped it because of --as-needed.  Then there is no new-handler, and
   no code that catches an exception; MAY_FAIL is true if the caller expects
   NULL.  */

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

/* A program that contains the C++ library is missing the operators that it does
   not call.  Call the one that the missing operator would call, which may be
   the program's own.  If that throws, so does this, even if the missing one
   would not.  */

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
#define HAS_PLAIN(name) true
#define CALL_PLAIN(name, arguments, fallback) (name arguments)
#endif

/* Define NAME_by_hint, and declare the operator with a hint.  NAME is the
   mangled name of the operator without.  What is rare is in a function of its
   own, so that the other one has nothing to save.  */
#define OPERATOR_NEW(name, form, alignment, arguments, passed, fallback, ...)  \
  extern void *name (__VA_ARGS__) PLAIN;                                       \
  static __attribute__ ((noinline)) void *name##_slowly (__VA_ARGS__,          \
							 unsigned pool)        \
  {                                                                            \
    void *const data = allocate (form, size, alignment, pool);                 \
    return data != NULL ? data                                                 \
			: PLAIN_CALL (CALL_PLAIN (name, arguments, fallback)); \
  }                                                                            \
  static inline void *name##_by_hint (__VA_ARGS__, int hint)                   \
  {                                                                            \
    const unsigned pool = hint_pool_of (hint & 0xff);                          \
    if (pool == HINT_NO_POOL && !HAS_TOKEN && HAS_PLAIN (name))                \
      return name arguments;                                                   \
    void *data;                                                                \
    if (__builtin_constant_p (alignment) && pool != HINT_NO_POOL               \
	&& take (form, size, pool, &data))                                     \
      return data;                                                             \
    if (pool != HINT_NO_POOL && hint_is_plain (pool) && !HAS_TOKEN             \
	&& HAS_PLAIN (name))                                                   \
      return name arguments;                                                   \
    return name##_slowly passed;                                               \
  }                                                                            \
  ENTRY void *name##12__hot_cold_t(__VA_ARGS__, int hint)

/* The route of the operator new NAME is known once the backend is chosen.  Its
   blocks come back through the operator delete of FORM.  */
#define ROUTED(name, form)                                                     \
  static void *name##_from_pools (size_t size, int hint)                       \
  {                                                                            \
    const unsigned pool = hint_pool_of (hint & 0xff);                          \
    void *data;                                                                \
    return pool != HINT_NO_POOL && hint_cache_take (pool, size, &data)         \
	     ? data                                                            \
	     : name##_by_hint (size, hint);                                    \
  }                                                                            \
  static void *name##_unless_cold (size_t size, int hint)                      \
  {                                                                            \
    return hint_may_be_hot (hint) ? name (size) : name##_by_hint (size, hint); \
  }                                                                            \
  static void *name##_first (size_t size, int hint);                           \
  static void *(*name##_route) (size_t size, int hint) = name##_first;         \
  static void *name##_first (size_t size, int hint)                            \
  {                                                                            \
    if (hint_pool_of (hint & 0xff) != HINT_NO_POOL)                            \
      {                                                                        \
	hint_choice ();                                                        \
	if (hint_is_chosen ())                                                 \
	  __atomic_store_n (&name##_route,                                     \
			    hint_hot_is_passed &&HAS_PLAIN (name)              \
			      ? name##_unless_cold                             \
			    : hint_pools_serve[form] ? name##_from_pools       \
						     : name##_by_hint,         \
			    __ATOMIC_RELAXED);                                 \
      }                                                                        \
    return name##_by_hint (size, hint);                                        \
  }                                                                            \
  ENTRY void *name##12__hot_cold_t(size_t size, int hint)                      \
  {                                                                            \
    return __atomic_load_n (&name##_route, __ATOMIC_RELAXED) (size, hint);     \
  }

/* The others find it out in each call.  */
#define UNROUTED(name, arguments, ...)                                         \
  ENTRY void *name##12__hot_cold_t(__VA_ARGS__, int hint)                      \
  {                                                                            \
    return name##_by_hint arguments;                                           \
  }

#define FORMS(new, form, aligned_form)                                         \
  OPERATOR_NEW (new, form, HINT_ALIGNMENT, (size), (size, pool),               \
		plain_new (new, size, false), size_t size);                    \
  ROUTED (new, form)                                                           \
  OPERATOR_NEW (new##RKSt9nothrow_t, form, HINT_ALIGNMENT, (size, nothrow),    \
		(size, nothrow, pool), plain_new (new, size, true),            \
		size_t size, const void *nothrow);                             \
  UNROUTED (new##RKSt9nothrow_t, (size, nothrow, hint), size_t size,           \
	    const void *nothrow)                                               \
  OPERATOR_NEW (new##St11align_val_t, aligned_form, alignment,                 \
		(size, alignment), (size, alignment, pool),                    \
		plain_aligned_new (new##St11align_val_t, size, alignment,      \
				   false),                                     \
		size_t size, size_t alignment);                                \
  UNROUTED (new##St11align_val_t, (size, alignment, hint), size_t size,        \
	    size_t alignment)                                                  \
  OPERATOR_NEW (new##St11align_val_tRKSt9nothrow_t, aligned_form, alignment,   \
		(size, alignment, nothrow), (size, alignment, nothrow, pool),  \
		plain_aligned_new (new##St11align_val_t, size, alignment,      \
				   true),                                      \
		size_t size, size_t alignment, const void *nothrow);           \
  UNROUTED (new##St11align_val_tRKSt9nothrow_t,                                \
	    (size, alignment, nothrow, hint), size_t size, size_t alignment,   \
	    const void *nothrow)

FORMS (_Znwm, HINT_OPERATOR, HINT_OPERATOR_ALIGNED)
FORMS (_Znam, HINT_OPERATOR_ARRAY, HINT_OPERATOR_ALIGNED_ARRAY)

/* The C++ allocation functions: operators new and delete in all their forms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Written in C under their mangled names, so that C programs need no C++
   library.  The new-handler and the exception are reached through weak
   references.  All operators are weak, so that a program that defines its own
   still links; the others then call those as the standard specifies.  */

#include "catch.h"
#include "frame.h"
#include "log.h"
#include "next.h"
#include "replaced.h"
#include "route.h"
#include "sample.h"
#include "sys.h"
#include <stdlib.h>

#define FRAME MACHINE_FRAME

typedef void (*new_handler) (void);
typedef void *allocator (size_t, size_t, const void *);

/* std::get_new_handler and std::__throw_bad_alloc.  */
extern new_handler get_new_handler (void) __asm__("_ZSt15get_new_handlerv")
  __attribute__ ((weak));
extern void throw_bad_alloc (void) __asm__("_ZSt17__throw_bad_allocv")
  __attribute__ ((weak));

/* Allocate from the C functions' allocator.  */

static void *
get_memory (size_t size, size_t alignment, const void *frame)
{
  if (!RT_IS_REPLACED (malloc))
    return rt_memory.allocate (size, alignment, false, frame);
  return alignment > RT_LEAST_ALIGNMENT
	   ? aligned_alloc (alignment, (size + alignment - 1) & -alignment)
	   : malloc (size);
}

static new_handler
current_handler (void)
{
  return get_new_handler == NULL ? NULL : get_new_handler ();
}

static void *
allocate (size_t size, size_t alignment, const void *frame)
{
  for (;;)
    {
      void *const data = get_memory (size, alignment, frame);
      if (data != NULL)
	return data;
      const new_handler handler = current_handler ();
      if (handler == NULL)
	break;
      handler ();
    }
  if (throw_bad_alloc != NULL)
    throw_bad_alloc ();
  rt_log ("operator new: out of memory, and no C++ library to throw");
  sys_abort ();
}

static void *
allocate_nothrow (size_t size, size_t alignment, const void *frame)
{
  void *const data = get_memory (size, alignment, frame);
  if (data != NULL || current_handler () == NULL)
    return data;
  return rt_call_catching (allocate, size, alignment, frame);
}

static void
release (void *data)
{
  if (data == NULL)
    return;
  if (RT_IS_REPLACED (malloc))
    free (data);
  else
    rt_memory.release (data);
}

void *rt_new_next (size_t size) __attribute__ ((visibility ("hidden")));
void *rt_new_due (size_t size) __attribute__ ((visibility ("hidden")));

/* operator new and new[] with samples, if the program has replaced nothing.  */

RT_SAMPLE_CODE ("rt_sample_new", MACHINE_JUMP ("rt_new_next"), "rt_new_due");

void *
rt_new_next (size_t size)
{
  void *const data = rt_next_malloc (size);
  return data != NULL ? data : allocate (size, RT_LEAST_ALIGNMENT, FRAME);
}

void *
rt_new_due (size_t size)
{
  void *const data = rt_sample_counted (size, FRAME);
  return data != NULL ? data : allocate (size, RT_LEAST_ALIGNMENT, FRAME);
}

/* NAME is the mangled name, followed by the parameter declarations.  If the
   function that NAME calls according to the standard is REPLACED, use CALL,
   otherwise do the work directly.  NEXT and SAMPLED are those of RT_ROUTED.  */
#define OPERATOR_NEW(name, next, sampled, alignment, allocate, replaced, call, \
		     ...)                                                      \
  RT_ROUTED (void *, name, (__VA_ARGS__), next, sampled)                       \
  RT_OWN (name);                                                               \
  void *rt_exact_##name (__VA_ARGS__)                                          \
  {                                                                            \
    if (replaced)                                                              \
      return call;                                                             \
    return allocate (size, alignment, FRAME);                                  \
  }

#define OPERATOR_DELETE(name, sampled, replaced, call, ...)                    \
  RT_ROUTED (void, name, (__VA_ARGS__), name, sampled)                         \
  RT_OWN (name);                                                               \
  void rt_exact_##name (__VA_ARGS__)                                           \
  {                                                                            \
    if (replaced)                                                              \
      call;                                                                    \
    else                                                                       \
      release (data);                                                          \
  }

#define CATCHING(name, alignment)                                              \
  rt_call_catching ((allocator *) (void *) name, size, alignment, NULL)

/* Operators with hints also call others under valgrind, which does not
   recognize them.  */
#define HINTED_IS_REPLACED(name)                                               \
  (RT_IS_REPLACED (name) || rt_malloc_is_foreign ())

#define UNUSED __attribute__ ((unused))
#define NOTHROW const void *nothrow UNUSED
#define HINT unsigned char hint UNUSED /* LLVM's __hot_cold_t */

/* operator new */
OPERATOR_NEW (_Znwm, _Znwm, rt_sample_new, RT_LEAST_ALIGNMENT, allocate, false,
	      NULL, size_t size)
OPERATOR_NEW (_ZnwmSt11align_val_t, _ZnwmSt11align_val_t,
	      rt_exact__ZnwmSt11align_val_t, alignment, allocate, false, NULL,
	      size_t size, size_t alignment)
OPERATOR_NEW (_ZnwmRKSt9nothrow_t, _ZnwmRKSt9nothrow_t,
	      rt_exact__ZnwmRKSt9nothrow_t, RT_LEAST_ALIGNMENT,
	      allocate_nothrow, RT_IS_REPLACED (_Znwm), CATCHING (_Znwm, 0),
	      size_t size, NOTHROW)
OPERATOR_NEW (_ZnwmSt11align_val_tRKSt9nothrow_t,
	      _ZnwmSt11align_val_tRKSt9nothrow_t,
	      rt_exact__ZnwmSt11align_val_tRKSt9nothrow_t, alignment,
	      allocate_nothrow, RT_IS_REPLACED (_ZnwmSt11align_val_t),
	      CATCHING (_ZnwmSt11align_val_t, alignment), size_t size,
	      size_t alignment, NOTHROW)
OPERATOR_NEW (_Znwm12__hot_cold_t, _Znwm, rt_exact__Znwm12__hot_cold_t,
	      RT_LEAST_ALIGNMENT, allocate, HINTED_IS_REPLACED (_Znwm),
	      _Znwm (size), size_t size, HINT)
OPERATOR_NEW (_ZnwmRKSt9nothrow_t12__hot_cold_t, _ZnwmRKSt9nothrow_t,
	      rt_exact__ZnwmRKSt9nothrow_t12__hot_cold_t, RT_LEAST_ALIGNMENT,
	      allocate_nothrow, HINTED_IS_REPLACED (_Znwm), CATCHING (_Znwm, 0),
	      size_t size, NOTHROW, HINT)
OPERATOR_NEW (_ZnwmSt11align_val_t12__hot_cold_t, _ZnwmSt11align_val_t,
	      rt_exact__ZnwmSt11align_val_t12__hot_cold_t, alignment, allocate,
	      HINTED_IS_REPLACED (_ZnwmSt11align_val_t),
	      _ZnwmSt11align_val_t (size, alignment), size_t size,
	      size_t alignment, HINT)
OPERATOR_NEW (_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t,
	      _ZnwmSt11align_val_tRKSt9nothrow_t,
	      rt_exact__ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t,
	      alignment, allocate_nothrow,
	      HINTED_IS_REPLACED (_ZnwmSt11align_val_t),
	      CATCHING (_ZnwmSt11align_val_t, alignment), size_t size,
	      size_t alignment, NOTHROW, HINT)

/* operator new[] */
OPERATOR_NEW (_Znam, _Znam, rt_sample_new, RT_LEAST_ALIGNMENT, allocate,
	      RT_IS_REPLACED (_Znwm), _Znwm (size), size_t size)
OPERATOR_NEW (_ZnamSt11align_val_t, _ZnamSt11align_val_t,
	      rt_exact__ZnamSt11align_val_t, alignment, allocate,
	      RT_IS_REPLACED (_ZnwmSt11align_val_t),
	      _ZnwmSt11align_val_t (size, alignment), size_t size,
	      size_t alignment)

#define ARRAY_NEW_IS_REPLACED (RT_IS_REPLACED (_Znwm) || RT_IS_REPLACED (_Znam))
#define ALIGNED_ARRAY_NEW_IS_REPLACED                                          \
  (RT_IS_REPLACED (_ZnwmSt11align_val_t)                                       \
   || RT_IS_REPLACED (_ZnamSt11align_val_t))
#define HINTED_ARRAY_IS_REPLACED                                               \
  (ARRAY_NEW_IS_REPLACED || rt_malloc_is_foreign ())
#define ALIGNED_HINTED_ARRAY_IS_REPLACED                                       \
  (ALIGNED_ARRAY_NEW_IS_REPLACED || rt_malloc_is_foreign ())

OPERATOR_NEW (_ZnamRKSt9nothrow_t, _ZnamRKSt9nothrow_t,
	      rt_exact__ZnamRKSt9nothrow_t, RT_LEAST_ALIGNMENT,
	      allocate_nothrow, ARRAY_NEW_IS_REPLACED, CATCHING (_Znam, 0),
	      size_t size, NOTHROW)
OPERATOR_NEW (_ZnamSt11align_val_tRKSt9nothrow_t,
	      _ZnamSt11align_val_tRKSt9nothrow_t,
	      rt_exact__ZnamSt11align_val_tRKSt9nothrow_t, alignment,
	      allocate_nothrow, ALIGNED_ARRAY_NEW_IS_REPLACED,
	      CATCHING (_ZnamSt11align_val_t, alignment), size_t size,
	      size_t alignment, NOTHROW)
OPERATOR_NEW (_Znam12__hot_cold_t, _Znam, rt_exact__Znam12__hot_cold_t,
	      RT_LEAST_ALIGNMENT, allocate, HINTED_ARRAY_IS_REPLACED,
	      _Znam (size), size_t size, HINT)
OPERATOR_NEW (_ZnamRKSt9nothrow_t12__hot_cold_t, _ZnamRKSt9nothrow_t,
	      rt_exact__ZnamRKSt9nothrow_t12__hot_cold_t, RT_LEAST_ALIGNMENT,
	      allocate_nothrow, HINTED_ARRAY_IS_REPLACED, CATCHING (_Znam, 0),
	      size_t size, NOTHROW, HINT)
OPERATOR_NEW (_ZnamSt11align_val_t12__hot_cold_t, _ZnamSt11align_val_t,
	      rt_exact__ZnamSt11align_val_t12__hot_cold_t, alignment, allocate,
	      ALIGNED_HINTED_ARRAY_IS_REPLACED,
	      _ZnamSt11align_val_t (size, alignment), size_t size,
	      size_t alignment, HINT)
OPERATOR_NEW (_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t,
	      _ZnamSt11align_val_tRKSt9nothrow_t,
	      rt_exact__ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t,
	      alignment, allocate_nothrow, ALIGNED_HINTED_ARRAY_IS_REPLACED,
	      CATCHING (_ZnamSt11align_val_t, alignment), size_t size,
	      size_t alignment, NOTHROW, HINT)

/* operator delete */
OPERATOR_DELETE (_ZdlPv, rt_sample_free, false, (void) 0, void *data)
OPERATOR_DELETE (_ZdlPvSt11align_val_t, rt_exact__ZdlPvSt11align_val_t, false,
		 (void) 0, void *data, size_t alignment UNUSED)
OPERATOR_DELETE (_ZdlPvm, rt_sample_free, RT_IS_REPLACED (_ZdlPv),
		 _ZdlPv (data), void *data, size_t size UNUSED)
OPERATOR_DELETE (_ZdlPvRKSt9nothrow_t, rt_exact__ZdlPvRKSt9nothrow_t,
		 RT_IS_REPLACED (_ZdlPv), _ZdlPv (data), void *data, NOTHROW)
OPERATOR_DELETE (_ZdlPvmSt11align_val_t, rt_exact__ZdlPvmSt11align_val_t,
		 RT_IS_REPLACED (_ZdlPvSt11align_val_t),
		 _ZdlPvSt11align_val_t (data, alignment), void *data,
		 size_t size UNUSED, size_t alignment)
OPERATOR_DELETE (_ZdlPvSt11align_val_tRKSt9nothrow_t,
		 rt_exact__ZdlPvSt11align_val_tRKSt9nothrow_t,
		 RT_IS_REPLACED (_ZdlPvSt11align_val_t),
		 _ZdlPvSt11align_val_t (data, alignment), void *data,
		 size_t alignment, NOTHROW)

/* operator delete[] */
OPERATOR_DELETE (_ZdaPv, rt_sample_free, RT_IS_REPLACED (_ZdlPv), _ZdlPv (data),
		 void *data)
OPERATOR_DELETE (_ZdaPvSt11align_val_t, rt_exact__ZdaPvSt11align_val_t,
		 RT_IS_REPLACED (_ZdlPvSt11align_val_t),
		 _ZdlPvSt11align_val_t (data, alignment), void *data,
		 size_t alignment UNUSED)

#define ARRAY_DELETE_IS_REPLACED                                               \
  (RT_IS_REPLACED (_ZdlPv) || RT_IS_REPLACED (_ZdaPv))
#define ALIGNED_ARRAY_DELETE_IS_REPLACED                                       \
  (RT_IS_REPLACED (_ZdlPvSt11align_val_t)                                      \
   || RT_IS_REPLACED (_ZdaPvSt11align_val_t))

OPERATOR_DELETE (_ZdaPvm, rt_sample_free, ARRAY_DELETE_IS_REPLACED,
		 _ZdaPv (data), void *data, size_t size UNUSED)
OPERATOR_DELETE (_ZdaPvRKSt9nothrow_t, rt_exact__ZdaPvRKSt9nothrow_t,
		 ARRAY_DELETE_IS_REPLACED, _ZdaPv (data), void *data, NOTHROW)
OPERATOR_DELETE (_ZdaPvmSt11align_val_t, rt_exact__ZdaPvmSt11align_val_t,
		 ALIGNED_ARRAY_DELETE_IS_REPLACED,
		 _ZdaPvSt11align_val_t (data, alignment), void *data,
		 size_t size UNUSED, size_t alignment)
OPERATOR_DELETE (_ZdaPvSt11align_val_tRKSt9nothrow_t,
		 rt_exact__ZdaPvSt11align_val_tRKSt9nothrow_t,
		 ALIGNED_ARRAY_DELETE_IS_REPLACED,
		 _ZdaPvSt11align_val_t (data, alignment), void *data,
		 size_t alignment, NOTHROW)

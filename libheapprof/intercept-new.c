/* The C++ allocation functions: operators new and delete in all their forms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Written in C under their mangled names, so that C programs need no C++
   library.  What C++ offers, the new-handler and the exception, is reached
   through weak references.  All are weak, so that a program that defines its
   own operators still links.

   A new-handler that throws out of a nothrow form is not caught here.  */

#include "abi-symbols.h"
#include "log.h"
#include "profile.h"
#include <stdlib.h>

#define ENTRY RT_PUBLIC __attribute__ ((weak))
#define FRAME __builtin_frame_address (0)

typedef void (*new_handler) (void);

/* std::get_new_handler and std::__throw_bad_alloc.  */
extern new_handler get_new_handler (void)
  __asm__ ("_ZSt15get_new_handlerv") __attribute__ ((weak));
extern void throw_bad_alloc (void)
  __asm__ ("_ZSt17__throw_bad_allocv") __attribute__ ((weak));

static void *
allocate_nothrow (size_t size, size_t alignment, const void *frame)
{
  if (alignment < RT_BLOCK_ALIGNMENT)
    alignment = RT_BLOCK_ALIGNMENT;
  for (;;)
    {
      void *const data = rt_allocate (size, alignment, false, frame);
      const new_handler handler
	= data == NULL && get_new_handler != NULL ? get_new_handler () : NULL;
      if (handler == NULL)
	return data;
      handler ();
    }
}

static void *
allocate (size_t size, size_t alignment, const void *frame)
{
  void *const data = allocate_nothrow (size, alignment, frame);
  if (data != NULL)
    return data;
  if (throw_bad_alloc != NULL)
    throw_bad_alloc ();
  rt_log ("operator new: out of memory, and no C++ library to throw");
  abort ();
}

static void
release (void *data)
{
  if (data != NULL)
    rt_release (data);
}

/* NAME is the mangled name; the parameters that follow the size are declared
   as they are passed.  */
#define OPERATOR_NEW(name, alignment, allocator, ...)			      \
  ENTRY void *name (__VA_ARGS__);					      \
  ENTRY void *								      \
  name (__VA_ARGS__)							      \
  {									      \
    return allocator (size, alignment, FRAME);				      \
  }

#define OPERATOR_DELETE(name, ...)					      \
  ENTRY void name (__VA_ARGS__);					      \
  ENTRY void								      \
  name (__VA_ARGS__)							      \
  {									      \
    release (data);							      \
  }

#define UNUSED __attribute__ ((unused))
#define NOTHROW const void *nothrow UNUSED
#define HINT unsigned char hint UNUSED	/* LLVM's __hot_cold_t */

/* operator new */
OPERATOR_NEW (_Znwm,
	      RT_BLOCK_ALIGNMENT, allocate,
	      size_t size)
OPERATOR_NEW (_ZnwmRKSt9nothrow_t,
	      RT_BLOCK_ALIGNMENT, allocate_nothrow,
	      size_t size, NOTHROW)
OPERATOR_NEW (_ZnwmSt11align_val_t,
	      alignment, allocate,
	      size_t size, size_t alignment)
OPERATOR_NEW (_ZnwmSt11align_val_tRKSt9nothrow_t,
	      alignment, allocate_nothrow,
	      size_t size, size_t alignment, NOTHROW)
OPERATOR_NEW (_Znwm12__hot_cold_t,
	      RT_BLOCK_ALIGNMENT, allocate,
	      size_t size, HINT)
OPERATOR_NEW (_ZnwmRKSt9nothrow_t12__hot_cold_t,
	      RT_BLOCK_ALIGNMENT, allocate_nothrow,
	      size_t size, NOTHROW, HINT)
OPERATOR_NEW (_ZnwmSt11align_val_t12__hot_cold_t,
	      alignment, allocate,
	      size_t size, size_t alignment, HINT)
OPERATOR_NEW (_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t,
	      alignment, allocate_nothrow,
	      size_t size, size_t alignment, NOTHROW, HINT)

/* operator new[] */
OPERATOR_NEW (_Znam,
	      RT_BLOCK_ALIGNMENT, allocate,
	      size_t size)
OPERATOR_NEW (_ZnamRKSt9nothrow_t,
	      RT_BLOCK_ALIGNMENT, allocate_nothrow,
	      size_t size, NOTHROW)
OPERATOR_NEW (_ZnamSt11align_val_t,
	      alignment, allocate,
	      size_t size, size_t alignment)
OPERATOR_NEW (_ZnamSt11align_val_tRKSt9nothrow_t,
	      alignment, allocate_nothrow,
	      size_t size, size_t alignment, NOTHROW)
OPERATOR_NEW (_Znam12__hot_cold_t,
	      RT_BLOCK_ALIGNMENT, allocate,
	      size_t size, HINT)
OPERATOR_NEW (_ZnamRKSt9nothrow_t12__hot_cold_t,
	      RT_BLOCK_ALIGNMENT, allocate_nothrow,
	      size_t size, NOTHROW, HINT)
OPERATOR_NEW (_ZnamSt11align_val_t12__hot_cold_t,
	      alignment, allocate,
	      size_t size, size_t alignment, HINT)
OPERATOR_NEW (_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t,
	      alignment, allocate_nothrow,
	      size_t size, size_t alignment, NOTHROW, HINT)

/* operator delete */
OPERATOR_DELETE (_ZdlPv, void *data)
OPERATOR_DELETE (_ZdlPvm, void *data, size_t size UNUSED)
OPERATOR_DELETE (_ZdlPvRKSt9nothrow_t, void *data, NOTHROW)
OPERATOR_DELETE (_ZdlPvSt11align_val_t, void *data, size_t alignment UNUSED)
OPERATOR_DELETE (_ZdlPvmSt11align_val_t,
		 void *data, size_t size UNUSED, size_t alignment UNUSED)
OPERATOR_DELETE (_ZdlPvSt11align_val_tRKSt9nothrow_t,
		 void *data, size_t alignment UNUSED, NOTHROW)

/* operator delete[] */
OPERATOR_DELETE (_ZdaPv, void *data)
OPERATOR_DELETE (_ZdaPvm, void *data, size_t size UNUSED)
OPERATOR_DELETE (_ZdaPvRKSt9nothrow_t, void *data, NOTHROW)
OPERATOR_DELETE (_ZdaPvSt11align_val_t, void *data, size_t alignment UNUSED)
OPERATOR_DELETE (_ZdaPvmSt11align_val_t,
		 void *data, size_t size UNUSED, size_t alignment UNUSED)
OPERATOR_DELETE (_ZdaPvSt11align_val_tRKSt9nothrow_t,
		 void *data, size_t alignment UNUSED, NOTHROW)

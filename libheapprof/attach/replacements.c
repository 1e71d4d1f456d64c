/* The functions that replace the program's while the library is attached.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An original may call another function that is replaced: operator new calls
   malloc.  Only the outermost call is observed.  It is recognized by its frame,
   which is further out than those of the calls that it makes, so that a call
   that an exception or longjmp has ended does no harm.  */

#include "replacements.h"
#include "abi-symbols.h"
#include "complete.h"
#include "frame.h"
#include "module-closing.h"
#include "new-modules.h"
#include "observe-blocks.h"
#include "redirect.h"
#include "sys.h"

#define FRAME MACHINE_FRAME

/* What the compiler needs where exceptions pass: programs without the library
   that has these throw none.  */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume\n");

#define FUNCTIONS(DO)                                                          \
  DO (malloc)                                                                  \
  DO (calloc)                                                                  \
  DO (realloc)                                                                 \
  DO (reallocarray)                                                            \
  DO (free)                                                                    \
  DO (free_sized)                                                              \
  DO (free_aligned_sized)                                                      \
  DO (memalign)                                                                \
  DO (aligned_alloc)                                                           \
  DO (posix_memalign)                                                          \
  DO (valloc)                                                                  \
  DO (pvalloc)                                                                 \
  DO (_Znwm)                                                                   \
  DO (_Znam)                                                                   \
  DO (_ZnwmRKSt9nothrow_t)                                                     \
  DO (_ZnamRKSt9nothrow_t)                                                     \
  DO (_ZnwmSt11align_val_t)                                                    \
  DO (_ZnamSt11align_val_t)                                                    \
  DO (_ZnwmSt11align_val_tRKSt9nothrow_t)                                      \
  DO (_ZnamSt11align_val_tRKSt9nothrow_t)                                      \
  DO (_ZdlPv)                                                                  \
  DO (_ZdaPv)                                                                  \
  DO (_ZdlPvm)                                                                 \
  DO (_ZdaPvm)                                                                 \
  DO (_ZdlPvRKSt9nothrow_t)                                                    \
  DO (_ZdaPvRKSt9nothrow_t)                                                    \
  DO (_ZdlPvSt11align_val_t)                                                   \
  DO (_ZdaPvSt11align_val_t)                                                   \
  DO (_ZdlPvmSt11align_val_t)                                                  \
  DO (_ZdaPvmSt11align_val_t)                                                  \
  DO (_ZdlPvSt11align_val_tRKSt9nothrow_t)                                     \
  DO (_ZdaPvSt11align_val_tRKSt9nothrow_t)                                     \
  DO (dlopen)                                                                  \
  DO (dlmopen)                                                                 \
  DO (dlclose)                                                                 \
  DO (_exit)                                                                   \
  DO (_Exit)

#define HIDDEN __attribute__ ((visibility ("hidden"), used))

#define DECLARE_ORIGINAL(name) HIDDEN uintptr_t rt_attach_original_##name;
FUNCTIONS (DECLARE_ORIGINAL)

#define ORIGINAL(name)                                                         \
  ((__typeof__ (&replace_##name)) rt_attach_original_##name)

static bool is_observing;

/* The frame of the outermost call that is being observed in this thread; 0:
   none.  */
static __thread uintptr_t outermost
  __attribute__ ((tls_model ("initial-exec")));

/* Begin to observe a call; return false if it is not to be observed.  */

static inline bool
begin (const void *frame)
{
  const uintptr_t place = (uintptr_t) frame;
  if (!__atomic_load_n (&is_observing, __ATOMIC_RELAXED)
      || (outermost != 0 && place < outermost))
    return false;
  outermost = place;
  return true;
}

static inline void
end (void)
{
  outermost = 0;
}

static inline void *
end_allocation (void *data, size_t size, const void *frame)
{
  end ();
  if (data != NULL)
    rt_attach_see_allocation (data, size, frame);
  return data;
}

static inline void
begin_release (const void *data)
{
  if (data != NULL)
    rt_attach_see_release (data);
}

/* A function NAME that allocates BYTES bytes and has PARAMETERS.  */
#define ALLOCATION(name, bytes, arguments, ...)                                \
  static void *replace_##name (__VA_ARGS__)                                    \
  {                                                                            \
    if (!begin (FRAME))                                                        \
      return ORIGINAL (name) arguments;                                        \
    void *const data = ORIGINAL (name) arguments;                              \
    return end_allocation (data, bytes, FRAME);                                \
  }

/* A function NAME that releases DATA.  */
#define RELEASE(name, arguments, ...)                                          \
  static void replace_##name (__VA_ARGS__)                                     \
  {                                                                            \
    if (!begin (FRAME))                                                        \
      {                                                                        \
	ORIGINAL (name) arguments;                                             \
	return;                                                                \
      }                                                                        \
    begin_release (data);                                                      \
    ORIGINAL (name) arguments;                                                 \
    end ();                                                                    \
  }

ALLOCATION (malloc, size, (size), size_t size)
ALLOCATION (calloc, count *size, (count, size), size_t count, size_t size)
ALLOCATION (memalign, size, (alignment, size), size_t alignment, size_t size)
ALLOCATION (aligned_alloc, size, (alignment, size), size_t alignment,
	    size_t size)
ALLOCATION (valloc, size, (size), size_t size)
ALLOCATION (pvalloc,
	    (size + SYS_PAGE_BYTES - 1) / SYS_PAGE_BYTES * SYS_PAGE_BYTES,
	    (size), size_t size)

RELEASE (free, (data), void *data)
RELEASE (free_sized, (data, size), void *data, size_t size)
RELEASE (free_aligned_sized, (data, alignment, size), void *data,
	 size_t alignment, size_t size)

static int
replace_posix_memalign (void **result, size_t alignment, size_t size)
{
  if (!begin (FRAME))
    return ORIGINAL (posix_memalign) (result, alignment, size);
  const int error = ORIGINAL (posix_memalign) (result, alignment, size);
  end_allocation (error == 0 ? *result : NULL, size, FRAME);
  return error;
}

/* The block DATA, whose record is BLOCK, was to be resized to SIZE bytes; the
   original has returned RESULT.  With size 0 it may have released it.  */

static void *
end_resize (void *data, struct rt_block *block, void *result, size_t size,
	    const void *frame)
{
  if (data == NULL)
    return end_allocation (result, size, frame);
  end ();
  if (result != NULL || size == 0)
    rt_attach_see_resize (block, result, size, frame);
  else if (block != NULL)
    rt_attach_keep (block);
  return result;
}

static struct rt_block *
begin_resize (const void *data)
{
  return data == NULL ? NULL : rt_attach_before_resize (data);
}

static void *
replace_realloc (void *data, size_t size)
{
  if (!begin (FRAME))
    return ORIGINAL (realloc) (data, size);
  struct rt_block *const block = begin_resize (data);
  void *const result = ORIGINAL (realloc) (data, size);
  return end_resize (data, block, result, size, FRAME);
}

static void *
replace_reallocarray (void *data, size_t count, size_t size)
{
  size_t bytes;
  /* Then it fails, and DATA stays.  */
  if (__builtin_mul_overflow (count, size, &bytes) || !begin (FRAME))
    return ORIGINAL (reallocarray) (data, count, size);
  struct rt_block *const block = begin_resize (data);
  void *const result = ORIGINAL (reallocarray) (data, count, size);
  return end_resize (data, block, result, bytes, FRAME);
}

static void
end_after_exception (const int *unused)
{
  (void) unused;
  end ();
}

/* An operator new NAME, which may throw.  */
#define OPERATOR_NEW(name, arguments, ...)                                     \
  static void *replace_##name (__VA_ARGS__)                                    \
  {                                                                            \
    if (!begin (FRAME))                                                        \
      return ORIGINAL (name) arguments;                                        \
    const int guard __attribute__ ((cleanup (end_after_exception))) = 0;       \
    (void) guard;                                                              \
    void *const data = ORIGINAL (name) arguments;                              \
    return end_allocation (data, size, FRAME);                                 \
  }

OPERATOR_NEW (_Znwm, (size), size_t size)
OPERATOR_NEW (_Znam, (size), size_t size)
OPERATOR_NEW (_ZnwmSt11align_val_t, (size, alignment), size_t size,
	      size_t alignment)
OPERATOR_NEW (_ZnamSt11align_val_t, (size, alignment), size_t size,
	      size_t alignment)

ALLOCATION (_ZnwmRKSt9nothrow_t, size, (size, tag), size_t size,
	    const void *tag)
ALLOCATION (_ZnamRKSt9nothrow_t, size, (size, tag), size_t size,
	    const void *tag)
ALLOCATION (_ZnwmSt11align_val_tRKSt9nothrow_t, size, (size, alignment, tag),
	    size_t size, size_t alignment, const void *tag)
ALLOCATION (_ZnamSt11align_val_tRKSt9nothrow_t, size, (size, alignment, tag),
	    size_t size, size_t alignment, const void *tag)

RELEASE (_ZdlPv, (data), void *data)
RELEASE (_ZdaPv, (data), void *data)
RELEASE (_ZdlPvm, (data, size), void *data, size_t size)
RELEASE (_ZdaPvm, (data, size), void *data, size_t size)
RELEASE (_ZdlPvRKSt9nothrow_t, (data, tag), void *data, const void *tag)
RELEASE (_ZdaPvRKSt9nothrow_t, (data, tag), void *data, const void *tag)
RELEASE (_ZdlPvSt11align_val_t, (data, alignment), void *data, size_t alignment)
RELEASE (_ZdaPvSt11align_val_t, (data, alignment), void *data, size_t alignment)
RELEASE (_ZdlPvmSt11align_val_t, (data, size, alignment), void *data,
	 size_t size, size_t alignment)
RELEASE (_ZdaPvmSt11align_val_t, (data, size, alignment), void *data,
	 size_t size, size_t alignment)
RELEASE (_ZdlPvSt11align_val_tRKSt9nothrow_t, (data, alignment, tag),
	 void *data, size_t alignment, const void *tag)
RELEASE (_ZdaPvSt11align_val_tRKSt9nothrow_t, (data, alignment, tag),
	 void *data, size_t alignment, const void *tag)

/* In assembler, so that the original finds the program's return address.  */
#define COUNT_AND_JUMP(name)                                                   \
  HIDDEN void replace_##name (void);                                           \
  __asm__(".pushsection .text\n"                                               \
	  ".type replace_" #name ", @function\n"                               \
	  "replace_" #name ":\n"                                               \
	  "	.cfi_startproc\n"                                                  \
	  "	endbr64\n"                                                         \
	  "	lock incl rt_attach_opens(%rip)\n"                                 \
	  "	jmp *rt_attach_original_" #name "(%rip)\n"                     \
	  "	.cfi_endproc\n"                                                    \
	  ".size replace_" #name ", . - replace_" #name "\n"                   \
	  ".popsection\n");

COUNT_AND_JUMP (dlopen)
COUNT_AND_JUMP (dlmopen)

static int
replace_dlclose (void *handle)
{
  return __atomic_load_n (&is_observing, __ATOMIC_RELAXED)
	   ? rt_close_module (ORIGINAL (dlclose), handle)
	   : ORIGINAL (dlclose) (handle);
}

static void
replace__exit (int status)
{
  rt_complete_at_exit (0, false);
  ORIGINAL (_exit) (status);
}

static void
replace__Exit (int status)
{
  rt_complete_at_exit (0, false);
  ORIGINAL (_Exit) (status);
}

#define ROW(name)                                                              \
  { #name, (uintptr_t) replace_##name, &rt_attach_original_##name, 0, 0 },

static struct rt_attach_function functions[] = { FUNCTIONS (ROW) };

#define COUNT (sizeof functions / sizeof *functions)

bool
rt_attach_find_all (void)
{
  rt_attach_find_originals (functions, COUNT);
  return rt_attach_original_malloc != 0 && rt_attach_original_free != 0;
}

size_t
rt_attach_redirect_all (void)
{
  return rt_attach_redirect (functions, COUNT);
}

size_t
rt_attach_restore_all (void)
{
  return rt_attach_restore (functions, COUNT);
}

void
rt_attach_observe (bool observes)
{
  __atomic_store_n (&is_observing, observes, __ATOMIC_SEQ_CST);
}

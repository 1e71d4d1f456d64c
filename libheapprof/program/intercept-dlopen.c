/* Opening and closing modules.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The dynamic linker looks for a module where the caller of dlopen says, which
   it finds by the return address.  So the original must be jumped to.  */

#include "abi-symbols.h"
#include "init.h"
#include "log.h"
#include "module-closing.h"
#include "next.h"
#include "own-binding.h"
#include "thread.h"
#include <dlfcn.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

/* The C library's version for its own use; only in static programs.  */
extern void *__libc_dlopen_mode (const char *file, int flags)
  __attribute__ ((weak));
#define BY_PROGRAM ((int) 0x80000000)

typedef void *open_in_function (Lmid_t space, const char *file, int flags);
typedef int close_function (void *handle);

RT_ENTRY void *dlopen (const char *file, int flags);
RT_ENTRY void *dlmopen (Lmid_t space, const char *file, int flags);
RT_ENTRY int dlclose (void *handle);

/* Functions that other headers do not declare.  */
void free_sized (void *data, size_t size);
void free_aligned_sized (void *data, size_t alignment, size_t size);
int prctl (int option, ...);

/* What programs look up in the C library, and which functions of this program
   they are to find.  Allocation functions, and those that would miss the end of
   the process or of a module.  */
static const struct deep_function functions[]
  = { DEEP_FUNCTION (malloc),	     DEEP_FUNCTION (calloc),
      DEEP_FUNCTION (realloc),	     DEEP_FUNCTION (reallocarray),
      DEEP_FUNCTION (free),	     DEEP_FUNCTION (memalign),
      DEEP_FUNCTION (aligned_alloc), DEEP_FUNCTION (posix_memalign),
      DEEP_FUNCTION (valloc),	     DEEP_FUNCTION (pvalloc),
      DEEP_FUNCTION (free_sized),    DEEP_FUNCTION (free_aligned_sized),
      DEEP_FUNCTION (strdup),	     DEEP_FUNCTION (strndup),
      DEEP_FUNCTION (wcsdup),	     DEEP_FUNCTION (malloc_usable_size),
      DEEP_FUNCTION (mallopt),	     DEEP_FUNCTION (malloc_trim),
      DEEP_FUNCTION (dlclose),	     DEEP_FUNCTION (_exit),
      DEEP_FUNCTION (_Exit),	     DEEP_FUNCTION (execve),
      DEEP_FUNCTION (execv),	     DEEP_FUNCTION (execvp),
      DEEP_FUNCTION (execvpe),	     DEEP_FUNCTION (execl),
      DEEP_FUNCTION (execlp),	     DEEP_FUNCTION (execle),
      DEEP_FUNCTION (fexecve),	     DEEP_FUNCTION (daemon),
      DEEP_FUNCTION (sigaction),     DEEP_FUNCTION (signal),
      DEEP_FUNCTION (sigprocmask),   DEEP_FUNCTION (pthread_sigmask),
      DEEP_FUNCTION (mlockall),	     DEEP_FUNCTION (prctl),
      DEEP_FUNCTION (syscall) };

/* The first copy of the library calls the next one's.  All are looked for
   before the symbols change.  */
static struct
{
  rt_open_function *open;
  open_in_function *open_in;
  close_function *close;
} originals;

static void *
open_in_static (const char *file, int flags)
{
  return __libc_dlopen_mode == NULL
	   ? NULL
	   : __libc_dlopen_mode (file, flags | BY_PROGRAM);
}

static __attribute__ ((noinline)) void
find_originals (void)
{
  void *const open = rt_next_find ("dlopen");
  void *const open_in = rt_next_find ("dlmopen");
  *(void **) &originals.close = rt_next_find ("dlclose");
  *(void **) &originals.open_in = open_in;
  __atomic_store_n ((void **) &originals.open,
		    open != NULL ? open : (void *) open_in_static,
		    __ATOMIC_RELEASE);
}

static inline void
find_originals_once (void)
{
  if (__atomic_load_n ((void **) &originals.open, __ATOMIC_ACQUIRE) == NULL)
    find_originals ();
}

/* Return FLAGS, without RTLD_DEEPBIND if the module would get another
   allocator.  */

static __attribute__ ((noinline)) int
bind_deeply (const char *file, int flags)
{
  if (rt_is_inert () || rt_is_inside ()
      || rt_own_binding_prepare (functions,
				 sizeof functions / sizeof functions[0],
				 originals.open))
    return flags;
  rt_log ("%s: RTLD_DEEPBIND ignored: memory cannot be made writable",
	  file != NULL ? file : "dlopen");
  return flags & ~RTLD_DEEPBIND;
}

JUMPS void *
dlopen (const char *file, int flags)
{
  find_originals_once ();
  if ((flags & RTLD_DEEPBIND) != 0)
    flags = bind_deeply (file, flags);
  JUMP originals.open (file, flags);
}

/* Other namespaces have C libraries, and allocators, of their own.  */

JUMPS void *
dlmopen (Lmid_t space, const char *file, int flags)
{
  find_originals_once ();
  if (originals.open_in == NULL)
    return NULL;
  if ((flags & RTLD_DEEPBIND) != 0 && space == LM_ID_BASE)
    flags = bind_deeply (file, flags);
  JUMP originals.open_in (space, file, flags);
}

/* Addresses of unloaded modules may be reused: see segment.h.  */

int
dlclose (void *handle)
{
  find_originals_once ();
  if (originals.close == NULL)
    return 0;
  if (rt_is_inert () || rt_is_inside ())
    return originals.close (handle);
  return rt_close_module (originals.close, handle);
}

/* Where calls of the allocation functions go.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "route.h"
#include "init.h"
#include "lock.h"
#include "observe.h"
#include "replaced.h"
#include <dlfcn.h>

/* Missing in static programs, which have no other allocator either: the C
   library's is not linked.  */
#pragma weak dlsym
#pragma weak dlerror

/* The C++ library's; its operators can only be looked up if it is there.  */
extern void (*get_new_handler (void)) (void) __asm__("_ZSt15get_new_handlerv")
  __attribute__ ((weak));

/* What the routes were decided to be.  */
enum state
{
  UNDECIDED,
  PROFILING,
  OFF
};

static enum state state;

/* The decision itself allocated.  */
static bool is_nested;

/* ---- The next allocator.  */

static struct
{
  void *(*malloc) (size_t size);
  void *(*calloc) (size_t count, size_t size);
  void *(*memalign) (size_t alignment, size_t size);
  void (*free) (void *data);
} next;

static void *
next_allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  (void) frame;
  if (zero)
    return next.calloc (1, size);
  return alignment > RT_LEAST_ALIGNMENT ? next.memalign (alignment, size)
					: next.malloc (size);
}

static void
next_release (void *data)
{
  next.free (data);
}

/* ---- The first call.  */

static void *
first_allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  return rt_route_decide () ? rt_memory.allocate (size, alignment, zero, frame)
			    : rt_allocate (size, alignment, zero, frame);
}

static void
first_release (void *data)
{
  if (rt_route_decide ())
    rt_memory.release (data);
  else
    rt_release (data);
}

struct rt_memory rt_memory = { first_allocate, first_release };

/* Where the first call of each function jumps to, with the address of its
   struct rt_route in r11: decide with the arguments preserved, and jump on as
   if nothing had happened.  */

__asm__(".text\n"
	".globl rt_route_first\n"
	".hidden rt_route_first\n"
	".type rt_route_first, @function\n"
	"rt_route_first:\n"
	"	.cfi_startproc\n"
	"	pushq %rdi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %rsi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %rdx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %rcx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %r11\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call rt_route_decide\n"
	"	popq %r11\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq %rcx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq %rdx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq %rsi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq %rdi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	testb %al, %al\n"
	"	je 1f\n"
	"	movq (%r11), %r11\n"
	"	jmp *(%r11)\n"
	"1:	jmp *8(%r11)\n"
	"	.cfi_endproc\n"
	".size rt_route_first, . - rt_route_first\n");

/* ---- The decision.  */

/* The section with all routes; its limits come from the linker.  */
extern const struct rt_route routes[] __asm__("__start___hpr_routes")
  __attribute__ ((visibility ("hidden")));
extern const struct rt_route routes_end[] __asm__("__stop___hpr_routes")
  __attribute__ ((visibility ("hidden")));

static void
set_route (const struct rt_route *route, const void *target)
{
  __atomic_store_n (route->route, (void *) (size_t) target, __ATOMIC_RELEASE);
}

/* Operators have mangled names.  */

static bool
is_operator (const struct rt_route *route)
{
  return route->next[0] == '_';
}

static void
decide_for (enum state decision)
{
  __atomic_store_n (&state, decision, __ATOMIC_RELEASE);
}

/* Find the next allocator; false if there is none.  The functions here exist in
   each C library, and so in all that is looked up after this library.  */

static bool
find_next (void)
{
  if (dlsym == NULL)
    return false;
  *(void **) &next.malloc = dlsym (RTLD_NEXT, "malloc");
  *(void **) &next.calloc = dlsym (RTLD_NEXT, "calloc");
  *(void **) &next.memalign = dlsym (RTLD_NEXT, "memalign");
  *(void **) &next.free = dlsym (RTLD_NEXT, "free");
  return next.malloc != NULL && next.calloc != NULL && next.memalign != NULL
	 && next.free != NULL;
}

/* Direct all calls to the functions that profile, or at least use the library's
   own memory.  */

static void
use_own (void)
{
  rt_memory = (struct rt_memory){ rt_allocate, rt_release };
  for (const struct rt_route *each = routes; each < routes_end; each++)
    set_route (each, each->exact);
  decide_for (PROFILING);
}

/* True if the next allocator has all C functions.  */

static bool
has_all (void)
{
  for (const struct rt_route *each = routes; each < routes_end; each++)
    if (!is_operator (each) && dlsym (RTLD_NEXT, each->next) == NULL)
      return false;
  return true;
}

/* Direct the C functions to the next ones.  */

static void
use_next_functions (void)
{
  rt_memory = (struct rt_memory){ next_allocate, next_release };
  for (const struct rt_route *each = routes; each < routes_end; each++)
    if (!is_operator (each))
      set_route (each, dlsym (RTLD_NEXT, each->next));
}

/* Direct the operators to the next ones.  Without a C++ library ours stay: they
   then call the next malloc.  A failed search leaves an error, and allocates
   its text; the error is not the program's.  */

static void
use_next_operators (void)
{
  bool failed = false;
  for (const struct rt_route *each = routes; each < routes_end; each++)
    if (is_operator (each))
      {
	const void *const target
	  = get_new_handler == NULL ? NULL : dlsym (RTLD_NEXT, each->next);
	failed = failed || (get_new_handler != NULL && target == NULL);
	set_route (each, target != NULL ? target : each->exact);
      }
  if (failed && dlerror != NULL)
    dlerror ();
}

/* Direct all calls to the next allocator, unless a block of ours exists, which
   it would be asked to release.  */

static bool
use_next (void)
{
  if (!has_all () || is_nested)
    return false;
  *(void **) &rt_next_mallopt = dlsym (RTLD_NEXT, "mallopt");
  use_next_functions ();
  use_next_operators ();
  decide_for (OFF);
  return true;
}

/* Under valgrind, functions that it does not intercept must call those that it
   does, as ours do.  */

static void
decide (void)
{
  const bool needs_own = rt_malloc_is_foreign () || rt_is_wanted ();
  if (needs_own || !find_next () || !use_next ())
    use_own ();
}

bool
rt_route_decide (void)
{
  static struct rt_lock lock;
  static __thread bool is_deciding;
  if (__atomic_load_n (&state, __ATOMIC_ACQUIRE) != UNDECIDED)
    return true;
  if (is_deciding)
    {
      is_nested = true;
      return false;
    }
  is_deciding = true;
  rt_lock (&lock);
  if (state == UNDECIDED)
    decide ();
  rt_unlock (&lock);
  is_deciding = false;
  return true;
}

/* Decide before the program starts, so that its first call may be of mallopt,
   which needs to know.  */

#ifdef PIC

__attribute__ ((constructor (101))) static void
decide_early (void)
{
  rt_route_decide ();
}

#else

static void
decide_early (void)
{
  rt_route_decide ();
}

__attribute__ ((section (".preinit_array"),
		used)) static void (*const preinit) (void)
  = decide_early;

#endif

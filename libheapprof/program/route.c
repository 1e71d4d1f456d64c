/* Where calls of the allocation functions go.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "route.h"
#include "init.h"
#include "lock.h"
#include "next.h"
#include "observe.h"
#include "options.h"
#include "replaced.h"
#include "sample-code.h"
#include "sample.h"
#include "sampling.h"
#include "span.h"
#include "text.h"

/* The C++ library's; its operators can only be looked up if it is there.  */
extern void (*get_new_handler (void)) (void) __asm__("_ZSt15get_new_handlerv")
  __attribute__ ((weak));

/* What the routes were decided to be.  */
enum state
{
  UNDECIDED,
  PROFILING,
  SAMPLING,
  OFF
};

static enum state state;

/* The decision itself allocated.  */
static bool is_nested;

/* This thread decides.  */
static __thread bool is_deciding;

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

static void *
first_resize (void *data, size_t size, const void *frame)
{
  return rt_route_decide () ? rt_memory.resize (data, size, frame)
			    : rt_resize (data, size, frame);
}

static size_t
own_usable_size (void *data)
{
  return rt_requested_bytes (data);
}

static size_t
first_usable_size (void *data)
{
  return rt_route_decide () ? rt_memory.usable_size (data)
			    : own_usable_size (data);
}

struct rt_memory rt_memory
  = { first_allocate, first_release, first_resize, first_usable_size };

/* Where the first call of each function jumps to, with the address of its
   struct rt_route in a register: decide with the arguments preserved, and jump
   on as if nothing had happened.  */

__asm__(".text\n"
	".globl rt_route_first\n"
	".hidden rt_route_first\n"
	".type rt_route_first, %function\n"
	"rt_route_first:\n"
	"	.cfi_startproc\n" MACHINE_ROUTE_FIRST "	.cfi_endproc\n"
	".size rt_route_first, . - rt_route_first\n");

/* ---- The decision.  */

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

/* Functions that must use malloc, if the program has replaced that.  */

static bool
follows_malloc (const struct rt_route *route)
{
  return is_operator (route) || route->called == NULL;
}

static void
decide_for (enum state decision)
{
  __atomic_store_n (&state, decision, __ATOMIC_RELEASE);
}

/* Direct all calls to the functions that profile, or at least use the library's
   own memory.  */

static void
use_own (void)
{
  rt_memory
    = (struct rt_memory){ rt_allocate, rt_release, rt_resize, own_usable_size };
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    set_route (each, each->exact);
  decide_for (PROFILING);
}

static const struct rt_route *calloc_route;

/* calloc while the next allocator is looked for.  Before glibc 2.34, dlsym
   allocates the place of its error message, and has another if it cannot: a
   block of ours would be released by the next allocator.  */

static void *
calloc_while_searching (size_t count, size_t size)
{
  if (is_deciding)
    return NULL;
  rt_route_decide ();
  void *(*decided) (size_t, size_t);
  *(void **) &decided = __atomic_load_n (calloc_route->route, __ATOMIC_ACQUIRE);
  return decided (count, size);
}

/* True if there is a next allocator with all C functions, and no block of ours,
   which it would be asked to release.  */

static bool
has_next (void)
{
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    if (text_is (each->next, "calloc"))
      {
	calloc_route = each;
	set_route (each, (void *) calloc_while_searching);
      }
  if (!rt_next_start ())
    return false;
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    if (!is_operator (each) && rt_next_find (each->next) == NULL)
      return false;
  *(void **) &rt_next_mallopt = rt_next_find ("mallopt");
  return !is_nested;
}

/* Direct the C functions to the next ones.  */

static void
use_next_functions (void)
{
  rt_memory
    = (struct rt_memory){ rt_next_allocate, rt_next_release, NULL, NULL };
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    if (!is_operator (each))
      set_route (each, rt_next_find (each->next));
}

/* Direct the operators to the next ones.  Without a C++ library ours stay: they
   then call the next malloc.  A failed search leaves an error, and allocates
   its text; the error is not the program's.  */

static void
use_next_operators (void)
{
  bool failed = false;
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    if (is_operator (each))
      {
	const void *const target
	  = get_new_handler == NULL ? NULL : rt_next_find (each->next);
	failed = failed || (get_new_handler != NULL && target == NULL);
	set_route (each, target != NULL ? target : each->exact);
      }
  if (failed)
    rt_next_forget_error ();
}

static void
use_next (void)
{
  use_next_functions ();
  use_next_operators ();
  decide_for (OFF);
}

/* Direct all calls to the functions that take samples.  Operators, and
   functions that copy, follow replacements only where they profile all
   blocks.  */

static void
use_samples (void)
{
  struct rt_sample_code code = { NULL, NULL, NULL };
#ifdef PIC
  code = rt_sample_code_make ();
#endif
  const bool replaced = rt_is_any_replaced ();
  rt_memory = (struct rt_memory){ rt_sample_allocate, rt_sample_release,
				  rt_sample_resize, rt_sample_usable_size };
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    {
      void *target = each->sampled;
      if (target == NULL)
	target = rt_next_find (each->next);
      else if (target == (void *) rt_sample_malloc && code.malloc != NULL)
	target = code.malloc;
      else if (target == (void *) rt_sample_free && code.free != NULL)
	target = code.free;
      else if (target == (void *) rt_sample_realloc && code.realloc != NULL)
	target = code.realloc;
      set_route (each,
		 replaced && follows_malloc (each) ? each->exact : target);
    }
  decide_for (SAMPLING);
}

/* Under valgrind, functions that it does not intercept must call those that it
   does, as ours do.  */

static void
decide (void)
{
  const struct rt_options *const wish = rt_early_options ();
  if (rt_malloc_is_foreign () || (wish->enabled && wish->sample_bytes == 0)
      || !has_next ())
    {
      if (wish->enabled && wish->sample_bytes != 0)
	rt_refuse_samples ();
      use_own ();
    }
  else if (!wish->enabled)
    use_next ();
  else
    {
      rt_init ();
      rt_span_keep_together ();
      rt_sample_start (wish->sample_bytes, wish->seed);
      use_samples ();
    }
}

bool
rt_route_decide (void)
{
  static struct rt_lock lock;
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

bool
rt_route_is_own (void)
{
  return rt_route_decide ()
	 && __atomic_load_n (&state, __ATOMIC_ACQUIRE) != OFF;
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

/* Start of the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An executable that contains the library starts it from .preinit_array, before
   any constructor; the shared library starts in its own constructor, or at the
   first allocation if that comes earlier.  */

#include "init.h"
#include "abi-symbols.h"
#include "affinity.h"
#include "arena.h"
#include "at-fork.h"
#include "clock.h"
#include "debug-log.h"
#include "dump.h"
#include "ending.h"
#include "exit.h"
#include "gate.h"
#include "histogram.h"
#include "interval.h"
#include "invariant.h"
#include "lock.h"
#include "log.h"
#include "mark.h"
#include "observe.h"
#include "options.h"
#include "path.h"
#include "raw-file.h"
#include "replaced.h"
#include "sampling.h"
#include "shadow-sink.h"
#include "shadow.h"
#include "span.h"
#include "sys.h"
#include "text.h"
#include "thread.h"
#include "watch.h"
#include <elf.h>
#include <stddef.h>

/* The dynamic linker binds the public name to the first copy of the library in
   the program; the hidden one is always ours.  */
RT_PUBLIC extern const char __heapprof_runtime;
const char __heapprof_runtime = 1;
extern const char own_runtime
  __attribute__ ((alias ("__heapprof_runtime"), visibility ("hidden")));

#ifdef PIC
#define IS_SHARED_LIBRARY true
#else
#define IS_SHARED_LIBRARY false
#endif

/* Where the first thread's stack begins.  */
extern void *__libc_stack_end;

static struct rt_lock lock;
static bool is_started, is_ready;

/* Samples are wanted, and there is no allocator for other blocks.  */
static bool lacks_allocator;

bool
rt_is_inert (void)
{
  const char *first = &__heapprof_runtime;
  const char *own = &own_runtime;
  /* The compiler assumes that two names are two objects.  */
  __asm__("" : "+r"(first), "+r"(own));
  return first != own;
}

/* True if there are clang histograms: they use one-byte counters, one for each
   8 bytes of memory, at the addresses of our 64-bit counters.  */

static bool
counts_for_histograms (void)
{
  return &__memprof_histogram != NULL && __memprof_histogram != 0;
}

/* A program with more rights than its user writes only where its builder
   specified.  */

static bool
may_not_write (void)
{
  return sys_is_privileged () && __heapprof_directory[0] != '/';
}

/* The kernel has put the number of arguments, these, and the environment on the
   stack of a new program.  The C library sets __environ when it has started,
   which is after the first allocations.  */

static void
find_environment (void)
{
  const bool is_static = sys_auxiliary (AT_BASE) == 0;
  if (__environ == NULL && !is_static)
    {
      char **const start = __libc_stack_end;
      __environ = start + 1 + *(const uintptr_t *) start + 1;
    }
}

const struct rt_options *
rt_early_options (void)
{
  static struct rt_options options;
  find_environment ();
  rt_options_set_defaults (&options);
  const char *const text = environment_value ("HEAPPROF_OPTIONS");
  if (text != NULL && !sys_is_privileged ())
    rt_options_preview (text, &options);
  options.enabled
    = options.enabled && !rt_is_inert () && !may_not_write ()
      && !counts_for_histograms ()
      && (options.process == 0 || options.process == (unsigned) sys_pid ());
  return &options;
}

void
rt_refuse_samples (void)
{
  rt_log ("no profile is written: samples need an allocator for all other"
	  " blocks, and this program has none but heapprof's");
  lacks_allocator = true;
  rt_options.enabled = false;
}

/* Apply the environment's options, unless the environment may be an
   attacker's.  */

static void
configure (void)
{
  rt_options_set_defaults (&rt_options);
  const char *const text = environment_value ("HEAPPROF_OPTIONS");
  if (text != NULL && !sys_is_privileged ())
    rt_options_parse (text, &rt_options);
  rt_path_start ();
  if (may_not_write () || lacks_allocator)
    rt_options.enabled = false;
  if (rt_options.sample_bytes != 0)
    {
      /* Other blocks are not known: they would count as memory that may have
	 pointers, and windows would miss them.  */
      rt_options.finds_leaks = false;
      rt_options.records_affinity = false;
    }
  if (rt_options.enabled && counts_for_histograms ())
    {
      rt_log ("code compiled with -memprof-histogram is not supported; no"
	      " profile is written");
      rt_options.enabled = false;
    }
  if (rt_options.enabled && rt_malloc_is_foreign ())
    {
      rt_log ("valgrind has replaced malloc; no profile is written without"
	      " --soname-synonyms=somalloc=nouserintercepts");
      rt_options.enabled = false;
    }
  if (rt_options.process != 0 && rt_options.process != (unsigned) sys_pid ())
    rt_options.enabled = false;
  rt_affinity_start ();
  RT_DEBUG (1, "start: profile %s", rt_options.enabled ? "on" : "off");
  if (rt_options.dump_signal != 0)
    rt_dump_on_signal (rt_options.dump_signal);
  if (rt_options.mark_signal != 0)
    rt_mark_on_signal (rt_options.mark_signal);
  rt_interval_start ();
  rt_watch_start ();
}

static void
make_ready (void)
{
  rt_lock (&lock);
  if (!is_ready)
    configure ();
  __atomic_store_n (&is_ready, true, __ATOMIC_RELEASE);
  rt_unlock (&lock);
}

/* True if the environment exists, so that options are known and profiles may
   start.  False in allocations that the dynamic linker makes before the C
   library has started, and in an unused copy, from which a program's own malloc
   may take its memory.  */

static bool
is_ready_now (void)
{
  if (__atomic_load_n (&is_ready, __ATOMIC_ACQUIRE))
    return true;
  /* An executable's copy is started before the program's first code; earlier
     allocations by the C library are not the program's.  */
  if (!IS_SHARED_LIBRARY || __environ == NULL || rt_is_inert ())
    return false;
  make_ready ();
  return true;
}

/* Release a block whose release inside the library was deferred.  */

static void
release (struct rt_thread *thread, struct rt_block *block)
{
  rt_watch_remove_late (block);
  rt_profile_release (thread, block);
  rt_arena_release (&thread->caches, block);
}

static void
do_wanted (unsigned wanted)
{
  if ((wanted & RT_WANT_END) != 0)
    rt_ending_finish ();
  if ((wanted & RT_WANT_DUMP) != 0)
    rt_dump ();
  if ((wanted & RT_WANT_INTERVAL) != 0)
    {
      rt_dump_in_turn ();
      rt_interval_end ();
    }
  if ((wanted & RT_WANT_MARK) != 0)
    rt_mark_by_signal ();
  if ((wanted & RT_WANT_REQUESTED) != 0)
    rt_mark_requested ();
}

static void
end_thread (struct rt_thread *thread)
{
  rt_watch_thread_end ();
  rt_profile_thread_end (thread);
}

static const struct rt_thread_hooks hooks
  = { rt_profile_thread_start, end_thread, release, do_wanted };

void
rt_init (void)
{
  if (__atomic_load_n (&is_started, __ATOMIC_ACQUIRE))
    return;
  rt_lock (&lock);
  if (!is_started)
    {
      rt_log_start ();
      rt_check_start (rt_gate_abandon);
      rt_clock_start ();
      rt_shadow_start ();
      if (!rt_is_inert ())
	rt_shadow_publish ();
      rt_gate_start (is_ready_now);
      rt_at_fork_start ();
      rt_thread_start (&hooks);
      rt_thread_heap_begin ();
    }
  __atomic_store_n (&is_started, true, __ATOMIC_RELEASE);
  rt_unlock (&lock);
}

/* Start everything, once the C library is usable.  */

static void
start (void)
{
  static bool is_done;
  if (rt_is_inert () || __atomic_exchange_n (&is_done, true, __ATOMIC_ACQ_REL))
    return;
  rt_enter ();
  rt_init ();
  make_ready ();
  rt_exit_start ();
  rt_ending_start ();
  /* What the dynamic linker allocated before may have been a thread's first
     block, which would have begun the profile (sample.c).  */
  if (rt_sample_has_begun ())
    rt_gate_open (true);
  rt_leave ();
}

/* The counters of blocks that are not profiled need not be kept apart.  Without
   samples, a profile has all blocks.  Not if the program has an allocator of
   its own: its code may count while the C library has blocked all signals.  */

static void
share_counters (void)
{
  uintptr_t start = 0, end = 0;
  if (rt_is_any_replaced ())
    return;
  if (rt_options.enabled)
    rt_span_range (&start, &end);
  if (!rt_options.enabled || end != 0)
    rt_shadow_sink_start (rt_shadow_base, start, end);
}

/* Start for code that counts its accesses or does not.  */

static void
start_for (bool counts)
{
  start ();
  if (rt_is_inert ())
    return;
  rt_raw_note_counting (counts);
  if (counts)
    rt_watch_refuse ();
  if (counts)
    share_counters ();
}

void
__heapprof_init_v1 (void)
{
  start ();
}

/* MemProf's name for the same.  */

RT_PUBLIC void __memprof_init (void);

void
__memprof_init (void)
{
  start_for (true);
}

void
__heapprof_link_with_heapprof_gcc_v1 (void)
{
  start_for (true);
}

void
__heapprof_link_with_heapprof_gcc_alloc_v1 (void)
{
  start_for (false);
}

void
__heapprof_init_histogram_v1 (void)
{
  start_for (true);
  if (!rt_is_inert () && rt_options.enabled)
    rt_histogram_start ();
}

void
__heapprof_init_totals_v1 (void)
{
  start ();
  if (!rt_is_inert ())
    rt_raw_set_totals_only ();
}

#ifdef PIC

__attribute__ ((constructor (101))) static void
start_library (void)
{
  /* Users who preload the library for a whole test suite want valgrind's usual
     output.  Instrumented code starts the library anyway.  */
  if (!rt_malloc_is_foreign ())
    start ();
}

#else

static void
start_program (int count, char **arguments, char **environment)
{
  (void) count;
  (void) arguments;
  /* The C library sets this later in a dynamic program.  */
  if (__environ == NULL)
    __environ = environment;
  start ();
}

__attribute__ ((section (".preinit_array"),
		used)) static void (*const preinit) (int, char **, char **)
  = start_program;

#endif

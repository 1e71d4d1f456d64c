/* Programs that lose blocks, or do not, one for each name.
   SPDX-License-Identifier: GPL-3.0-or-later

   All blocks that count are allocated by block (), so that the C library's own
   do not.  leaks.exp has the hand-made truth for each name.  */

#define _GNU_SOURCE
#include "failing-call.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

struct node
{
  struct node *next;
  struct node *other;
  char rest[48];
};

void *volatile kept;
void *volatile kept_too;
__thread void *volatile kept_by_thread;
static pthread_barrier_t barrier;
static pthread_key_t key;

__attribute__ ((noinline)) void *
block (size_t size)
{
  void *volatile p = malloc (size);
  memset (p, 0, size);
  return p;
}

static struct node *
node (struct node *next, struct node *other)
{
  struct node *n = block (sizeof *n);
  n->next = next;
  n->other = other;
  return n;
}

static void none (void) { free (block (100)); }
static void one (void) { block (100); }
static void chain (void) { node (node (node (NULL, NULL), NULL), NULL); }

static struct node *
long_list (void)
{
  struct node *list = NULL;
  for (int i = 0; i < 1000; i++)
    list = node (list, NULL);
  return list;
}

static void long_chain (void) { long_list (); }
static void long_chain_kept (void) { kept = long_list (); }

static void
cycle (void)
{
  struct node *a = node (NULL, NULL);
  a->next = node (a, NULL);
}

static void
self (void)
{
  struct node *a = node (NULL, NULL);
  a->next = a;
}

static void
two_heads (void)
{
  struct node *tail = node (NULL, NULL);
  node (tail, NULL);
  node (tail, NULL);
}

/* A block that leads to a cycle.  */
static void
head_of_cycle (void)
{
  struct node *a = node (NULL, NULL);
  a->next = node (a, NULL);
  node (a, NULL);
}

static void
tree (void)
{
  struct node *leaves[4];
  for (int i = 0; i < 4; i++)
    leaves[i] = node (NULL, NULL);
  node (node (leaves[0], leaves[1]), node (leaves[2], leaves[3]));
}

static void global (void) { kept = block (100); }

static void
static_local (void)
{
  static void *volatile p;
  p = block (100);
}

static void global_chain (void) { kept = node (node (node (NULL, NULL), NULL), NULL); }
static void interior (void) { kept = (char *) block (100) + 40; }
static void past_the_end (void) { kept = (char *) block (96) + 96; }
static void tagged (void) { kept = (void *) ((uintptr_t) block (100) | 3); }
static void hidden (void) { kept = (void *) ~(uintptr_t) block (100); }

static struct __attribute__ ((packed))
{
  char first;
  void *p;
} unaligned_place __attribute__ ((aligned (8)));

static void unaligned (void) { unaligned_place.p = block (100); }

static void
overwritten (void)
{
  kept = block (100);
  kept = block (200);
}

static void
resized (void)
{
  kept = realloc (block (100), 5000);
}

static void
resized_and_lost (void)
{
  void *volatile p = block (100);
  p = realloc (p, 5000);
  p = NULL;
}

static void
cleared (void)
{
  void *volatile p = calloc (25, 4);
  p = NULL;
}

static void
aligned (void)
{
  kept = aligned_alloc (4096, 8192);
  void *volatile p = aligned_alloc (512, 1024);
  p = NULL;
}

static void large (void) { block (1 << 20); }
static void large_interior (void) { kept = (char *) block (1 << 20) + 700000; }

static void
in_large (void)
{
  char *p = block (1 << 20);
  *(void **) (p + 800000) = block (100);
  kept = p;
}

static void
empty (void)
{
  void *volatile p = malloc (0);
  p = NULL;
}

static void
empty_kept (void)
{
  kept = malloc (0);
}

/* The only pointer is in a block that was freed.  */
static void
in_freed (void)
{
  void **p = block (200);
  p[10] = block (100);
  kept = p;
  free (p);
}

/* The same, and the memory is used again, but not written.  */
static void
in_reused (void)
{
  void **p = block (200);
  p[10] = block (100);
  free (p);
  kept = malloc (200);
}

static void
in_mapping (void)
{
  void **p = mmap (NULL, 8192, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  p[600] = block (100);
  kept = p;
}

static void
in_inaccessible (void)
{
  char *p = aligned_alloc (4096, 1 << 20);
  kept = p;
  *(void **) p = block (100);
  mprotect (p + 8192, 4096, PROT_NONE);
}

static void in_thread_local (void) { kept_by_thread = block (100); }

static void
wait_for_ever (void)
{
  pthread_barrier_wait (&barrier);
  for (;;)
    pause ();
}

static void *
with_thread_local (void *unused)
{
  in_thread_local ();
  wait_for_ever ();
  return unused;
}

static void *
with_stack (void *unused)
{
  void *volatile p = block (100);
  wait_for_ever ();
  return (void) p, unused;
}

static void *
with_key (void *unused)
{
  pthread_setspecific (key, block (100));
  wait_for_ever ();
  return unused;
}

/* Fill the stack below with zeros.  */
__attribute__ ((noinline)) static void
wash (void)
{
  volatile char zeros[16384];
  memset ((void *) zeros, 0, sizeof zeros);
}

__attribute__ ((noinline)) static uintptr_t
secret_block (void)
{
  return ~(uintptr_t) block (100);
}

static void *
with_register (void *unused)
{
  uintptr_t secret = secret_block ();
  wash ();
  pthread_barrier_wait (&barrier);
  /* The pointer is in a register only, from here to the end.  */
  __asm__ volatile ("not %0\n\tmov %0, %%r14\n\txor %0, %0\n1:\tpause\n\tjmp 1b"
		    : "+r" (secret) : : "r14", "memory");
  return unused;
}

static void *
that_ends (void *unused)
{
  in_thread_local ();
  return unused;
}

static void
with_thread (void *(*function) (void *), int waits)
{
  pthread_t thread;
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_create (&thread, NULL, function, NULL);
  if (waits)
    pthread_join (thread, NULL);
  else
    {
      pthread_barrier_wait (&barrier);
      usleep (20000);
    }
}

static void other_thread_local (void) { with_thread (with_thread_local, 0); }
static void other_stack (void) { with_thread (with_stack, 0); }
static void other_register (void) { with_thread (with_register, 0); }
static void ended_thread (void) { with_thread (that_ends, 1); }

static void
other_key (void)
{
  pthread_key_create (&key, NULL);
  with_thread (with_key, 0);
}

static void *
that_exits (void *unused)
{
  block (200);
  wash ();
  exit (0);
  return unused;
}

/* Another thread calls exit; this one's stack has the pointer.  */
static void
exit_in_thread (void)
{
  void *volatile p = block (100);
  with_thread (that_exits, 1);
  (void) p;
}

static void *
library_place (void **handle)
{
  *handle = dlopen ("./leaks-module.so", RTLD_NOW);
  return dlsym (*handle, "module_place");
}

static void
in_library (void)
{
  void *handle;
  void *volatile *place = library_place (&handle);
  *place = block (100);
}

static void
in_closed_library (void)
{
  void *handle;
  void *volatile *place = library_place (&handle);
  *place = block (100);
  dlclose (handle);
}

static void
underscore_exit (void)
{
  block (100);
  wash ();
  _exit (0);
}

static void
by_signal (void)
{
  block (100);
  wash ();
  raise (SIGTERM);
}

static void
in_child (void)
{
  kept = block (100);
  const pid_t child = fork ();
  if (child == 0)
    {
      block (200);
      wash ();
      exit (0);
    }
  waitpid (child, NULL, 0);
}

static ucontext_t contexts[2];

static void
coroutine (void)
{
  void *volatile p = block (100);
  swapcontext (&contexts[1], &contexts[0]);
  (void) p;
}

/* The pointer is on the stack of a suspended coroutine, a block.  */
static void
in_coroutine (void)
{
  char *stack = block (65536);
  getcontext (&contexts[1]);
  contexts[1].uc_stack.ss_sp = stack;
  contexts[1].uc_stack.ss_size = 65536;
  makecontext (&contexts[1], coroutine, 0);
  swapcontext (&contexts[0], &contexts[1]);
}

/* The pointer is in a register of this thread only when it calls exit.  */
static void
own_register (void)
{
  uintptr_t secret = secret_block ();
  wash ();
  __asm__ volatile ("not %0\n\tmov %0, %%rbx\n\txor %0, %0\n\txor %%edi, %%edi\n\t"
		    "and $-16, %%rsp\n\tcall exit@PLT"
		    : "+a" (secret) : : "rbx", "rdi", "memory");
}

/* The same with all registers that calls preserve but the frame pointer.  */
static void
own_registers (void)
{
  uintptr_t secrets[5];
  for (int i = 0; i < 5; i++)
    secrets[i] = secret_block ();
  wash ();
  __asm__ volatile ("mov (%0), %%rbx\n\tmov 8(%0), %%r12\n\tmov 16(%0), %%r13\n\t"
		    "mov 24(%0), %%r14\n\tmov 32(%0), %%r15\n\t"
		    "not %%rbx\n\tnot %%r12\n\tnot %%r13\n\tnot %%r14\n\tnot %%r15\n\t"
		    "xor %%edi, %%edi\n\tand $-16, %%rsp\n\tcall exit@PLT"
		    : : "a" (secrets)
		    : "rbx", "r12", "r13", "r14", "r15", "rdi", "memory");
}

/* Leave pointers to the block all over the stack below the caller's frame.  */
__attribute__ ((noinline)) static void
stain (uintptr_t secret)
{
  volatile uintptr_t stains[4096];
  for (size_t i = 0; i < 4096; i++)
    stains[i] = ~secret;
}

/* The frames of exit do not fill all of that; the pointers are not theirs.  */
static void
below_exit (void)
{
  stain (secret_block ());
  exit (0);
}

static void
below_quick_exit (void)
{
  stain (secret_block ());
  quick_exit (0);
}

static void *
that_exits_above_stains (void *unused)
{
  below_exit ();
  return unused;
}

static void
below_exit_in_thread (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, that_exits_above_stains, NULL);
  pthread_join (thread, NULL);
}

/* For main, which calls no function but returns.  */
static uintptr_t stain_at_end;

static void
below_main (void)
{
  stain_at_end = secret_block ();
}

static void
own_stack (void)
{
  void *volatile p = block (100);
  wash ();
  exit (p == NULL);
}

/* In programs built with heapprof.  */
long heapprof_find_leaks (void) __attribute__ ((weak));

/* Ask twice: before and after a block is lost.  */
static void
asks (void)
{
  const long before = heapprof_find_leaks ();
  block (100);
  wash ();
  printf ("%ld %ld\n", before, heapprof_find_leaks ());
}

static void *
that_asks (void *unused)
{
  asks ();
  return unused;
}

/* The same while other threads have the only pointers to two blocks.  */
static void
asks_in_thread (void)
{
  pthread_t thread;
  other_stack ();
  pthread_create (&thread, NULL, that_asks, NULL);
  pthread_join (thread, NULL);
}

/* Lose a block, and run until killed.  */
static void
serve (void)
{
  block (100);
  wash ();
  fclose (fopen ("ready", "w"));
  for (int i = 0; i < 3000; i++)
    {
      free (block (1 << 20));
      usleep (10000);
    }
}

/* The library may not trace the other thread, or not copy the process.  */
static void
no_tracing (void)
{
  other_stack ();
  make_fail (SYS_ptrace);
}

static void
no_copy (void)
{
  block (100);
  make_fail (SYS_clone);
}

static const struct
{
  const char *name;
  void (*function) (void);
} cases[] = {
#define CASE(name) { #name, name }
  CASE (none), CASE (one), CASE (chain), CASE (long_chain),
  CASE (long_chain_kept), CASE (cycle), CASE (self), CASE (two_heads), CASE (head_of_cycle), CASE (tree), CASE (global),
  CASE (static_local), CASE (global_chain), CASE (interior),
  CASE (past_the_end), CASE (tagged), CASE (hidden), CASE (unaligned),
  CASE (overwritten), CASE (resized), CASE (resized_and_lost), CASE (cleared),
  CASE (aligned), CASE (large), CASE (large_interior), CASE (in_large),
  CASE (empty), CASE (empty_kept), CASE (in_freed), CASE (in_reused),
  CASE (in_mapping), CASE (in_inaccessible), CASE (in_thread_local),
  CASE (other_thread_local), CASE (other_stack), CASE (other_register),
  CASE (other_key), CASE (ended_thread), CASE (exit_in_thread),
  CASE (in_library), CASE (in_closed_library), CASE (underscore_exit),
  CASE (by_signal), CASE (in_child), CASE (in_coroutine), CASE (own_register),
  CASE (own_stack), CASE (own_registers), CASE (below_exit),
  CASE (below_quick_exit), CASE (below_exit_in_thread), CASE (below_main),
  CASE (asks), CASE (asks_in_thread), CASE (serve),
  CASE (no_tracing), CASE (no_copy)
};

/* Far below main's frame, so that what is left on the stack is not read.  */
__attribute__ ((noinline)) static void
run_deep (void (*function) (void))
{
  volatile char distance[65536];
  distance[0] = 0;
  function ();
  distance[1] = 0;
}

__attribute__ ((noinline)) static void
wash_all (void)
{
  volatile char zeros[65536 + 16384];
  memset ((void *) zeros, 0, sizeof zeros);
}

int
main (int argc, char **argv)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (argc == 2 && strcmp (argv[1], cases[i].name) == 0)
      {
	run_deep (cases[i].function);
	wash_all ();
	if (stain_at_end != 0)
	  stain (stain_at_end);
	return 0;
      }
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    puts (cases[i].name);
  return 2;
}

/* Allocations on stacks other than the thread's default: an alternate signal
   stack, coroutines with temporary stacks, threads with given stacks; and below
   functions without frame pointers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define NOINLINE __attribute__ ((noinline, noclone))
#define STACK_BYTES (64 * 1024)

static NOINLINE void
in_handler (void)
{
  free (malloc (11));
}

static NOINLINE void
in_coroutine (void)
{
  free (malloc (22));
}

static NOINLINE void
in_thread (void)
{
  free (malloc (33));
}

static NOINLINE int
in_comparison (const void *a, const void *b)
{
  free (malloc (44));
  return *(const char *) a - *(const char *) b;
}

static NOINLINE void
in_garbage (void)
{
  free (malloc (55));
}

static void
on_signal (int number)
{
  (void) number;
  in_handler ();
}

static void
use_alternate_stack (void)
{
  stack_t stack = { .ss_sp = malloc (STACK_BYTES), .ss_size = STACK_BYTES };
  struct sigaction action = { .sa_handler = on_signal,
			      .sa_flags = SA_ONSTACK };
  sigaltstack (&stack, NULL);
  sigaction (SIGUSR1, &action, NULL);
  for (int i = 0; i < 3; i++)
    raise (SIGUSR1);
  stack.ss_flags = SS_DISABLE;
  sigaltstack (&stack, NULL);
}

static ucontext_t main_context;

static void
coroutine (void)
{
  for (int i = 0; i < 2; i++)
    in_coroutine ();
}

static void
use_coroutines (void)
{
  for (int i = 0; i < 50; i++)
    {
      ucontext_t context;
      char *const stack = mmap (NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      getcontext (&context);
      context.uc_stack.ss_sp = stack;
      context.uc_stack.ss_size = STACK_BYTES;
      context.uc_link = &main_context;
      makecontext (&context, coroutine, 0);
      swapcontext (&main_context, &context);
      munmap (stack, STACK_BYTES);
    }
}

static void *
thread (void *data)
{
  in_thread ();
  return data;
}

static void
use_given_stack (void)
{
  pthread_attr_t attributes;
  pthread_t id;
  char *const stack = mmap (NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_init (&attributes);
  pthread_attr_setstack (&attributes, stack, STACK_BYTES);
  if (pthread_create (&id, &attributes, thread, NULL) != 0)
    abort ();
  pthread_join (id, NULL);
  munmap (stack, STACK_BYTES);
}

/* Call in_garbage with VALUE in the frame pointer, as is possible in code
   without frame pointers.  */

static NOINLINE void
use_garbage (unsigned long value)
{
  __asm__ volatile ("movq %%rsp, %%rbx\n\t"
		    "movq %%rbp, %%r12\n\t"
		    "subq $256, %%rsp\n\t"
		    "andq $-16, %%rsp\n\t"
		    "movq %0, %%rbp\n\t"
		    "call *%1\n\t"
		    "movq %%r12, %%rbp\n\t"
		    "movq %%rbx, %%rsp"
		    : : "r" (value), "r" (in_garbage)
		    : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
		      "r10", "r11", "r12", "memory", "cc");
}

int
main (void)
{
  char text[] = "fedcba";
  use_alternate_stack ();
  use_coroutines ();
  use_given_stack ();
  qsort (text, strlen (text), 1, in_comparison);
  unsigned long near = (unsigned long) &text;
  const unsigned long values[] = { 1, 8, near | 3, near + 64, near - 4096,
				   near + (1ul << 30), ~0ul - 7, 1ul << 46 };
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    use_garbage (values[i]);
  return 0;
}

/* Where calls of the allocation functions go: to the functions that profile, or
   to the allocator that the program would use without this library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each function that a program calls is one jump through a variable, its route.
   Until the first call all routes lead to code that decides (rt_route_decide).
   If there is nothing to profile, routes then lead to the next definition of
   the same function, in the order in which the dynamic linker looks names up:
   that of the C library, or of an allocator that is linked or preloaded.  The
   decision is for good, and comes before the first block, so that a release
   never has to find out whose a block is.  */

#ifndef HEAPPROF_ROUTE_H
#define HEAPPROF_ROUTE_H

#include "abi-symbols.h"
#include "entry-code.h"
#include <stdbool.h>
#include <stddef.h>

/* One function.  All of these are in a section, so that they can be found
   wherever they are defined.  */
struct rt_route
{
  void **route;	    /* the variable that its calls jump through */
  void *exact;	    /* the function that profiles all blocks */
  void *sampled;    /* the function that profiles some; NULL: the next one */
  void *called;	    /* what the program calls by this name */
  void *own;	    /* the same, or at most a few bytes more, unless the program
		       has replaced it; both are NULL if it follows
		       replacements of malloc */
  const char *next; /* name of the next allocator's function */
};

/* That section; its limits come from the linker, unless no function is routed,
   as in unit tests.  */
extern const struct rt_route rt_routes[] __asm__("__start___hpr_routes")
  __attribute__ ((weak, visibility ("hidden")));
extern const struct rt_route rt_routes_end[] __asm__("__stop___hpr_routes")
  __attribute__ ((weak, visibility ("hidden")));

/* Define NAME, of type TYPE and with PARAMETERS, as a jump through its route,
   and the code that the route leads to at first.  NEXT is the name of the next
   allocator's function that does the same: it may ignore the last arguments.
   SAMPLED is that which profiles samples: a function, or 0 for the next one.
   Declare rt_exact_NAME of the same type, the function that profiles.  Its
   frame is that of the function that the program called.  */
#define RT_ROUTED(type, name, parameters, next, sampled)                       \
  RT_ROUTED_AS (type, name, parameters, next, sampled, #name ", rt_code_" #name)

/* The same for a function that is no allocator's, but must return memory of
   malloc: it follows replacements of that, and its own is no replacement.  */
#define RT_FOLLOWING(type, name, parameters, next, sampled)                    \
  RT_ROUTED_AS (type, name, parameters, next, sampled, "0, 0")

#define RT_ROUTED_AS(type, name, parameters, next, sampled, names)             \
  extern void *rt_route_##name __attribute__ ((visibility ("hidden")));        \
  extern const char rt_first_##name[] __attribute__ ((visibility ("hidden"))); \
  void *rt_route_##name = (void *) (size_t) rt_first_##name;                   \
  __asm__(".section __hpr_routes, \"aw\"\n"                                    \
	  ".balign 8\n"                                                        \
	  "0: .quad rt_route_" #name ", rt_exact_" #name ", " #sampled "\n"    \
	  "	.quad " names ", 1f\n"                                         \
	  ".section .rodata\n"                                                 \
	  "1: .asciz \"" #next "\"\n"                                          \
	  ".text\n"                                                            \
	  ".globl rt_first_" #name "\n"                                        \
	  ".hidden rt_first_" #name "\n"                                       \
	  ".type rt_first_" #name ", %function\n"                              \
	  "rt_first_" #name ":\n"                                              \
	  "	.cfi_startproc\n" MACHINE_ROUTE_START "	.cfi_endproc\n"        \
	  ".size rt_first_" #name ", . - rt_first_" #name "\n");               \
  __attribute__ ((visibility ("hidden"))) type rt_exact_##name parameters;     \
  RT_ENTRY type name parameters;                                               \
  MACHINE_ENTRY (type, name, parameters)

/* A function that is one jump has parameters, and does not use them.  */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The functions that all others are made of, for those without a route of their
   own: rt_allocate and so on (observe.h), those of samples (sample.h), or the
   next allocator's.  */
struct rt_memory
{
  void *(*allocate) (size_t size, size_t alignment, bool zero,
		     const void *frame);
  void (*release) (void *data);
  void *(*resize) (void *data, size_t size, const void *frame);
  size_t (*usable_size) (void *data);
};

extern struct rt_memory rt_memory __attribute__ ((visibility ("hidden")));

/* Decide, unless that was done.  Return false in a call made by the decision
   itself, which must then use the functions that profile.  */
bool rt_route_decide (void);

/* True if blocks, or some of them, are of this library.  */
bool rt_route_is_own (void);

/* The next allocator's mallopt; NULL if calls do not go there.  */
extern int (*rt_next_mallopt) (int parameter, int value)
  __attribute__ ((visibility ("hidden")));

#endif /* HEAPPROF_ROUTE_H */

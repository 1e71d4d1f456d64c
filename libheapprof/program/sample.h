/* Allocation with samples: those come from the library's arena and are
   profiled, all other blocks come from the next allocator.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The arena keeps to one range of addresses, so a release finds out by one
   comparison that a block below it is not a sample; of others, the arena
   knows.  */

#ifndef HEAPPROF_SAMPLE_H
#define HEAPPROF_SAMPLE_H

#include "entry-code.h"
#include <stdbool.h>
#include <stddef.h>

/* malloc, free and so on.  */
extern void *rt_sample_malloc (size_t size)
  __attribute__ ((visibility ("hidden")));
extern void rt_sample_free (void *data) __attribute__ ((visibility ("hidden")));
extern void *rt_sample_realloc (void *data, size_t size)
  __attribute__ ((visibility ("hidden")));
extern size_t rt_sample_malloc_usable_size (void *data)
  __attribute__ ((visibility ("hidden")));
extern void *rt_sample_calloc (size_t count, size_t size)
  __attribute__ ((visibility ("hidden")));
char *rt_sample_strdup (const char *string);
char *rt_sample_strndup (const char *string, size_t limit);

/* malloc, calloc, and realloc of a block that is no sample, called when a
   sample is due.  */
extern void *rt_sample_due (size_t size)
  __attribute__ ((visibility ("hidden")));
extern void *rt_sample_calloc_due (size_t count, size_t size)
  __attribute__ ((visibility ("hidden")));
extern void *rt_sample_realloc_due (void *data, size_t size)
  __attribute__ ((visibility ("hidden")));

/* realloc of a block that may be a sample.  */
extern void *rt_sample_realloc_own (void *data, size_t size)
  __attribute__ ((visibility ("hidden")));

/* The same as parts of struct rt_memory (route.h), and others.  */
void *rt_sample_allocate (size_t size, size_t alignment, bool zero,
			  const void *frame);
void rt_sample_release (void *data);
void *rt_sample_resize (void *data, size_t size, const void *frame);
size_t rt_sample_usable_size (void *data);

/* Allocate a block whose SIZE was just subtracted from what was left, which was
   less (sampling.h).  */
void *rt_sample_counted (size_t size, const void *frame);

/* Define function NAME with CODE.  */
#define RT_SAMPLE_FUNCTION(name, code)                                         \
  __asm__(".text\n"                                                            \
	  ".globl " name "\n"                                                  \
	  ".hidden " name "\n"                                                 \
	  ".type " name ", %function\n" name ":\n"                             \
	  "	.cfi_startproc\n" code "	.cfi_endproc\n"                       \
	  ".size " name ", . - " name "\n")

/* Code of a function with an allocation's size as its first parameter: count
   it, and jump to OTHER if the block is not a sample, and to DUE if it may be
   one.  OTHER is what MACHINE_JUMP or MACHINE_JUMP_BY makes.  */
#define RT_SAMPLE_CODE(name, other, due)                                       \
  RT_SAMPLE_FUNCTION (name, MACHINE_SAMPLE_COUNT (other, due))

#endif /* HEAPPROF_SAMPLE_H */

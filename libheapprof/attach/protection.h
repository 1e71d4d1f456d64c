/* Which memory of this process can be written.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_PROTECTION_H
#define HEAPPROF_PROTECTION_H

#include <stddef.h>
#include <stdint.h>

/* The list of mappings, as the kernel writes it.  */
struct rt_attach_protection
{
  char *text; /* NULL: unknown */
  size_t bytes;
  /* The mapping found last.  */
  uintptr_t start, end;
  int access; /* PROT_... */
};

/* Read the list.  Release it with rt_attach_protection_release.  */
void rt_attach_protection_read (struct rt_attach_protection *list);
void rt_attach_protection_release (struct rt_attach_protection *list);

/* Return how ADDRESS may be accessed, PROT_...; 0 if it is unknown.  */
int rt_attach_protection_at (struct rt_attach_protection *list,
			     uintptr_t address);

#endif /* HEAPPROF_PROTECTION_H */

/* Lookup of functions in the vDSO, which the kernel maps into each process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C library's functions of the same purpose call these, but a program may
   replace those, or run with a library that fakes the time.  */

#ifndef HEAPPROF_VDSO_H
#define HEAPPROF_VDSO_H

/* Return the function NAME, or NULL.  May be called at any time.  */
void *vdso_find (const char *name);

#endif /* HEAPPROF_VDSO_H */

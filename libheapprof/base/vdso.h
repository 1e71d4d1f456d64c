/* Functions that the kernel puts into each process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C library's functions of the same use end in these, but a program may
   replace those, or be run with a library that tells another time.  */

#ifndef HEAPPROF_VDSO_H
#define HEAPPROF_VDSO_H

/* The function NAME, or NULL.  May be called at any time.  */
void *vdso_find (const char *name);

#endif /* HEAPPROF_VDSO_H */

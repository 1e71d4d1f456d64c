/* Public run-time interface of libheapprof-mip, for programs and libraries
   compiled with -fplugin-arg-heapprof-mip=KIND.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program need not call any of this: it writes a raw file when it exits.
   Each executable and each shared object has its own slots and its own copy of
   this library; a call affects only the slots of the module that makes it.  */

#ifndef HEAPPROF_MIP_H
#define HEAPPROF_MIP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Write the raw file as it is now.  Safe in signal handlers; also call it
     before exec or _exit, which discard anything not yet written.  Return 0, or
     -1 with errno set on failure.  */
  int heapprof_mip_dump (void);

  /* Do the same to the file PATH, replacing it.  */
  int heapprof_mip_dump_to (const char *path);

  /* Discard everything recorded so far.  */
  void heapprof_mip_reset (void);

  /* Return the start of the slots of KIND, an enum heapprof_mip_kind of
     mip-format.h, and store their size in *BYTES; NULL and 0 if there are none.
     A coverage byte marks code as reached by one of its lower seven bits: set
     on x86-64, clear on AArch64.  */
  void *heapprof_mip_slots (int kind, size_t *bytes);

  /* For programs without a file system: pass the content of the raw file, piece
     by piece, to TAKE along with DATA, until TAKE returns nonzero.  Return that
     value, or 0.  */
  int heapprof_mip_send (int (*take) (void *data, const void *bytes, size_t n),
			 void *data);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MIP_H */

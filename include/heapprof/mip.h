/* Public run-time interface of libheapprof-mip, for programs and libraries that
   were compiled with -fplugin-arg-heapprof-mip=KIND.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program need not call any of this: it writes a raw file when it exits.
   Each executable and each shared object has slots of its own, and a copy of
   this library; a call concerns those of its caller.  */

#ifndef HEAPPROF_MIP_H
#define HEAPPROF_MIP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Write the raw file as it stands now.  Safe in signal handlers, and before
     exec or _exit, which lose what was not written.  Return 0, or -1 and errno
     if that fails.  */
  int heapprof_mip_dump (void);

  /* The same into the file PATH, which is replaced.  */
  int heapprof_mip_dump_to (const char *path);

  /* Forget what ran.  */
  void heapprof_mip_reset (void);

  /* Where the slots of KIND, an enum heapprof_mip_kind of mip-format.h, begin
     and how many bytes they are; NULL and 0 if there are none.  Of bytes of
     coverage, one of the lower seven bits is set if reached; on AArch64 it is
     clear.  */
  void *heapprof_mip_slots (int kind, size_t *bytes);

  /* For programs without a file system: hand the content of the raw file, piece
     by piece, to TAKE, with DATA, until it returns other than 0.  Return that,
     or 0.  */
  int heapprof_mip_send (int (*take) (void *data, const void *bytes, size_t n),
			 void *data);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MIP_H */

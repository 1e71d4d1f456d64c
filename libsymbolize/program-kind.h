/* How a program is loaded: what a library for LD_PRELOAD depends on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROGRAM_KIND_H
#define HEAPPROF_PROGRAM_KIND_H

#include "profile-error.h"
#include <limits.h>
#include <stdbool.h>

struct program_kind
{
  bool is_elf; /* else a script or something unknown; nothing below
		  is valid */
  bool is_32_bit;
  bool is_of_machine;	 /* for the machine that the run-time library is for */
  bool has_runtime;	 /* seems to contain the run-time library */
  char loader[PATH_MAX]; /* the dynamic linker; "" if it is linked statically */
};

/* Fill *KIND from the file PATH.  Return false and set *ERR if it cannot be
   read.  */
bool program_kind_read (struct program_kind *kind, const char *path,
			struct profile_error *err);

#endif /* HEAPPROF_PROGRAM_KIND_H */

/* The functions of the source, with what is known of their code and copies.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function of the source has any number of bodies: its own, and copies that
   the compiler specialized.  It also runs where it is inlined into others.  */

#ifndef HEAPPROF_MIP_SOURCES_H
#define HEAPPROF_MIP_SOURCES_H

#include "mip-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mip_source
{
  const char *name; /* linkage name */
  const char *file;
  uint32_t line;
  bool is_shared_name; /* another function has it, too */
  bool has_body;
  bool ran;		  /* one of its bodies */
  bool has_copy;	  /* it was inlined */
  bool copy_ran;	  /* an inlined copy */
  bool copy_may_have_ran; /* likewise, in a function that ran */
  uint32_t body;	  /* one of its bodies; MIP_NO_FUNCTION: none */
};

struct mip_sources
{
  struct mip_source *sources; /* sorted by name, file, line */
  size_t count;
  uint32_t *of_function; /* by function of the profile: index of its source */
};

/* Find the source functions of PROFILE, which must outlive them.  Functions of
   different files are different if no other file can name them.  Return false
   if memory is exhausted; SOURCES must be released in any case.  */
bool mip_sources_find (struct mip_sources *sources,
		       const struct mip_profile *profile);
void mip_sources_release (struct mip_sources *sources);

#endif /* HEAPPROF_MIP_SOURCES_H */

/* The line of the program that an allocation is due to.
   SPDX-License-Identifier: GPL-3.0-or-later

   That is rarely the call of malloc: it may be in a library, in a container, or
   in a wrapper that all of the program uses.  These frames are not candidates:

     - functions of the C++ library and the C library, code without source
   files, and headers of the system;
     - allocator wrappers (allocation-wrappers.h);
     - members of class templates, which are containers;
     - copy constructors and copying assignments.

   Of the others, the site is the innermost one whose blocks behave alike: most
   are temporary, or most live longer and have about the same size.  So a
   function that the whole program shares is looked through, and one that makes
   all objects of a kind is not.  */

#ifndef HEAPPROF_ADVICE_SITES_H
#define HEAPPROF_ADVICE_SITES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct advice_sites
{
  const struct heap_report *report;
  /* By frame: the first frame with the same function, file and line.  */
  uint32_t *places;
  uint8_t *roles; /* by frame */
  /* Blocks by place and behaviour, sorted.  */
  struct behaviour_blocks *blocks; /* malloced */
  size_t block_count;
  size_t block_capacity;
  bool has_files;  /* the profile has source files: libraries have none */
  size_t added_up; /* number of blocks when they were last added up */
};

/* Prepare finding sites in REPORT's complete profile; REPORT must outlive
 *SITES.  Return false if memory is exhausted; release *SITES in any case.  */
bool advice_sites_make (struct advice_sites *sites,
			const struct heap_report *report);
void advice_sites_release (struct advice_sites *sites);

/* Return the caller of CONTEXT, or CONTEXT itself, whose frame is the site of
   its blocks.  If the program has no candidate, return 0.  */
uint32_t advice_sites_find (const struct advice_sites *sites, uint32_t context);

/* Return the place of FRAME, equal for frames at the same line.  */
uint32_t advice_sites_place (const struct advice_sites *sites, uint32_t frame);

/* Return true if the call that allocates in CONTEXT is in code of the program,
   not in a library.  */
bool advice_sites_is_own (const struct advice_sites *sites, uint32_t context);

#endif /* HEAPPROF_ADVICE_SITES_H */

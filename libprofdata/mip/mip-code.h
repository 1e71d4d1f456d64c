/* The code of a module of a machine-level profile: functions by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_CODE_H
#define HEAPPROF_MIP_CODE_H

#include "mip-profile.h"

/* Code of a function, by link address.  */
struct mip_code_range
{
  uint64_t begin;
  uint64_t bytes;
  uint32_t function;
};

struct mip_code
{
  struct mip_code_range *ranges; /* sorted; malloced */
  size_t count;
};

/* Set *CODE to the code of the functions of MODULE, or to their entries, where
   one may be called: those and its thunks.  Return false if memory is
   exhausted.  */
bool mip_code_init (struct mip_code *code, const struct mip_profile *profile,
		    const struct mip_module *module);
bool mip_code_init_entries (struct mip_code *code,
			    const struct mip_profile *profile,
			    const struct mip_module *module);

void mip_code_release (struct mip_code *code);

/* Return the function whose code contains ADDRESS, or has an entry there;
   MIP_NO_FUNCTION if there is none.  */
uint32_t mip_code_find (const struct mip_code *code, uint64_t address);

#endif /* HEAPPROF_MIP_CODE_H */

/* The order in which a linker should place static data, so that what the
   program uses at start-up is on few pages.
   SPDX-License-Identifier: GPL-3.0-or-later

   Nothing is recorded about data at run time: an object counts as used if code
   that ran refers to it, or if such an object points to it.  */

#ifndef HEAPPROF_MIP_DATA_H
#define HEAPPROF_MIP_DATA_H

#include "mip-profile.h"
#include "object-finder.h"
#include "static-data.h"

/* A variable or constant.  */
struct mip_datum
{
  const char *name;
  uint32_t module;
  enum static_data_section section;
};

/* All zeros is empty.  */
struct mip_data
{
  struct mip_datum *data; /* in the new order */
  size_t count;
  struct object_file **files;  /* of the modules, which own the names; NULL: not
				  needed */
  struct static_data *objects; /* of the modules */
  size_t module_count;
};

/* Fill DATA with the static data that the COUNT functions of PROFILE at ORDER
   refer to: what the first one refers to is first.  FINDER finds the programs.
   On failure print an error, release DATA and return false.  */
bool mip_data_order (struct mip_data *data, const struct mip_profile *profile,
		     const uint32_t *order, size_t count,
		     struct object_finder *finder);
void mip_data_release (struct mip_data *data);

#endif /* HEAPPROF_MIP_DATA_H */

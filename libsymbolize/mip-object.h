/* The map of a machine-level profile, in an object file or in a file of its
   own.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_OBJECT_H
#define HEAPPROF_MIP_OBJECT_H

#include "mip-profile.h"
#include "profile-error.h"

struct mip_object;

/* Open PATH, an executable or a shared object that was not stripped, its
   separate debug file, or the file of its map.  NULL and *ERR if it is none of
   these, or has no map.  */
struct mip_object *mip_object_open (const char *path,
				    struct profile_error *err);
void mip_object_close (struct mip_object *object);

/* Return its map, valid until it is closed.  */
const struct mip_map *mip_object_map (const struct mip_object *object);

#endif /* HEAPPROF_MIP_OBJECT_H */

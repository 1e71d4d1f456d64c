/* The promoted virtual calls of an object file (doc/vtmap-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VTABLE_SITES_H
#define HEAPPROF_VTABLE_SITES_H

#include "object-file.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A jump after a comparison with a virtual table, or with a function that
   several tables have.  */
struct vtable_site
{
  uint64_t jump;
  uint64_t same; /* target for objects that have it */
  uint64_t other;
  bool is_continued; /* other objects reach another comparison */
  bool is_function;
  const char *name; /* of the table or function; owned by the object file */
};

/* All zeros is empty.  */
struct vtable_sites
{
  struct vtable_site *sites; /* by JUMP */
  size_t count;
};

/* Fill SITES with those of FILE, which must outlive them; none if it has no
   such section.  Return false and set *ERR if that is invalid or memory is
   exhausted.  */
bool vtable_sites_read (struct vtable_sites *sites, struct object_file *file,
			struct profile_error *err);
void vtable_sites_release (struct vtable_sites *sites);

/* Return the number of the first site whose jump is not before ADDRESS.  */
size_t vtable_sites_first (const struct vtable_sites *sites, uint64_t address);

#endif /* HEAPPROF_VTABLE_SITES_H */

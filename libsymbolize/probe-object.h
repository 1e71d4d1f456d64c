/* The pseudo probes of an object file on disk.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROBE_OBJECT_H
#define HEAPPROF_PROBE_OBJECT_H

#include "object-file.h"
#include "profile-error.h"
#include "pseudo-probes.h"
#include <stdbool.h>

/* Fill PROBES with those of FILE, which must outlive them, or of its separate
   debug file; none if they have no such sections.  Return false and set *ERR if
   these are invalid or memory is exhausted.  */
bool probe_object_read (struct pseudo_probes *probes, struct object_file *file,
			struct profile_error *err);

#endif /* HEAPPROF_PROBE_OBJECT_H */

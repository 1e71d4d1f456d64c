/* The mappings of this process, as the kernel lists them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_MEMORY_MAP_H
#define HEAPPROF_MEMORY_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct sys_mapping
{
  uintptr_t start, end;
  bool is_readable, is_writable, is_shared;
  bool has_file;
  const char *path; /* of the file, valid during the visit; or empty */
};

/* Call VISIT for each mapping, in the order of addresses.  Return 0 or a
   negative errno.  For one thread at a time; VISIT must change no
   mappings.  */
int sys_visit_mappings (void (*visit) (const struct sys_mapping *mapping,
				       void *data),
			void *data);

#endif /* HEAPPROF_MEMORY_MAP_H */

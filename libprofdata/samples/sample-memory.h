/* Memory that lives as long as a sample profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_MEMORY_H
#define HEAPPROF_SAMPLE_MEMORY_H

#include "sample-profile.h"
#include <stddef.h>

/* Return N zeroed objects of SIZE bytes; NULL if memory is exhausted.  */
void *sample_profile_allocate (struct sample_profile *profile, size_t n,
			       size_t size);

#endif /* HEAPPROF_SAMPLE_MEMORY_H */

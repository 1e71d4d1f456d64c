/* The numbers of a context as sample types of pprof and OTLP, which name them
   alike.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_TYPES_H
#define HEAPPROF_SAMPLE_TYPES_H

#include "context-match.h"

struct sample_type
{
  enum context_measure measure;
  const char *name;
  const char *unit;
};

#define SAMPLE_TYPE_COUNT 8

/* Index of the type that viewers should show first.  */
#define SAMPLE_TYPE_DEFAULT 1

extern const struct sample_type sample_types[SAMPLE_TYPE_COUNT];

/* Return the value of TYPE for INFO.  The formats' numbers are signed, so at
   most INT64_MAX.  */
uint64_t sample_type_value (const struct sample_type *type,
			    const struct memory_info *info);

#endif /* HEAPPROF_SAMPLE_TYPES_H */

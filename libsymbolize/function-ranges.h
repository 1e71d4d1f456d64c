/* The code ranges of functions in the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   They are read once: the same few functions are asked for with thousands of
   addresses.  */

#ifndef HEAPPROF_FUNCTION_RANGES_H
#define HEAPPROF_FUNCTION_RANGES_H

#include "function-facts.h"
#include "symbolizer.h"
#include "unit-map.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct known_ranges;

/* All zeros is empty.  */
struct function_ranges
{
  struct symbolizer_range *ranges; /* of all functions so far */
  size_t count;
  size_t capacity;
  struct known_ranges *known; /* a hash table of SLOT_COUNT, a power of two */
  size_t slot_count;
  size_t known_count;
};

void function_ranges_release (struct function_ranges *ranges);

/* Set RANGES and RANGE_COUNT of FUNCTION to those of NODE in UNIT, whose
   addresses are BIAS below the file's; they are valid until the next call.
   With HAS_VARIANTS, they include those of other functions of the unit with the
   same facts, which are from FACTS.  Return false if memory is exhausted.  */
bool function_ranges_find (struct function_ranges *ranges,
			   struct function_facts_store *facts,
			   struct unit *unit, const struct inline_node *node,
			   uint64_t bias, bool has_variants,
			   struct symbolizer_function *function);

#endif /* HEAPPROF_FUNCTION_RANGES_H */

/* The functions of sampled code, and their names in the profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLED_FUNCTIONS_H
#define HEAPPROF_SAMPLED_FUNCTIONS_H

#include "address-pairs.h"
#include "image-list.h"
#include "range-overlay.h"
#include "sample-builder.h"
#include "sample-profile.h"
#include "symbolizer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sampled_functions
{
  struct sample_profile *profile; /* gets the names */
  const struct sample_builder_options *options;
  struct image *image; /* whose addresses are looked up */
};

/* Return true if NAME, or its N bytes, is a compiler-generated initializer of
   variables.  Many of them share a name.  */
bool sampled_functions_is_initializer (const char *name);
bool sampled_functions_is_initializer_n (const char *name, size_t n);

/* Return the name number of the function with FUNCTION_BYTES at FUNCTION,
   called DESCRIBED in the debug information, declared in the source file
   DECLARED_IN, NULL if unknown.  SAMPLE_NO_NAME if memory is exhausted.  */
uint32_t sampled_functions_add_name (const struct sampled_functions *functions,
				     const char *function,
				     size_t function_bytes,
				     const char *described,
				     const char *declared_in);

/* Find the function at ADDRESS.  Variants that share a name in the debug
   information are one function, unless symbol names are used, which differ.
   Return false if memory is exhausted.  */
bool sampled_functions_find (const struct sampled_functions *functions,
			     uint64_t address,
			     struct symbolizer_function *function);

/* Add to OVERLAY the PAIRS of image NUMBER, which is the current one: ranges,
   or addresses.  Parts of sampled functions without samples did not run: they
   get the count 0.  Return false if memory is exhausted.  */
bool sampled_functions_overlay (const struct sampled_functions *functions,
				const struct address_pairs *pairs,
				uint32_t number, bool has_ranges,
				struct range_overlay *overlay);

/* Set *NAME to the name number of the function whose entry is ADDRESS;
   SAMPLE_NO_NAME if none.  Return false if memory is exhausted.  */
bool sampled_functions_find_callee (const struct sampled_functions *functions,
				    uint64_t address, uint32_t *name);

#endif /* HEAPPROF_SAMPLED_FUNCTIONS_H */

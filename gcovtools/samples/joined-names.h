/* Names in debug information that several functions of a program share.
   SPDX-License-Identifier: GPL-3.0-or-later

   gcc describes local C++ functions, such as those of classes in anonymous
   namespaces and of lambda expressions, by their plain names only.  Functions
   with different symbols then have one entry in a profile.  */

#ifndef HEAPPROF_JOINED_NAMES_H
#define HEAPPROF_JOINED_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct joined_name
{
  char *symbol; /* of the first function, without suffixes; NULL: none yet */
  bool is_joined;
};

/* All zeros is empty.  */
struct joined_names
{
  struct joined_name *names; /* by name number */
  uint32_t count;
  uint32_t joined_count; /* names of several functions */
  char *examples[2];	 /* demangled names of two that are joined, or NULL */
};

/* The function called DESCRIBED in the debug information, with name NUMBER in
   the profile, has the SYMBOL of BYTES bytes, NULL if unknown.  Return false if
   memory is exhausted.  */
bool joined_names_add (struct joined_names *names, uint32_t number,
		       const char *described, const char *symbol, size_t bytes);

void joined_names_release (struct joined_names *names);

#endif /* HEAPPROF_JOINED_NAMES_H */

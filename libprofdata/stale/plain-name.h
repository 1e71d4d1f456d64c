/* Names of functions without parameters, classes and namespaces.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PLAIN_NAME_H
#define HEAPPROF_PLAIN_NAME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Return a hash value, not 0, of the last part of the C++ function's mangled
     NAME; 0 if it is not mangled, or memory is exhausted.  */
  uint64_t plain_name_hash (const char *name);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PLAIN_NAME_H */

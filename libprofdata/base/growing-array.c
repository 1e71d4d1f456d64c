/* Arrays that grow.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "growing-array.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool
growing_array_reserve (void *array, size_t used, size_t *capacity, size_t count,
		       size_t bytes)
{
  if (count <= *capacity - used)
    return true;
  size_t wanted = used + count;
  if (wanted < 2 * *capacity)
    wanted = 2 * *capacity;
  if (wanted < used || wanted > SIZE_MAX / bytes)
    return false;
  /* ARRAY points at a pointer of any type.  */
  void *memory;
  memcpy (&memory, array, sizeof memory);
  memory = realloc (memory, wanted * bytes);
  if (memory == NULL)
    return false;
  memcpy (array, &memory, sizeof memory);
  *capacity = wanted;
  return true;
}

/* Temporary memory for one call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "loan.h"
#include "bytes.h"
#include "sys.h"
#include <stdbool.h>
#include <stdint.h>

/* Enough for a few thousand contexts.  Its pages exist only once touched.  */
#define RESERVE_BYTES 262144u

static _Alignas(64) char reserve[RESERVE_BYTES];
static size_t used_bytes;
static unsigned loans;

static bool
is_of_reserve (const void *memory)
{
  return (uintptr_t) memory - (uintptr_t) reserve < RESERVE_BYTES;
}

void *
rt_borrow (size_t bytes)
{
  void *const mapped = sys_map (bytes);
  if (mapped != NULL || bytes > RESERVE_BYTES - used_bytes)
    return mapped;
  char *const memory = reserve + used_bytes;
  used_bytes += (bytes + 63) / 64 * 64;
  loans++;
  own_memset (memory, 0, bytes);
  return memory;
}

/* Pieces are returned in any order, and all of them before more is
   borrowed.  */

void
rt_give_back (void *memory, size_t bytes)
{
  if (memory == NULL)
    return;
  if (!is_of_reserve (memory))
    sys_unmap (memory, bytes);
  else if (--loans == 0)
    used_bytes = 0;
}

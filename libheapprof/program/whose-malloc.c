/* Whether calls of malloc reach this library: see replaced.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "abi-symbols.h"
#include "replaced.h"
#include "route.h"
#include <malloc.h>

int (*rt_next_mallopt) (int parameter, int value);

/* A parameter that no C library defines, and a result that only this function
   returns.  */
#define WHOSE_IS_IT (-0x6870)
#define OURS 0x6870

RT_ENTRY int
mallopt (int parameter, int value)
{
  if (parameter == WHOSE_IS_IT)
    return OURS;
  return rt_next_mallopt != NULL ? rt_next_mallopt (parameter, value) : 1;
}
RT_SECOND_NAME (mallopt);

int rt_own_mallopt (int parameter, int value)
  __attribute__ ((visibility ("hidden")));

unsigned char rt_whose_malloc;

bool
rt_ask_whose_malloc (void)
{
  int (*volatile own) (int, int) = rt_own_mallopt;
  const bool is_foreign = own (WHOSE_IS_IT, 0) != OURS;
  __atomic_store_n (&rt_whose_malloc,
		    is_foreign ? RT_MALLOC_FOREIGN : RT_MALLOC_OURS,
		    __ATOMIC_RELAXED);
  return is_foreign;
}

/* In code for indirect branch tracking an instruction precedes the jump.  */

bool
rt_is_any_replaced (void)
{
  for (const struct rt_route *each = rt_routes; each < rt_routes_end; each++)
    if ((uintptr_t) each->own - (uintptr_t) each->called > 4)
      return true;
  return false;
}

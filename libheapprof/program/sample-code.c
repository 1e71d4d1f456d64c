/* malloc, free and realloc with samples as code made at run time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "sample-code.h"
#include "next.h"
#include "sample.h"
#include "sampling.h"
#include "span.h"
#include "sys.h"
#include "thread-pointer.h"
#include "written-code.h"
#include <stddef.h>
#include <stdint.h>

#if MACHINE_WRITES_CODE

/* Places to look for a free page near an address, this far apart, in both
   directions: within the reach of jumps.  */
#define STEP_BYTES ((uintptr_t) 16 << 20)
#define STEPS 100

/* Map a page near ADDRESS; NULL if there is none.  */

static uint8_t *
map_near (uintptr_t address)
{
  const uintptr_t page = address & -(uintptr_t) SYS_PAGE_BYTES;
  for (uintptr_t i = 1; i <= STEPS; i++)
    for (int side = 0; side < 2; side++)
      {
	const uintptr_t distance = i * STEP_BYTES;
	const uintptr_t at = side == 0 ? page - distance : page + distance;
	void *const found = sys_map_at ((void *) at, SYS_PAGE_BYTES);
	if (found != NULL)
	  return found;
      }
  return NULL;
}

struct rt_sample_code
rt_sample_code_make (void)
{
  const struct rt_sample_code none = { NULL, NULL, NULL };
  uint8_t *const page = map_near ((uintptr_t) rt_next_malloc);
  if (page == NULL)
    return none;
  struct machine_code code = { page, false };
  const uintptr_t thread = (uintptr_t) machine_own_thread_pointer ();
  const intptr_t left = (intptr_t) ((uintptr_t) &rt_sampler.left - thread);
  const struct rt_sample_code made
    = { machine_put_sample_malloc (&code, left, (uintptr_t) rt_next_malloc,
				   (uintptr_t) rt_sample_due),
	machine_put_sample_free (&code, rt_span_lowest,
				 (uintptr_t) rt_next_free,
				 (uintptr_t) rt_sample_release),
	machine_put_sample_realloc (&code, rt_span_lowest, left,
				    (uintptr_t) rt_next_realloc,
				    (uintptr_t) rt_sample_realloc_due,
				    (uintptr_t) rt_sample_realloc_own) };
  if (!code.is_far && sys_make_code (page, SYS_PAGE_BYTES))
    return made;
  sys_unmap (page, SYS_PAGE_BYTES);
  return none;
}

#else

struct rt_sample_code
rt_sample_code_make (void)
{
  return (struct rt_sample_code){ NULL, NULL, NULL };
}

#endif

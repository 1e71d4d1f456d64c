/* malloc and free with samples as code made at run time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "sample-code.h"
#include "bytes.h"
#include "next.h"
#include "sample.h"
#include "sampling.h"
#include "span.h"
#include "sys.h"
#include <stddef.h>
#include <stdint.h>

/* Places to look for a free page near an address, this far apart, in both
   directions: within the reach of jumps.  */
#define STEP_BYTES ((uintptr_t) 16 << 20)
#define STEPS 100

/* Code being written; IS_FAR once a distance does not fit.  */
struct code
{
  uint8_t *end;
  bool is_far;
};

static void
put (struct code *code, const void *bytes, size_t count)
{
  own_memcpy (code->end, bytes, count);
  code->end += count;
}

#define PUT(code, ...)                                                         \
  put (code, (const uint8_t[]){ __VA_ARGS__ },                                 \
       sizeof (const uint8_t[]){ __VA_ARGS__ })

/* Where jumps through variables may lead, as RT_BRANCH_TARGET.  */

static void
put_branch_target (struct code *code)
{
#if defined __CET__ && (__CET__ & 1) != 0
  PUT (code, 0xf3, 0x0f, 0x1e, 0xfa);
#else
  (void) code;
#endif
}

/* Put DISTANCE in 32 bits.  */

static void
put_distance (struct code *code, intptr_t distance)
{
  const int32_t narrow = (int32_t) distance;
  code->is_far = code->is_far || narrow != distance;
  put (code, &narrow, sizeof narrow);
}

/* Put the distance of TARGET from the end of the instruction, which is the end
   of that number.  */

static void
put_relative (struct code *code, uintptr_t target)
{
  put_distance (code, (intptr_t) target - (intptr_t) (code->end + 4));
}

/* Put a jump to TARGET, wherever that is.  */

static void
put_jump (struct code *code, uintptr_t target)
{
  PUT (code, 0xff, 0x25, 0, 0, 0, 0); /* jmp *0(%rip) */
  put (code, &target, sizeof target);
}

static uint8_t *
put_malloc (struct code *code)
{
  uint8_t *const start = code->end;
  const uintptr_t thread = (uintptr_t) __builtin_thread_pointer ();
  put_branch_target (code);
  PUT (code, 0x64, 0x48, 0x29, 0x3c, 0x25); /* sub %rdi, %fs:... */
  put_distance (code, (intptr_t) ((uintptr_t) &rt_sampler.left - thread));
  PUT (code, 0x0f, 0x83); /* jae */
  put_relative (code, (uintptr_t) rt_next_malloc);
  put_jump (code, (uintptr_t) rt_sample_due);
  return start;
}

static uint8_t *
put_free (struct code *code)
{
  const uintptr_t lowest = rt_span_lowest;
  uint8_t *const literal = code->end;
  put (code, &lowest, sizeof lowest);
  uint8_t *const start = code->end;
  put_branch_target (code);
  PUT (code, 0x48, 0x3b, 0x3d); /* cmp ...(%rip), %rdi */
  put_relative (code, (uintptr_t) literal);
  PUT (code, 0x0f, 0x82); /* jb */
  put_relative (code, (uintptr_t) rt_next_free);
  put_jump (code, (uintptr_t) rt_sample_release);
  return start;
}

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
  const struct rt_sample_code none = { NULL, NULL };
  uint8_t *const page = map_near ((uintptr_t) rt_next_malloc);
  if (page == NULL)
    return none;
  struct code code = { page, false };
  const struct rt_sample_code made = { put_malloc (&code), put_free (&code) };
  if (!code.is_far && sys_make_code (page, SYS_PAGE_BYTES))
    return made;
  sys_unmap (page, SYS_PAGE_BYTES);
  return none;
}

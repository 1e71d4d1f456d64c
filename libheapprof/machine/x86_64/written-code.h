/* Code written at run time, on x86-64: sample-code.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_WRITTEN_CODE_H
#define HEAPPROF_WRITTEN_CODE_H

#include "bytes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_WRITES_CODE 1

/* Code being written; IS_FAR once a distance does not fit.  */
struct machine_code
{
  uint8_t *end;
  bool is_far;
};

static inline void
put (struct machine_code *code, const void *bytes, size_t count)
{
  own_memcpy (code->end, bytes, count);
  code->end += count;
}

#define PUT(code, ...)                                                         \
  put (code, (const uint8_t[]){ __VA_ARGS__ },                                 \
       sizeof (const uint8_t[]){ __VA_ARGS__ })

/* Where jumps through variables may lead, as MACHINE_BRANCH_TARGET.  */

static inline void
put_branch_target (struct machine_code *code)
{
#if defined __CET__ && (__CET__ & 1) != 0
  PUT (code, 0xf3, 0x0f, 0x1e, 0xfa);
#else
  (void) code;
#endif
}

/* Put DISTANCE in 32 bits.  */

static inline void
put_distance (struct machine_code *code, intptr_t distance)
{
  const int32_t narrow = (int32_t) distance;
  code->is_far = code->is_far || narrow != distance;
  put (code, &narrow, sizeof narrow);
}

/* Put the distance of TARGET from the end of the instruction, which is the end
   of that number.  */

static inline void
put_relative (struct machine_code *code, uintptr_t target)
{
  put_distance (code, (intptr_t) target - (intptr_t) (code->end + 4));
}

/* Put a jump to TARGET, wherever that is.  */

static inline void
put_jump (struct machine_code *code, uintptr_t target)
{
  PUT (code, 0xff, 0x25, 0, 0, 0, 0); /* jmp *0(%rip) */
  put (code, &target, sizeof target);
}

/* Put malloc with samples: LEFT is the distance of rt_sampler.left from the
   thread pointer.  Return its start.  */

static inline uint8_t *
machine_put_sample_malloc (struct machine_code *code, intptr_t left,
			   uintptr_t next, uintptr_t due)
{
  uint8_t *const start = code->end;
  put_branch_target (code);
  PUT (code, 0x64, 0x48, 0x29, 0x3c, 0x25); /* sub %rdi, %fs:... */
  put_distance (code, left);
  PUT (code, 0x0f, 0x83); /* jae */
  put_relative (code, next);
  put_jump (code, due);
  return start;
}

/* Put free with samples.  Return its start.  */

static inline uint8_t *
machine_put_sample_free (struct machine_code *code, uintptr_t lowest,
			 uintptr_t next, uintptr_t release)
{
  uint8_t *const literal = code->end;
  put (code, &lowest, sizeof lowest);
  uint8_t *const start = code->end;
  put_branch_target (code);
  PUT (code, 0x48, 0x3b, 0x3d); /* cmp ...(%rip), %rdi */
  put_relative (code, (uintptr_t) literal);
  PUT (code, 0x0f, 0x82); /* jb */
  put_relative (code, next);
  put_jump (code, release);
  return start;
}

/* Put realloc with samples.  Return its start.  */

static inline uint8_t *
machine_put_sample_realloc (struct machine_code *code, uintptr_t lowest,
			    intptr_t left, uintptr_t next, uintptr_t due,
			    uintptr_t own)
{
  uint8_t *const literal = code->end;
  put (code, &lowest, sizeof lowest);
  uint8_t *const to_own = code->end;
  put_jump (code, own);
  uint8_t *const start = code->end;
  put_branch_target (code);
  PUT (code, 0x48, 0x3b, 0x3d); /* cmp ...(%rip), %rdi */
  put_relative (code, (uintptr_t) literal);
  PUT (code, 0x0f, 0x83); /* jae */
  put_relative (code, (uintptr_t) to_own);
  PUT (code, 0x64, 0x48, 0x29, 0x34, 0x25); /* sub %rsi, %fs:... */
  put_distance (code, left);
  PUT (code, 0x0f, 0x83); /* jae */
  put_relative (code, next);
  put_jump (code, due);
  return start;
}

#endif /* HEAPPROF_WRITTEN_CODE_H */

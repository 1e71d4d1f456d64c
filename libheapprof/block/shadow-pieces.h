/* Access counters where address space is limited: mapped piece by piece.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SHADOW_PIECES_H
#define HEAPPROF_SHADOW_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Choose the addresses of the counters, install the handler of SIGSEGV, and
   return the start of the counters.  */
void *rt_shadow_pieces_start (void);

/* Set while counters are mapped in pieces: one bit per piece, 1 if it exists.
   NULL if all counters are one mapping.  */
extern uint8_t *rt_shadow_pieces __attribute__ ((visibility ("hidden")));

const uint64_t *rt_shadow_piece_end_slowly (const uint64_t *first,
					    const uint64_t *end, bool *exists);

/* Return the end of the piece that FIRST is in, at most END.  Set *EXISTS to
   whether that piece exists; if not, its counters are 0.  */
static inline const uint64_t *
rt_shadow_piece_end (const uint64_t *first, const uint64_t *end, bool *exists)
{
  *exists = true;
  return __builtin_expect (rt_shadow_pieces == NULL, 1)
	   ? end
	   : rt_shadow_piece_end_slowly (first, end, exists);
}

#endif /* HEAPPROF_SHADOW_PIECES_H */

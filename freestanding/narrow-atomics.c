/* Atomic operations on one or two bytes, for machines on which compilers call
   functions for them: RISC-V, before GCC 13.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These functions are in libatomic, which programs need not link with.  They do
   the same: change the word that the bytes are in.  */

#include "bytes.h"
#include <stdbool.h>
#include <stdint.h>

#if defined __riscv

extern uint8_t fetch_or_1 (volatile void *at, uint8_t value,
			   int order) __asm__("__atomic_fetch_or_1")
  __attribute__ ((weak, visibility ("hidden")));
extern uint8_t fetch_and_1 (volatile void *at, uint8_t value,
			    int order) __asm__("__atomic_fetch_and_1")
  __attribute__ ((weak, visibility ("hidden")));
extern uint8_t exchange_1 (volatile void *at, uint8_t value,
			   int order) __asm__("__atomic_exchange_1")
  __attribute__ ((weak, visibility ("hidden")));
extern bool
compare_exchange_1 (volatile void *at, void *expected, uint8_t value,
		    int success,
		    int failure) __asm__("__atomic_compare_exchange_1")
  __attribute__ ((weak, visibility ("hidden")));
extern bool
compare_exchange_2 (volatile void *at, void *expected, uint16_t value,
		    int success,
		    int failure) __asm__("__atomic_compare_exchange_2")
  __attribute__ ((weak, visibility ("hidden")));

/* Return the word that the bytes at AT are in, and store in *SHIFT how far up
   in it.  */

static uint32_t *
word_of (volatile void *at, unsigned *shift)
{
  const uintptr_t address = (uintptr_t) at;
  *shift = (unsigned) (address % 4) * 8;
  return (uint32_t *) (address & -(uintptr_t) 4);
}

uint8_t
fetch_or_1 (volatile void *at, uint8_t value, int order)
{
  unsigned shift;
  uint32_t *const word = word_of (at, &shift);
  (void) order;
  return (uint8_t) (__atomic_fetch_or (word, (uint32_t) value << shift,
				       __ATOMIC_SEQ_CST)
		    >> shift);
}

uint8_t
fetch_and_1 (volatile void *at, uint8_t value, int order)
{
  unsigned shift;
  uint32_t *const word = word_of (at, &shift);
  const uint32_t others = ~(UINT32_C (0xff) << shift);
  (void) order;
  return (uint8_t) (__atomic_fetch_and (word,
					others | (uint32_t) value << shift,
					__ATOMIC_SEQ_CST)
		    >> shift);
}

/* Store VALUE in the bytes that MASK covers before it is shifted, if they are
 *EXPECTED or if that is NULL; return what they were.  */

static uint32_t
replace (volatile void *at, const uint32_t *expected, uint32_t value,
	 uint32_t mask)
{
  unsigned shift;
  uint32_t *const word = word_of (at, &shift);
  uint32_t old = __atomic_load_n (word, __ATOMIC_SEQ_CST);
  uint32_t found;
  do
    {
      found = old >> shift & mask;
      if (expected != NULL && found != *expected)
	break;
    }
  while (!__atomic_compare_exchange_n (word, &old,
				       (old & ~(mask << shift))
					 | value << shift,
				       true, __ATOMIC_SEQ_CST,
				       __ATOMIC_SEQ_CST));
  return found;
}

uint8_t
exchange_1 (volatile void *at, uint8_t value, int order)
{
  (void) order;
  return (uint8_t) replace (at, NULL, value, 0xff);
}

bool
compare_exchange_1 (volatile void *at, void *expected, uint8_t value,
		    int success, int failure)
{
  const uint32_t wanted = *(uint8_t *) expected;
  const uint32_t found = replace (at, &wanted, value, 0xff);
  (void) success;
  (void) failure;
  *(uint8_t *) expected = (uint8_t) found;
  return found == wanted;
}

bool
compare_exchange_2 (volatile void *at, void *expected, uint16_t value,
		    int success, int failure)
{
  const uint32_t wanted = *(uint16_t *) expected;
  const uint32_t found = replace (at, &wanted, value, 0xffff);
  (void) success;
  (void) failure;
  *(uint16_t *) expected = (uint16_t) found;
  return found == wanted;
}

#endif

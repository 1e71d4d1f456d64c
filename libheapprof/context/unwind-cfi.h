/* Call frame information: finding a frame's caller with the module's .eh_frame.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Instrumented code has frame pointers; the C and C++ libraries that it calls
   mostly do not.  A walk that trusted the frame pointer there would skip the
   instrumented caller of a library function and blame that function's caller
   instead.  So each return address is looked up once in the unwind tables, and
   the result is cached: the second time costs a load and a comparison.

   Of a row, only the stack pointer, the frame pointer and the return address
   are known.  That is enough for compiled code; unsupported rules end the walk.
 */

#ifndef HEAPPROF_UNWIND_CFI_H
#define HEAPPROF_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to find the CFA, from which the caller's stack pointer follows.  */
enum rt_cfa_kind
{
  RT_CFA_UNKNOWN,   /* no table, or an unsupported one */
  RT_CFA_OUTERMOST, /* there is no caller */
  RT_CFA_STANDARD,  /* there is a frame record, and the CFA is at its end, on
		       machines with MACHINE_HAS_STANDARD_FRAMES */
  RT_CFA_FROM_SP,   /* stack pointer + CFA_OFFSET */
  RT_CFA_FROM_FP,   /* frame pointer + CFA_OFFSET */
  RT_CFA_AT_FP	    /* the word at frame pointer + CFA_OFFSET */
};

/* How to find the caller's frame pointer.  */
enum rt_fp_kind
{
  RT_FP_SAME,	/* same as in this frame */
  RT_FP_AT_CFA, /* the word at CFA + FP_OFFSET */
  RT_FP_AT_FP	/* the word at frame pointer + FP_OFFSET */
};

struct rt_cfi_row
{
  uint8_t cfa_kind;
  uint8_t fp_kind;
  bool has_record; /* there is a frame record, at CFA + FP_OFFSET, and the CFA
		      follows from a register */
  int32_t cfa_offset;
  int32_t fp_offset;
  int32_t ra_offset; /* the return address is the word at CFA + RA_OFFSET */
};

/* The cache: one word holds a return address of at most 48 bits and the number
   of its row.  Each hash value has two places, the newest word in the first. */
#define RT_CFI_PLACES_SHIFT 17
#define RT_CFI_ROW_BITS 16
#define RT_CFI_ROW_MASK ((1u << RT_CFI_ROW_BITS) - 1)
#define RT_CFI_STANDARD_ROW 1u
#define RT_CFI_ROWS_MAX 4096u
extern uint64_t rt_cfi_places[1u << RT_CFI_PLACES_SHIFT]
  __attribute__ ((visibility ("hidden")));
extern struct rt_cfi_row rt_cfi_rows[RT_CFI_ROWS_MAX]
  __attribute__ ((visibility ("hidden")));

static inline uint64_t *
rt_cfi_place_of (uintptr_t address)
{
  const uint64_t hash = address * 0x9e3779b97f4a7c15u;
  return &rt_cfi_places[hash >> (64 - RT_CFI_PLACES_SHIFT) & ~(uint64_t) 1];
}

/* True if the row for ADDRESS is known to be a standard one.  False does not
   imply the opposite.  */
static inline bool
rt_cfi_is_standard (uintptr_t address)
{
  const uint64_t word
    = __atomic_load_n (rt_cfi_place_of (address), __ATOMIC_RELAXED);
  return word >> RT_CFI_ROW_BITS == address
	 && (word & RT_CFI_ROW_MASK) == RT_CFI_STANDARD_ROW;
}

/* Return the row for ADDRESS if it has a frame record and is found at once,
   else NULL.  */
static inline const struct rt_cfi_row *
rt_cfi_record_row (uintptr_t address)
{
  const uint64_t word
    = __atomic_load_n (rt_cfi_place_of (address), __ATOMIC_ACQUIRE);
  const struct rt_cfi_row *const row = &rt_cfi_rows[word & RT_CFI_ROW_MASK];
  return word >> RT_CFI_ROW_BITS == address && row->has_record ? row : NULL;
}

/* Return the row that applies to the call that returns to ADDRESS.  Called
   inside the library, with no lock held.  */
const struct rt_cfi_row *rt_cfi_find_row (uintptr_t address);

/* Read the row for the instruction before ADDRESS from TABLE, a module's
   .eh_frame_hdr.  For rt_cfi_find_row, and tests.  */
struct rt_cfi_row rt_cfi_read_row (const void *table, uintptr_t address);

/* Where a function saved its caller's registers, by DWARF's numbers: the
   distance from the CFA in words; 0: nowhere, or at no whole distance.  */
#define RT_CFI_REGISTERS 32u

struct rt_cfi_saves
{
  int16_t words[RT_CFI_REGISTERS];
};

/* The same for what the function has saved by then.  False if the table does
   not tell.  */
bool rt_cfi_read_saves (const void *table, uintptr_t address,
			struct rt_cfi_saves *saves);

/* Return the start of the function that has the instruction before ADDRESS; 0
   if TABLE does not have it.  */
uintptr_t rt_cfi_function (const void *table, uintptr_t address);

/* Drop cached rows for addresses in (START, END]: a module was unloaded.  */
void rt_cfi_forget (uintptr_t start, uintptr_t end);

void rt_cfi_reset_locks (void);

#endif /* HEAPPROF_UNWIND_CFI_H */

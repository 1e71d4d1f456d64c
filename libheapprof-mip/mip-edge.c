/* From where functions are called, and how often.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The probe at a function's entry (gcc-plugin/machine-CPU.cc) calls a helper that
   has the slot's address and the place that the function returns to; on x86-64

     e8 rel32		call __heapprof_mip_edge
     0f 1f 05 disp32	nopl slot(%rip)		an address, not an instruction

   Each place and function has a record in a table of fixed size; what finds no
   room there is only numbered.  Nothing is locked:
   two threads that meet a new edge at once make two records of it, which
   readers add up, and may lose calls that they count at the same time.  This is
   linked only if a program has such probes.  */

#include "mip-runtime.h"
#include "mip-helper.h"
#include "heapprof/mip.h"

/* Pages that are not used take no memory.  */
static struct mip_edge_table table;

static uint32_t
find (uint32_t edge, uint32_t slot, uint64_t return_address)
{
  while (edge != 0
	 && (table.edges[edge].return_address != return_address
	     || table.edges[edge].slot != slot))
    edge = table.edges[edge].next;
  return edge;
}

/* Count a call of the function whose slot is at ADDRESS.  Called by the helper
   alone, with any register in use.  */

MIP_CALLED_BY_HELPER
void
mip_edge_count (uint64_t address, uint64_t return_address)
{
  const uint32_t slot = (uint32_t) (address - (uint64_t) table.edges);
  const uint64_t hash = (return_address ^ slot) * 0x9e3779b97f4a7c15u;
  uint32_t *const bucket = &table.buckets[hash >> 50];
  uint32_t first = __atomic_load_n (bucket, __ATOMIC_ACQUIRE);
  uint32_t edge = find (first, slot, return_address);
  if (edge != 0)
    {
      table.edges[edge].calls++;
      return;
    }
  /* The first record has the number of all.  */
  mip_edge_table = &table;
  const uint64_t number
    = __atomic_add_fetch (&table.edges[0].calls, 1, __ATOMIC_RELAXED);
  if (number >= MIP_EDGES)
    return;
  edge = (uint32_t) number;
  table.edges[edge].return_address = return_address;
  table.edges[edge].slot = slot;
  table.edges[edge].calls = 1;
  do
    table.edges[edge].next = first;
  while (!__atomic_compare_exchange_n (bucket, &first, edge, false,
				       __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

#ifdef __x86_64__

__asm__ (
  "	.text\n"
  "	.globl	" HEAPPROF_MIP_SYMBOL_EDGE "\n"
  "	.hidden	" HEAPPROF_MIP_SYMBOL_EDGE "\n"
  "	.type	" HEAPPROF_MIP_SYMBOL_EDGE ", @function\n"
  HEAPPROF_MIP_SYMBOL_EDGE ":\n"
  "	.cfi_startproc\n"
  "	pushq	%rdi\n"
  "	.cfi_adjust_cfa_offset 8\n"
  "	pushq	%rsi\n"
  "	.cfi_adjust_cfa_offset 8\n"
  "	movq	16(%rsp), %rsi\n"	/* return address: the address */
  "	movslq	3(%rsi), %rdi\n"
  "	leaq	7(%rsi,%rdi), %rdi\n"	/* slot */
  "	movq	24(%rsp), %rsi\n"	/* where the function returns to */
  "	call	mip_edge_count\n"
  "	popq	%rsi\n"
  "	.cfi_adjust_cfa_offset -8\n"
  "	popq	%rdi\n"
  "	.cfi_adjust_cfa_offset -8\n"
  "	ret\n"
  "	.cfi_endproc\n"
  "	.size	" HEAPPROF_MIP_SYMBOL_EDGE ", .-" HEAPPROF_MIP_SYMBOL_EDGE
  "\n");

#else

MIP_HELPER (HEAPPROF_MIP_SYMBOL_EDGE, "mip_edge_count");

#endif

/* Counting calls per call site.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The probe at a function's entry (gcc-plugin/mip/machine-CPU.cc) calls a
   helper and passes it the slot's address and the function's return address; on
   x86-64

     e8 rel32		call __heapprof_mip_edge
     0f 1f 05 disp32	nopl slot(%rip)		an address, not an instruction

   Each pair of return address and function has a record in a table of fixed
   size; pairs that do not fit are only counted in total.  On x86-64 the helper
   itself handles the first edge of a bucket.  Nothing is locked: two threads
   that meet a new edge at the same time create two records for it, which
   readers add up, and may lose calls that they count at the same time.  This is
   linked only if a program has such probes.  */

#include "mip-runtime.h"
#include "mip-helper.h"
#include "heapprof/mip.h"

/* Unused pages take no memory.  Referenced by name in the helper.  */
struct mip_edge_table mip_edge_storage __attribute__ ((used));

static uint32_t
find (uint32_t edge, uint32_t slot, uint64_t return_address)
{
  while (edge != 0
	 && (mip_edge_storage.edges[edge].return_address != return_address
	     || mip_edge_storage.edges[edge].slot != slot))
    edge = mip_edge_storage.edges[edge].next;
  return edge;
}

/* Count a call of the function whose slot is at ADDRESS.  Called only by the
   helper, with any register in use.  */

MIP_CALLED_BY_HELPER
void
mip_edge_count (uint64_t address, uint64_t return_address)
{
  struct mip_edge_table *const table = &mip_edge_storage;
  const uint32_t slot = (uint32_t) (address - (uint64_t) table->edges);
  const uint32_t hash = ((uint32_t) return_address ^ slot) * 0x9e3779b1u;
  uint32_t *const bucket = &table->buckets[hash >> 18];
  uint32_t first = __atomic_load_n (bucket, __ATOMIC_ACQUIRE);
  uint32_t edge = find (first, slot, return_address);
  if (edge != 0)
    {
      table->edges[edge].calls++;
      return;
    }
  /* The first record counts all edges.  */
  mip_edge_table = table;
  const uint64_t number
    = __atomic_add_fetch (&table->edges[0].calls, 1, __ATOMIC_RELAXED);
  if (number >= MIP_EDGES)
    return;
  edge = (uint32_t) number;
  table->edges[edge].return_address = return_address;
  table->edges[edge].slot = slot;
  table->edges[edge].calls = 1;
  do
    table->edges[edge].next = first;
  while (!__atomic_compare_exchange_n (bucket, &first, edge, false,
				       __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

#ifdef __x86_64__

/* The table's layout as used by the helper.  */
_Static_assert(sizeof (struct heapprof_mip_edge) == 24, "edges");
_Static_assert(offsetof (struct heapprof_mip_edge, return_address) == 0
		 && offsetof (struct heapprof_mip_edge, slot) == 8
		 && offsetof (struct heapprof_mip_edge, calls) == 16,
	       "an edge");
_Static_assert(offsetof (struct mip_edge_table, edges) == 0
		 && offsetof (struct mip_edge_table, buckets) == 0x180000
		 && MIP_EDGE_BUCKETS == 1 << (32 - 18),
	       "buckets");

__asm__("	.text\n"
	"	.globl	" HEAPPROF_MIP_SYMBOL_EDGE "\n"
	"	.hidden	" HEAPPROF_MIP_SYMBOL_EDGE "\n"
	"	.type	" HEAPPROF_MIP_SYMBOL_EDGE
	", @function\n" HEAPPROF_MIP_SYMBOL_EDGE ":\n"
	"	.cfi_startproc\n"
	"	pushq	%rax\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rcx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rdx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rsi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	movq	32(%rsp), %rcx\n" /* return address: the address */
	"	movq	40(%rsp), %rdx\n" /* where the function returns to */
	"	leaq	mip_edge_storage(%rip), %rsi\n"
	"	movslq	3(%rcx), %rax\n"
	"	leaq	7(%rcx,%rax), %rcx\n"
	"	subl	%esi, %ecx\n" /* slot */
	"	movl	%edx, %eax\n"
	"	xorl	%ecx, %eax\n"
	"	imull	$0x9e3779b1, %eax, %eax\n"
	"	shrl	$18, %eax\n"
	"	movl	0x180000(%rsi,%rax,4), %eax\n"
	"	leaq	(%rax,%rax,2), %rax\n"
	"	leaq	(%rsi,%rax,8), %rax\n" /* first edge, or record 0 */
	"	cmpq	%rdx, (%rax)\n"
	"	jne	2f\n"
	"	cmpl	%ecx, 8(%rax)\n"
	"	jne	2f\n"
	"	incq	16(%rax)\n"
	"1:	popq	%rsi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rdx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rcx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rax\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_adjust_cfa_offset 32\n"
	"2:	pushq	%rdi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	leaq	(%rsi,%rcx), %rdi\n" /* its lower half equals that of
						the address */
	"	movq	%rdx, %rsi\n"
	"	call	mip_edge_count\n"
	"	popq	%rdi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	jmp	1b\n"
	"	.cfi_endproc\n"
	"	.size	" HEAPPROF_MIP_SYMBOL_EDGE
	", .-" HEAPPROF_MIP_SYMBOL_EDGE "\n");

#else

MIP_HELPER (HEAPPROF_MIP_SYMBOL_EDGE, "mip_edge_count");

#endif

/* Counting calls per call site.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   On x86-64 the probe at a function's entry (gcc-plugin/mip/machine-x86_64.cc)
   looks at the place of its edge in the table itself, and counts the call if
   the edge is there.  If not, it calls the helper below, which returns the
   place where to count.  On other machines the helper does everything.

   An edge is at the place of its key, or at another one of the block of places
   there.  If another edge is at its own place and has fewer calls, they change
   places, so that the more frequent one is found without the helper; if it has
   more, the place next to it is tried, which takes the helper a few
   instructions.  If all places of the block are taken, the call is lost, and
   the edge with the fewest calls there loses one, too; when it has none left,
   the new edge replaces it.  So the most frequent edges stay, and the number of
   lost calls is exact.

   Nothing is locked: threads may lose calls that they count at the same time.
   This is linked only if a program has such probes.  */

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"

/* The number of places in a block, a power of 2.  */
#define BLOCK 16

/* Unused pages take no memory.  */
struct mip_edge_table mip_edge_storage __asm__(HEAPPROF_MIP_SYMBOL_EDGES)
  __attribute__ ((used));

/* Put a new edge at PLACE, without calls.  */

static void
put (struct mip_edge_table *table, uint32_t place, uint64_t key,
     struct mip_edge_origin origin)
{
  table->calls[place] = 0;
  table->origins[place] = origin;
  __atomic_store_n (&table->keys[place], key, __ATOMIC_RELEASE);
}

/* Exchange the edges at PLACE and OTHER.  */

static void
exchange (struct mip_edge_table *table, uint32_t place, uint32_t other)
{
  const uint64_t key = table->keys[place], calls = table->calls[place];
  const struct mip_edge_origin origin = table->origins[place];
  put (table, place, table->keys[other], table->origins[other]);
  table->calls[place] = table->calls[other];
  put (table, other, key, origin);
  table->calls[other] = calls;
}

/* The edge whose own place is HOME is at PLACE.  Exchange it with the one at
   HOME, or next to it, that has fewer calls.  Return where it is then.  */

static uint32_t
come_home (struct mip_edge_table *table, uint32_t home, uint32_t place)
{
  for (uint32_t i = 0; i < 2 && (home ^ i) != place; i++)
    if (table->calls[home ^ i] < table->calls[place])
      {
	exchange (table, place, home ^ i);
	return home ^ i;
      }
  return place;
}

/* Return the place where to count a call with KEY, whose own place is HOME:
   that of its edge, which is new if necessary, or MIP_EDGE_LOST.  */

static uint32_t
find_place (uint64_t key, uint32_t home, struct mip_edge_origin origin)
{
  struct mip_edge_table *const table = &mip_edge_storage;
  uint32_t least = home;
  mip_edge_table = table;
  for (uint32_t i = 0; i < BLOCK; i++)
    {
      const uint32_t place = home ^ i;
      if (table->keys[place] == key)
	return come_home (table, home, place);
      if (table->keys[place] == 0)
	{
	  put (table, place, key, origin);
	  return place;
	}
      if (table->calls[place] < table->calls[least])
	least = place;
    }
  if (table->calls[least] <= 1)
    {
      table->calls[MIP_EDGE_LOST] += table->calls[least];
      put (table, least, key, origin);
      return least;
    }
  table->calls[least]--;
  table->calls[MIP_EDGE_LOST] += 1;
  return MIP_EDGE_LOST;
}

/* Copy the edges of TABLE to EDGES, which has room for all.  Return their
   number.  */

static size_t
copy_edges (struct heapprof_mip_edge *edges, const struct mip_edge_table *table)
{
  size_t count = 0;
  for (size_t i = 0; i < HEAPPROF_MIP_EDGE_PLACES; i++)
    if (table->keys[i] != 0)
      edges[count++] = (struct heapprof_mip_edge){
	.return_address
	= table->keys[i] ^ (uint64_t) (int32_t) table->origins[i].tag,
	.slot = table->origins[i].slot,
	.calls = table->calls[i]
      };
  return count;
}

size_t
__heapprof_mip_edges_copy (struct mip_image *image,
			   const struct mip_edge_table *table)
{
  const size_t room = HEAPPROF_MIP_EDGE_PLACES * sizeof *image->edges;
  const long address = mip_map (0, room, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  image->edge_total.calls = table->calls[MIP_EDGE_LOST];
  if (mip_is_error (address))
    {
      for (size_t i = 0; i < HEAPPROF_MIP_EDGE_PLACES; i++)
	image->edge_total.calls += table->calls[i];
      return 0;
    }
  image->edges = (void *) address;
  image->edge_bytes = room;
  const size_t count = copy_edges (image->edges, table);
  image->edge_total.calls += count;
  return count * sizeof *image->edges;
}

#ifdef __x86_64__

/* The table's layout as used by probes.  */
_Static_assert(offsetof (struct mip_edge_table, keys) == 0
		 && offsetof (struct mip_edge_table, calls)
		      == HEAPPROF_MIP_EDGE_PLACES * sizeof (uint64_t),
	       "keys and calls");

/* Set *PLACE, the own place of KEY, to the place where to count; SLOT is the
   address of the slot of the called function, and TAG its tag.  Called only by
   the helper, with any register in use.  */

MIP_CALLED_BY_HELPER
void
mip_edge_find (uint64_t key, uint64_t *place, uint64_t tag, uint64_t slot)
{
  const struct mip_edge_origin origin
    = { (uint32_t) (slot - (uint64_t) &mip_edge_storage), (uint32_t) tag };
  *place = find_place (key, (uint32_t) *place, origin);
}

/* The probe passes the table in r10, the key in r11 and its place in rax, where
   it expects the place to count at.  The tag is in an instruction 30 bytes
   before the end of the call, and the address of the slot in the next one.  */
__asm__("	.text\n"
	"	.globl	" HEAPPROF_MIP_SYMBOL_EDGE "\n"
	"	.hidden	" HEAPPROF_MIP_SYMBOL_EDGE "\n"
	"	.hidden	" HEAPPROF_MIP_SYMBOL_EDGES "\n"
	"	.type	" HEAPPROF_MIP_SYMBOL_EDGE
	", @function\n" HEAPPROF_MIP_SYMBOL_EDGE ":\n"
	"	.cfi_startproc\n"
	"	xorl	$1, %eax\n"
	"	cmpq	%r11, (%r10,%rax,8)\n"
	"	jne	1f\n"
	"	ret\n"
	"1:	xorl	$1, %eax\n"
	"	pushq	%rdi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rsi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rdx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rcx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	movq	32(%rsp), %rdx\n" /* return address */
	"	movslq	3(%rdx), %rcx\n"
	"	leaq	7(%rdx,%rcx), %rcx\n" /* slot */
	"	movl	-30(%rdx), %edx\n"    /* tag */
	"	pushq	%rax\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	movq	%rsp, %rsi\n"
	"	movq	%r11, %rdi\n"
	"	call	mip_edge_find\n"
	"	popq	%rax\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rcx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rdx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rsi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rdi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size	" HEAPPROF_MIP_SYMBOL_EDGE
	", .-" HEAPPROF_MIP_SYMBOL_EDGE "\n");

#else

/* Count a call of the function whose slot is at ADDRESS.  Called only by the
   helper, with any register in use.  */

MIP_CALLED_BY_HELPER
void
mip_edge_count (uint64_t address, uint64_t return_address)
{
  struct mip_edge_table *const table = &mip_edge_storage;
  const uint32_t slot = (uint32_t) (address - (uint64_t) table);
  const struct mip_edge_origin origin = { slot, slot * 0x9e3779b1u };
  const uint64_t key = return_address ^ (uint64_t) (int32_t) origin.tag;
  const uint32_t home = (uint32_t) key % HEAPPROF_MIP_EDGE_PLACES;
  if (table->keys[home] == key)
    table->calls[home]++;
  else
    table->calls[find_place (key, home, origin)]++;
}

MIP_HELPER (HEAPPROF_MIP_SYMBOL_EDGE, "mip_edge_count");

#endif
